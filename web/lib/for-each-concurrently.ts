/** Runs `work` for every item, at most `concurrency` at a time. A rejection does not stop the others. */
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
