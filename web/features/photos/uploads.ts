import type { Photo } from '@keepsnap/contract/photos.ts'
import type { Api } from '../../lib/api.ts'
import { beforeReloadEvent } from '../../lib/reload.ts'
import type { KeyValueStorage } from '../../lib/storage.ts'
import { wait } from '../../lib/time.ts'
import {
  fileKey,
  hasRoomFor,
  hasUnsentFiles,
  initialUploadState,
  leastMaxFileBytes,
  type LimitProblem,
  maxUploads,
  mayRetry,
  type PlanRoom,
  roomAfterRefusal,
  tooLargeFor,
  type UploadItem,
  withAdded,
} from './upload-queue.ts'
import type { UploadDatabase } from './upload-database.ts'
import { createUnsentFileList, createUploadStore, hasStatus, type UploadStore } from './upload-store.ts'
import { createUploadSender } from './upload-sender.ts'

/** A file that the user chose, dropped or pasted. */
export interface PickedFile {
  file: File
  isImage: boolean
}

export type Uploads = ReturnType<typeof createUploads>

interface UploadsOptions {
  api: Api
  token: () => string | null
  database: UploadDatabase
  storage: KeyValueStorage
  /** Called with every photo that the server has stored. */
  onUploaded: (photo: Photo) => void
  /** Dispatches the events of the window, and the one before a reload of the app. */
  page: Pick<Window, 'addEventListener'>
}

/** The uploads of this tab. They continue while the user looks at other pages. */
export function createUploads({ api, token, database, storage, onUploaded, page }: UploadsOptions) {
  let owner: UploadOwner | null = null
  let lastOwnerId: string | null = null
  const store = createUploadStore()
  /** When the owner's files were uploaded, by `fileKey`. */
  const sentFiles = new Map<string, string>()
  const unsent = createUnsentFileList({ store, storage, page, tab: randomId(), sentFiles })
  const overLimit = createOverLimitUploads({ store, database, owner: () => owner })
  const sender = createUploadSender({
    store,
    api,
    token,
    maySend: () => owner !== null,
    maxFileBytes: () => (overLimit.room() ? Infinity : leastMaxFileBytes),
    onOverLimit: overLimit.hold,
    onUploaded(id, photo, wasSentBefore) {
      const item = store.find(id)
      if (item) sentFiles.set(fileKey(item.file), photo.created_at)
      void database.remove([id])
      if (!wasSentBefore || photo.processing_failed) {
        store.setState(id, { status: 'uploaded', photoId: photo.id })
        onUploaded(photo)
      } else if (store.state().singleUploadId === id) {
        store.queueAgain((other) => other.id === id) // the user has pressed Upload Photo for it
      } else store.setState(id, { status: 'sent-before', at: photo.created_at })
    },
  })
  /** The server can be reached again. */
  const resume = (): void => {
    sender.resume()
    void overLimit.requeue().then(sender.startQueued)
  }
  const requeue = (matches: (item: UploadItem) => boolean): void => {
    for (const { id } of store.state().items.filter(matches)) sender.abort(id) // forgets its retries
    store.queueAgain((item) => matches(item) && hasStatus('sent-before')(item))
    store.setStateWhere(matches, { status: 'queued' })
    sender.resume()
  }
  /** Removes files from the list only: those that were saved in the browser stay saved. */
  function removeFromList(ids: readonly string[]): void {
    for (const id of ids) sender.abort(id)
    store.remove(ids)
  }
  const preventIfUnsent = (event: Event): void => {
    if (hasUnsentFiles(store.state().items)) event.preventDefault()
  }
  page.addEventListener('beforeunload', preventIfUnsent)
  // Stopped uploads do not prevent the reload: after a crash, the page is blank without it. The browser asks the user.
  page.addEventListener(beforeReloadEvent, (event) => owner !== null && preventIfUnsent(event))
  page.addEventListener('online', resume)
  return {
    state: store.state,
    subscribe: store.subscribe,
    /**
     * Adds files: a single one waits for `start`, several start at once. Returns how many exceeded the queue's size. `event`: where
     * their photos go; undefined in accounts without events.
     */
    add(files: readonly PickedFile[], event?: string): number {
      const { items } = store.state()
      const selection = randomId()
      const accepted = files.slice(0, Math.max(0, maxUploads - items.length))
      const listedFiles = new Set(items.filter(({ state }) => !hasEnded(state)).map(({ file }) => fileKey(file)))
      const addedFiles = accepted.map(({ file, isImage }, position): UploadItem => {
        const key = fileKey(file)
        const sentAt = sentFiles.get(key) ?? (listedFiles.has(key) ? null : undefined)
        if (isImage) listedFiles.add(key)
        const state: UploadItem['state'] =
          isImage && sentAt !== undefined
            ? { status: 'sent-before', at: sentAt }
            : initialUploadState(file.size, { room: overLimit.room(), isImage })
        const order = accepted.length > 1 && { order: { selection, position } }
        const goesTo = event !== undefined && { event }
        return { id: randomId(), file, previewUrl: URL.createObjectURL(file), ...order, ...goesTo, state }
      })
      if (addedFiles.length > 0) store.update(withAdded(items, addedFiles))
      overLimit.save(addedFiles)
      sender.startQueued()
      return files.length - addedFiles.length
    },
    start: (id: string): void => requeue((item) => item.id === id && item.state.status === 'selected'),
    /** Also for a file that was uploaded before. */
    retry: (id: string): void => requeue((item) => item.id === id && mayRetry(item.state)),
    retryAll: (): void => requeue(hasStatus('failed')),
    /** Uploads all files that were uploaded before. */
    uploadAllAgain: (): void => requeue(hasStatus('sent-before')),
    remove(id: string): void {
      removeFromList([id])
      void database.remove([id])
      sender.startQueued()
    },
    removeFromList,
    resume,
    /** Null: nobody is signed in; the files wait until the same user signs in again. */
    setOwner(user: UploadOwner | null): void {
      if (owner?.id === user?.id) return
      owner = user
      // The known room is that of the previous user's plan.
      overLimit.setRoom(null)
      if (!user) {
        unsent.setOwner(null)
        return sender.abortAll()
      }
      if (lastOwnerId !== null && lastOwnerId !== user.id) {
        removeFromList(store.state().items.map(({ id }) => id))
        sentFiles.clear()
      }
      lastOwnerId = user.id
      for (const [key, at] of Object.entries(unsent.setOwner(user.id))) sentFiles.set(key, at)
      resume()
      const isSaved = overLimit.restore().then(resume)
      void Promise.all([isSaved, wait(tabsAnswerMs)]).then(() => owner === user && unsent.show())
    },
    /** No longer says which files an earlier page did not send. */
    dismissUnsent: unsent.dismiss,
    /** The user signs out: the browser forgets the names of files that were not sent. */
    clearUnsent: unsent.clear,
    /** What the owner's plan has room for; null while that is not known. Files that wait for it are uploaded. */
    setRoom(room: PlanRoom | null): void {
      overLimit.setRoom(room)
      // The server has told it, so it can be reached again.
      if (room) resume()
    },
  }
}

/** The user whose files are in the queue. */
interface UploadOwner {
  id: string
}

const isNotStarted = ({ state }: UploadItem): boolean => state.status === 'queued' || state.status === 'selected'

interface OverLimitOptions {
  store: UploadStore
  database: UploadDatabase
  owner: () => UploadOwner | null
}

/** Files over a limit of the plan: saved in the browser, and queued again once there is room. */
function createOverLimitUploads({ store, database, owner }: OverLimitOptions) {
  let room: PlanRoom | null = null
  const matching = (matches: (item: UploadItem) => boolean): UploadItem[] => store.state().items.filter(matches)

  /** Saves those of the items that are over a limit. */
  function save(items: readonly UploadItem[]): void {
    const user = owner()
    if (!user) return
    for (const { id, file, state, event } of items) {
      if (state.status === 'over-limit')
        void database.save({ id, owner: user.id, file, state, ...(event !== undefined && { event }) })
    }
  }
  function holdWhere(matches: (item: UploadItem) => boolean, state: ReturnType<typeof tooLargeFor>): void {
    const heldIds = new Set(matching(matches).map(({ id }) => id))
    store.setStateWhere(({ id }) => heldIds.has(id), state)
    save(matching(({ id }) => heldIds.has(id)))
  }
  const hasRoom = ({ state, file }: UploadItem): boolean =>
    room !== null && state.status === 'over-limit' && hasRoomFor(room, state.problem, file.size)
  return {
    save,
    /** What the plan has room for; null while that is not known. */
    room: () => room,
    /** Holds queued files that have become too large. */
    setRoom(next: PlanRoom | null): void {
      room = next
      if (!next || !owner()) return
      holdWhere((item) => isNotStarted(item) && item.file.size > next.maxFileBytes, tooLargeFor(next))
    },
    /** The server refused the file because of the limit. */
    hold(id: string, problem: LimitProblem): void {
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
    /** Adds the files that were saved before the page was loaded. */
    async restore(): Promise<void> {
      const user = owner()
      if (!user) return
      const savedUploads = await database.ofOwner(user.id)
      if (owner()?.id !== user.id) return
      const items = savedUploads
        .filter(({ id }) => !store.find(id))
        .map(({ id, file, state, event }) => ({
          id,
          file,
          previewUrl: URL.createObjectURL(file),
          state,
          ...(event !== undefined && { event }),
        }))
      if (items.length > 0) store.update({ items: [...items, ...store.state().items] })
    },
    /** Queues the files for which there is room, except those that another tab has uploaded or removed since. */
    async requeue(): Promise<void> {
      const ids = matching(hasRoom).map(({ id }) => id)
      const missingIds = await database.missing(ids)
      // The room, and the states of the files, may have changed meanwhile.
      const isStillHeld = (item: UploadItem): boolean => hasRoom(item) && ids.includes(item.id)
      store.remove(missingIds.filter((id) => matching(isStillHeld).some((item) => item.id === id)))
      store.setStateWhere(isStillHeld, { status: 'queued' })
    },
  }
}

/** How long other tabs have to say that they are open. */
const tabsAnswerMs = 300

/** It does not go up by itself: the same file may be chosen again to try it once more. */
const hasEnded = ({ status }: UploadItem['state']): boolean =>
  status === 'failed' || status === 'rejected' || status === 'sent-before'

/** 128 random bits as 32 hexadecimal digits. crypto.randomUUID is missing on plain http. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
