import PQueue from 'p-queue'
import type { Slot } from './slot.ts'

/** Gives each task a slot of its own, in order of arrival. */
export interface SlotScheduler {
  /**
   * Runs a task with a slot that no other task uses meanwhile. Rejects with the signal's reason when that aborts while the
   * task waits, when too many tasks wait already, and after `close`.
   */
  run(task: (slot: Slot) => Promise<void>, signal?: AbortSignal): Promise<void>
  /** Whether a running process has nothing to do and no task is waiting. */
  hasIdleProcess(): boolean
  /** Rejects the tasks that wait, and all that come later. */
  close(): void
}

const maxWaiting = 1_000
const closedError = (): Error => new Error('the image pool is closed')

/** The slots that have been started and that no task uses, and the stopped ones. The first slot is never stopped. */
interface SlotStock {
  hasIdleProcess(): boolean
  /** How many slots are started, in use or not. */
  startedCount(): number
  /** Takes an idle slot, one with a running process first. */
  claim(): Slot
  release(slot: Slot): void
  /** Starts a stopped slot in the background. If it cannot be started, it stays stopped. */
  startAnother(): void
  close(): void
}

interface SlotStockOptions {
  stopIdleAfterMs: number
  onStartedCountChange(): void
}

const isRunning = (slot: Slot): boolean => slot.pid() !== undefined

function createSlotStock(slots: readonly Slot[], options: SlotStockOptions): SlotStock {
  const idle = new Set(slots.slice(0, 1))
  const stopped = new Set(slots.slice(1))
  const stopTimers = new Map<Slot, NodeJS.Timeout>()
  let starting = 0
  const stop = (slot: Slot): void => {
    slot.stop()
    stopped.add(slot)
  }
  const stopIfIdle = (slot: Slot): void => {
    if (!idle.delete(slot)) return
    stop(slot)
    options.onStartedCountChange()
  }
  const release = (slot: Slot): void => {
    idle.add(slot)
    if (slot === slots[0]) return
    stopTimers.set(slot, setTimeout(stopIfIdle, options.stopIdleAfterMs, slot).unref())
  }
  return {
    hasIdleProcess: () => [...idle].some(isRunning),
    startedCount: () => slots.length - stopped.size - starting,
    claim() {
      const idleSlots = slots.filter((slot) => idle.has(slot))
      const slot = idleSlots.find(isRunning) ?? idleSlots[0]
      if (!slot) throw new Error('no slot is idle')
      idle.delete(slot)
      clearTimeout(stopTimers.get(slot))
      return slot
    },
    release,
    startAnother() {
      const [slot] = stopped
      if (!slot) return
      stopped.delete(slot)
      starting++
      void slot
        .start()
        .finally(() => starting--)
        .then(
          () => release(slot),
          () => stop(slot),
        )
        .then(options.onStartedCountChange)
    },
    close: () => stopTimers.forEach((stopTimer) => clearTimeout(stopTimer)),
  }
}

/** A signal that follows another one until `detach` is called. */
function detachableSignal(source: AbortSignal | undefined): { signal: AbortSignal; detach(): void } {
  const controller = new AbortController()
  const abort = (): void => controller.abort(source?.reason)
  if (source?.aborted) abort()
  source?.addEventListener('abort', abort)
  return { signal: controller.signal, detach: () => source?.removeEventListener('abort', abort) }
}

/** Schedules tasks over slots, the first of which is started. Each task that has to wait starts one more. */
export function createSlotScheduler(
  slots: readonly Slot[],
  { stopIdleAfterMs }: { stopIdleAfterMs: number },
): SlotScheduler {
  const queue = new PQueue({ concurrency: 1 })
  const stock = createSlotStock(slots, {
    stopIdleAfterMs,
    onStartedCountChange: () => (queue.concurrency = stock.startedCount()),
  })
  let isClosed = false
  return {
    async run(task, signal) {
      if (isClosed) throw closedError()
      if (queue.size >= maxWaiting) throw new Error(`more than ${maxWaiting} images are waiting`)
      // The queue stops waiting for a task whose signal aborts, but its slot is in use until the task has ended.
      const waiting = detachableSignal(signal)
      const runWithSlot = async (): Promise<void> => {
        waiting.detach()
        const slot = stock.claim()
        await task(slot).finally(() => stock.release(slot))
      }
      try {
        const ended = queue.add(runWithSlot, { signal: waiting.signal })
        if (queue.size > 0) stock.startAnother()
        await ended
      } catch (error) {
        throw isClosed ? closedError() : error
      } finally {
        waiting.detach()
      }
    },
    hasIdleProcess: () => !isClosed && queue.size === 0 && stock.hasIdleProcess(),
    close() {
      isClosed = true
      queue.clear()
      stock.close()
    },
  }
}
