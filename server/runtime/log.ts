import pino, { type Logger } from 'pino'

/** Levels of the setting LOG_LEVEL. */
export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

const levelNames: Record<number, string> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

/** One plain line for a terminal. */
function formatLine(json: string): string {
  const { level, time, msg, err } = JSON.parse(json) as {
    level: number
    time: number
    msg?: string
    err?: { stack?: string }
  } // pino's own shape
  const clock = new Date(time).toTimeString().slice(0, 8)
  return `${clock} ${levelNames[level] ?? level} ${msg ?? ''}${err?.stack ? `\n${err.stack}` : ''}\n`
}

interface LoggedError {
  type: string
  message: string
  code?: string
  stack?: string
  cause?: LoggedError
}

/** The logged fields of an error. Others may contain personal data (PostgreSQL quotes the offending values) or large objects. */
function serializeError(error: Error & { code?: unknown }, depth = 0): LoggedError {
  const { name, message, code, stack, cause } = error
  return {
    type: name,
    message,
    ...(typeof code === 'string' && { code }),
    ...(stack !== undefined && { stack }),
    ...(cause instanceof Error && depth < 3 && { cause: serializeError(cause, depth + 1) }),
  }
}

/** Logs JSON lines, or plain lines on a terminal. Callers never pass secrets: they log routes, not URLs. */
export function createLog(
  level: LogLevel,
  out: { isTTY?: boolean; write(text: string): unknown } = process.stdout,
): Logger {
  const stream = out.isTTY
    ? { write: (json: string) => void out.write(formatLine(json)) }
    : { write: (json: string) => void out.write(json) }
  return pino({ level, base: null, serializers: { err: (error: Error) => serializeError(error) } }, stream)
}
