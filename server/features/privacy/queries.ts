import { sql } from 'kysely'
import { accountLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../db/connect.ts'
import { archiveMinDays } from '../../domain/over-limit-photos.ts'
import { storedBytes } from '../../domain/stored-bytes.ts'
import { registerKeysForUser } from '../../domain/stored-objects.ts'
import { enqueue } from '../../jobs/queue.ts'
import { newId } from '../../lib/ids.ts'

/** The archive that a user requested last, unless its link has expired. */
export const archiveOf = (db: Db, userId: string) =>
  db
    .selectFrom('archives')
    .select(['state', 'requested_at', 'ready_at', 'expires_at', 'bytes'])
    .where('user_id', '=', userId)
    .where(sql<boolean>`(expires_at is null or expires_at > now())`)
    .executeTakeFirst()

/** Larger ones are created one after the other, so that a small one never waits for all workers. */
const largeArchiveBytes = 2_000_000_000

/**
 * Requests a new archive with its job; it replaces the old one, whose link stops working. Nothing new while one is being created, which is
 * then announced by email if this one was to be.
 */
export async function requestArchive(
  tx: Db,
  { userId, isAnnounced }: { userId: string; isAnnounced: boolean },
): Promise<void> {
  const id = newId()
  const { rows: requestedArchives } = await sql`
    insert into archives (user_id, id, state, is_announced) values (${userId}, ${id}, 'queued', ${isAnnounced})
    on conflict (user_id) do update set id = excluded.id, state = 'queued', secret_hash = null, key = null, bytes = null,
      is_announced = excluded.is_announced, requested_at = now(), ready_at = null, expires_at = null
      where archives.state <> 'queued'
    returning id`.execute(tx)
  if (requestedArchives.length > 0) {
    const { rows } = await sql<{ bytes: string }>`
      select ${storedBytes} as bytes from photos where user_id = ${userId} and deleted_at is null`.execute(tx)
    const sequence = Number(rows[0]?.bytes) > largeArchiveBytes ? 'large-archives' : undefined
    await enqueue(tx, { name: 'build-archive', payload: { archiveId: id }, key: `archive:${id}`, sequence })
  } else if (isAnnounced) await sql`update archives set is_announced = true where user_id = ${userId}`.execute(tx)
}

/** Whether there is an archive that an email can still link to, or one is being created. */
export async function hasRecentArchive(tx: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from archives where user_id = ${userId}
      and (state = 'queued' or (state = 'ready' and expires_at > now() + make_interval(days => ${archiveMinDays})))`.execute(
    tx,
  )
  return rows.length > 0
}

/**
 * Locks an account against deletion; its email address, or undefined when it is deleted. Called before any row of the
 * account is written: deletion locks them in the same order, which prevents deadlocks.
 */
export const lockArchiveOwner = (tx: Db, userId: string) =>
  tx.selectFrom('users').select('email').where('id', '=', userId).forKeyShare().executeTakeFirst()

/** Claims a requested archive for this attempt; its user, or undefined when it was replaced, finished or deleted. */
export async function claimArchive(db: Db, id: string, key: string): Promise<string | undefined> {
  return db.transaction().execute(async (tx) => {
    const foundArchive = await tx.selectFrom('archives').select('user_id').where('id', '=', id).executeTakeFirst()
    if (!foundArchive || !(await lockArchiveOwner(tx, foundArchive.user_id))) return undefined
    const claimedArchive = await tx
      .updateTable('archives')
      .set({ key })
      .where('id', '=', id)
      .where('state', '=', 'queued')
      .returning('user_id')
      .executeTakeFirst()
    if (claimedArchive) await registerKeysForUser(tx, claimedArchive.user_id, [key])
    return claimedArchive?.user_id
  })
}

/**
 * Takes back the user's archive, if it may contain a photo: its bytes are no longer sent, and it is made again under the same
 * link. Its id, or undefined when there is none. One that was announced is not announced again.
 */
export async function takeBackArchive(tx: Db, userId: string, photoId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    update archives set state = 'queued', key = null, bytes = null, secret_hash = null, ready_at = null, expires_at = null,
      is_announced = is_announced and state = 'queued'
    where user_id = ${userId} and (state = 'ready' and expires_at > now() or state = 'queued' and key is not null)
      and (ready_at is null or ready_at > (select created_at from photos where id = ${photoId}))
    returning id`.execute(tx)
  return rows[0]?.id
}

/** Whether an archive has been taken back, so that the bytes under a key must no longer be sent. */
export async function isTakenBack(db: Db, id: string, key: string): Promise<boolean> {
  const archive = await db.selectFrom('archives').select('key').where('id', '=', id).executeTakeFirst()
  return archive !== undefined && archive.key !== key
}

/** Keys of a user's archives other than this one. */
export async function otherArchiveKeys(db: Db, userId: string, key: string): Promise<string[]> {
  const otherArchives = await db
    .selectFrom('stored_objects')
    .select('key')
    .where('user_id', '=', userId)
    .where('key', 'like', 'archive/%')
    .where('key', '<>', key)
    .execute()
  return otherArchives.map(({ key: otherKey }) => otherKey)
}

/** Marks an archive as ready; the address to announce it to, null if nobody asked for it. Undefined when this attempt is no longer current. */
export async function finishArchive(
  tx: Db,
  archive: { id: string; userId: string; key: string; bytes: number; secretHash: Buffer },
): Promise<string | null | undefined> {
  const user = await lockArchiveOwner(tx, archive.userId)
  const finished = await tx
    .updateTable('archives')
    .set({
      state: 'ready',
      bytes: archive.bytes,
      secret_hash: archive.secretHash,
      ready_at: sql<Date>`now()`,
      expires_at: sql<Date>`now() + make_interval(days => ${accountLimits.exportDays})`,
    })
    .where('id', '=', archive.id)
    .where('key', '=', archive.key)
    .where('state', '=', 'queued')
    .returning('is_announced')
    .executeTakeFirst()
  if (!finished) return undefined
  return finished.is_announced ? user?.email : null
}

const readyArchives = (db: Db) =>
  db
    .selectFrom('archives')
    .innerJoin('users', 'users.id', 'archives.user_id')
    .select([
      'archives.id',
      'archives.user_id as userId',
      'archives.key',
      'archives.bytes',
      'archives.ready_at',
      'archives.expires_at',
      'archives.secret_hash',
    ])
    .where('archives.state', '=', 'ready')
    .where('archives.expires_at', '>', sql<Date>`now()`)
    .where('users.is_active', '=', true)

/** A ready archive, by the hash of its link's token. */
export const archiveBySecret = (db: Db, hash: Buffer) =>
  readyArchives(db).where('archives.secret_hash', '=', hash).executeTakeFirst()
/** A ready archive, by its id. */
export const archiveById = (db: Db, id: string) => readyArchives(db).where('archives.id', '=', id).executeTakeFirst()

/** Deletes expired archives, and marks archives that have lost their job as failed. The keys to delete. */
export async function deleteExpiredArchiveRows(db: Db): Promise<string[]> {
  await sql`
    update archives set state = 'failed', key = null where state = 'queued' and requested_at < now() - interval '5 minutes'
      and not exists (select 1 from graphile_worker.jobs where jobs.key = 'archive:' || archives.id and jobs.attempts < jobs.max_attempts)`.execute(
    db,
  )
  const deletedArchives = await db
    .deleteFrom('archives')
    .where('expires_at', '<', sql<Date>`now()`)
    .returning('key')
    .execute()
  return deletedArchives.flatMap(({ key }) => key ?? [])
}
