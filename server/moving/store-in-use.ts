import type { Db } from '../db/connect.ts'
import { newId } from '../lib/ids.ts'
import type { StoreUse, StoreUseSource } from '../ports/storage/two-stores.ts'
import { noteRemovals, removeNode, reportNode, type StorageState, type StoreIds } from './storage-state.ts'

/**
 * How often a node asks which store is in use; one without a bucket only shows that it is there, so that nobody moves files
 * away from it.
 */
const followEveryMs = { withBucket: 2_000, withoutBucket: 10_000 }
/** For how long a node relies on an answer: less than until it counts as gone. */
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
  /** Called when the database does not answer, once for each time. */
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

/** Asks which store is in use, and reports which generation this node follows; one question at a time. */
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
 * under an earlier one has ended: so what moves files knows when no program writes to the old place any more.
 */
export async function followStoreInUse(options: FollowOptions): Promise<StoreFollower> {
  const changes = countChanges()
  const state = createState(options, changes.followed)
  let isLost = false
  const refreshOrSay = async (): Promise<void> => {
    try {
      await state.refresh()
      isLost = false
    } catch (error) {
      if (!isLost) options.onLost(error)
      isLost = true
    }
  }
  await refreshOrSay()
  const { ids, everyMs = ids.s3 === null ? followEveryMs.withoutBucket : followEveryMs.withBucket } = options
  const timer = setInterval(() => void refreshOrSay(), everyMs)
  timer.unref()
  return {
    current: () => (state.isStale() ? null : state.current()),
    async beginChange() {
      if (state.isStale()) await state.refresh()
      const use = state.current()
      return { use, end: changes.begin(use.generation) }
    },
    noteRemoved: (keys) => noteRemovals(options.db, keys),
    async close() {
      clearInterval(timer)
      await state.leave()
    },
  }
}
