import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'

const sliceBytes = 64 * 1024
const windowMs = 100
/** Utilization of the event loop above which emails slow down. */
const busyUtilization = 0.6
const minPauseMs = 4
const maxPauseMs = 250

/** Resolves when the caller may do one more slice of work. */
export type Throttle = () => Promise<void>

/**
 * Encoding and sending a photo blocks the event loop for tens of milliseconds. Emails can wait, guests cannot: all callers
 * of one throttle pause twice as long while the event loop is busy, whatever the cause, and half as long when it is not.
 */
export function createThrottle(): Throttle {
  let last = performance.eventLoopUtilization()
  let measuredAt = performance.now()
  let pauseMs = 0
  return async () => {
    if (performance.now() - measuredAt > windowMs) {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, last)
      if (utilization > busyUtilization) pauseMs = Math.min(Math.max(2 * pauseMs, minPauseMs), maxPauseMs)
      else pauseMs = pauseMs > 1 ? pauseMs / 2 : 0
      ;[last, measuredAt] = [now, performance.now()]
    }
    await delay(pauseMs)
  }
}

/** The same bytes in slices, each after the throttle allows it. */
export async function* throttled(source: AsyncIterable<Buffer>, throttle: Throttle): AsyncGenerator<Buffer> {
  for await (const part of source) {
    for (let at = 0; at < part.length; at += sliceBytes) {
      await throttle()
      yield part.subarray(at, at + sliceBytes)
    }
  }
}
