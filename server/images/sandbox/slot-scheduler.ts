import type { Slot } from './slot.ts'
import { createSlotPool } from './slot-pool.ts'
import { mayStart, nextTask, quickMs, type RunningTask, type TaskClass, type WaitingTask } from './task-order.ts'

/** Gives each task a slot of its own, in an order that is fair to owners and to quick tasks. */
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
  /** How many tasks run at once; there are `extraSlots` more slots. */
  concurrency: number
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
  const running = new Set<RunningTask>()
  const limits = () => ({ concurrency, now: performance.now() })
  return {
    running,
    stopWaiting: (task: QueuedTask) => void waiting.delete(task),
    rejectAll() {
      for (const { reject } of waiting) reject(closedError())
      waiting.clear()
    },
    next: (): QueuedTask | undefined => nextTask([...waiting], [...running], limits()),
    mayStartQuickTask: (): boolean => mayStart({ owner: '', isQuick: true }, [...running], limits()),
    /** Adds a task to those that wait; resolves when it has run. `schedule` is called at once. */
    async add(task: Pick<QueuedTask, 'owner' | 'isQuick' | 'start'>, schedule: () => void, signal?: AbortSignal) {
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
  { concurrency, stopIdleAfterMs }: SlotSchedulerOptions,
): SlotScheduler {
  const { running, next, mayStartQuickTask, add, stopWaiting, rejectAll } = createTasks(concurrency)
  const slotPool = createSlotPool(slots, { stopIdleAfterMs, onStarted: startTasks })
  let isClosed = false
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
    const isNeeded = next() !== undefined && (!isAnyStarting || running.size + slotPool.startingCount() < concurrency)
    const isNeededSoon = running.size >= concurrency && mayStartQuickTask() && !slotPool.hasIdleProcess()
    if (isNeeded || (isNeededSoon && !isAnyStarting)) slotPool.startAnother()
  }
  function schedule(): void {
    if (isClosed) return
    startTasks()
    startSlotIfNeeded()
  }
  async function runIn(slot: Slot, task: QueuedTask): Promise<void> {
    stopWaiting(task)
    const entry: RunningTask = { owner: task.owner, isQuick: task.isQuick, startedAt: performance.now() }
    running.add(entry)
    const slowTimer = entry.isQuick ? setTimeout(schedule, quickMs + 1).unref() : undefined
    await task.start(slot)
    clearTimeout(slowTimer)
    running.delete(entry)
    slotPool.release(slot)
    schedule()
  }
  return {
    async run(start, taskClass, signal) {
      if (isClosed) throw closedError()
      await add({ ...taskClass, start }, schedule, signal)
    },
    hasIdleProcess: () => !isClosed && next() === undefined && mayStartQuickTask() && slotPool.hasIdleProcess(),
    close() {
      isClosed = true
      rejectAll()
      slotPool.close()
    },
  }
}
