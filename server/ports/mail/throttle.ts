import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'

const emailSliceBytes = 64 * 1024
const measuringWindowMs = 100
/** Utilization of the event loop above which emails slow down. */
const busyUtilization = 0.6
const minPauseMs = 4
const maxPauseMs = 250

/** Resolves when the caller may do one more slice of work. */
export type EmailThrottle = () => Promise<void>

/**
 * Encoding and sending a photo blocks the event loop for tens of milliseconds. Emails can wait, guests cannot: all callers
 * of one throttle pause twice as long while the event loop is busy, whatever the cause, and half as long when it is not.
 */
export function createEmailThrottle(): EmailThrottle {
  let lastUtilization = performance.eventLoopUtilization()
  let measuredAt = performance.now()
  let pauseMs = 0
  return async () => {
    if (performance.now() - measuredAt > measuringWindowMs) {
      const currentUtilization = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(currentUtilization, lastUtilization)
      if (utilization > busyUtilization) pauseMs = Math.min(Math.max(2 * pauseMs, minPauseMs), maxPauseMs)
      else pauseMs = pauseMs > 1 ? pauseMs / 2 : 0
      ;[lastUtilization, measuredAt] = [currentUtilization, performance.now()]
    }
    await wait(pauseMs)
  }
}

/** The same bytes in slices, each after the throttle allows it. */
export async function* throttledSlices(
  source: AsyncIterable<Buffer>,
  emailThrottle: EmailThrottle,
): AsyncGenerator<Buffer> {
  for await (const emailChunk of source) {
    for (let offset = 0; offset < emailChunk.length; offset += emailSliceBytes) {
      await emailThrottle()
      yield emailChunk.subarray(offset, offset + emailSliceBytes)
    }
  }
}
