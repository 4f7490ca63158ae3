import { sql } from 'kysely'
import { emailKey } from '@keepsnap/contract/emails.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../db/connect.ts'
import { Fault } from '../../faults.ts'

export interface NewUser {
  id: string
  email: string
  username: string
  passwordHash: string
}

/** False when the address, whatever its case, has an account already. */
export async function addUser(db: Db, { id, email, username, passwordHash }: NewUser): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('users')
    .values({ id, email, email_key: emailKey(email), username, password_hash: passwordHash })
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
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst()

/** Whether an active account still has the password that was found; until the transaction ends it keeps it. */
export async function isUnchanged(
  tx: Db,
  { id, password_hash: hash }: { id: string; password_hash: string },
): Promise<boolean> {
  const now = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', hash)
    .where('is_active', '=', true)
    .forShare()
    .executeTakeFirst()
  return now !== undefined
}

export const taken = (): Fault => new Fault('already_registered', 'This email is already registered.')
export const isTaken = async (db: Db, email: string): Promise<boolean> => (await userByEmail(db, email)) !== undefined

export async function userById(db: Db, id: string) {
  return db
    .selectFrom('users as u')
    .selectAll('u')
    .select((eb) =>
      eb
        .selectFrom('photos as p')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('p.user_id', '=', 'u.id')
        .where('p.deleted_at', 'is', null)
        .where('p.state', '!=', 'receiving')
        .as('photo_count'),
    )
    .where('u.id', '=', id)
    .executeTakeFirst()
}

/** Opens a session for a token's hash. */
export async function addSession(
  db: Db,
  session: { tokenHash: Buffer; userId: string; userAgent: string | undefined },
): Promise<void> {
  await db
    .insertInto('sessions')
    .values({
      token_hash: session.tokenHash,
      user_id: session.userId,
      user_agent: session.userAgent?.slice(0, 300) ?? null,
    })
    .execute()
}

export const endSession = async (db: Db, tokenHash: Buffer): Promise<void> =>
  void (await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute())

/** A used session is not idle. */
export const touchSession = async (db: Db, tokenHash: Buffer): Promise<void> =>
  void (await db
    .updateTable('sessions')
    .set({ last_used_at: sql`now()` })
    .where('token_hash', '=', tokenHash)
    .execute())

/** Sessions that no longer open anything, and counters that no longer count. */
export async function sweepAccounts(db: Db): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((eb) =>
      eb.or([
        eb('last_used_at', '<', sql<Date>`now() - make_interval(days => ${limits.sessionIdleDays})`),
        eb('created_at', '<', sql<Date>`now() - make_interval(days => ${limits.sessionMaxDays})`),
      ]),
    )
    .execute()
  await db
    .deleteFrom('sign_in_delays')
    .where('last_failure_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute()
  await db
    .deleteFrom('known_clients')
    .where('seen_at', '<', sql<Date>`now() - interval '90 days'`)
    .execute()
}

/** Which tries at an account's password are counted together. */
export interface Tries {
  account: string
  /** Empty for everybody whom the account does not know. */
  client: string
}

/**
 * Counts a try at an account's password before it is looked at; the seconds to wait, 0 when it may go on. A client
 * that has signed in to the account before has a count of its own, so that strangers cannot keep the owner out.
 */
export async function startSignIn(
  db: Db,
  email: string,
  client: string,
): Promise<{ tries: Tries; waitSeconds: number }> {
  const account = emailKey(email)
  const { rows } = await sql<{ client: string; wait: number }>`
    with who as (
      select case when exists (
        select 1 from known_clients k join users u on u.id = k.user_id where u.email_key = ${account} and k.client = ${client}
      ) then ${client} else '' end as client
    )
    select client, start_sign_in(${account}, client) as wait from who`.execute(db)
  return { tries: { account, client: rows[0]?.client ?? '' }, waitSeconds: rows[0]?.wait ?? 60 }
}

/** The client has signed in to this account: its tries are counted apart from everybody else's. */
export async function knowClient(db: Db, userId: string, client: string): Promise<void> {
  await sql`insert into known_clients (user_id, client) values (${userId}, ${client})
    on conflict (user_id, client) do update set seen_at = now()`.execute(db)
}

/** No client is known any more: whoever had the password before is a stranger. */
export const forgetClients = async (db: Db, userId: string): Promise<void> =>
  void (await db.deleteFrom('known_clients').where('user_id', '=', userId).execute())

/** The password was right: the count that the try used starts anew. */
export const forgiveSignIns = async (db: Db, { account, client }: Tries): Promise<void> =>
  void (await db.deleteFrom('sign_in_delays').where('account', '=', account).where('client', '=', client).execute())

/** Every count of tries at an account's password starts anew, and nothing of its address stays in them. */
export const forgiveAccount = async (db: Db, account: string): Promise<void> =>
  void (await db.deleteFrom('sign_in_delays').where('account', '=', account).execute())
