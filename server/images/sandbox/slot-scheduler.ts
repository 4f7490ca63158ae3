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
const isRunning = (slot: Slot): boolean => slot.pid() !== undefined

/** Slots that no task uses. The process of the first slot always runs; the others are stopped when idle for a while. */
function trackIdleSlots(slots: readonly Slot[], stopIdleAfterMs: number) {
  const idle = new Set(slots)
  const stopIdleTimers = new Map<Slot, NodeJS.Timeout>()
  return {
    hasIdleProcess: () => slots.some((slot) => idle.has(slot) && isRunning(slot)),
    claim(): Slot {
      const free = slots.filter((slot) => idle.has(slot))
      const slot = free.find(isRunning) ?? free[0]
      if (!slot) throw new Error('no slot is idle')
      idle.delete(slot)
      clearTimeout(stopIdleTimers.get(slot))
      return slot
    },
    release(slot: Slot): void {
      idle.add(slot)
      if (slot === slots[0]) return
      const stopIdleTimer = setTimeout(() => idle.has(slot) && slot.stop(), stopIdleAfterMs)
      stopIdleTimers.set(slot, stopIdleTimer.unref())
    },
    close(): void {
      for (const stopIdleTimer of stopIdleTimers.values()) clearTimeout(stopIdleTimer)
    },
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

/** Schedules tasks over slots. More processes start when there is more to do. */
export function createSlotScheduler(
  slots: readonly Slot[],
  { stopIdleAfterMs }: { stopIdleAfterMs: number },
): SlotScheduler {
  const queue = new PQueue({ concurrency: slots.length })
  const idleSlots = trackIdleSlots(slots, stopIdleAfterMs)
  let isClosed = false
  return {
    async run(task, signal) {
      if (isClosed) throw closedError()
      if (queue.size >= maxWaiting) throw new Error(`more than ${maxWaiting} images are waiting`)
      // The queue stops waiting for a task whose signal aborts, but its slot is in use until the task has ended.
      const waiting = detachableSignal(signal)
      const runWithSlot = async (): Promise<void> => {
        waiting.detach()
        const slot = idleSlots.claim()
        await task(slot).finally(() => idleSlots.release(slot))
      }
      try {
        await queue.add(runWithSlot, { signal: waiting.signal })
      } catch (error) {
        throw isClosed ? closedError() : error
      } finally {
        waiting.detach()
      }
    },
    hasIdleProcess: () => !isClosed && queue.size === 0 && idleSlots.hasIdleProcess(),
    close() {
      isClosed = true
      queue.clear()
      idleSlots.close()
    },
  }
}
