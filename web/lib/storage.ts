/** What the app needs of localStorage. */
export interface KeyValue {
  get(key: string): string | null
  set(key: string, value: string | null): void
}

/**
 * The browser's storage, or memory where it is closed to us (private windows, blocked cookies, a full disk): the app
 * then works until the tab is closed.
 */
export function openStorage(open: () => Storage): KeyValue {
  const memory = new Map<string, string>()
  const attempt = <T>(deed: (storage: Storage) => T): T | undefined => {
    try {
      return deed(open())
    } catch {
      return undefined
    }
  }
  return {
    get: (key) => memory.get(key) ?? attempt((storage) => storage.getItem(key)) ?? null,
    set(key, value) {
      memory.delete(key)
      const kept = attempt((storage) => {
        if (value === null) storage.removeItem(key)
        else storage.setItem(key, value)
        return true
      })
      if (!kept && value !== null) memory.set(key, value)
    },
  }
}
