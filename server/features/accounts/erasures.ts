import { createReadStream, existsSync } from 'node:fs'
import { appendFile, open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { retention } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../platform/db/connect.ts'

/** A deleted account or photo, or an erased guest, recorded so that restoring an older backup does not bring it back. */
interface Erasure {
  kind: 'account' | 'photo' | 'guest'
  /** Of a guest: a keyed hash of the mailbox, in hexadecimal. What the mailbox did after `at` is not erased. */
  id: string
  /** ISO 8601 in UTC, to the microsecond. */
  at: string
}

/** Erasures after another one, in the order of their times. Database triggers write those of accounts and photos (migration 0033). */
async function erasuresAfter(db: Db, after: Erasure, limit: number): Promise<Erasure[]> {
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

const pageSize = 1_000
/** Read again each time: a transaction may commit after others that have later timestamps. */
const overlapMs = 60 * 60 * 1000
const first: Erasure = { kind: 'account', id: '', at: '1970-01-01T00:00:00Z' }
const linePattern = /^(account|photo|guest)\t([0-9A-Za-z]{1,64})\t(\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|\+00))$/

/** The file of erasures in a backup: all that were known when it was finished. */
export const backupErasuresFileName = 'erased.txt'
/** The file of erasures in a data folder. */
export const erasureFileName = 'erasures.tsv'

/** Reads erasures from a file of a data folder or of a backup. Skips invalid lines, such as a truncated one. */
export async function* readErasures(path: string): AsyncGenerator<Erasure> {
  if (!existsSync(path)) return
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const [, kind, id, at] = linePattern.exec(line) ?? []
    if (id !== undefined && at !== undefined) yield { kind: kind as Erasure['kind'], id, at } // the pattern allows no other
  }
}

const lastBytes = 4_096

/** The time of the last line, and whether that line is complete. */
async function endOf(path: string): Promise<{ at: string; isComplete: boolean }> {
  if (!existsSync(path)) return { at: first.at, isComplete: true }
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(lastBytes), 0, lastBytes, Math.max(0, size - lastBytes))
    const text = buffer.subarray(0, bytesRead).toString('latin1')
    const at = text
      .split('\n')
      .findLast((line) => linePattern.test(line))
      ?.split('\t')[2]
    return { at: at ?? first.at, isComplete: text === '' || text.endsWith('\n') }
  } finally {
    await file.close()
  }
}

/** Keeps a copy of the erasures outside the database: a restore needs them after the database is lost. */
export interface ErasureFile {
  /** Adds what is not in the file yet. */
  update(): Promise<void>
}

export function erasureFileIn(db: Db, path: string): ErasureFile {
  const written = new Map<string, string>()
  let cursor: Erasure | undefined
  const append = async (erasures: readonly Erasure[]): Promise<void> => {
    // A guest can be erased again, at a later time.
    const fresh = erasures.filter(({ kind, id, at }) => {
      const writtenAt = written.get(`${kind}\t${id}`)
      return writtenAt === undefined || (kind === 'guest' && Date.parse(writtenAt) < Date.parse(at))
    })
    if (fresh.length === 0) return
    const lines = fresh.map(({ kind, id, at }) => `${kind}\t${id}\t${at}\n`).join('')
    await appendFile(path, lines, { mode: 0o600, flush: true })
    for (const { kind, id, at } of fresh) written.set(`${kind}\t${id}`, at)
  }
  const startAt = async (): Promise<Erasure> => {
    const { at, isComplete } = await endOf(path)
    // A line that a crash cut off must not swallow the next one.
    if (!isComplete) await appendFile(path, '\n')
    for await (const { kind, id, at: erasedAt } of readErasures(path))
      if (Date.parse(erasedAt) > Date.parse(at) - overlapMs) written.set(`${kind}\t${id}`, erasedAt)
    return { ...first, at: new Date(Date.parse(at) - overlapMs).toISOString() }
  }
  return {
    async update() {
      cursor ??= await startAt()
      let last = cursor
      for (let page = await erasuresAfter(db, last, pageSize); page.length > 0;) {
        await append(page)
        last = page.at(-1) ?? last
        page = page.length < pageSize ? [] : await erasuresAfter(db, last, pageSize)
      }
      const oldest = Math.max(Date.parse(cursor.at), Date.parse(last.at) - overlapMs)
      cursor = { ...first, at: new Date(oldest).toISOString() }
      for (const [key, at] of written) if (Date.parse(at) < oldest) written.delete(key)
    },
  }
}
