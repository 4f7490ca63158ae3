/** A run that has not finished after this long is not waited for: its connection may be dead. */
const maxRunWaitMs = 2_000
/** While so many queries run, callers wait for the next one: others than these two rarely have to. */
const runsAtOnce = 2
const keysPerRun = 20

/**
 * Coalesces a query about one key, such as a user, with those about others: callers that arrive while two runs are under way
 * share the next one, so no result is older than its request, and a caller that finds none under way waits for nobody. With
 * hundreds of callers, what a query costs besides its rows is paid once for many.
 * @param read resolves to the results that exist
 */
export function coalesceKeys<Result>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Result>>,
  clock: { now(): number } = performance,
): (key: string) => Promise<Result | undefined> {
  const waiting = new Map<string, PromiseWithResolvers<Result | undefined>>()
  const startTimes = new Set<{ at: number }>()
  const startRuns = (): void => {
    const now = clock.now()
    const isUnderWay = ({ at }: { at: number }): boolean => now - at <= maxRunWaitMs
    if (waiting.size === 0 || Array.from(startTimes).filter(isUnderWay).length >= runsAtOnce) return
    const callers = Array.from(waiting).slice(0, keysPerRun)
    for (const [key] of callers) waiting.delete(key)
    const startTime = { at: now }
    startTimes.add(startTime)
    void read(callers.map(([key]) => key))
      .then(
        (results) => callers.forEach(([key, caller]) => caller.resolve(results.get(key))),
        (error: unknown) => callers.forEach(([, caller]) => caller.reject(error)),
      )
      .finally(() => {
        startTimes.delete(startTime)
        startRuns()
      })
  }
  return (key) => {
    const caller = waiting.get(key) ?? Promise.withResolvers<Result | undefined>()
    waiting.set(key, caller)
    startRuns()
    return caller.promise
  }
}
