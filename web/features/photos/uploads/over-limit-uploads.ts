import type { LimitProblem } from './problems.ts'
import { mayUploadNow, type Tier, type UploadItem } from './queue.ts'
import type { UploadDatabase } from './upload-database.ts'
import type { UploadStore } from './upload-store.ts'

/** The user whose files are in the queue. */
export interface UploadOwner {
  id: string
  tier: Tier
}

/** Files over a limit of the plan: saved in the browser, and queued again once the limit may allow them. */
export interface OverLimitUploads {
  /** The server refused the file because of the limit. */
  hold(id: string, problem: LimitProblem): void
  /** Saves those of the items that are over a limit. */
  save(items: readonly UploadItem[]): void
  /** Adds the files that were saved before the page was loaded. */
  restore(): Promise<void>
  /** Queues the files that the limit may allow now. */
  requeue(): void
}

interface OverLimitOptions {
  store: UploadStore
  database: UploadDatabase
  owner: () => UploadOwner | null
}

export function createOverLimitUploads({ store, database, owner }: OverLimitOptions): OverLimitUploads {
  function save(items: readonly UploadItem[]): void {
    const user = owner()
    if (!user) return
    for (const { id, file, state } of items) {
      if (state.status === 'over-limit') void database.save({ id, owner: user.id, file, state })
    }
  }
  return {
    save,
    hold(id, problem) {
      const user = owner()
      if (!user) return
      // A full month is full for every file; the storage may still have space for a smaller one.
      const forAll = problem.kind === 'quota-exceeded' && problem.quota === 'photos'
      const matches = (item: UploadItem): boolean => item.id === id || (forAll && item.state.status === 'queued')
      const heldIds = new Set(
        store
          .state()
          .items.filter(matches)
          .map((item) => item.id),
      )
      store.setStateWhere(matches, { status: 'over-limit', problem, tier: user.tier, since: Date.now() })
      save(store.state().items.filter((item) => heldIds.has(item.id)))
    },
    async restore() {
      const user = owner()
      if (!user) return
      const savedUploads = await database.ofOwner(user.id)
      if (owner()?.id !== user.id) return
      const items = savedUploads
        .filter(({ id }) => !store.find(id))
        .map(({ id, file, state }) => ({ id, file, previewUrl: URL.createObjectURL(file), state }))
      if (items.length > 0) store.update({ items: [...items, ...store.state().items] })
    },
    requeue() {
      const tier = owner()?.tier
      if (!tier) return
      const now = { tier, at: Date.now() }
      store.setStateWhere(({ state }) => state.status === 'over-limit' && mayUploadNow(state, now), {
        status: 'queued',
      })
    },
  }
}
