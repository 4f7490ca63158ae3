import { sql } from 'kysely'
import { retention } from '@keepsnap/contract/retention.ts'
import type { Db } from '../db/connect.ts'

/** A deleted account or photo, or an erased guest, recorded so that restoring an older backup does not bring it back. */
export interface Erasure {
  kind: 'account' | 'photo' | 'guest'
  /** Of a guest: a keyed hash of the mailbox, in hexadecimal. What the mailbox did after `at` is not erased. */
  id: string
  /** ISO 8601 in UTC, to the microsecond. */
  at: string
}

/** Erasures after another one, in the order of their times. Database triggers write those of accounts and photos (migration 0033). */
export async function erasuresAfter(db: Db, after: Erasure, limit: number): Promise<Erasure[]> {
  const { rows } = await sql<Erasure>`
    select kind, id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at from erasures
    where (at, kind, id) > (${after.at}::timestamptz, ${after.kind}, ${after.id})
    order by erasures.at, kind, id limit ${limit}`.execute(db)
  return rows
}

/** Records that a guest was erased, now or at a time before; resolves to the time that is recorded. */
export async function recordErasedGuest(tx: Db, mailboxHash: Buffer, at?: Date): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    insert into erasures (kind, id, at) values ('guest', ${mailboxHash.toString('hex')}, coalesce(${at ?? null}::timestamptz, now()))
    on conflict (kind, id) do update set at = greatest(erasures.at, excluded.at) returning at`.execute(tx)
  return rows[0]?.at ?? new Date(0)
}

/** Deletes entries that are older than any backup may be. */
export async function deleteOldErasures(db: Db): Promise<void> {
  await sql`delete from erasures where at < now() - make_interval(days => ${retention.erasureDays})`.execute(db)
}
