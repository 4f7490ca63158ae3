/** Calls a function `count` times, with at most `inFlight` calls running. Resolves when all have; rejects with the first error. */
export async function runConcurrently(
  count: number,
  inFlight: number,
  task: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (next < count) await task(next++)
    }),
  )
}
