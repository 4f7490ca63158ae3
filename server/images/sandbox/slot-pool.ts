import type { Slot } from './slot.ts'

/** The slots that have been started and that no task uses, and the stopped ones. */
export interface SlotPool {
  hasIdleProcess(): boolean
  /** How many slots are being started. */
  startingCount(): number
  /** Takes an idle slot, one with a running process first; undefined when none is idle. */
  claim(): Slot | undefined
  release(slot: Slot): void
  /** Starts a stopped slot in the background, if there is one. If it cannot be started, it stays stopped. */
  startAnother(): void
  close(): void
}

export interface SlotPoolOptions {
  stopIdleAfterMs: number
  /** The first slot is never stopped. Otherwise it is idle without a process, which its next task starts. */
  keepsProcess: boolean
  /** A slot has been started and is idle. */
  onStarted(): void
}

const isRunning = (slot: Slot): boolean => slot.pid() !== undefined

export function createSlotPool(slots: readonly Slot[], options: SlotPoolOptions): SlotPool {
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
    startingCount: () => starting,
    claim() {
      const idleSlots = slots.filter((slot) => idle.has(slot))
      const slot = idleSlots.find(isRunning) ?? idleSlots[0]
      if (!slot) return undefined
      idle.delete(slot)
      clearTimeout(stopTimers.get(slot))
      return slot
    },
    release,
    startAnother() {
      const [slot] = stopped
      if (!slot) return
      stopped.delete(slot)
      void start(slot)
    },
    close: () => stopTimers.forEach((stopTimer) => clearTimeout(stopTimer)),
  }
}
