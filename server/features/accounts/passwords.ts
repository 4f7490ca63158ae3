import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { availableParallelism } from 'node:os'
import { sql } from 'kysely'
import { changePassword, confirmPassword } from '@keepsnap/contract/security.ts'
import type { ApiDependencies, HashingParty, Passwords } from '../../dependencies.ts'
import type { Serve, Call } from '../../platform/http/serve.ts'
import { openSession, type SessionToken, revokeAllSessions, rememberBrowser } from './sessions.ts'
import { hash, type Options, verify } from '@node-rs/argon2'
import {
  normalizeEmail,
  commonPasswordMessage,
  commonStems,
  isCommonPassword,
  brokenRules,
  passwordMessages,
} from '@keepsnap/contract/form-rules.ts'
import { retention, accountLimits, limits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../platform/db/connect.ts'
import { confirmPasswordFirst, Fault, invalidField, unauthorized } from '../../faults.ts'
import { queueEmail } from '../emails/queue-email.ts'
import { newId } from '../../lib/ids.ts'
import { networksOf } from '../../platform/http/client-address.ts'
import { createFairQueue } from '../../lib/concurrency.ts'
import { recordAction } from '../operators/audit-log.ts'
import type { SessionActor } from '../../platform/http/authenticator.ts'
import { deleteObsoleteLinks } from './email-links.ts'

/** Giving the password again, and changing it. */
export function passwordRoutes(serve: Serve, deps: ApiDependencies): void {
  serve(confirmPassword, async ({ body }, { actor, client }) => {
    await reauthenticate(deps, { actor, client }, body.password)
    return { confirmed_until: await storeConfirmation(deps.db, actor.sessionHash, accountLimits.passwordMinutes) }
  })
  serve(changePassword, async ({ body }, call) => {
    checkNewPassword('new_password', body.new_password)
    return setNewPassword(deps, { currentPassword: body.current_password, newPassword: body.new_password }, call)
  })
}

/** Sets a new password, which revokes all sessions, and opens a new one for the caller. */
async function setNewPassword(
  deps: ApiDependencies,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  call: Call<typeof changePassword>,
): Promise<SessionToken> {
  const { actor, client, req } = call
  const user = await reauthenticate(deps, { actor, client }, currentPassword)
  await refuseCommonPassword(user, newPassword)
  const passwordHash = await deps.passwords.hash(newPassword, { account: user.id })
  const session = await deps.db.transaction().execute(async (tx) => {
    const lockedUser = await tx
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', user.id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (lockedUser?.password_hash !== user.password_hash)
      throw new Fault('conflict', 'Your password was just changed on another device. Please sign in again.')
    await replacePassword(tx, user, passwordHash)
    return openSession(tx, user.id, req)
  })
  deps.authenticator.invalidateUser(user.id)
  deps.mediaCache.invalidateUser(user.id)
  rememberBrowser(deps, call, { id: user.id, password_hash: passwordHash })
  return session
}

/** The key of a counter of password attempts: attempts with the same key are counted together. */
interface PasswordAttemptCounter {
  account: string
  /** Empty for the counter that all unknown clients share. */
  client: string
}

/** Who tries a password: a session, and a browser that has signed in to the account before, have their own counter in any network. */
interface PasswordClient {
  client: string
  /** Its id, from the device cookie. */
  browser?: string | undefined
  /** Its hash. */
  session?: Buffer
}

/**
 * Counts an attempt before the password is checked, even for an unknown account. Throws `rate_limited` if it follows others
 * too soon. A client that has signed in to the account before has its own counter, and so has a session, so that neither
 * strangers nor a stolen session can lock the owner out.
 */
export async function countPasswordAttempt(
  db: Db,
  email: string,
  { client, browser, session }: PasswordClient,
): Promise<PasswordAttemptCounter> {
  const account = normalizeEmail(email)
  const ofBrowser = browser === undefined ? null : `browser ${browser}`
  const ownCounter = session ? `session ${session.toString('hex')}` : ofBrowser
  const { rows } = await sql<{ client: string; wait: number }>`
    with attempt_counter as (
      select coalesce(${ownCounter}::text, case when exists (
        select 1 from known_clients join users on users.id = known_clients.user_id
        where users.email_key = ${account} and known_clients.client = ${client}
      ) then ${client} else '' end) as client
    )
    select client, start_sign_in(${account}, client) as wait from attempt_counter`.execute(db)
  const { client: counter, wait: waitSeconds } = rows[0] ?? { client: '', wait: 60 }
  if (waitSeconds > 0) {
    throw new Fault(
      'rate_limited',
      `Too many attempts for this account. Please wait ${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'} and try again.`,
      waitSeconds,
    )
  }
  return { account, client: counter }
}

/** Resets the counter of an attempt after a correct password. */
export const resetPasswordAttempts = async (db: Db, { account, client }: PasswordAttemptCounter): Promise<void> =>
  void (await db.deleteFrom('sign_in_delays').where('account', '=', account).where('client', '=', client).execute())

/** Resets every counter of an account; its address is no longer stored in them. */
export const resetAllPasswordAttempts = async (db: Db, account: string): Promise<void> =>
  void (await db.deleteFrom('sign_in_delays').where('account', '=', account).execute())

/** Gives a client that has signed in its own counter for this account. */
export async function addKnownClient(db: Db, userId: string, client: string): Promise<void> {
  await sql`insert into known_clients (user_id, client) values (${userId}, ${client})
    on conflict (user_id, client) do update set seen_at = now()`.execute(db)
}

/** Deletes expired counters and known clients. */
export async function deleteOldPasswordAttempts(db: Db): Promise<void> {
  await db
    .deleteFrom('sign_in_delays')
    .where('last_failure_at', '<', sql<Date>`now() - make_interval(days => ${retention.passwordAttemptDays})`)
    .execute()
  await db
    .deleteFrom('known_clients')
    .where('seen_at', '<', sql<Date>`now() - make_interval(days => ${retention.knownClientDays})`)
    .execute()
}

/** Throws `invalid` with the first rule that a new password breaks. */
export function checkNewPassword(field: 'password' | 'new_password', password: string): void {
  if (password.length > limits.passwordChars)
    throw invalidField(field, `Password must be at most ${limits.passwordChars} characters long`)
  const [brokenRule] = brokenRules(password)
  if (brokenRule) throw invalidField(field, passwordMessages[brokenRule])
}

let commonPasswords: Promise<ReadonlySet<string>> | undefined

/** Throws `invalid` if an operator chooses a password that many people use. */
export async function refuseCommonPassword(
  { is_admin: isAdmin }: { is_admin: boolean },
  password: string,
): Promise<void> {
  if (!isAdmin) return
  const path = fileURLToPath(import.meta.resolve('@zxcvbn-ts/language-common/src/passwords.json'))
  commonPasswords ??= readFile(path, 'utf8').then((text) => commonStems(JSON.parse(text) as string[])) // a list of texts
  if (isCommonPassword(password, await commonPasswords)) throw invalidField('new_password', commonPasswordMessage)
}

/**
 * Sets a new password. Revokes all sessions, links and URLs of full-size images, forgets the known clients, and
 * notifies the user by email.
 */
export async function replacePassword(
  tx: Db,
  user: { id: string; email: string; email_key: string },
  passwordHash: string,
): Promise<void> {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', user.id).execute()
  await revokeAllSessions(tx, user.id)
  await deleteObsoleteLinks(tx, user.id)
  await resetAllPasswordAttempts(tx, user.email_key)
  // A stranger may have known the old password.
  await tx.deleteFrom('known_clients').where('user_id', '=', user.id).execute()
  const payload = { at: new Date().toISOString() }
  await queueEmail(tx, { id: newId(), kind: 'password-changed', userId: user.id, recipient: user.email, payload })
}

const pathOf = (whose: HashingParty): string[] =>
  'account' in whose ? ['accounts', whose.account] : ['strangers', ...networksOf(whose.client).toReversed()]

/** How passwords are hashed; tests hash with less effort. */
export interface PasswordHashing {
  cost: Options
  concurrency: number
  maxWaiting: number
}

const defaultHashing: PasswordHashing = {
  // argon2id with 19 MiB, two iterations and one thread, as OWASP recommends.
  cost: { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 },
  // A hash occupies a core: half of the cores stay free for other requests.
  concurrency: Math.max(1, Math.floor(availableParallelism() / 2)),
  maxWaiting: 200,
}

/** Hashes passwords with bounded concurrency, fairly; when too many are waiting, the party with the most gets a 503. */
export async function createPasswords(hashing: Partial<PasswordHashing> = {}): Promise<Passwords> {
  const { cost, concurrency, maxWaiting } = { ...defaultHashing, ...hashing }
  const refusal = (): Fault => new Fault('unavailable', 'Too many sign-ins right now. Please try again.', 2)
  const queue = createFairQueue({ concurrency, maxWaiting, refusal })
  const hashOfUnknownAccount = await hash('a password that no account has', cost)
  return {
    hash: (password, whose) => queue(pathOf(whose), () => hash(password, cost)),
    async matches(storedHash, password, whose) {
      const isPasswordRight = await queue(pathOf(whose), () =>
        verify(storedHash ?? hashOfUnknownAccount, password, cost),
      )
      return storedHash !== undefined && isPasswordRight
    },
  }
}

/** A signed-in user who has just entered the password again. */
export interface ReauthenticatedUser {
  id: string
  email: string
  email_key: string
  password_hash: string
  is_admin: boolean
}

/**
 * Asks a signed-in user for the password again, with the growing delay of sign-in: a stolen session is not enough to take
 * over or delete an account. Throws `forbidden`, because `unauthorized` would sign the page out. Refusals of an operator are recorded in
 * the audit log, whatever the password was asked for: it allows actions in any case.
 */
export async function reauthenticate(
  { db, passwords }: { db: Db; passwords: Passwords },
  { actor: { userId, sessionHash }, client }: { actor: SessionActor; client: string },
  password: string,
): Promise<ReauthenticatedUser> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'email', 'email_key', 'password_hash', 'is_admin'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user) throw unauthorized()
  try {
    const attemptCounter = await countPasswordAttempt(db, user.email, { client, session: sessionHash })
    if (!(await passwords.matches(user.password_hash, password, { account: userId })))
      throw new Fault('forbidden', 'This is not your current password.')
    await resetPasswordAttempts(db, attemptCounter)
  } catch (error) {
    if (error instanceof Fault && user.is_admin) {
      const by = { kind: 'operator', id: userId, name: user.email } as const
      await recordAction(db, { by, action: 'enter password', outcome: { refused: error.message } })
    }
    throw error
  }
  return user
}

/**
 * For what opens an account to others and outlives the session: throws `confirm_password` unless the password was given in this
 * session within the last 10 minutes, at sign-in or later; and `forbidden` where emails reach people and the address is
 * not confirmed, since nobody would hear of it.
 */
export async function requireRecentPassword(
  db: Db,
  { userId, sessionHash }: { userId: string; sessionHash: Buffer },
  config: { mail: { kind: 'smtp' | 'outbox' } },
): Promise<void> {
  const { rows } = await sql<{ is_verified: boolean; is_recent: boolean }>`
    select email_verified_at is not null as is_verified,
      greatest(sessions.created_at, confirmed_at) > now() - make_interval(mins => ${accountLimits.passwordMinutes}) as is_recent
    from sessions join users on users.id = sessions.user_id
      left join operator_confirmations on session_hash = sessions.token_hash
    where sessions.token_hash = ${sessionHash} and users.id = ${userId}`.execute(db)
  const [session] = rows
  if (!session) throw unauthorized()
  if (config.mail.kind === 'smtp' && !session.is_verified)
    throw new Fault('forbidden', 'Please confirm your email address first. The link is in the email we sent you.')
  if (!session.is_recent) throw confirmPasswordFirst()
}

/**
 * The same for what is stored in this transaction, which has locked the account, and an email to the owner about it. To be called last,
 * so that no password is asked for in vain.
 */
export async function confirmNewAccess(
  tx: Db,
  actor: Pick<SessionActor, 'userId' | 'sessionHash'>,
  config: Parameters<typeof requireRecentPassword>[2],
  { kind, name }: { kind: 'api-key-created' | 'event-grant-created' | 'helper-created'; name: string },
): Promise<void> {
  const { userId } = actor
  await requireRecentPassword(tx, actor, config)
  const { email: recipient, at } = await tx
    .selectFrom('users')
    .select(['email', sql<Date>`now()`.as('at')])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  await queueEmail(tx, { id: newId(), kind, userId, recipient, payload: { at: at.toISOString(), name } })
}

/** Stores that the password was given in this session just now; until when that counts. */
export async function storeConfirmation(db: Db, sessionHash: Buffer, minutes: number): Promise<string> {
  const { rows } = await sql<{ until: Date }>`
    insert into operator_confirmations (session_hash) values (${sessionHash})
    on conflict (session_hash) do update set confirmed_at = now()
    returning confirmed_at + make_interval(mins => ${minutes}) as until`.execute(db)
  const [confirmation] = rows
  if (!confirmation) throw new Error('the confirmation was not stored')
  return confirmation.until.toISOString()
}
