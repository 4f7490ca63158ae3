import type { Slot } from './slot.ts'
import type { TaskClass } from './image-jobs.ts'

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

interface SlotSchedulerOptions {
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

interface SlotPoolOptions {
  stopIdleAfterMs: number
  /** The first slot is never stopped. Otherwise it is idle without a process, which its next task starts. */
  keepsProcess: boolean
  /** A slot has been started and is idle. */
  onStarted(): void
}

const isRunning = (slot: Slot): boolean => slot.pid() !== undefined

/** The slots that have been started and that no task uses, and the stopped ones. */
function createSlotPool(slots: readonly Slot[], options: SlotPoolOptions) {
  const idle = new Set(slots.slice(0, 1))
  const stopped = new Set(slots.slice(1))
  const stopTimers = new Map<Slot, NodeJS.Timeout>()
  let starting = 0
  const stop = (slot: Slot): void => {
    slot.stop()
    stopped.add(slot)
  }
  const release = (slot: Slot): void => {
    idle.add(slot)
    if (slot === slots[0] && options.keepsProcess) return
    const stopIfIdle = (): void => {
      if (slot === slots[0]) slot.stop()
      else if (idle.delete(slot)) stop(slot)
    }
    stopTimers.set(slot, setTimeout(stopIfIdle, options.stopIdleAfterMs).unref())
  }
  const start = async (slot: Slot): Promise<void> => {
    starting++
    try {
      await slot.start()
    } catch {
      return stop(slot)
    } finally {
      starting--
    }
    release(slot)
    options.onStarted()
  }
  return {
    hasIdleProcess: () => [...idle].some(isRunning),
    /** How many slots are being started. */
    startingCount: () => starting,
    /** Takes an idle slot, one with a running process first; undefined when none is idle. */
    claim() {
      const idleSlots = slots.filter((slot) => idle.has(slot))
      const slot = idleSlots.find(isRunning) ?? idleSlots[0]
      if (!slot) return undefined
      idle.delete(slot)
      clearTimeout(stopTimers.get(slot))
      return slot
    },
    release,
    /** Starts a stopped slot in the background, if there is one. If it cannot be started, it stays stopped. */
    startAnother() {
      const [slot] = stopped
      if (!slot) return
      stopped.delete(slot)
      void start(slot)
    },
    close: () => stopTimers.forEach((stopTimer) => clearTimeout(stopTimer)),
  }
}

interface WaitingTask {
  taskClass: TaskClass
  queuedAt: number
}

/** Slots beyond the usual number: one for a quick task while the others are in use, and one for long tasks. */
export const extraSlots = 2
/** Tasks that have waited for longer than this no longer give way to quick ones: this prevents starvation. */
const maxGiveWayMs = 10_000

/** Whether a task may start while so many that are not long are running. */
export const mayStart = (taskClass: TaskClass, running: number, concurrency: number): boolean =>
  running < concurrency + (taskClass === 'quick' ? 1 : 0)

/**
 * The task to start next: a quick one, or one that has waited for a long time; of those, the first in the queue. Undefined
 * when none may start now.
 */
export function nextTask<Task extends WaitingTask>(
  waiting: Iterable<Task>,
  running: number,
  { concurrency, now }: { concurrency: number; now: number },
): Task | undefined {
  let next: Task | undefined
  for (const task of waiting) {
    if (!mayStart(task.taskClass, running, concurrency)) continue
    if (task.taskClass === 'quick' || now - task.queuedAt > maxGiveWayMs) return task
    next ??= task
  }
  return next
}
