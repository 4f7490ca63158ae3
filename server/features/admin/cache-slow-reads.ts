const defaultSlowReadMs = 250
/** A result is cached for this many times the duration of its read. */
const usedAgainFactor = 20

/**
 * Limits the share of time spent on reads of the whole database: concurrent calls are coalesced into one read, and the
 * result of one that took at least `slowReadMs` is cached for 20 times its duration. Small instances get fresh numbers at
 * each call.
 */
export function cacheSlowReads<T>(
  read: () => Promise<T>,
  slowReadMs = defaultSlowReadMs,
  clock: { now(): number } = performance,
): () => Promise<T> {
  let underWay: Promise<T> | undefined
  let last: { value: T; usableUntilMs: number } | undefined
  const readNow = async (): Promise<T> => {
    const startedAtMs = clock.now()
    const value = await read()
    const tookMs = clock.now() - startedAtMs
    last = tookMs < slowReadMs ? undefined : { value, usableUntilMs: clock.now() + usedAgainFactor * tookMs }
    return value
  }
  return async () => {
    if (last && clock.now() < last.usableUntilMs) return last.value
    underWay ??= readNow().finally(() => (underWay = undefined))
    return underWay
  }
}
