import type { UploadItem, UploadState } from './queue.ts'

export interface UploadsState {
  readonly items: readonly UploadItem[]
  /** The one file that is shown as the spec says; null when several are on their way. */
  readonly solo: string | null
  /** The run of uploads under way, for the time that is left: when it began, and what was sent by then. */
  readonly run: { startedAt: number; sentBefore: number } | null
  /** Milliseconds; when this was so. */
  readonly at: number
}

/** Holds the queue; whoever shows it subscribes. */
export interface UploadStore {
  state(): UploadsState
  subscribe(listener: () => void): () => void
  become(next: Partial<Omit<UploadsState, 'at'>>): void
  find(id: string): UploadItem | undefined
  /** Gives every item that fits a new state. */
  turn(fits: (item: UploadItem) => boolean, next: UploadState): void
}

export function createUploadStore(): UploadStore {
  let state: UploadsState = { items: [], solo: null, run: null, at: 0 }
  const listeners = new Set<() => void>()
  const become: UploadStore['become'] = (next) => {
    state = { ...state, ...next, at: Date.now() }
    for (const listener of listeners) listener()
  }
  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    become,
    find: (id) => state.items.find((item) => item.id === id),
    turn(fits, next) {
      if (!state.items.some(fits)) return
      become({ items: state.items.map((item) => (fits(item) ? { ...item, state: next } : item)) })
    },
  }
}

/** For `turn`: items in one of these states. */
export const isAt =
  (...states: UploadState['at'][]) =>
  ({ state }: UploadItem): boolean =>
    states.includes(state.at)
