import type { Db } from '../db/connect.ts'
import { newId } from '../lib/ids.ts'
import type { StoreUse, StoreUseSource } from '../ports/storage/two-stores.ts'
import { recordRemovals, removeNode, reportNode, type StorageState, type StoreIds } from './storage-state.ts'

/**
 * How often a node polls which store is in use. A node without a bucket only sends heartbeats, so that nobody moves
 * files to where it cannot read them.
 */
const followEveryMs = { withBucket: 2_000, withoutBucket: 10_000 }
/** For how long a node relies on the polled state: shorter than the time until it counts as gone. */
const staleMs = 10_000

/** What a node knows about the store in use, from the database. */
export interface StoreFollower extends StoreUseSource {
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

/** Counts the changes of files that are in progress, by the generation under which each began. */
function countChanges() {
  const changes = new Map<number, number>()
  return {
    begin(generation: number): () => void {
      changes.set(generation, (changes.get(generation) ?? 0) + 1)
      let hasEnded = false
      return () => {
        if (hasEnded) return
        hasEnded = true
        const left = (changes.get(generation) ?? 1) - 1
        if (left > 0) changes.set(generation, left)
        else changes.delete(generation)
      }
    },
    /** The generation that all changes follow. */
    followed: (current: number): number => Math.min(current, ...changes.keys()),
  }
}

/** Polls which store is in use, and reports the generation that this node uses; coalesces concurrent polls. */
function createState({ db, ids, start, onChange }: FollowOptions, followed: (current: number) => number) {
  const node = newId()
  let state = start
  let askedAtMs = performance.now()
  let running: Promise<void> | undefined
  const report = (): Promise<StorageState> => reportNode(db, { node, ...ids, generation: followed(state.generation) })
  const ask = async (): Promise<void> => {
    const startedAtMs = performance.now()
    const answer = await report()
    askedAtMs = startedAtMs
    if (answer.generation <= state.generation) return
    state = answer
    onChange(answer)
    await report()
  }
  return {
    current: () => state,
    isStale: () => performance.now() - askedAtMs > staleMs,
    refresh: (): Promise<void> => (running ??= ask().finally(() => (running = undefined))),
    async leave() {
      await running?.catch(() => {})
      await removeNode(db, node).catch(() => {})
    },
  }
}

/**
 * Follows which store is in use. The node reports a generation of the state only when every change of files that it began
 * under an earlier one has ended: so a move knows when no node writes to the old store any more.
 */
export async function followStoreInUse(options: FollowOptions): Promise<StoreFollower> {
  const changes = countChanges()
  const state = createState(options, changes.followed)
  let isLost = false
  const refreshOrReport = async (): Promise<void> => {
    try {
      await state.refresh()
      isLost = false
    } catch (error) {
      if (!isLost) options.onLost(error)
      isLost = true
    }
  }
  await refreshOrReport()
  const { ids, everyMs = ids.s3 === null ? followEveryMs.withoutBucket : followEveryMs.withBucket } = options
  const timer = setInterval(() => void refreshOrReport(), everyMs)
  timer.unref()
  return {
    current: () => (state.isStale() ? null : state.current()),
    async beginChange() {
      if (state.isStale()) await state.refresh()
      const use = state.current()
      return { use, end: changes.begin(use.generation) }
    },
    noteRemoved: (keys) => recordRemovals(options.db, keys),
    async close() {
      clearInterval(timer)
      await state.leave()
    },
  }
}
