import { createListeners } from '../../../lib/listeners.ts'
import type { UploadItem, UploadState } from './queue.ts'
import type { PauseState } from './sending-pause.ts'
import type { UnsentFiles } from './unsent-files.ts'

export interface UploadsState {
  readonly items: readonly UploadItem[]
  /** The file that is shown alone. Null when the queue is shown. */
  readonly singleUploadId: string | null
  /** The current run of uploads, to estimate the remaining time: its start, later by its pauses, and the bytes sent before it. */
  readonly run: { startedAt: number; sentBytesBefore: number } | null
  /** Why nothing is sent now; null: uploads may be sent. */
  readonly pause: PauseState | null
  /** Files that were not sent by an earlier page; null: none are known. */
  readonly unsent: UnsentFiles | null
  /** Milliseconds; time of the last change. */
  readonly updatedAt: number
}

/** The upload queue in memory; components subscribe to it. */
export interface UploadStore {
  state(): UploadsState
  subscribe(listener: () => void): () => void
  update(changes: Partial<Omit<UploadsState, 'updatedAt'>>): void
  find(id: string): UploadItem | undefined
  setState(id: string, state: UploadState): void
  /** Sets the state of every item that matches. */
  setStateWhere(matches: (item: UploadItem) => boolean, state: UploadState): void
  /** Queues every item that matches as another photo than the one that the same file has. */
  queueAgain(matches: (item: UploadItem) => boolean): void
  /** Removes items, and revokes the URLs of their previews. */
  remove(ids: readonly string[]): void
}

export function createUploadStore(): UploadStore {
  let state: UploadsState = { items: [], singleUploadId: null, run: null, pause: null, unsent: null, updatedAt: 0 }
  const listeners = createListeners<void>()
  const update: UploadStore['update'] = (changes) => {
    state = { ...state, ...changes, updatedAt: Date.now() }
    listeners.notify()
  }
  const setStateWhere: UploadStore['setStateWhere'] = (matches, next) => {
    if (!state.items.some(matches)) return
    update({ items: state.items.map((item) => (matches(item) ? { ...item, state: next } : item)) })
  }
  return {
    state: () => state,
    subscribe: listeners.add,
    update,
    find: (id) => state.items.find((item) => item.id === id),
    setState: (id, next) => setStateWhere((item) => item.id === id, next),
    setStateWhere,
    queueAgain(matches) {
      const queued = (item: UploadItem): UploadItem => ({ ...item, isAgain: true, state: { status: 'queued' } })
      update({ items: state.items.map((item) => (matches(item) ? queued(item) : item)) })
    },
    remove(ids) {
      const { items, singleUploadId } = state
      const removedItems = items.filter(({ id }) => ids.includes(id))
      if (removedItems.length === 0) return
      for (const { previewUrl } of removedItems) URL.revokeObjectURL(previewUrl)
      update({
        items: items.filter((item) => !removedItems.includes(item)),
        singleUploadId: singleUploadId !== null && ids.includes(singleUploadId) ? null : singleUploadId,
      })
    },
  }
}

/** For `setStateWhere`: matches items with this status. */
export const hasStatus =
  (status: UploadState['status']) =>
  ({ state }: UploadItem): boolean =>
    state.status === status
