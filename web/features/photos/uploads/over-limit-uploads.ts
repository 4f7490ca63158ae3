import { hasRoomFor, roomAfterRefusal, type PlanRoom } from './plan-room.ts'
import type { LimitProblem } from './problems.ts'
import { tooLargeFor, type UploadItem } from './queue.ts'
import type { UploadDatabase } from './upload-database.ts'
import type { UploadStore } from './upload-store.ts'

/** The user whose files are in the queue. */
export interface UploadOwner {
  id: string
}

/** Files over a limit of the plan: saved in the browser, and queued again once there is room. */
export interface OverLimitUploads {
  /** What the plan has room for; null while that is not known. */
  room(): PlanRoom | null
  /** Holds queued files that have become too large. */
  setRoom(room: PlanRoom | null): void
  /** The server refused the file because of the limit. */
  hold(id: string, problem: LimitProblem): void
  /** Saves those of the items that are over a limit. */
  save(items: readonly UploadItem[]): void
  /** Adds the files that were saved before the page was loaded. */
  restore(): Promise<void>
  /** Queues the files for which there is room, except those that another tab has uploaded or removed since. */
  requeue(): Promise<void>
}

interface OverLimitOptions {
  store: UploadStore
  database: UploadDatabase
  owner: () => UploadOwner | null
}

const isNotStarted = ({ state }: UploadItem): boolean => state.status === 'queued' || state.status === 'selected'

export function createOverLimitUploads({ store, database, owner }: OverLimitOptions): OverLimitUploads {
  let room: PlanRoom | null = null
  const matching = (matches: (item: UploadItem) => boolean): UploadItem[] => store.state().items.filter(matches)

  function save(items: readonly UploadItem[]): void {
    const user = owner()
    if (!user) return
    for (const { id, file, state } of items) {
      if (state.status === 'over-limit') void database.save({ id, owner: user.id, file, state })
    }
  }
  function holdWhere(matches: (item: UploadItem) => boolean, state: ReturnType<typeof tooLargeFor>): void {
    const heldIds = new Set(matching(matches).map(({ id }) => id))
    store.setStateWhere(({ id }) => heldIds.has(id), state)
    save(matching(({ id }) => heldIds.has(id)))
  }
  const hasRoom = ({ state, file }: UploadItem): boolean =>
    room !== null && state.status === 'over-limit' && hasRoomFor(room, state.problem, file.size)
  async function requeue(): Promise<void> {
    const ids = matching(hasRoom).map(({ id }) => id)
    const missingIds = await database.missing(ids)
    // The room, and the states of the files, may have changed meanwhile.
    const isStillHeld = (item: UploadItem): boolean => hasRoom(item) && ids.includes(item.id)
    store.remove(missingIds.filter((id) => matching(isStillHeld).some((item) => item.id === id)))
    store.setStateWhere(isStillHeld, { status: 'queued' })
  }
  return {
    room: () => room,
    setRoom(next) {
      room = next
      if (!next || !owner()) return
      holdWhere((item) => isNotStarted(item) && item.file.size > next.maxFileBytes, tooLargeFor(next))
    },
    hold(id, problem) {
      if (!owner()) return
      const size = store.find(id)?.file.size ?? 0
      if (room) room = roomAfterRefusal(room, problem, size)
      // A full month is full for every file; the storage may still have space for a smaller one.
      const forAll = problem.kind === 'quota-exceeded' && problem.quota === 'photos'
      holdWhere((item) => item.id === id || (forAll && item.state.status === 'queued'), {
        status: 'over-limit',
        problem,
      })
    },
    save,
    restore: () => restoreSaved({ store, database, owner }),
    requeue,
  }
}

async function restoreSaved({ store, database, owner }: OverLimitOptions): Promise<void> {
  const user = owner()
  if (!user) return
  const savedUploads = await database.ofOwner(user.id)
  if (owner()?.id !== user.id) return
  const items = savedUploads
    .filter(({ id }) => !store.find(id))
    .map(({ id, file, state }) => ({ id, file, previewUrl: URL.createObjectURL(file), state }))
  if (items.length > 0) store.update({ items: [...items, ...store.state().items] })
}
