/** Functions that are called with every value. */
interface Listeners<T> {
  /** Returns a function that removes the listener. */
  add(listener: (value: T) => void): () => void
  notify(value: T): void
}

export function createListeners<T>(): Listeners<T> {
  const listeners = new Set<(value: T) => void>()
  return {
    add(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    notify(value) {
      for (const listener of listeners) listener(value)
    },
  }
}
