import type { SubscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { beforeEach, vi } from 'vitest'
import type { Api } from '../lib/api.ts'
import type { PostFileOptions } from '../lib/post-file.ts'
import { openStorage } from '../lib/storage.ts'
import { planStatusOf } from './samples.ts'
import { planRoomOf } from '../features/photos/upload-queue.ts'
import type { SavedUpload, UploadDatabase } from '../features/photos/upload-database.ts'
import { createUploads, type Uploads } from '../features/photos/uploads.ts'

/** An upload request that the test answers. */
interface UploadRequest {
  name: string
  options: PostFileOptions
  succeed: (photo: Photo) => Promise<void>
  /** The server answers with a photo that it created before, for the same key. */
  repeat: (photo: Photo) => Promise<void>
  fail: (error: Error) => Promise<void>
}

/** Lets all pending promise callbacks run. */
export const flush = () => new Promise<void>((resolve) => setTimeout(resolve))

export const pickedFile = (name: string) => ({
  file: new File(['picture'], name, { type: 'image/jpeg' }),
  isImage: true,
})

/** The upload queue of the free user `anna`, with a server and a database that the test simulates. */
class UploadTest {
  requests: UploadRequest[] = []
  /** The files that are saved in the browser, by id. */
  saved = new Map<string, SavedUpload>()
  /** Nothing more can be saved. */
  isDatabaseFull = false
  /** The session's token. */
  token: string | null = 'first'
  storage = openStorage(() => localStorage)
  /** Dispatches the events of the window. */
  page = new EventTarget()
  readonly onUploaded = vi.fn<(photo: Photo) => void>()
  uploads: Uploads = this.openPage()

  /** Opens the page, also again, as after a reload. */
  openPage(): Uploads {
    this.page = new EventTarget()
    this.uploads = createUploads({
      api: { upload: this.receiveUpload.bind(this) } as unknown as Api, // nothing else is called
      token: () => this.token,
      database: this.database(),
      storage: this.storage,
      onUploaded: this.onUploaded,
      page: this.page as Window, // only events are used
    })
    return this.uploads
  }
  reset(): void {
    this.requests = []
    this.saved.clear()
    localStorage.clear()
    this.storage = openStorage(() => localStorage)
    this.isDatabaseFull = false
    this.token = 'first'
    this.onUploaded.mockClear()
    this.openPage().setOwner({ id: 'anna' })
    this.setStatus(planStatusOf('free'))
  }
  /** The status of the plan was fetched. */
  setStatus(status: SubscriptionStatus): void {
    this.uploads.setRoom(planRoomOf(status))
  }
  add(...names: string[]): number {
    return this.uploads.add(names.map((name) => pickedFile(name)))
  }
  /** Name and status of each file. */
  states(): string[] {
    return this.uploads.state().items.map(({ file, state }) => `${file.name} ${state.status}`)
  }
  idOf(name: string): string {
    const item = this.uploads.state().items.find((other) => other.file.name === name)
    if (!item) throw new Error(`no upload of ${name}`)
    return item.id
  }
  /** The last request for a file. */
  requestFor(name: string): UploadRequest {
    const request = this.requests.findLast((other) => other.name === name)
    if (!request) throw new Error(`no request for ${name}`)
    return request
  }
  private database(): UploadDatabase {
    const knownIds = new Set<string>()
    return {
      save: async (upload) => {
        if (this.isDatabaseFull) return
        this.saved.set(upload.id, upload)
        knownIds.add(upload.id)
      },
      remove: async (ids) => ids.forEach((id) => this.saved.delete(id)),
      missing: async (ids) => ids.filter((id) => knownIds.has(id) && !this.saved.has(id)),
      ofOwner: async (owner) => {
        for (const id of this.saved.keys()) knownIds.add(id)
        return Array.from(this.saved.values()).filter((upload) => upload.owner === owner)
      },
    }
  }
  private receiveUpload(_endpoint: unknown, file: File, options: PostFileOptions): Promise<Photo> {
    return new Promise((resolve, reject) => {
      const answer = (action: () => void) => {
        action()
        return flush()
      }
      options.signal?.addEventListener('abort', () => reject(options.signal?.reason))
      this.requests.push({
        name: file.name,
        options,
        succeed: (photo) => answer(() => resolve(photo)),
        repeat: (photo) =>
          answer(() => {
            options.onRepeated?.()
            resolve(photo)
          }),
        fail: (error) => answer(() => reject(error)),
      })
    })
  }
}

/** Has a new queue before each test of the file. */
export function useUploadTest(): UploadTest {
  const queue = new UploadTest()
  beforeEach(() => queue.reset())
  return queue
}
