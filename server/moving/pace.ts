import { setTimeout as wait } from 'node:timers/promises'

/** Resolves when so many more bytes may be sent or read. */
export type Pace = (bytes: number) => Promise<void>

/** A limit of bytes per second for everything together; null for none. */
export function createPace(bytesPerSecond: number | null): Pace {
  if (bytesPerSecond === null) return async () => {}
  let freeAtMs = performance.now()
  return async (bytes) => {
    const nowMs = performance.now()
    freeAtMs = Math.max(freeAtMs, nowMs) + (bytes / bytesPerSecond) * 1000
    if (freeAtMs > nowMs) await wait(freeAtMs - nowMs)
  }
}
