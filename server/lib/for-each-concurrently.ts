import PQueue from 'p-queue'

/**
 * Runs `work` for every item, so many at a time, in their order. After a failure no other item is started; rejects with the
 * first failure when those that had started have ended.
 */
export async function forEachConcurrently<T>(
  items: Iterable<T>,
  concurrency: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const queue = new PQueue({ concurrency })
  queue.addEventListener('error', () => queue.clear())
  try {
    await queue.addAll(Array.from(items, (item) => () => work(item)))
  } finally {
    await queue.onIdle()
  }
}
