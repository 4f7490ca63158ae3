import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'

/** Why the program stops; completes the log message "stopping: ...". */
export type ShutdownReason = 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'the program that started this one is gone'

/** A step of the graceful shutdown. After `timeoutMs` the next step begins. */
export interface ShutdownStep {
  name: string
  timeoutMs: number
  close(): Promise<unknown> | void
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
const parentCheckMs = 500
/** Under npm, Ctrl-C arrives twice: from the terminal, and forwarded by npm. */
const sameSignalMs = 1_000
const maxTotalMs = 30_000

/**
 * Waits for a signal to stop, or for the end of the parent process (a killed npm does not forward a signal).
 * @param parentPid the process to watch; undefined when init or a container started the program
 * @param force called at a second signal: the user does not want to wait for the shutdown
 */
export function waitForShutdown(
  parentPid: number | undefined,
  force: (signal: ShutdownReason) => void,
): Promise<ShutdownReason> {
  // Errors of a closed terminal or pipe must not interrupt the shutdown.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const { promise, resolve } = Promise.withResolvers<ShutdownReason>()
  let firstMs: number | undefined
  const onSignal = (signal: ShutdownReason): void => {
    const now = performance.now()
    if (firstMs === undefined) {
      firstMs = now
      resolve(signal)
    } else if (now - firstMs > sameSignalMs) force(signal)
  }
  for (const signal of signals) process.on(signal, onSignal)
  if (parentPid !== undefined) {
    const timer = setInterval(() => {
      if (process.ppid === parentPid) return
      clearInterval(timer)
      if (firstMs === undefined) onSignal('the program that started this one is gone')
    }, parentCheckMs)
    timer.unref()
  }
  return promise
}

async function runStep({ name, close }: ShutdownStep, limitMs: number, log: Logger): Promise<boolean> {
  const timer = new AbortController()
  try {
    const done = await Promise.race([
      Promise.resolve(close()).then(() => true),
      delay(Math.max(limitMs, 0), false, { signal: timer.signal }),
    ])
    if (!done) log.warn(`${name} did not finish within ${Math.round(limitMs / 100) / 10} s`)
    return done
  } catch (err) {
    log.error({ err }, `${name} failed while stopping`)
    return false
  } finally {
    timer.abort()
  }
}

/**
 * Runs the steps one after the other, each within its timeout and all within 30 s. A step that fails or hangs does not
 * prevent the next ones.
 * @returns whether every step finished
 */
export async function shutDown(steps: readonly ShutdownStep[], log: Logger): Promise<boolean> {
  const end = performance.now() + maxTotalMs
  let clean = true
  for (const [index, step] of steps.entries()) {
    const later = steps.slice(index + 1)
    // A second is reserved for each later step, so that slow steps leave time to stop the database.
    const left = end - performance.now() - later.length * 1_000
    clean = (await runStep(step, Math.min(step.timeoutMs, left), log)) && clean
  }
  return clean
}
