import pino, { type Logger } from 'pino'

/** Levels of the setting LOG_LEVEL. */
export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

const names: Record<number, string> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

/** One calm line for a person at a terminal. */
function line(json: string): string {
  const { level, time, msg, err } = JSON.parse(json) as {
    level: number
    time: number
    msg?: string
    err?: { stack?: string }
  } // pino's own shape
  const clock = new Date(time).toTimeString().slice(0, 8)
  return `${clock} ${names[level] ?? level} ${msg ?? ''}${err?.stack ? `\n${err.stack}` : ''}\n`
}

/** JSON lines, or plain lines when a person watches. Secrets never reach a logger: queries are cut off before. */
export function createLog(
  level: LogLevel,
  out: { isTTY?: boolean; write(text: string): unknown } = process.stdout,
): Logger {
  const stream = out.isTTY
    ? { write: (json: string) => void out.write(line(json)) }
    : { write: (json: string) => void out.write(json) }
  return pino({ level, base: null }, stream)
}
