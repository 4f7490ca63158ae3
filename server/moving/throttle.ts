import { setTimeout as wait } from 'node:timers/promises'

/** Resolves when this many more bytes may be sent or read. */
export type Throttle = (bytes: number) => Promise<void>

/** Limits the total bytes per second; null for no limit. */
export function createThrottle(bytesPerSecond: number | null): Throttle {
  if (bytesPerSecond === null) return async () => {}
  let freeAtMs = performance.now()
  return async (bytes) => {
    const nowMs = performance.now()
    freeAtMs = Math.max(freeAtMs, nowMs) + (bytes / bytesPerSecond) * 1000
    if (freeAtMs > nowMs) await wait(freeAtMs - nowMs)
  }
}
