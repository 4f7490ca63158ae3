import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'

const sliceBytes = 64 * 1024
const windowMs = 100
/** Share of the event loop's time from which on others wait. */
const busyFrom = 0.6
const restLeastMs = 4
const restMostMs = 250

/** Lets a sender go on when there is room for it. */
export type Pace = () => Promise<void>

/**
 * Encoding and sending a photo keeps the event loop busy for tens of milliseconds, and letters can wait where guests cannot:
 * all who share a pace rest longer the longer the loop is busy, with whatever it is, and less once it is not.
 */
export function createPace(): Pace {
  let last = performance.eventLoopUtilization()
  let lookedAt = performance.now()
  let restMs = 0
  return async () => {
    if (performance.now() - lookedAt > windowMs) {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, last)
      restMs =
        utilization > busyFrom ? Math.min(Math.max(2 * restMs, restLeastMs), restMostMs) : restMs > 1 ? restMs / 2 : 0
      ;[last, lookedAt] = [now, performance.now()]
    }
    await delay(restMs)
  }
}

/** The same bytes in small parts, each when there is room for it. */
export async function* paced(source: AsyncIterable<Buffer>, pace: Pace): AsyncGenerator<Buffer> {
  for await (const part of source) {
    for (let at = 0; at < part.length; at += sliceBytes) {
      await pace()
      yield part.subarray(at, at + sliceBytes)
    }
  }
}
