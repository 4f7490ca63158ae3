import PQueue from 'p-queue'
import { limits } from '@keepsnap/contract/limits.ts'
import { Fault } from '../../faults.ts'

const maxWaiting = 100
const defaultMaxWaitMs = 40_000

const tooMany = (): Fault =>
  new Fault('rate_limited', 'Too many uploads at once. Please wait for the others to finish.', 5)

/** Limits the concurrent uploads of each user; the others wait, up to 100 of them for at most 40 seconds. */
export function createUploadSlots({ maxWaitMs = defaultMaxWaitMs } = {}) {
  const queues = new Map<string, PQueue>()
  return async <T>(userId: string, task: () => Promise<T>): Promise<T> => {
    const queue = queues.get(userId) ?? new PQueue({ concurrency: limits.uploadsAtOncePerUser })
    queues.set(userId, queue)
    if (queue.size >= maxWaiting) throw tooMany()
    const waiting = new AbortController()
    const timer = setTimeout(() => waiting.abort(tooMany()), maxWaitMs)
    const start = (): Promise<T> => {
      clearTimeout(timer)
      return task()
    }
    try {
      return await queue.add(start, { signal: waiting.signal })
    } finally {
      clearTimeout(timer)
      if (queue.size === 0 && queue.pending === 0 && queues.get(userId) === queue) queues.delete(userId)
    }
  }
}
