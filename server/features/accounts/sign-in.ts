import { sql } from 'kysely'
import { deviceCookie, deviceCookieDays } from '@keepsnap/contract/site.ts'
import { currentUser, register, signIn, signOut } from '@keepsnap/contract/accounts.ts'
import { deviceOf } from '@keepsnap/contract/security.ts'
import { accountLimits, limits } from '@keepsnap/contract/limits.ts'
import { isEmail } from '@keepsnap/contract/form-rules.ts'
import type { Language } from '@keepsnap/contract/languages.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { currentPlan } from '../plans/plans.ts'
import { queueEmail } from '../emails/queue-email.ts'
import type { Call, Serve } from '../../platform/http/serve.ts'
import { hashOf, newId, newSecret } from '../../lib/ids.ts'
import { Fault, invalidField } from '../../faults.ts'
import type { Authenticator, SessionActor } from '../../platform/http/authenticator.ts'
import { countRateHit } from '../../platform/http/rate-limits.ts'
import { publish } from '../../platform/live/bus.ts'
import type { CookieAccount } from './tokens.ts'
import { sendLink } from './email-links.ts'
import {
  addKnownClient,
  checkNewPassword,
  countPasswordAttempt,
  type Passwords,
  resetPasswordAttempts,
} from './passwords.ts'
import { checkTimeZone } from './settings.ts'
import {
  addSession,
  addUser,
  createUserView,
  deleteSession,
  emailTaken,
  isEmailTaken,
  isPasswordUnchanged,
  userByEmail,
} from './users.ts'

/** Gives a browser that has shown the password of an account, or a link to set it, the device cookie for sign-ins to it. */
export function rememberBrowser(
  { config, tokens }: Pick<Dependencies, 'config' | 'tokens'>,
  { req, reply }: Pick<Call, 'req' | 'reply'>,
  account: CookieAccount,
): void {
  const value = tokens.deviceCookies.valueAfter(req.headers.cookie, account)
  const isHttps = req.protocol === 'https' || config.publicUrl.startsWith('https:')
  const secure = isHttps ? '; Secure' : ''
  const maxAge = deviceCookieDays * 86_400
  // Sent with sign-ins alone.
  const attributes = `Max-Age=${maxAge}; Path=${signIn.path}; HttpOnly; SameSite=Strict${secure}`
  reply.header('set-cookie', `${deviceCookie}=${value}; ${attributes}`)
}

/** Tells admins, and users with a plan, that a browser without the cookie of their account has signed in to it. */
async function reportNewBrowser(tx: Db, userId: string, userAgent: string | undefined): Promise<void> {
  const user = await tx
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .where(({ or, eb }) => or([eb('is_admin', '=', true), eb(currentPlan, '<>', 'free')]))
    .where(
      sql<number>`(select count(*) from emails where recipient_key = users.email_key and kind <> 'photo' and kind = 'new-sign-in'
        and created_at > now() - interval '1 day')`,
      '<',
      accountLimits.signInEmailsPerDay,
    )
    .executeTakeFirst()
  if (!user) return
  const { browser, system } = deviceOf(userAgent ?? null)
  const device = [browser, system].filter((name) => name !== null).join(', ')
  const payload = { at: new Date().toISOString(), device }
  await queueEmail(tx, { id: newId(), kind: 'new-sign-in', userId, recipient: user.email, payload })
}

type AccountDependencies = Pick<
  Dependencies,
  'config' | 'db' | 'pool' | 'urls' | 'tokens' | 'metrics' | 'securityLog'
> & {
  passwords: Passwords
  authenticator: Authenticator
}
type ClientCall = Pick<Call, 'req' | 'reply' | 'client'>

/** Registration, sign-in, sign-out, and the signed-in user. */
export function accountRoutes(serve: Serve, deps: AccountDependencies): void {
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
  serve(signOut, (_, { actor }) => signOutUser(deps, actor))
  const viewUser = createUserView(deps)
  serve(currentUser, (_, { actor }) => viewUser(actor))
}

/** What registration and sign-in answer. */
interface SessionToken {
  access_token: string
  token_type: 'bearer'
}

async function openSession(db: Db, userId: string, { req }: ClientCall): Promise<SessionToken> {
  const sessionToken = newSecret()
  await addSession(db, { tokenHash: hashOf(sessionToken), userId, userAgent: req.headers['user-agent'] })
  return { access_token: sessionToken, token_type: 'bearer' }
}

async function registerUser(
  deps: AccountDependencies,
  body: { email: string; password: string; time_zone?: string; language?: Language },
  call: ClientCall,
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
    return openSession(tx, user.id, call)
  })
  rememberBrowser(deps, call, { id: user.id, password_hash: passwordHash })
  return session
}

const maxCheckedPasswordChars = 1024
const wrongCredentials = (): Fault => new Fault('unauthorized', 'Invalid email or password.')

async function signInUser(
  deps: AccountDependencies,
  credentials: { email: string; password: string },
  call: ClientCall,
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
    return openSession(tx, user.id, call)
  })
  rememberBrowser(deps, call, user)
  return session
}

async function signOutUser({ db, authenticator }: AccountDependencies, { sessionHash }: SessionActor): Promise<null> {
  await db.transaction().execute(async (tx) => {
    await deleteSession(tx, sessionHash)
    await publish(tx, { kind: 'session', session: sessionHash.toString('hex') })
  })
  authenticator.invalidateSession(sessionHash)
  return null
}
