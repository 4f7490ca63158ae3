import { sql } from 'kysely'
import { normalizeEmail } from '@keepsnap/contract/emails.ts'
import { retention } from '@keepsnap/contract/retention.ts'
import type { Db } from '../../db/connect.ts'
import { Fault } from '../../faults.ts'

/** The key of a counter of password attempts: attempts with the same key are counted together. */
export interface PasswordAttemptCounter {
  account: string
  /** Empty for the counter that all unknown clients share. */
  client: string
}

/** Who tries a password: a session, and a browser that has signed in to the account before, have their own counter in any network. */
export interface PasswordClient {
  client: string
  /** Its id, from the device cookie. */
  browser?: string | undefined
  /** Its hash. */
  session?: Buffer
}

/**
 * Counts an attempt before the password is checked, and returns the seconds to wait, 0 if it may proceed. A client that
 * has signed in to the account before has its own counter, and so has a session, so that neither strangers nor a stolen session can
 * lock the owner out.
 */
async function recordPasswordAttempt(
  db: Db,
  email: string,
  { client, browser, session }: PasswordClient,
): Promise<{ counter: PasswordAttemptCounter; waitSeconds: number }> {
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
  return { counter: { account, client: rows[0]?.client ?? '' }, waitSeconds: rows[0]?.wait ?? 60 }
}

/** Counts a password attempt, even for an unknown account. Throws `rate_limited` if it follows others too soon. */
export async function countPasswordAttempt(
  db: Db,
  email: string,
  client: PasswordClient,
): Promise<PasswordAttemptCounter> {
  const { counter, waitSeconds } = await recordPasswordAttempt(db, email, client)
  if (waitSeconds > 0) {
    throw new Fault(
      'rate_limited',
      `Too many attempts for this account. Please wait ${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'} and try again.`,
      waitSeconds,
    )
  }
  return counter
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

/** Forgets all known clients of the account, because a stranger may have known the old password. */
export const deleteKnownClients = async (db: Db, userId: string): Promise<void> =>
  void (await db.deleteFrom('known_clients').where('user_id', '=', userId).execute())

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
