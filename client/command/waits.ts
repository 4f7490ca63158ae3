import { wait } from '../retry.ts'
import type { Output } from './output.ts'
import { texts } from './texts.ts'

/** Waits, and says why. */
export interface WaitReporter {
  /** Resolves after the seconds; rejects with the signal's reason. */
  for(why: { seconds: number; reason: string }, signal: AbortSignal): Promise<void>
  /** The wait is over. */
  over(): void
}

/** A wait for the same reason gets another line after this time, in ms; in a terminal, the line below shows each. */
const sameReasonMs = 10 * 60_000

/** The time of day some seconds from now. */
export const timeIn = (seconds: number): string => new Date(Date.now() + seconds * 1000).toTimeString().slice(0, 8)

export function createWaitReporter(output: Output): WaitReporter {
  let lastReason = ''
  let lastPrintedAt = -Infinity
  return {
    async for({ seconds, reason }, signal) {
      const text = texts.waiting(reason, timeIn(seconds))
      if (reason !== lastReason || performance.now() - lastPrintedAt >= sameReasonMs) {
        output.line(text)
        lastPrintedAt = performance.now()
        lastReason = reason
      } else output.progress(text)
      await wait(seconds, signal)
    },
    over() {
      lastReason = ''
    },
  }
}
