import { sql } from 'kysely'
import { accountLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../db/connect.ts'
import { intendForUser } from '../../domain/objects.ts'

/** The last archive that a user asked for, as long as its link works. */
export const archiveOf = (db: Db, userId: string) =>
  db
    .selectFrom('archives')
    .select(['state', 'requested_at', 'ready_at', 'expires_at', 'bytes'])
    .where('user_id', '=', userId)
    .where(sql<boolean>`(expires_at is null or expires_at > now())`)
    .executeTakeFirst()

/** Asks for a new archive in place of the old one, whose link ends. False while one is being made. */
export async function askForArchive(tx: Db, userId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    insert into archives as a (user_id, id, state) values (${userId}, ${id}, 'queued')
    on conflict (user_id) do update set id = excluded.id, state = 'queued', secret_hash = null, key = null, bytes = null,
      requested_at = now(), ready_at = null, expires_at = null where a.state <> 'queued'
    returning id`.execute(tx)
  return rows.length > 0
}

/**
 * Keeps an account from being deleted until the transaction ends; where its letters go, or undefined when it is gone.
 * Asked before any row that hangs on the account is written: deleting it locks them in this order.
 */
const holdUser = (tx: Db, userId: string) =>
  tx.selectFrom('users').select('email').where('id', '=', userId).forKeyShare().executeTakeFirst()

/** Whose archive is to be made now, and where it will be; undefined when it was replaced, made, or is nobody's any more. */
export async function claimArchive(db: Db, id: string, key: string): Promise<string | undefined> {
  return db.transaction().execute(async (tx) => {
    const found = await tx.selectFrom('archives').select('user_id').where('id', '=', id).executeTakeFirst()
    if (!found || !(await holdUser(tx, found.user_id))) return undefined
    const claimed = await tx
      .updateTable('archives')
      .set({ key })
      .where('id', '=', id)
      .where('state', '=', 'queued')
      .returning('user_id')
      .executeTakeFirst()
    if (claimed) await intendForUser(tx, claimed.user_id, [key])
    return claimed?.user_id
  })
}

/** Keys of a user's earlier archives. */
export async function earlierArchives(db: Db, userId: string, key: string): Promise<string[]> {
  const rows = await db
    .selectFrom('objects')
    .select('key')
    .where('user_id', '=', userId)
    .where('key', 'like', 'archive/%')
    .where('key', '<>', key)
    .execute()
  return rows.map((row) => row.key)
}

/** The archive is whole; where its letter goes. Undefined when it is not this attempt's any more. */
export async function finishArchive(
  tx: Db,
  made: { id: string; userId: string; key: string; bytes: number; secretHash: Buffer },
): Promise<string | undefined> {
  const user = await holdUser(tx, made.userId)
  const { numUpdatedRows } = await tx
    .updateTable('archives')
    .set({
      state: 'ready',
      bytes: made.bytes,
      secret_hash: made.secretHash,
      ready_at: sql<Date>`now()`,
      expires_at: sql<Date>`now() + make_interval(days => ${accountLimits.exportDays})`,
    })
    .where('id', '=', made.id)
    .where('key', '=', made.key)
    .where('state', '=', 'queued')
    .executeTakeFirst()
  return numUpdatedRows === 1n ? user?.email : undefined
}

const ready = (db: Db) =>
  db
    .selectFrom('archives as a')
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .select(['a.key', 'a.bytes', 'a.ready_at', 'a.expires_at'])
    .where('a.state', '=', 'ready')
    .where('a.expires_at', '>', sql<Date>`now()`)
    .where('u.is_active', '=', true)

/** A finished archive by the hash of its link's secret. */
export const archiveBySecret = (db: Db, hash: Buffer) => ready(db).where('a.secret_hash', '=', hash).executeTakeFirst()
/** The same by its id. */
export const archiveById = (db: Db, id: string) => ready(db).where('a.id', '=', id).executeTakeFirst()

/** Archives whose link has ended go with their bytes' keys; those that nobody makes any more have failed. */
export async function expireArchives(db: Db): Promise<string[]> {
  await sql`
    update archives a set state = 'failed', key = null where state = 'queued' and requested_at < now() - interval '5 minutes'
      and not exists (select 1 from graphile_worker.jobs j where j.key = 'archive:' || a.id and j.attempts < j.max_attempts)`.execute(
    db,
  )
  const gone = await db
    .deleteFrom('archives')
    .where('expires_at', '<', sql<Date>`now()`)
    .returning('key')
    .execute()
  return gone.flatMap(({ key }) => key ?? [])
}
