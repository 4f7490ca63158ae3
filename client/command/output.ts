import { drawQrCode } from './qr-drawing.ts'

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
