import type { KeyValueStorage } from '../../../lib/storage.ts'
import { fileKey, isUnsent, type UploadItem } from './queue.ts'
import type { UploadStore } from './upload-store.ts'

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

/** Remembers names of files in the browser, so that the next page can say which of them were not sent. */
export interface UnsentFileList {
  /** Returns when the user's files were uploaded, by `fileKey`. Null: nobody is signed in. */
  setOwner(id: string | null): Readonly<Record<string, string>>
  /** The files of other tabs and of the browser's database are known: the rest can be told. */
  show(): void
  /** The user has read it. */
  dismiss(): void
  /** The user signs out: nothing stays in the browser. */
  clear(): void
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

export function createUnsentFileList({ store, storage, page, tab, sentFiles }: UnsentFileListOptions): UnsentFileList {
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
    setOwner(id) {
      owner = id
      isShown = false
      storedIds = ''
      const files = read()
      // Tabs that are open add themselves again.
      write({ ...files, tabs: [] })
      return files.sent
    },
    show() {
      isShown = true
      tell(read())
    },
    dismiss() {
      const files = read()
      const left = new Set(leftIn(files).map(([key]) => key))
      write({ ...files, unsent: Object.fromEntries(Object.entries(files.unsent).filter(([key]) => !left.has(key))) })
    },
    clear() {
      write(nothing)
      storedIds = ''
    },
  }
}
