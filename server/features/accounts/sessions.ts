import { sql } from 'kysely'
import type { ApiDependencies, Dependencies } from '../../dependencies.ts'
import type { Call, Serve } from '../../platform/http/serve.ts'
import { hashOf, newSecret, newId } from '../../lib/ids.ts'
import { accountLimits, limits, retention } from '@keepsnap/contract/limits.ts'
import { endOneSession, endSessions, listSessions, type SessionDetails, deviceOf } from '@keepsnap/contract/security.ts'
import type { Db } from '../../platform/db/connect.ts'
import { Fault, unauthorized } from '../../faults.ts'
import type { SessionActor } from '../../platform/http/authenticator.ts'
import { publish } from '../../platform/live/bus.ts'
import type { CookieAccount } from './tokens.ts'
import { deviceCookieDays, deviceCookie } from '@keepsnap/contract/site.ts'
import { signIn } from '@keepsnap/contract/accounts.ts'
import { currentPlan } from '../plans/plans.ts'
import { queueEmail } from '../emails/queue-email.ts'

/** Listing and ending a user's sessions. */
export function sessionRoutes(serve: Serve, deps: ApiDependencies): void {
  const { authenticator, db, mediaCache } = deps
  serve(listSessions, async (_, { actor }) => ({
    sessions: await listSessionsOf(db, actor),
    ...(await passwordTimesOf(db, actor.userId)),
  }))
  serve(endSessions, async (_, { actor: { userId } }) => {
    await db.transaction().execute((tx) => revokeAllSessions(tx, userId))
    authenticator.invalidateUser(userId)
    mediaCache.invalidateUser(userId)
    return null
  })
  serve(endOneSession, async ({ params }, { actor }) => {
    authenticator.invalidateSession(await endSession(db, actor.userId, params.id))
    return null
  })
}

async function listSessionsOf(db: Db, { userId, sessionHash }: SessionActor): Promise<SessionDetails[]> {
  const sessionRows = await db
    .selectFrom('sessions')
    .select(['id', 'token_hash', 'user_agent', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where('last_used_at', '>', sql<Date>`now() - make_interval(days => ${limits.sessionIdleDays})`)
    .where('created_at', '>', sql<Date>`now() - make_interval(days => ${limits.sessionMaxDays})`)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .limit(accountLimits.sessionsMax)
    .execute()
  return sessionRows.map((session) => ({
    id: session.id,
    user_agent: session.user_agent,
    created_at: session.created_at.toISOString(),
    last_used_at: session.last_used_at.toISOString(),
    current: session.token_hash.equals(sessionHash),
  }))
}

/** When the password was set and when the one before it; at registration if it was not changed. */
async function passwordTimesOf(
  db: Db,
  userId: string,
): Promise<{ password_set_at: string; previous_password_set_at: string }> {
  const user = await db
    .selectFrom('users')
    .select(['created_at', 'password_changed_at', 'password_changed_before'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user) throw unauthorized()
  return {
    password_set_at: (user.password_changed_at ?? user.created_at).toISOString(),
    previous_password_set_at: (user.password_changed_before ?? user.created_at).toISOString(),
  }
}

/** Ends one of a user's sessions; the hash of its token. */
async function endSession(db: Db, userId: string, id: string): Promise<Buffer> {
  const endedSession = await db.transaction().execute(async (tx) => {
    const session = await tx
      .deleteFrom('sessions')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning('token_hash')
      .executeTakeFirst()
    if (session) await publish(tx, { kind: 'session', session: session.token_hash.toString('hex') })
    return session
  })
  if (!endedSession) throw new Fault('not_found', 'This session does not exist.')
  return endedSession.token_hash
}

/** What registration, sign-in and a new password answer. */
export interface SessionToken {
  access_token: string
  token_type: 'bearer'
}

/** Opens a session of the browser that made a request. */
export async function openSession(tx: Db, userId: string, { headers }: Call['req']): Promise<SessionToken> {
  const sessionToken = newSecret()
  await addSession(tx, { tokenHash: hashOf(sessionToken), userId, userAgent: headers['user-agent'] })
  return { access_token: sessionToken, token_type: 'bearer' }
}

export async function addSession(
  db: Db,
  session: { tokenHash: Buffer; userId: string; userAgent: string | undefined },
): Promise<void> {
  await db
    .insertInto('sessions')
    .values({
      token_hash: session.tokenHash,
      user_id: session.userId,
      user_agent: session.userAgent?.slice(0, retention.userAgentChars) ?? null,
    })
    .execute()
}

/** Restarts a session's idle time. */
export const touchSession = async (db: Db, tokenHash: Buffer): Promise<void> =>
  void (await db
    .updateTable('sessions')
    .set({ last_used_at: sql`now()` })
    .where('token_hash', '=', tokenHash)
    .execute())

export async function deleteExpiredSessions(db: Db): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((eb) =>
      eb.or([
        eb('last_used_at', '<', sql<Date>`now() - make_interval(days => ${limits.sessionIdleDays})`),
        eb('created_at', '<', sql<Date>`now() - make_interval(days => ${limits.sessionMaxDays})`),
      ]),
    )
    .execute()
}

/** Which of these sessions, by their hashes in hexadecimal, exist and belong to active accounts. */
export async function existingSessions(db: Db, hashes: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ hash: string }>`
    select encode(sessions.token_hash, 'hex') as hash from sessions join users on users.id = sessions.user_id
    where sessions.token_hash in (select decode(hash, 'hex') from unnest(${hashes}::text[]) as hash) and users.is_active`.execute(
    db,
  )
  return new Set(rows.map(({ hash }) => hash))
}

/**
 * Revokes all sessions of a user on every node, closes their sockets, and invalidates the URLs of full-size images that
 * were signed before.
 */
export async function revokeAllSessions(tx: Db, userId: string): Promise<void> {
  // Locks the user first, as all code does: transactions that revoke the same sessions would deadlock otherwise.
  await tx
    .updateTable('users')
    .set({ media_epoch: sql<number>`media_epoch + 1` })
    .where('id', '=', userId)
    .execute()
  const revokedSessions = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .returning('token_hash')
    .execute()
  for (const { token_hash: hash } of revokedSessions)
    await publish(tx, { kind: 'session', session: hash.toString('hex') })
  await publish(tx, { kind: 'user', user: userId })
}

/** Gives a browser that has shown the password of an account, or a link to set it, the device cookie for sign-ins to it. */
export function rememberBrowser(
  { config, tokens }: Dependencies,
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
export async function reportNewBrowser(tx: Db, userId: string, userAgent: string | undefined): Promise<void> {
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
