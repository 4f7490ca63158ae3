/** Runs `work` for every item, a few at a time. `work` handles its own errors: after a rejection, the other items still follow. */
export async function forEachConcurrently<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const remaining = items.values()
  const workOnRemaining = async (): Promise<void> => {
    for (const item of remaining) await work(item)
  }
  await Promise.all(Array.from({ length: concurrency }, workOnRemaining))
}
