import type { KeyValueStorage } from '../../lib/storage.ts'
import { createListeners } from '../../lib/listeners.ts'
import { fileKey, isUnsent, type UploadItem, type UploadState } from './upload-queue.ts'

/** The longest pause after answers that the server is not available, unless such an answer asks for a longer one. */
const maxUnavailablePauseMs = 30_000
const minUnavailablePauseMs = 1_000
/** How often one upload shows whether a server answers again that did not. */
const unreachableProbeMs = 30_000

/** Why uploads pause. `rate-limit`: too many were sent; `busy`: other uploads of the account must end first. */
type AskedPauseReason = 'rate-limit' | 'busy'
/** A pause as users are told of it, in milliseconds of `Date.now()`. `endsAt`: null when nobody knows. */
export interface PauseState {
  readonly reason: AskedPauseReason | 'unavailable' | 'unreachable'
  readonly startedAt: number
  readonly endsAt: number | null
}

interface SendingPauseOptions {
  /** The time of a pause is over. */
  onPauseEnd: () => void
  onChange: (pause: PauseState | null) => void
}

export type SendingPause = ReturnType<typeof createSendingPause>

/**
 * Whether uploads may be sent now: not while the server cannot be reached, nor while it asks to retry later. Uses
 * `performance.now()`, because the clock of the device can be set back during a pause.
 */
export function createSendingPause({ onPauseEnd, onChange }: SendingPauseOptions) {
  let isServerReachable = true
  let isProbing = false
  let pausedUntil = 0
  /** 0: the server is available. */
  let unavailablePauseMs = 0
  let pauseTimer: ReturnType<typeof setTimeout> | undefined
  let probeTimer: ReturnType<typeof setTimeout> | undefined
  let timedPause: PauseState | null = null
  let unreachableSince: number | null = null
  const tell = (): void =>
    onChange(
      unreachableSince === null ? timedPause : { reason: 'unreachable', startedAt: unreachableSince, endsAt: null },
    )
  // The timer ends the pause, because browsers may round `performance.now()` down to a time before the end.
  const endPause = (): void => {
    pausedUntil = 0
    timedPause = null
    tell()
    onPauseEnd()
  }
  const pauseUntil = (ms: number, reason: PauseState['reason']): void => {
    const now = performance.now()
    if (now + ms > pausedUntil) {
      pausedUntil = now + ms
      timedPause = { reason, startedAt: timedPause?.startedAt ?? Date.now(), endsAt: Date.now() + ms }
      tell()
    }
    clearTimeout(pauseTimer)
    pauseTimer = setTimeout(endPause, pausedUntil - now)
  }
  const probe = (): void => {
    isProbing = true
    onPauseEnd()
  }
  return {
    isActive: () => (!isServerReachable && !isProbing) || performance.now() < pausedUntil,
    /** The server did not answer: pauses until `serverReachable`, but for one upload now and then. */
    serverUnreachable(): void {
      isServerReachable = false
      isProbing = false
      unreachableSince ??= Date.now()
      clearTimeout(probeTimer)
      probeTimer = setTimeout(probe, unreachableProbeMs)
      tell()
    },
    /** From the time of such an upload to `serverUnreachable` or `serverReachable`. */
    isProbing: () => isProbing,
    /** The server, or a proxy before it, answered that it is not available: pauses, twice as long after each pause. */
    serverUnavailable(minMs: number): void {
      // During a pause, the answer is to an upload that was sent before it.
      const isNewPause = performance.now() >= pausedUntil
      const nextPauseMs = isNewPause ? Math.min(maxUnavailablePauseMs, unavailablePauseMs * 2) : unavailablePauseMs
      unavailablePauseMs = Math.max(minUnavailablePauseMs, nextPauseMs, minMs)
      pauseUntil(unavailablePauseMs, 'unavailable')
    },
    /** From `serverUnavailable` to `serverReachable`. After the pause, one upload shows whether the server is available. */
    isServerUnavailable: () => unavailablePauseMs > 0,
    serverReachable(): void {
      isServerReachable = true
      isProbing = false
      unavailablePauseMs = 0
      clearTimeout(probeTimer)
      if (unreachableSince === null) return
      unreachableSince = null
      tell()
    },
    pauseFor: (ms: number, reason: AskedPauseReason): void => pauseUntil(ms, reason),
    /** Ends a pause of a given time. */
    cancel(): void {
      clearTimeout(pauseTimer)
      pausedUntil = 0
      timedPause = null
      tell()
    },
  }
}

/** Files that an earlier page did not send, or a tab that was closed. `total`: with those that were sent before them. */
export interface UnsentFiles {
  readonly names: readonly string[]
  readonly total: number
}

/** What is stored of a user's files, by `fileKey`, from the first that is added until all are sent. Not the files themselves. */
interface StoredFiles {
  /** The tabs that are open. */
  tabs: readonly string[]
  unsent: Readonly<Record<string, { name: string; tab: string }>>
  /** When they were uploaded. */
  sent: Readonly<Record<string, string>>
}

interface UnsentFileListOptions {
  store: UploadStore
  storage: KeyValueStorage
  /** Dispatches `storage`, when another tab has stored something, `pagehide` and `pageshow`. */
  page: Pick<Window, 'addEventListener'>
  /** Names this tab. */
  tab: string
  /** When the owner's files were uploaded, by `fileKey`. */
  sentFiles: ReadonlyMap<string, string>
}

const storageKeyOf = (owner: string): string => `unsent-uploads-${owner}`
const nothing: StoredFiles = { tabs: [], unsent: {}, sent: {} }

/** Remembers names of files in the browser, so that the next page can say which of them were not sent. */
export function createUnsentFileList({ store, storage, page, tab, sentFiles }: UnsentFileListOptions) {
  let owner: string | null = null
  let isShown = false
  /** The ids of the unsent files when they were stored. */
  let storedIds = ''
  const unsentItems = (): UploadItem[] => store.state().items.filter(isUnsent)

  function read(): StoredFiles {
    if (owner === null) return nothing
    const storageKey = storageKeyOf(owner)
    try {
      return { ...nothing, ...(JSON.parse(storage.get(storageKey) ?? '{}') as StoredFiles) } // as `write` stored it
    } catch {
      return nothing
    }
  }
  function write(files: StoredFiles): void {
    if (owner === null) return
    const storageKey = storageKeyOf(owner)
    storage.set(storageKey, Object.keys(files.unsent).length === 0 ? null : JSON.stringify(files))
    tell(files)
  }
  /** Other than those of a tab that is open. */
  const leftIn = ({ unsent, tabs }: StoredFiles): [string, { name: string }][] =>
    Object.entries(unsent).filter(([, file]) => file.tab !== tab && !tabs.includes(file.tab))

  function tell(files: StoredFiles): void {
    const names = isShown ? leftIn(files).map(([, { name }]) => name) : []
    const total = new Set([...Object.keys(files.unsent), ...Object.keys(files.sent)]).size
    const { unsent: known } = store.state()
    if ((known?.names.length ?? 0) === names.length && (!known || known.total === total)) return
    store.update({ unsent: names.length === 0 ? null : { names, total } })
  }
  /** Stores the files of this tab; the others' stay as they are. */
  function save(isOpen: boolean): void {
    const { tabs, unsent, sent } = read()
    const own = new Map(unsentItems().map(({ file }) => [fileKey(file), { name: file.name, tab }]))
    const listed = store.state().items.map(({ file }) => fileKey(file))
    const sentHere = listed.filter((key) => sentFiles.has(key) && !own.has(key))
    const others = Object.entries(unsent).filter(([key, file]) => file.tab !== tab && !sentHere.includes(key))
    write({
      tabs: [...tabs.filter((other) => other !== tab), ...(isOpen && own.size > 0 ? [tab] : [])],
      unsent: { ...Object.fromEntries(others), ...Object.fromEntries(own) },
      sent: { ...sent, ...Object.fromEntries(sentHere.map((key) => [key, sentFiles.get(key) ?? ''])) },
    })
  }
  store.subscribe(() => {
    if (owner === null) return
    const ids = unsentItems()
      .map(({ id }) => id)
      .join()
    if (ids === storedIds) return
    storedIds = ids
    save(true)
  })
  page.addEventListener('storage', ({ key, newValue }) => {
    if (owner === null || key !== storageKeyOf(owner)) return
    const files = read()
    // Another page asks which tabs are open.
    if (newValue !== null && storedIds !== '' && !files.tabs.includes(tab)) save(true)
    else tell(files)
  })
  page.addEventListener('pagehide', () => storedIds !== '' && save(false))
  // From the browser's cache of pages.
  page.addEventListener('pageshow', ({ persisted }) => persisted && storedIds !== '' && save(true))
  return {
    /** Returns when the user's files were uploaded, by `fileKey`. Null: nobody is signed in. */
    setOwner(id: string | null): Readonly<Record<string, string>> {
      owner = id
      isShown = false
      storedIds = ''
      const files = read()
      // Tabs that are open add themselves again.
      write({ ...files, tabs: [] })
      return files.sent
    },
    /** The files of other tabs and of the browser's database are known: the rest can be told. */
    show(): void {
      isShown = true
      tell(read())
    },
    /** The user has read it. */
    dismiss(): void {
      const files = read()
      const left = new Set(leftIn(files).map(([key]) => key))
      write({ ...files, unsent: Object.fromEntries(Object.entries(files.unsent).filter(([key]) => !left.has(key))) })
    },
    /** The user signs out: nothing stays in the browser. */
    clear(): void {
      write(nothing)
      storedIds = ''
    },
  }
}

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

export type UploadStore = ReturnType<typeof createUploadStore>

/** The upload queue in memory; components subscribe to it. */
export function createUploadStore() {
  let state: UploadsState = { items: [], singleUploadId: null, run: null, pause: null, unsent: null, updatedAt: 0 }
  const listeners = createListeners<void>()
  const update = (changes: Partial<Omit<UploadsState, 'updatedAt'>>): void => {
    state = { ...state, ...changes, updatedAt: Date.now() }
    listeners.notify()
  }
  /** Sets the state of every item that matches. */
  const setStateWhere = (matches: (item: UploadItem) => boolean, next: UploadState): void => {
    if (!state.items.some(matches)) return
    update({ items: state.items.map((item) => (matches(item) ? { ...item, state: next } : item)) })
  }
  return {
    state: (): UploadsState => state,
    subscribe: listeners.add,
    update,
    find: (id: string): UploadItem | undefined => state.items.find((item) => item.id === id),
    setState: (id: string, next: UploadState): void => setStateWhere((item) => item.id === id, next),
    setStateWhere,
    /** Queues every item that matches as another photo than the one that the same file has. */
    queueAgain(matches: (item: UploadItem) => boolean): void {
      const queued = (item: UploadItem): UploadItem => ({ ...item, isAgain: true, state: { status: 'queued' } })
      update({ items: state.items.map((item) => (matches(item) ? queued(item) : item)) })
    },
    /** Removes items, and revokes the URLs of their previews. */
    remove(ids: readonly string[]): void {
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
