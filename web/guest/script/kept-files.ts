/** A photo that has not gone up yet, as the browser keeps it until it has. Browsers hold such items: the names must not change. */
export interface KeptFile {
  /** Its Idempotency-Key. */
  key: string
  /** Path of the event's page. */
  path: string
  file: Blob
  name: string
  /** The version of the sentence that the guest agreed to. */
  consent: string
  /** When it was chosen, in milliseconds since 1970. */
  at: number
}

/** Older ones are deleted: the server knows a key for a day. */
const keepMs = 20 * 3_600_000

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('keepsnap-guest-photos', 1)
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('files', { keyPath: 'key' }))
    opening.addEventListener('success', () => resolve(opening.result))
    opening.addEventListener('error', () => reject(opening.error))
    opening.addEventListener('blocked', () => reject(opening.error))
  })
}

/** The files of this browser that wait to go up. Each call rejects where there is no database, or no space in it. */
export function openKeptFiles() {
  let database: Promise<IDBDatabase> | undefined
  const run = async <T>(
    mode: IDBTransactionMode,
    action: (store: IDBObjectStore) => IDBRequest<T>,
    isRepeated = false,
  ): Promise<T> => {
    try {
      const transaction = (await (database ??= open())).transaction('files', mode)
      const request = action(transaction.objectStore('files'))
      return await new Promise<T>((resolve, reject) => {
        transaction.addEventListener('complete', () => resolve(request.result))
        transaction.addEventListener('abort', () => reject(transaction.error))
      })
    } catch (error) {
      // iOS closes databases of pages in the background.
      const wasOpen = database
      database = undefined
      if (!wasOpen || isRepeated) throw error
      return run(mode, action, true)
    }
  }
  const remove = (key: string): Promise<unknown> => run('readwrite', (store) => store.delete(key))
  return {
    add: (file: KeptFile): Promise<unknown> => run('readwrite', (store) => store.put(file)),
    remove,
    /** Those of one event, in the order in which they were chosen. */
    async of(path: string): Promise<KeptFile[]> {
      const all = await run<KeptFile[]>('readonly', (store) => store.getAll())
      const isCurrent = ({ at }: KeptFile): boolean => at > Date.now() - keepMs
      for (const { key } of all.filter((file) => !isCurrent(file))) await remove(key)
      return all.filter((file) => file.path === path && isCurrent(file)).sort((a, b) => a.at - b.at)
    },
  }
}
