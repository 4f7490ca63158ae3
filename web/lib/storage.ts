/** The part of localStorage that the app uses. */
export interface KeyValueStorage {
  get(key: string): string | null
  set(key: string, value: string | null): void
}

/**
 * The browser's storage. Falls back to memory where the browser denies it (private windows, blocked cookies) or has no
 * space: the app then works until the tab is closed.
 */
export function openStorage(open: () => Storage): KeyValueStorage {
  const memoryStorage = new Map<string, string>()
  const tryStorage = <T>(operation: (storage: Storage) => T): T | undefined => {
    try {
      return operation(open())
    } catch {
      return undefined
    }
  }
  return {
    get: (key) => memoryStorage.get(key) ?? tryStorage((storage) => storage.getItem(key)) ?? null,
    set(key, value) {
      memoryStorage.delete(key)
      const isStored = tryStorage((storage) => {
        if (value === null) storage.removeItem(key)
        else storage.setItem(key, value)
        return true
      })
      if (!isStored && value !== null) memoryStorage.set(key, value)
    },
  }
}
