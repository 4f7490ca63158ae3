import type { TaskClass } from './image-jobs.ts'
import type { Slot } from './slot.ts'
import { createSlotPool } from './slot-pool.ts'
import { mayStart, nextTask, type WaitingTask } from './task-order.ts'

/** Gives each task a slot of its own, quick ones first. */
export interface SlotScheduler {
  /**
   * Runs a task with a slot that no other task uses meanwhile. Rejects with the signal's reason when that aborts while the
   * task waits, when too many tasks wait already, and after `close`.
   */
  run(task: (slot: Slot) => Promise<void>, taskClass: TaskClass, signal?: AbortSignal): Promise<void>
  /** Whether a running process has nothing to do and no task is waiting that could use it. */
  hasIdleProcess(): boolean
  /** Rejects the tasks that wait, and all that come later. */
  close(): void
}

export interface SlotSchedulerOptions {
  /** How many tasks run at once, and one more that is quick. */
  concurrency: number
  /** Whether the first slot always has a process. */
  keepsProcess?: boolean
  stopIdleAfterMs: number
}

const maxWaiting = 1_000
const closedError = (): Error => new Error('the image pool is closed')

interface QueuedTask extends WaitingTask {
  start(slot: Slot): Promise<void>
  reject(reason: unknown): void
}

/** The tasks that wait and those that run. */
function createTasks(concurrency: number) {
  const waiting = new Set<QueuedTask>()
  return {
    stopWaiting: (task: QueuedTask) => void waiting.delete(task),
    rejectAll() {
      for (const { reject } of waiting) reject(closedError())
      waiting.clear()
    },
    next: (running: number): QueuedTask | undefined =>
      nextTask(waiting, running, { concurrency, now: performance.now() }),
    /** Adds a task to those that wait; resolves when it has run. `schedule` is called at once. */
    async add(task: Pick<QueuedTask, 'taskClass' | 'start'>, schedule: () => void, signal?: AbortSignal) {
      signal?.throwIfAborted()
      if (waiting.size >= maxWaiting) throw new Error(`more than ${maxWaiting} images are waiting`)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const start = (slot: Slot): Promise<void> => task.start(slot).then(resolve, reject)
      const queued: QueuedTask = { ...task, queuedAt: performance.now(), start, reject }
      const abort = (): void => {
        if (waiting.delete(queued)) reject(signal?.reason)
      }
      signal?.addEventListener('abort', abort)
      waiting.add(queued)
      schedule()
      await promise.finally(() => signal?.removeEventListener('abort', abort))
    },
  }
}

/** Schedules tasks over slots, the first of which is started. Each task that has to wait starts one more. */
export function createSlotScheduler(
  slots: readonly Slot[],
  { concurrency, stopIdleAfterMs, keepsProcess = true }: SlotSchedulerOptions,
): SlotScheduler {
  const { next: nextOf, add, stopWaiting, rejectAll } = createTasks(concurrency)
  const slotPool = createSlotPool(slots, { stopIdleAfterMs, keepsProcess, onStarted: startTasks })
  let isClosed = false
  let running = 0
  const next = (): QueuedTask | undefined => nextOf(running)
  function startTasks(): void {
    for (let task = next(); task; task = next()) {
      const slot = slotPool.claim()
      if (!slot) return
      void runIn(slot, task)
    }
  }
  /** Starts a slot for a task that may start and has none, or in advance for a quick one while all are in use. */
  function startSlotIfNeeded(): void {
    const isAnyStarting = slotPool.startingCount() > 0
    const isNeeded = next() !== undefined && (!isAnyStarting || running + slotPool.startingCount() < concurrency)
    const isNeededSoon = running === concurrency && !slotPool.hasIdleProcess()
    if (isNeeded || (isNeededSoon && !isAnyStarting)) slotPool.startAnother()
  }
  function schedule(): void {
    if (isClosed) return
    startTasks()
    startSlotIfNeeded()
  }
  async function runIn(slot: Slot, task: QueuedTask): Promise<void> {
    stopWaiting(task)
    running += 1
    await task.start(slot)
    running -= 1
    slotPool.release(slot)
    schedule()
  }
  return {
    async run(start, taskClass, signal) {
      if (isClosed) throw closedError()
      await add({ taskClass, start }, schedule, signal)
    },
    hasIdleProcess: () =>
      !isClosed && next() === undefined && mayStart('quick', running, concurrency) && slotPool.hasIdleProcess(),
    close() {
      isClosed = true
      rejectAll()
      slotPool.close()
    },
  }
}
