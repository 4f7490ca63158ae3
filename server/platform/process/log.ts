import { AsyncLocalStorage } from 'node:async_hooks'
import { fstatSync, writeSync } from 'node:fs'
import pino from 'pino'
import type { Logger } from 'pino'

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

/** What every line of the log says that is written during a request or a job. */
type LogContext = { reqId: string } | { job: string; jobId: string }

const contexts = new AsyncLocalStorage<LogContext>()

/** Runs a function, and everything that it starts, with these fields in each line of the log. */
export const runInLogContext = <T>(context: LogContext, run: () => T): T => contexts.run(context, run)

/** The fields of the request or job under way, as an object of its own: the log adds the fields of a line to it. */
const currentLogContext = (): LogContext | object => ({ ...contexts.getStore() })

interface LogTarget {
  isTTY?: boolean
  /** Bytes that were written and that the target has not accepted yet. */
  writableLength?: number
  write(text: string): unknown
}

/** Writes lines, and counts those that it had to drop. */
interface LogOutput {
  write(line: string): void
  droppedLines(): number
}

/** What may wait for a target that does not read, about 5,000 lines. More would fill the memory. */
const bufferedBytesMax = 1024 * 1024

/**
 * Never waits for the target of the log, and never fails: a reader that does not read, or a full disk, costs lines and
 * nothing else; docs/security.md F30.
 */
export function createLogOutput(target: LogTarget): LogOutput {
  let droppedLines = 0
  return {
    write(line) {
      try {
        if ((target.writableLength ?? 0) > bufferedBytesMax) droppedLines += 1
        else target.write(line)
      } catch {
        droppedLines += 1
      }
    },
    droppedLines: () => droppedLines,
  }
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile()
  } catch {
    return false
  }
}

/**
 * The standard output as the target of the log. A file is written to directly: Node ends its stream at the first error, such
 * as a full disk, and the log would stay silent after there is space again.
 */
const standardOutput = (): LogTarget =>
  isFile(process.stdout.fd)
    ? {
        write(text) {
          writeSync(process.stdout.fd, text)
        },
      }
    : process.stdout
