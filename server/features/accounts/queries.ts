import { sql } from 'kysely'
import { normalizeEmail } from '@keepsnap/contract/emails.ts'
import type { Language } from '@keepsnap/contract/languages.ts'
import { legalVersions } from '@keepsnap/contract/legal.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { retention } from '@keepsnap/contract/retention.ts'
import type { Db } from '../../db/connect.ts'
import { currentPlan } from '../../domain/plans.ts'
import { Fault } from '../../faults.ts'

export interface NewUser {
  id: string
  email: string
  username: string
  /** An IANA time zone; the server's without one. */
  timeZone?: string | null
  language?: Language | undefined
  passwordHash: string
}

/** Registers an account, under the General Conditions in force. False when the email address, in any case, already has an account. */
export async function addUser(
  db: Db,
  { id, email, username, timeZone, language, passwordHash }: NewUser,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('users')
    .values({
      id,
      email,
      email_key: normalizeEmail(email),
      username,
      time_zone: timeZone ?? null,
      language: language ?? null,
      terms_version: legalVersions.terms,
      password_hash: passwordHash,
    })
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export const userByEmail = (
  db: Db,
  email: string,
): Promise<{ id: string; password_hash: string; is_active: boolean } | undefined> =>
  db
    .selectFrom('users')
    .select(['id', 'password_hash', 'is_active'])
    .where('email_key', '=', normalizeEmail(email))
    .executeTakeFirst()

/** Whether an active account still has this password. Locks the row, so that this stays true until the transaction ends. */
export async function isPasswordUnchanged(
  tx: Db,
  { id, password_hash: hash }: { id: string; password_hash: string },
): Promise<boolean> {
  const userRow = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', hash)
    .where('is_active', '=', true)
    .forShare()
    .executeTakeFirst()
  return userRow !== undefined
}

export const emailTaken = (): Fault => new Fault('already_registered', 'This email is already registered.')
export const isEmailTaken = async (db: Db, email: string): Promise<boolean> =>
  (await userByEmail(db, email)) !== undefined

/** A user with the number of photos that exist for them. */
export async function userById(db: Db, id: string) {
  return db
    .selectFrom('users')
    .selectAll('users')
    .select(currentPlan.as('plan'))
    .select((eb) =>
      eb
        .selectFrom('subscribers')
        .select('subscribers.became_subscriber_at as at')
        .whereRef('subscribers.user_id', '=', 'users.id')
        .as('subscribed_at'),
    )
    .select((eb) =>
      eb
        .selectFrom('photos')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('photos.user_id', '=', 'users.id')
        .where('photos.deleted_at', 'is', null)
        .where('photos.state', '!=', 'receiving')
        .as('photo_count'),
    )
    .where('users.id', '=', id)
    .executeTakeFirst()
}

/** Whether the caller's session is the one that registered, within its first hour. */
export async function isFirstVisit(
  db: Db,
  { userId, sessionHash }: { userId: string; sessionHash: Buffer },
): Promise<boolean> {
  const session = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('users.id')
    .where('sessions.token_hash', '=', sessionHash)
    .where('sessions.user_id', '=', userId)
    .where('users.created_at', '>', sql<Date>`now() - interval '1 hour'`)
    // Registration stores account and session in one transaction, at the same now().
    .whereRef('sessions.created_at', '=', 'users.created_at')
    .executeTakeFirst()
  return session !== undefined
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

export const deleteSession = async (db: Db, tokenHash: Buffer): Promise<void> =>
  void (await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute())

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
