import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Launcher } from './launcher.ts'
import { startImageProcess, type ImageProcessHandle, type ProcessExit } from './process-handle.ts'
import { residentBytes } from './resource-limits.ts'

/** Keeps one image process running: starts it on demand and replaces it when it exits. */
export interface ProcessSupervisor {
  /** Starts a process if there is none. Resolves once it is ready; rejects when it cannot be started. */
  start(): Promise<void>
  /** Kills the process; the next `start` starts another. */
  stop(): void
  /** Replaces the process. */
  restart(): void
  /** The process, unless none is running. */
  current(): ImageProcessHandle | undefined
  /** By how many bytes the process has grown since it was ready. */
  growthBytes(): number
  /** Resolves when the process that was stopped last has exited. */
  stopped(): Promise<unknown>
  /** Kills the process for good and waits for its exit. */
  close(): Promise<void>
}

/** What a supervised process is started with. */
export interface SupervisorOptions {
  index: number
  dir: string
  launcher: Launcher
  log: Logger
}

const readyTimeoutMs = 60_000
const startBackoffMs = { first: 50, max: 5_000 }
const startDelayMs = (startFailures: number): number =>
  startFailures === 0 ? 0 : Math.min(startBackoffMs.max, startBackoffMs.first * 2 ** startFailures)

const memoryOf = (process: ImageProcessHandle | undefined): number =>
  process?.pid ? (residentBytes(process.pid) ?? 0) : 0

/** The promise, whose rejection is no longer reported as unhandled: it may be awaited later, or never. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

/** Supervises the process of one slot. Repeated failures delay the next start, up to five seconds. */
export function superviseProcess({ index, dir, launcher, log }: SupervisorOptions): ProcessSupervisor {
  let isClosed = false
  let startFailures = 0
  let stops = 0
  let bytesWhenReady = 0
  let currentProcess: ImageProcessHandle | undefined
  let previousExit: Promise<unknown> | undefined
  let whenReady: Promise<void> | undefined
  const launchImageProcess = async (stopsBefore: number): Promise<void> => {
    await previousExit
    await wait(startDelayMs(startFailures))
    if (isClosed || stops > stopsBefore) throw new Error('the image process was stopped before it was started')
    const startedProcess = startImageProcess(launcher, index, dir)
    currentProcess = startedProcess
    void startedProcess.exited.then((exit) => currentProcess === startedProcess && !isClosed && replace(exit))
    await untilReady(startedProcess)
    startFailures = 0
    bytesWhenReady = memoryOf(currentProcess)
  }
  const start = (): Promise<void> => (whenReady ??= handled(launchImageProcess(stops)))
  const stop = (): void => {
    stops++
    previousExit = currentProcess?.exited ?? previousExit
    currentProcess?.kill()
    currentProcess = undefined
    whenReady = undefined
  }
  const restart = (): void => {
    stop()
    void start()
  }
  const replace = (exit: ProcessExit): void => {
    startFailures++
    logExit(exit, { index, log })
    restart()
  }
  return {
    start,
    stop,
    restart,
    current: () => currentProcess,
    growthBytes: () => memoryOf(currentProcess) - bytesWhenReady,
    stopped: async () => previousExit,
    close: async () => {
      isClosed = true
      currentProcess?.kill()
      await Promise.all([previousExit, currentProcess?.exited])
    },
  }
}

const logExit = (
  { stderrTail, ...exit }: ProcessExit,
  { index, log }: Pick<SupervisorOptions, 'index' | 'log'>,
): void =>
  log.warn({ slot: index, ...exit, stderr: stderrTail.slice(-500) }, 'an image process exited; starting another')

/** Resolves when the process says that it is ready. One that does not say so in time is killed. */
async function untilReady(startedProcess: ImageProcessHandle): Promise<void> {
  const timeout = setTimeout(() => startedProcess.kill(), readyTimeoutMs)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  startedProcess.setListener({
    onMessage: ({ type }) => type === 'ready' && resolve(),
    onExit: ({ code, signal, stderrTail }) =>
      reject(
        new Error(`the image process exited before it was ready (${signal ?? code ?? 'not started'}): ${stderrTail}`),
      ),
  })
  await promise.finally(() => clearTimeout(timeout))
}
