import { currentUser, register, signIn, signOut } from '@keepsnap/contract/accounts.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { isEmail } from '@keepsnap/contract/form-rules.ts'
import type { Language } from '@keepsnap/contract/languages.ts'
import type { ApiDependencies } from '../../dependencies.ts'
import type { Call, Serve } from '../../platform/http/serve.ts'
import { newId } from '../../lib/ids.ts'
import { Fault, invalidField } from '../../faults.ts'
import { countRateHit } from '../../platform/http/rate-limits.ts'
import { publish } from '../../platform/live/bus.ts'
import { sendLink } from './email-links.ts'
import { addKnownClient, checkNewPassword, countPasswordAttempt, resetPasswordAttempts } from './passwords.ts'
import { openSession, type SessionToken, rememberBrowser, reportNewBrowser } from './sessions.ts'
import { checkTimeZone } from './settings.ts'
import { addUser, createUserView, emailTaken, isEmailTaken, isPasswordUnchanged, userByEmail } from './users.ts'

/** Registration, sign-in, sign-out, and the signed-in user. */
export function signInRoutes(serve: Serve, deps: ApiDependencies): void {
  serve(register, ({ body }, call) => registerUser(deps, body, call))
  serve(signIn, async ({ body }, call) => {
    try {
      const session = await signInUser(deps, { email: body.username, password: body.password }, call)
      deps.metrics.count('keepsnap_sign_ins_total', { outcome: 'accepted' })
      deps.securityLog.record('sign_in', call.req, { email: body.username })
      return session
    } catch (error) {
      if (error instanceof Fault) {
        deps.metrics.count('keepsnap_sign_ins_total', { outcome: 'refused' })
        deps.securityLog.record('sign_in_failed', call.req, { email: body.username, code: error.code })
      }
      throw error
    }
  })
  serve(signOut, async (_, { actor: { sessionHash } }) => {
    await deps.db.transaction().execute(async (tx) => {
      await tx.deleteFrom('sessions').where('token_hash', '=', sessionHash).execute()
      await publish(tx, { kind: 'session', session: sessionHash.toString('hex') })
    })
    deps.authenticator.invalidateSession(sessionHash)
    return null
  })
  const viewUser = createUserView(deps)
  serve(currentUser, (_, { actor }) => viewUser(actor))
}

async function registerUser(
  deps: ApiDependencies,
  body: { email: string; password: string; time_zone?: string; language?: Language },
  call: Call,
): Promise<SessionToken> {
  const { db, tokens, passwords } = deps
  const email = body.email.trim()
  if (!isEmail(email)) throw invalidField('email', 'Please enter a valid email address')
  checkNewPassword('password', body.password)
  const timeZone = checkTimeZone(body.time_zone ?? null)
  if (await isEmailTaken(db, email)) throw emailTaken()
  const username = email.slice(0, email.lastIndexOf('@'))
  const { language } = body
  const passwordHash = await passwords.hash(body.password, { client: call.client })
  const user = { id: newId(), email, username, timeZone, language, passwordHash }
  const session = await db.transaction().execute(async (tx) => {
    if (!(await addUser(tx, user))) throw emailTaken()
    await addKnownClient(tx, user.id, call.client)
    await sendLink(tx, tokens, { kind: 'verify', userId: user.id, email })
    return openSession(tx, user.id, call.req)
  })
  rememberBrowser(deps, call, { id: user.id, password_hash: passwordHash })
  return session
}

const maxCheckedPasswordChars = 1024
const wrongCredentials = (): Fault => new Fault('unauthorized', 'Invalid email or password.')

async function signInUser(
  deps: ApiDependencies,
  credentials: { email: string; password: string },
  call: Call,
): Promise<SessionToken> {
  const { db, passwords, tokens } = deps
  const { cookie } = call.req.headers
  const email = credentials.email.slice(0, limits.emailChars)
  const user = await userByEmail(db, email)
  const browser = user && tokens.deviceCookies.browserOf(cookie, user)
  // `serve` has counted the browser; its cookie says nothing about another account, and an account can have many.
  if (user && browser !== undefined) await countRateHit(db, 'knownBrowsers', user.id)
  else if (tokens.deviceCookies.browser(cookie) !== undefined) await countRateHit(db, 'auth', call.client)
  const attemptCounter = await countPasswordAttempt(db, email, { client: call.client, browser })
  const isPasswordRight = await passwords.matches(
    user?.password_hash,
    credentials.password.slice(0, maxCheckedPasswordChars),
    user && browser !== undefined ? { account: user.id } : { client: call.client },
  )
  if (!user || !isPasswordRight || !user.is_active) throw wrongCredentials()
  const session = await db.transaction().execute(async (tx) => {
    // During the check the password may have been changed, or the account deactivated or deleted.
    if (!(await isPasswordUnchanged(tx, user))) throw wrongCredentials()
    await resetPasswordAttempts(tx, attemptCounter)
    await addKnownClient(tx, user.id, call.client)
    if (browser === undefined) await reportNewBrowser(tx, user.id, call.req.headers['user-agent'])
    return openSession(tx, user.id, call.req)
  })
  rememberBrowser(deps, call, user)
  return session
}
