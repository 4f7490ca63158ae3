import { setImmediate as nextIteration } from 'node:timers/promises'
import PQueue from 'p-queue'
import { Fault } from '../faults.ts'

/** Runs a synchronous task; rejects with what it throws, or with a Fault when too many tasks wait. */
export type RenderQueue = <T>(task: () => T) => Promise<T>

const maxWaitingTasks = 2_000

/**
 * Runs tasks that each block the event loop for milliseconds, one per iteration of the event loop: calls of others are
 * answered in between, however many such tasks a client asks for.
 */
export function createRenderQueue(maxWaiting = maxWaitingTasks): RenderQueue {
  const queue = new PQueue({ concurrency: 1 })
  return async <T>(task: () => T) => {
    if (queue.size + queue.pending >= maxWaiting)
      throw new Fault('unavailable', 'Too many people are opening pages right now. Please try again in a moment.', 2)
    return queue.add(async () => {
      await nextIteration()
      return task()
    })
  }
}
