/** A read that takes less is made for each call. */
const slowFromMs = 250
/** How many times as long as it took the result of a slow read is used again. */
const usedAgainFactor = 20

/**
 * Limits the share of time that a read of the whole database takes: calls at the same time share one read, and the result
 * of a slow one is used again for 20 times as long as it took. Small instances get new numbers at each call.
 */
export function rememberSlow<T>(read: () => Promise<T>, clock: { now(): number } = performance): () => Promise<T> {
  let underWay: Promise<T> | undefined
  let last: { value: T; usableUntilMs: number } | undefined
  const readNow = async (): Promise<T> => {
    const startedAtMs = clock.now()
    const value = await read()
    const tookMs = clock.now() - startedAtMs
    last = tookMs < slowFromMs ? undefined : { value, usableUntilMs: clock.now() + usedAgainFactor * tookMs }
    return value
  }
  return async () => {
    if (last && clock.now() < last.usableUntilMs) return last.value
    underWay ??= readNow().finally(() => (underWay = undefined))
    return underWay
  }
}
