import { encodeQR } from 'qr'
import { wait } from '../client.ts'
import { texts } from './options.ts'

/** Where the command prints: whole lines, and below them, in a terminal, one line that changes. */
export interface Output {
  line(text: string): void
  /** Replaces the line that changes; an empty text removes it. Nothing without a terminal. */
  progress(text: string): void
  /** Draws a QR code, if this is a terminal with enough room. */
  qrCode(text: string): void
}

export interface OutputStream {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

const clearLine = '\r\u001b[2K'
const defaultColumns = 80
/** A progress line is drawn at most this often, in ms. */
const progressEveryMs = 100

/** File names may contain characters that control the terminal. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, '?')
const timeOf = (date: Date): string => date.toTimeString().slice(0, 8)

export function createOutput(stream: OutputStream, { qr }: { qr: boolean }): Output {
  let shown = ''
  let drawnAt = -Infinity
  const clear = (): string => (shown ? clearLine : '')
  return {
    line(text) {
      const lines = text.split('\n').map(printable)
      stream.write(`${clear()}${timeOf(new Date())}  ${lines.join('\n          ')}\n${shown}`)
    },
    progress(text) {
      if (!stream.isTTY) return
      const isDue = performance.now() - drawnAt >= progressEveryMs
      if (text && shown && !isDue) return
      const next = printable(text).slice(0, (stream.columns ?? defaultColumns) - 1)
      if (next === shown) return
      stream.write(`${clear()}${next}`)
      shown = next
      drawnAt = performance.now()
    },
    qrCode(text) {
      const drawing = qr && stream.isTTY ? drawQrCode(text, stream.columns ?? defaultColumns) : null
      if (drawing) stream.write(`${clear()}${drawing.join('\n')}\n${shown}`)
    },
  }
}

const quietZone = 4
/** Dark on light, whatever the colours of the terminal are: phones do not read the opposite reliably. */
const colours = '\u001b[38;5;16m\u001b[48;5;231m'
const reset = '\u001b[0m'
/** Two modules, one above the other, in one character: by whether the upper and the lower are dark. */
const halfBlocks = [' ', '▄', '▀', '█']

/** A QR code as lines of a terminal; null if it is wider than `columns`. */
export function drawQrCode(text: string, columns: number): string[] | null {
  const modules = encodeQR(text, 'raw', { ecc: 'low', border: quietZone })
  if (modules.length > columns) return null
  const lines: string[] = []
  for (let y = 0; y < modules.length; y += 2) {
    const lower = modules[y + 1] ?? []
    const blocks = (modules[y] ?? []).map((isDark, x) => halfBlocks[(isDark ? 2 : 0) + (lower[x] ? 1 : 0)])
    lines.push(`${colours}${blocks.join('')}${reset}`)
  }
  return lines
}

export interface WaitReporter {
  /** Resolves after the seconds; rejects with the signal's reason. */
  for(why: { seconds: number; reason: string }, signal: AbortSignal): Promise<void>
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
