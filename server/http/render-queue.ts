import { Fault } from '../faults.ts'

/** Runs a synchronous task; rejects with what it throws, or with a Fault when too many tasks wait. */
export type RenderQueue = <T>(task: () => T) => Promise<T>

const maxWaitingTasks = 2_000

/**
 * Runs tasks that each block the event loop for milliseconds, one per iteration of the event loop: calls of others are
 * answered in between, however many such tasks a client asks for.
 */
export function createRenderQueue(maxWaiting = maxWaitingTasks): RenderQueue {
  const waitingTasks: (() => void)[] = []
  let isScheduled = false
  const scheduleNext = (): void => {
    isScheduled = waitingTasks.length > 0
    if (isScheduled) setImmediate(runNext)
  }
  const runNext = (): void => {
    waitingTasks.shift()?.()
    scheduleNext()
  }
  return async (task) => {
    if (waitingTasks.length >= maxWaiting)
      throw new Fault('unavailable', 'Too many people are opening pages right now. Please try again in a moment.', 2)
    return new Promise((resolve, reject) => {
      waitingTasks.push(() => {
        try {
          resolve(task())
        } catch (error) {
          reject(error)
        }
      })
      if (!isScheduled) scheduleNext()
    })
  }
}
