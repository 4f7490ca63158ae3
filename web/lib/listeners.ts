/** Functions that are called with every value. */
export function createListeners<T>() {
  const listeners = new Set<(value: T) => void>()
  return {
    /** Returns a function that removes the listener. */
    add(listener: (value: T) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    notify(value: T): void {
      for (const listener of listeners) listener(value)
    },
  }
}
