import type { Photo } from '@keepsnap/contract/photos.ts'
import type { Api } from '../../../lib/api.ts'
import { beforeReloadEvent } from '../../../lib/reload-missing-chunks.ts'
import type { KeyValueStorage } from '../../../lib/storage.ts'
import { wait } from '../../../lib/wait.ts'
import { createOverLimitUploads, type OverLimitUploads, type UploadOwner } from './over-limit-uploads.ts'
import { leastMaxFileBytes, type PlanRoom } from './plan-room.ts'
import {
  fileKey,
  hasUnsentFiles,
  initialUploadState,
  maxUploads,
  mayRetry,
  type UploadItem,
  withAdded,
} from './queue.ts'
import type { UploadDatabase } from './upload-database.ts'
import { createUploadSender, type UploadSender } from './upload-sender.ts'
import { createUnsentFileList } from './unsent-files.ts'
import { createUploadStore, hasStatus, type UploadsState, type UploadStore } from './upload-store.ts'

/** A file that the user chose, dropped or pasted. */
export interface PickedFile {
  file: File
  isImage: boolean
}

/** The uploads of this tab. They continue while the user looks at other pages. */
export interface Uploads {
  state(): UploadsState
  subscribe(listener: () => void): () => void
  /** Adds files: a single one waits for `start`, several start at once. Returns how many exceeded the queue's size. */
  add(files: readonly PickedFile[]): number
  start(id: string): void
  /** Also for a file that was uploaded before. */
  retry(id: string): void
  retryAll(): void
  /** Uploads all files that were uploaded before. */
  uploadAllAgain(): void
  remove(id: string): void
  /** Removes files from the list only: those that were saved in the browser stay saved. */
  removeFromList(ids: readonly string[]): void
  /** The server can be reached again. */
  resume(): void
  /** Null: nobody is signed in; the files wait until the same user signs in again. */
  setOwner(user: UploadOwner | null): void
  /** No longer says which files an earlier page did not send. */
  dismissUnsent(): void
  /** The user signs out: the browser forgets the names of files that were not sent. */
  clearUnsent(): void
  /** What the owner's plan has room for; null while that is not known. Files that wait for it are uploaded. */
  setRoom(room: PlanRoom | null): void
}

interface UploadsOptions {
  api: Pick<Api, 'upload'>
  token: () => string | null
  database: UploadDatabase
  storage: KeyValueStorage
  /** Called with every photo that the server has stored. */
  onUploaded: (photo: Photo) => void
  /** Dispatches the events of the window, and the one before a reload of the app. */
  page: Pick<Window, 'addEventListener'>
}

/** How long other tabs have to say that they are open. */
const tabsAnswerMs = 300

export function createUploads({ api, token, database, storage, onUploaded, page }: UploadsOptions): Uploads {
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
  const queueActions = createQueueActions({ store, sender, database })
  const resume = (): void => {
    sender.resume()
    void overLimit.requeue().then(sender.startQueued)
  }
  listenToPage({ page, store, resume, isStopped: () => owner === null })
  return {
    state: store.state,
    subscribe: store.subscribe,
    ...queueActions,
    add: (files) => files.length - addFiles({ store, overLimit, sender, sentFiles }, files),
    resume,
    setOwner(user) {
      if (owner?.id === user?.id) return
      owner = user
      // The known room is that of the previous user's plan.
      overLimit.setRoom(null)
      if (!user) {
        unsent.setOwner(null)
        return sender.abortAll()
      }
      if (lastOwnerId !== null && lastOwnerId !== user.id) {
        queueActions.removeFromList(store.state().items.map(({ id }) => id))
        sentFiles.clear()
      }
      lastOwnerId = user.id
      for (const [key, at] of Object.entries(unsent.setOwner(user.id))) sentFiles.set(key, at)
      resume()
      const isSaved = overLimit.restore().then(resume)
      void Promise.all([isSaved, wait(tabsAnswerMs)]).then(() => owner === user && unsent.show())
    },
    dismissUnsent: unsent.dismiss,
    clearUnsent: unsent.clear,
    setRoom(room) {
      overLimit.setRoom(room)
      // The server has told it, so it can be reached again.
      if (room) resume()
    },
  }
}

interface PageListenerOptions {
  page: UploadsOptions['page']
  store: UploadStore
  resume: () => void
  /** No user is signed in, or the app has crashed. */
  isStopped: () => boolean
}

function listenToPage({ page, store, resume, isStopped }: PageListenerOptions): void {
  const preventIfUnsent = (event: Event): void => {
    if (hasUnsentFiles(store.state().items)) event.preventDefault()
  }
  page.addEventListener('beforeunload', preventIfUnsent)
  // Stopped uploads do not prevent the reload: after a crash, the page is blank without it. The browser asks the user.
  page.addEventListener(beforeReloadEvent, (event) => !isStopped() && preventIfUnsent(event))
  page.addEventListener('online', resume)
}

interface AddOptions {
  store: UploadStore
  overLimit: OverLimitUploads
  sender: UploadSender
  sentFiles: ReadonlyMap<string, string>
}

/** Returns how many were added. */
function addFiles({ store, overLimit, sender, sentFiles }: AddOptions, files: readonly PickedFile[]): number {
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
    return { id: randomId(), file, previewUrl: URL.createObjectURL(file), ...order, state }
  })
  if (addedFiles.length > 0) store.update(withAdded(items, addedFiles))
  overLimit.save(addedFiles)
  sender.startQueued()
  return addedFiles.length
}

/** It does not go up by itself: the same file may be chosen again to try it once more. */
const hasEnded = ({ status }: UploadItem['state']): boolean =>
  status === 'failed' || status === 'rejected' || status === 'sent-before'

interface QueueActionOptions {
  store: UploadStore
  sender: UploadSender
  database: UploadDatabase
}

function createQueueActions({ store, sender, database }: QueueActionOptions) {
  const requeue = (matches: (item: UploadItem) => boolean): void => {
    for (const { id } of store.state().items.filter(matches)) sender.abort(id) // forgets its retries
    store.queueAgain((item) => matches(item) && hasStatus('sent-before')(item))
    store.setStateWhere(matches, { status: 'queued' })
    sender.resume()
  }
  function removeFromList(ids: readonly string[]): void {
    for (const id of ids) sender.abort(id)
    store.remove(ids)
  }
  return {
    start: (id: string) => requeue((item) => item.id === id && item.state.status === 'selected'),
    retry: (id: string) => requeue((item) => item.id === id && mayRetry(item.state)),
    retryAll: () => requeue(hasStatus('failed')),
    uploadAllAgain: () => requeue(hasStatus('sent-before')),
    remove(id: string) {
      removeFromList([id])
      void database.remove([id])
      sender.startQueued()
    },
    removeFromList,
  }
}

/** 128 random bits as 32 hexadecimal digits. crypto.randomUUID is missing on plain http. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
