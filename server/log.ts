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

interface Told {
  type: string
  message: string
  code?: string
  stack?: string
  cause?: Told
}

/** What a log keeps of an error. The rest may hold people's data (a database names the offending values) or whole clients. */
function tell(error: Error & { code?: unknown }, depth = 0): Told {
  const { name, message, code, stack, cause } = error
  return {
    type: name,
    message,
    ...(typeof code === 'string' && { code }),
    ...(stack !== undefined && { stack }),
    ...(cause instanceof Error && depth < 3 && { cause: tell(cause, depth + 1) }),
  }
}

/** JSON lines, or plain lines when a person watches. Secrets never reach a logger: queries are cut off before. */
export function createLog(
  level: LogLevel,
  out: { isTTY?: boolean; write(text: string): unknown } = process.stdout,
): Logger {
  const stream = out.isTTY
    ? { write: (json: string) => void out.write(line(json)) }
    : { write: (json: string) => void out.write(json) }
  return pino({ level, base: null, serializers: { err: (error: Error) => tell(error) } }, stream)
}
