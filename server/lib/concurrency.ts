import PQueue from 'p-queue'

/** Tasks that wait, in levels: each level takes turns between its parts, and the last level is in order of arrival. */
interface Level<T> {
  size: number
  parts: Map<string, Level<T>>
  waiting: T[]
}

const newLevel = <T>(): Level<T> => ({ size: 0, parts: new Map(), waiting: [] })

function add<T>(level: Level<T>, [name, ...rest]: readonly string[], task: T): void {
  level.size += 1
  if (name === undefined) return void level.waiting.push(task)
  const part = level.parts.get(name) ?? newLevel<T>()
  level.parts.set(name, part)
  add(part, rest, task)
}

/** The oldest task of the part whose turn it is, which then is the last to have a turn again. */
function takeNext<T>(level: Level<T>): T | undefined {
  level.size -= 1
  const [turn] = level.parts
  if (!turn) return level.waiting.shift()
  const [name, part] = turn
  const task = takeNext(part)
  level.parts.delete(name)
  if (part.size > 0) level.parts.set(name, part)
  return task
}

/** The newest task of the part with the most tasks; of parts with as many, the one that came last. */
function takeNewestOfLargest<T>(level: Level<T>): T | undefined {
  level.size -= 1
  if (level.parts.size === 0) return level.waiting.pop()
  const [name, part] = [...level.parts].reduce((one, other) => (other[1].size >= one[1].size ? other : one))
  const task = takeNewestOfLargest(part)
  if (part.size === 0) level.parts.delete(name)
  return task
}

/** Runs tasks with bounded concurrency. `path` says whose a task is, from the widest group to the narrowest. */
type FairQueue = <T>(path: readonly string[], task: () => Promise<T>) => Promise<T>

/**
 * A queue in which groups take turns, in them smaller groups, and so on: how many tasks a group has changes nothing for the
 * others. When the queue is full, the newest task of the largest group is refused with an error from `refusal`.
 */
export function createFairQueue({
  concurrency,
  maxWaiting,
  refusal,
}: {
  concurrency: number
  maxWaiting: number
  refusal: () => Error
}): FairQueue {
  interface Waiting {
    start(): Promise<void>
    refuse(): void
  }
  const waiting = newLevel<Waiting>()
  let running = 0
  function startNext(): void {
    if (running >= concurrency || waiting.size === 0) return
    running += 1
    void takeNext(waiting)
      ?.start()
      .finally(() => {
        running -= 1
        startNext()
      })
  }
  return (path, task) =>
    new Promise((resolve, reject) => {
      add(waiting, path, {
        start: async () => {
          try {
            resolve(await task())
          } catch (error) {
            reject(error)
          }
        },
        refuse: () => reject(refusal()),
      })
      startNext()
      if (waiting.size > maxWaiting) takeNewestOfLargest(waiting)?.refuse()
    })
}

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

/** Consecutive items in pages of at most `size`. */
export async function* pagesOf<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let page: T[] = []
  for await (const item of items) {
    page.push(item)
    if (page.length < size) continue
    yield page
    page = []
  }
  if (page.length) yield page
}
