import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

interface Refusals {
  count: number
  /** When the counter in the database allows a request again. */
  freeAtMs: number
  /** When the counter in the database is queried again. */
  recheckAtMs: number
}

/** Clients that keep sending requests although a rate limit refuses them. */
export interface RefusedClients {
  /** The seconds that a client still has to wait; 0 when the counter in the database must decide. */
  waitSecondsOf(key: string): number
  /** Records the decision of the counter in the database: 0 seconds when the request is allowed. */
  record(key: string, waitSeconds: number): void
  /** Waits before such a client is answered, so that it cannot send its next request at once. */
  delayAnswer(): Promise<void>
}

const refusedClientLimits = { clients: 10_000, refusals: 50, recheckMs: 1_000, delayMs: 1_000, delayed: 10_000 }

/**
 * After 50 refusals in a row, a client is refused without querying the database, which is queried again every second:
 * refusing must not cost more than what the limit protects.
 */
export function createRefusedClients(now: () => number = Date.now): RefusedClients {
  const refusalsByKey = new LRUCache<string, Refusals>({ max: refusedClientLimits.clients })
  let delayed = 0
  return {
    waitSecondsOf(key) {
      const refusals = refusalsByKey.get(key)
      if (!refusals || refusals.count < refusedClientLimits.refusals || refusals.recheckAtMs <= now()) return 0
      return Math.max(1, Math.ceil((refusals.freeAtMs - now()) / 1000))
    },
    record(key, waitSeconds) {
      if (waitSeconds === 0) return void refusalsByKey.delete(key)
      refusalsByKey.set(key, {
        count: (refusalsByKey.get(key)?.count ?? 0) + 1,
        freeAtMs: now() + waitSeconds * 1000,
        recheckAtMs: now() + Math.min(waitSeconds * 1000, refusedClientLimits.recheckMs),
      })
    },
    async delayAnswer() {
      if (delayed >= refusedClientLimits.delayed) return
      delayed += 1
      await wait(refusedClientLimits.delayMs)
      delayed -= 1
    },
  }
}
