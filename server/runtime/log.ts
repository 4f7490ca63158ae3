import pino, { type Logger } from 'pino'
import { currentLogContext } from './log-context.ts'
import { createLogOutput, standardOutput, type LogOutput, type LogTarget } from './log-output.ts'

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

const outputs = new WeakMap<Logger, LogOutput>()

/** How many lines the target of a log has not accepted. */
export const droppedLines = (log: Logger): number => outputs.get(log)?.droppedLines() ?? 0

/**
 * Logs JSON lines, or plain lines on a terminal. Every line has a level and a time, and during a request or a job its id.
 * Callers never pass secrets: they log routes, not URLs.
 */
export function createLog(level: LogLevel, target: LogTarget = standardOutput()): Logger {
  const output = createLogOutput(target)
  const write = (logJson: string): void => output.write(target.isTTY ? formatLogLine(logJson) : logJson)
  const serializers = { err: (error: Error) => serializeError(error) }
  const log = pino({ level, base: null, serializers, mixin: currentLogContext }, { write })
  outputs.set(log, output)
  return log
}
