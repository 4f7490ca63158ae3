import { currentUser, register, signIn, signOut, type User } from '@keepsnap/contract/accounts.ts'
import { isEmail } from '@keepsnap/contract/emails.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { brokenRules, passwordMessages } from '@keepsnap/contract/passwords.ts'
import { tierOf } from '@keepsnap/contract/plans.ts'
import { updateSettings } from '@keepsnap/contract/settings.ts'
import { hashOf, newId, newSecret } from '../../domain/ids.ts'
import { planOf } from '../../domain/plans.ts'
import type { Deps } from '../../deps.ts'
import { Fault, invalid } from '../../faults.ts'
import type { Doors } from '../../http/access.ts'
import type { Call, Serve } from '../../http/serve.ts'
import { publish } from '../../live/bus.ts'
import type { Passwords } from './passwords.ts'
import {
  addSession,
  addUser,
  changeSettings,
  endSession,
  forgiveSignIns,
  isTaken,
  knowClient,
  startSignIn,
  userByEmail,
  userById,
} from './queries.ts'

const taken = (): Fault => new Fault('already_registered', 'This email is already registered.')

/** The first thing wrong with a new account's address or password. */
function checkNewAccount(email: string, password: string): void {
  if (!isEmail(email)) throw invalid('email', 'Please enter a valid email address')
  if (password.length > limits.passwordChars)
    throw invalid('password', `Password must be at most ${limits.passwordChars} characters long`)
  const [broken] = brokenRules(password)
  if (broken) throw invalid('password', passwordMessages[broken])
}

const viewOf = (user: NonNullable<Awaited<ReturnType<typeof userById>>>): User => ({
  id: user.id,
  username: user.username,
  email: user.email,
  email_verified: user.email_verified_at !== null,
  subscription_tier: tierOf(planOf(user).id),
  logo_url: null,
  background_image_url: null,
  use_logo_as_watermark: user.use_logo_as_watermark,
  ask_email_to_receive_photo: user.ask_email_to_receive_photo,
  allow_marketing_emails: user.allow_marketing_emails,
  allow_promotional_emails: user.allow_promotional_emails,
  is_admin: user.is_admin,
  is_active: user.is_active,
  created_at: user.created_at.toISOString(),
  became_subscriber_at: user.became_subscriber_at?.toISOString() ?? null,
  photo_count: user.photo_count ?? 0,
})

/** Registration, sign-in, sign-out, and who is signed in. */
export function accounts(
  serve: Serve,
  { db, media, passwords, doors }: Pick<Deps, 'db' | 'media'> & { passwords: Passwords; doors: Doors },
): void {
  const openSession = async (userId: string, req: Call['req']) => {
    const token = newSecret()
    await addSession(db, { tokenHash: hashOf(token), userId, userAgent: req.headers['user-agent'] })
    return { access_token: token, token_type: 'bearer' as const }
  }

  serve(register, async ({ body }, { req, client }) => {
    const email = body.email.trim()
    checkNewAccount(email, body.password)
    if (await isTaken(db, email)) throw taken()
    const user = {
      id: newId(),
      email,
      username: email.slice(0, email.lastIndexOf('@')),
      passwordHash: await passwords.hash(body.password),
    }
    if (!(await addUser(db, user))) throw taken()
    await knowClient(db, user.id, client)
    return openSession(user.id, req)
  })

  serve(signIn, async ({ body }, { req, client }) => {
    const email = body.username.slice(0, limits.emailChars)
    const { key, waitSeconds } = await startSignIn(db, email, client)
    if (waitSeconds > 0) {
      throw new Fault(
        'rate_limited',
        `Too many attempts for this account. Please wait ${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'} and try again.`,
        waitSeconds,
      )
    }
    const user = await userByEmail(db, email)
    const isRight = await passwords.matches(user?.password_hash, body.password.slice(0, 1024))
    if (!user || !isRight || !user.is_active) throw new Fault('unauthorized', 'Invalid email or password.')
    await forgiveSignIns(db, key)
    await knowClient(db, user.id, client)
    return openSession(user.id, req)
  })

  serve(signOut, async (_, { actor }) => {
    await db.transaction().execute(async (tx) => {
      await endSession(tx, actor.sessionHash)
      await publish(tx, { kind: 'session', session: actor.sessionHash.toString('hex') })
    })
    doors.forget(actor.sessionHash)
    return null
  })

  const viewFor = async (userId: string): Promise<User> => {
    const user = await userById(db, userId)
    if (!user) throw new Fault('unauthorized', 'Please sign in.')
    return viewOf(user)
  }
  serve(currentUser, (_, { actor }) => viewFor(actor.userId))

  serve(updateSettings, async ({ body }, { actor }) => {
    await db.transaction().execute(async (tx) => {
      await changeSettings(tx, actor.userId, body)
      await publish(tx, { kind: 'user', user: actor.userId })
    })
    media.forgetAll()
    return viewFor(actor.userId)
  })
}
