import pino, { type Logger } from 'pino'

/** Levels of the setting LOG_LEVEL. */
export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

const levelNames: Record<number, string> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

/** One plain line for a terminal. */
function formatLogLine(logJson: string): string {
  const { level, time, msg, err } = JSON.parse(logJson) as {
    level: number
    time: number
    msg?: string
    err?: { stack?: string }
  } // pino's own shape
  const timeOfDay = new Date(time).toTimeString().slice(0, 8)
  return `${timeOfDay} ${levelNames[level] ?? level} ${msg ?? ''}${err?.stack ? `\n${err.stack}` : ''}\n`
}

interface LoggedError {
  type: string
  message: string
  code?: string
  stack?: string
  cause?: LoggedError
}

/** The logged fields of an error. Others may contain personal data (PostgreSQL quotes the offending values) or large objects. */
function serializeError(error: Error & { code?: unknown }, causeDepth = 0): LoggedError {
  const { name, message, code, stack, cause } = error
  return {
    type: name,
    message,
    ...(typeof code === 'string' && { code }),
    ...(stack !== undefined && { stack }),
    ...(cause instanceof Error && causeDepth < 3 && { cause: serializeError(cause, causeDepth + 1) }),
  }
}

/** Logs JSON lines, or plain lines on a terminal. Callers never pass secrets: they log routes, not URLs. */
export function createLog(
  level: LogLevel,
  logOutput: { isTTY?: boolean; write(text: string): unknown } = process.stdout,
): Logger {
  const logStream = logOutput.isTTY
    ? { write: (logJson: string) => void logOutput.write(formatLogLine(logJson)) }
    : { write: (logJson: string) => void logOutput.write(logJson) }
  return pino({ level, base: null, serializers: { err: (error: Error) => serializeError(error) } }, logStream)
}
