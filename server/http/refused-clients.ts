import { LRUCache } from 'lru-cache'

interface Refusals {
  count: number
  /** When the counter in the database allows a request again. */
  freeAtMs: number
  /** When the counter is asked again. */
  askAgainAtMs: number
}

/** Clients that go on after many refusals of a rate limit. */
export interface RefusedClients {
  /** The seconds that a client still has to wait; 0 when the counter in the database must decide. */
  waitSecondsOf(key: string): number
  /** Notes what the counter in the database has decided: 0 seconds when the request is allowed. */
  note(key: string, waitSeconds: number): void
}

const refusedClientLimits = { clients: 10_000, refusals: 50, askAgainMs: 1_000 }

/**
 * After 50 refusals in a row, a client is refused without asking the database, which is asked again every second:
 * refusing must not cost more than what the limit protects.
 */
export function createRefusedClients(now: () => number = Date.now): RefusedClients {
  const refusalsByKey = new LRUCache<string, Refusals>({ max: refusedClientLimits.clients })
  return {
    waitSecondsOf(key) {
      const refusals = refusalsByKey.get(key)
      if (!refusals || refusals.count < refusedClientLimits.refusals || refusals.askAgainAtMs <= now()) return 0
      return Math.max(1, Math.ceil((refusals.freeAtMs - now()) / 1000))
    },
    note(key, waitSeconds) {
      if (waitSeconds === 0) return void refusalsByKey.delete(key)
      refusalsByKey.set(key, {
        count: (refusalsByKey.get(key)?.count ?? 0) + 1,
        freeAtMs: now() + waitSeconds * 1000,
        askAgainAtMs: now() + Math.min(waitSeconds * 1000, refusedClientLimits.askAgainMs),
      })
    },
  }
}
