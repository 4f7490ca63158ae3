import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { newId } from '../../lib/ids.ts'
import type { StoreName, StoreUse, StoreUseSource } from './two-stores.ts'

/** A node that was not seen for so long is gone. */
export const nodeGoneSeconds = 30

/** Which store is in use, as the database says it. */
export interface StorageState extends StoreUse {
  /** Grows with each change. */
  generation: number
}

/** What identifies the stores of a node; null for one that it does not have. */
export type StoreIds = Record<StoreName, string | null>

/** A node that follows the state. */
export interface StorageNode extends StoreIds {
  node: string
  /** The generation that it uses when it stores and removes files. */
  generation: number
}

/**
 * The state at the start of a program. The first program that starts decides by its settings; so does one that starts alone
 * while nothing has been stored.
 */
export async function stateAtStart(db: Db, configured: StoreName): Promise<StorageState> {
  const known = await findState(db)
  // A database that takes no writes must not keep a program from starting.
  if (known && (known.store === configured || known.step !== 'settled')) return known
  await sql`
    insert into storage_state (store) values (${configured}) on conflict (only_row) do update
    set store = excluded.store, generation = storage_state.generation + 1
    where storage_state.step = 'settled' and storage_state.store <> excluded.store
      and not exists (select 1 from stored_objects)
      and not exists (select 1 from storage_nodes where seen_at > now() - make_interval(secs => ${nodeGoneSeconds}))`.execute(
    db,
  )
  return storageState(db)
}

const stateColumns = sql`store, step, generation from storage_state`

async function findState(db: Db): Promise<StorageState | undefined> {
  const { rows } = await sql<StorageState>`select ${stateColumns}`.execute(db)
  return rows[0]
}

/** The state, once a program has started. */
export async function storageState(db: Db): Promise<StorageState> {
  const state = await findState(db)
  if (!state) throw new Error('there is no state of the stores')
  return state
}

/** Records that a node follows the state up to a generation, and returns the state. */
async function reportNode(db: Db, { node, disk, s3, generation }: StorageNode): Promise<StorageState> {
  const { rows } = await sql<StorageState>`
    with me as (
      insert into storage_nodes (node, disk, s3, generation) values (${node}, ${disk}, ${s3}, ${generation})
      on conflict (node) do update set generation = excluded.generation, seen_at = now()
    ) select ${stateColumns}`.execute(db)
  if (!rows[0]) throw new Error('there is no state of the stores')
  return rows[0]
}

/** The nodes that run. Those that are gone are forgotten. */
export async function liveNodes(db: Db): Promise<StorageNode[]> {
  await sql`delete from storage_nodes where seen_at < now() - make_interval(secs => ${nodeGoneSeconds})`.execute(db)
  return db.selectFrom('storage_nodes').select(['node', 'disk', 's3', 'generation']).orderBy('node').execute()
}

/** Changes the state, unless somebody else has since `generation`; the new one. */
export async function changeStorageState(
  db: Db,
  { store, step }: StoreUse,
  generation: number,
): Promise<StorageState | undefined> {
  const { rows } = await sql<StorageState>`
    update storage_state set store = ${store}, step = ${step}, generation = generation + 1
    where generation = ${generation} returning store, step, generation`.execute(db)
  return rows[0]
}

/** Those of these keys that both stores have, as far as it was recorded. */
export async function copiedKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`select key from storage_copies where key = any(${keys}::text[])`.execute(
    db,
  )
  return new Set(rows.map(({ key }) => key))
}

/** Records that both stores have a file; false when it has been removed meanwhile. */
export async function recordCopy(db: Db, { key, bytes }: { key: string; bytes: number }): Promise<boolean> {
  const { rows } = await sql<{ key: string }>`
    insert into storage_copies (key, bytes)
    select ${key}, ${bytes} where not exists (select 1 from storage_removals where key = ${key})
    on conflict (key) do update set bytes = excluded.bytes returning key`.execute(db)
  return rows.length > 0
}

/** Forgets that both stores have these files. */
export async function forgetCopies(db: Db, keys: readonly string[]): Promise<void> {
  await sql`delete from storage_copies where key = any(${keys}::text[])`.execute(db)
}

/** Remembers keys that are about to be removed from both stores. */
export async function recordRemovals(db: Db, keys: readonly string[]): Promise<void> {
  await sql`insert into storage_removals (key) select unnest(${keys}::text[]) on conflict do nothing`.execute(db)
}

/** Keys that were removed during the move, in pages. */
export async function removedKeysPage(db: Db, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from storage_removals where key > ${after} order by key limit ${limit}`.execute(db)
  return rows.map(({ key }) => key)
}

/** Forgets what was remembered for a move that has ended. */
export async function forgetMove(db: Db): Promise<void> {
  await sql`delete from storage_copies`.execute(db)
  await sql`delete from storage_removals`.execute(db)
}

/** How many files are registered, for the operator to see how far a move is. */
export async function registeredFiles(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from stored_objects`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Runs the only move of the installation; undefined when another one runs. The lock is lost with its connection, so a move
 * must also stop when the state is changed by somebody else.
 */
export async function withMoveLock<T>(db: Db, work: () => Promise<T>): Promise<T | undefined> {
  return db.connection().execute(async (connection) => {
    const lock = sql.raw("hashtext('keepsnap move-storage')")
    const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${lock}) as locked`.execute(connection)
    if (!rows[0]?.locked) return undefined
    try {
      return await work()
    } finally {
      // With a connection that was lost, the lock is gone.
      await sql`select pg_advisory_unlock(${lock})`.execute(connection).catch(() => {})
    }
  })
}

/**
 * How often a node polls which store is in use. A node without a bucket only sends heartbeats, so that nobody moves
 * files to where it cannot read them.
 */
const followEveryMs = { withBucket: 2_000, withoutBucket: 10_000 }
/** For how long a node relies on the polled state: shorter than the time until it counts as gone. */
const staleMs = 10_000

/** What a node knows about the store in use, from the database. */
interface StoreFollower extends StoreUseSource {
  close(): Promise<void>
}

interface FollowOptions {
  db: Db
  ids: StoreIds
  start: StorageState
  /** Otherwise as often as the settings of this node need. */
  everyMs?: number | undefined
  /** Called when another store is in use, or is about to be. */
  onChange(use: StoreUse): void
  /** Called once per outage, when the database does not respond. */
  onLost(error: unknown): void
}

/**
 * Follows which store is in use. The node reports a generation of the state only when every change of files that it began
 * under an earlier one has ended: so a move knows when no node writes to the old store any more.
 */
export async function followStoreInUse(options: FollowOptions): Promise<StoreFollower> {
  const { db, ids, start, onChange, onLost } = options
  const { everyMs = ids.s3 === null ? followEveryMs.withoutBucket : followEveryMs.withBucket } = options
  const node = newId()
  let state = start
  let askedAtMs = performance.now()
  let running: Promise<void> | undefined
  let isLost = false
  /** How many changes of files are in progress, by the generation under which each began. */
  const changes = new Map<number, number>()
  const isStale = (): boolean => performance.now() - askedAtMs > staleMs
  /** Reports the generation that all changes follow. */
  const report = (): Promise<StorageState> =>
    reportNode(db, { node, ...ids, generation: Math.min(state.generation, ...changes.keys()) })
  const ask = async (): Promise<void> => {
    const startedAtMs = performance.now()
    const answer = await report()
    askedAtMs = startedAtMs
    if (answer.generation <= state.generation) return
    state = answer
    onChange(answer)
    await report()
  }
  /** Concurrent calls ask once. */
  const refresh = (): Promise<void> => (running ??= ask().finally(() => (running = undefined)))
  const poll = async (): Promise<void> => {
    try {
      await refresh()
      isLost = false
    } catch (error) {
      if (!isLost) onLost(error)
      isLost = true
    }
  }
  await poll()
  const timer = setInterval(() => void poll(), everyMs)
  timer.unref()
  return {
    current: () => (isStale() ? null : state),
    async beginChange() {
      if (isStale()) await refresh()
      const use = state
      const { generation } = use
      changes.set(generation, (changes.get(generation) ?? 0) + 1)
      let hasEnded = false
      const end = (): void => {
        if (hasEnded) return
        hasEnded = true
        const left = (changes.get(generation) ?? 1) - 1
        if (left > 0) changes.set(generation, left)
        else changes.delete(generation)
      }
      return { use, end }
    },
    noteRemoved: (keys) => recordRemovals(db, keys),
    async close() {
      clearInterval(timer)
      await running?.catch(() => {})
      await sql`delete from storage_nodes where node = ${node}`.execute(db).catch(() => {})
    },
  }
}
