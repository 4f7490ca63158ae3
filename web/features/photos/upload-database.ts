import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { LimitProblem, OverLimit } from './upload-queue.ts'

/** A file over a limit of the plan, saved so that it outlives a reload. */
export interface SavedUpload {
  id: string
  /** Id of the user whose file it is. */
  owner: string
  file: File
  state: OverLimit
  /** The event that its photo goes to, or `none`; only in accounts that had events. */
  event?: string
}

export type UploadDatabase = ReturnType<typeof openUploadDatabase>

type StoredProblem =
  | { kind: 'too-large'; mostBytes: number }
  | { kind: 'no-room'; what: 'photos' | 'storage'; detail: string | null }

/** The form of an upload in the browser's database. Browsers hold such items: the names must not change. */
export interface StoredUpload {
  id: string
  owner: string
  file: File
  /** Earlier versions also stored the tier of the plan and the time. */
  state: { at: 'held'; problem: StoredProblem }
  /** As of `SavedUpload`. */
  event?: string
}

interface Schema extends DBSchema {
  held: { key: string; value: StoredUpload; indexes: { owner: string } }
}

const databaseName = 'keepsnap-uploads'
const version = 1
const storeName = 'held'

/**
 * Opens the database at the first use. Where the browser has none or denies access, nothing is saved, and files are kept only
 * until the page is closed.
 */
export function openUploadDatabase() {
  let database: Promise<IDBPDatabase<Schema>> | undefined
  const knownIds = new Set<string>()
  const attempt = async <T>(fallback: T, action: (opened: IDBPDatabase<Schema>) => Promise<T>): Promise<T> => {
    try {
      database ??= open()
      return await action(await database)
    } catch {
      database = undefined
      return fallback
    }
  }
  return {
    save: (upload: SavedUpload): Promise<void> =>
      attempt(undefined, async (opened) => {
        await opened.put(storeName, toStored(upload))
        knownIds.add(upload.id)
      }),
    remove: (ids: readonly string[]): Promise<void> =>
      attempt(undefined, async (opened) => {
        const transaction = opened.transaction(storeName, 'readwrite')
        await Promise.all([...ids.map((id) => transaction.store.delete(id)), transaction.done])
      }),
    /**
     * Those of the ids that this tab has saved or read before and that are no longer saved: another tab has uploaded or
     * removed them. None when the database cannot be read.
     */
    async missing(ids: readonly string[]): Promise<string[]> {
      const checkedIds = ids.filter((id) => knownIds.has(id))
      if (checkedIds.length === 0) return []
      return attempt<string[]>([], async (opened) => {
        const savedIds = new Set(await opened.getAllKeys(storeName))
        return checkedIds.filter((id) => !savedIds.has(id))
      })
    },
    ofOwner: (owner: string): Promise<SavedUpload[]> =>
      attempt<SavedUpload[]>([], async (opened) => {
        const storedUploads = await opened.getAllFromIndex(storeName, 'owner', owner)
        for (const { id } of storedUploads) knownIds.add(id)
        return storedUploads.map(fromStored)
      }),
  }
}

const open = (): Promise<IDBPDatabase<Schema>> =>
  openDB<Schema>(databaseName, version, {
    upgrade(database) {
      database.createObjectStore(storeName, { keyPath: 'id' }).createIndex('owner', 'owner')
    },
  })

export function toStored({ state: { problem }, ...upload }: SavedUpload): StoredUpload {
  return { ...upload, state: { at: 'held', problem: storedProblem(problem) } }
}

export function fromStored({ state: { problem }, ...upload }: StoredUpload): SavedUpload {
  return { ...upload, state: { status: 'over-limit', problem: limitProblem(problem) } }
}

function storedProblem(problem: LimitProblem): StoredProblem {
  if (problem.kind === 'too-large') return { kind: 'too-large', mostBytes: problem.maxBytes }
  return { kind: 'no-room', what: problem.quota, detail: problem.detail }
}

function limitProblem(problem: StoredProblem): LimitProblem {
  if (problem.kind === 'too-large') return { kind: 'too-large', maxBytes: problem.mostBytes }
  return { kind: 'quota-exceeded', quota: problem.what, detail: problem.detail }
}
