import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'

/** Why the program stops; completes the log message "stopping: ...". */
type ShutdownReason = 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'the program that started this one is gone'

/** A step of the graceful shutdown. After `timeoutMs` the next step begins. */
export interface ShutdownStep {
  name: string
  timeoutMs: number
  close(): Promise<unknown> | void
}

const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
const parentCheckMs = 500
/** Under npm, Ctrl-C arrives twice: from the terminal, and forwarded by npm. */
const sameSignalMs = 1_000
const maxShutdownMs = 30_000

/**
 * Waits for a signal to stop, or for the end of the parent process (a killed npm does not forward a signal).
 * @param parentPid the process to watch; undefined when init or a container started the program
 * @param forceExit called at a second signal: the user does not want to wait for the shutdown
 * @param now milliseconds of a steady clock
 */
export function waitForShutdown(
  parentPid: number | undefined,
  forceExit: (signal: ShutdownReason) => void,
  now = () => performance.now(),
): Promise<ShutdownReason> {
  // Errors of a closed terminal or pipe must not interrupt the shutdown.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const { promise, resolve: resolveReason } = Promise.withResolvers<ShutdownReason>()
  let firstSignalMs: number | undefined
  const onSignal = (signal: ShutdownReason): void => {
    const signalMs = now()
    if (firstSignalMs === undefined) {
      firstSignalMs = signalMs
      resolveReason(signal)
    } else if (signalMs - firstSignalMs > sameSignalMs) forceExit(signal)
  }
  for (const signal of stopSignals) process.on(signal, onSignal)
  if (parentPid !== undefined) {
    const parentCheckTimer = setInterval(() => {
      if (process.ppid === parentPid) return
      clearInterval(parentCheckTimer)
      if (firstSignalMs === undefined) onSignal('the program that started this one is gone')
    }, parentCheckMs)
    parentCheckTimer.unref()
  }
  return promise
}

async function runShutdownStep({ name, close }: ShutdownStep, stepLimitMs: number, log: Logger): Promise<boolean> {
  const stepTimeout = new AbortController()
  try {
    const isStepDone = await Promise.race([
      Promise.resolve(close()).then(() => true),
      wait(Math.max(stepLimitMs, 0), false, { signal: stepTimeout.signal }),
    ])
    if (!isStepDone) log.warn(`${name} did not finish within ${Math.round(stepLimitMs / 100) / 10} s`)
    return isStepDone
  } catch (err) {
    log.error({ err }, `${name} failed while stopping`)
    return false
  } finally {
    stepTimeout.abort()
  }
}

/**
 * Runs the steps one after the other, each within its timeout and all within 30 s. A step that fails or hangs does not
 * prevent the next ones.
 * @returns whether every step finished
 */
export async function shutDown(steps: readonly ShutdownStep[], log: Logger): Promise<boolean> {
  const shutdownDeadline = performance.now() + maxShutdownMs
  let isClean = true
  for (const [index, step] of steps.entries()) {
    const laterSteps = steps.slice(index + 1)
    // A second is reserved for each later step, so that slow steps leave time to stop the database.
    const remainingMs = shutdownDeadline - performance.now() - laterSteps.length * 1_000
    isClean = (await runShutdownStep(step, Math.min(step.timeoutMs, remainingMs), log)) && isClean
  }
  return isClean
}

/** Reports this node as not ready, and keeps serving until load balancers have noticed. */
export async function drain(stopping: AbortController, drainMs: number): Promise<void> {
  stopping.abort()
  if (drainMs) await wait(drainMs)
}
