/** Numbers and times as commands tell them to an operator. */

/** "1 photo", "2 photos". */
export const plural = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`

export const sizeText = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`

export const timeText = (time: Date | string): string =>
  `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** Tells the operator how far a backup or a restore is. */
export interface Progress {
  /** A new part of the work has begun. */
  step(text: string): void
  /** Reports how much of the step is done; throttled. */
  count(done: number, total: number): void
  end(): void
}

interface ProgressOutput {
  isTTY?: boolean
  write(text: string): unknown
}

const terminalMs = 200
const quietMs = 30_000

/** On a terminal, one line that is updated; elsewhere, such as in emails of cron, one per step and every 30 s. */
export function createProgress(out: ProgressOutput, now: () => number = Date.now): Progress {
  let step = ''
  let shownAt = now()
  let isLineOpen = false
  const show = (text: string): void => {
    shownAt = now()
    out.write(out.isTTY ? `\r\u001b[K${text}` : `${text}\n`)
    isLineOpen = out.isTTY === true
  }
  const endLine = (): void => {
    if (isLineOpen) out.write('\n')
    isLineOpen = false
  }
  return {
    step(text) {
      endLine()
      step = text
      show(text)
    },
    count(done, total) {
      if (done < total && now() - shownAt < (out.isTTY ? terminalMs : quietMs)) return
      if (done < total || out.isTTY) show(`${step} ${done} of ${total}`)
    },
    end: endLine,
  }
}
