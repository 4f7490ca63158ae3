/** Hands out a few things to many takers, first come, first served. */
export interface Turns<T> {
  /** Waits for a free one. Rejects with the signal's reason, when too many wait already, and once closed. */
  next(signal?: AbortSignal): Promise<T>
  /** Whether `next` would not have to wait. */
  isFree(): boolean
  /** A thing that was taken, or a new one. */
  free(thing: T): void
  /** Takes a thing out that nobody has; false when it is in use. */
  withdraw(thing: T): boolean
  close(): void
}

interface Waiting<T> {
  give(thing: T): void
  refuse(reason: unknown): void
}

const maxWaiting = 1000

/** @param short told whenever somebody has to wait */
export function createTurns<T>(things: readonly T[], short: () => void = () => {}): Turns<T> {
  const idle = [...things]
  const waiting: Waiting<T>[] = []
  let closed = false
  return {
    async next(signal) {
      signal?.throwIfAborted()
      if (closed) throw new Error('closed')
      const thing = idle.shift()
      if (thing !== undefined) return thing
      if (waiting.length >= maxWaiting) throw new Error(`more than ${maxWaiting} are waiting`)
      return new Promise<T>((resolve, reject) => {
        const aborted = (): void => {
          waiting.splice(waiting.indexOf(one), 1)
          reject(signal?.reason)
        }
        const one: Waiting<T> = {
          give(given) {
            signal?.removeEventListener('abort', aborted)
            resolve(given)
          },
          refuse: reject,
        }
        waiting.push(one)
        signal?.addEventListener('abort', aborted, { once: true })
        short()
      })
    },
    isFree: () => idle.length > 0 && !closed,
    free(thing) {
      const next = waiting.shift()
      if (next) next.give(thing)
      else idle.push(thing)
    },
    withdraw(thing) {
      const at = idle.indexOf(thing)
      if (at >= 0) idle.splice(at, 1)
      return at >= 0
    },
    close() {
      closed = true
      for (const { refuse } of waiting.splice(0)) refuse(new Error('closed'))
    },
  }
}
