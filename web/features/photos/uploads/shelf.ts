import type { Held } from './queue.ts'

/** A held file as it is kept over a reload. */
export interface Shelved {
  id: string
  /** The user whose file it is. */
  owner: string
  file: File
  state: Held
}

/** Where held files are kept. */
export interface Shelf {
  put(item: Shelved): Promise<void>
  remove(ids: readonly string[]): Promise<void>
  of(owner: string): Promise<Shelved[]>
}

const database = 'keepsnap-uploads'
const store = 'held'

const answer = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error))
  })

/** Keeps files in the browser's database. Where there is none, or it refuses, the page's own memory is what is left. */
export function openShelf(browser: () => IDBFactory | undefined): Shelf {
  let opened: Promise<IDBDatabase> | undefined
  const open = (factory: IDBFactory): Promise<IDBDatabase> => {
    const request = factory.open(database, 1)
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore(store, { keyPath: 'id' }).createIndex('owner', 'owner')
    })
    return answer(request)
  }
  const attempt = async <T>(otherwise: T, deed: (held: IDBObjectStore) => Promise<T>): Promise<T> => {
    try {
      const factory = browser()
      if (!factory) return otherwise
      opened ??= open(factory)
      return await deed((await opened).transaction(store, 'readwrite').objectStore(store))
    } catch {
      opened = undefined
      return otherwise
    }
  }
  return {
    put: (item) => attempt(undefined, async (held) => void (await answer(held.put(item)))),
    remove: (ids) =>
      attempt(undefined, async (held) => void (await Promise.all(ids.map((id) => answer(held.delete(id)))))),
    of: (owner) => attempt<Shelved[]>([], (held) => answer<Shelved[]>(held.index('owner').getAll(owner))),
  }
}
