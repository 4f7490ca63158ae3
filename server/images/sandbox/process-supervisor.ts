import { setTimeout as delay } from 'node:timers/promises'
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

const readyTimeoutMs = 20_000
const backoffMs = { first: 50, max: 5_000 }
const startDelayMs = (failures: number): number =>
  failures === 0 ? 0 : Math.min(backoffMs.max, backoffMs.first * 2 ** failures)

const bytesOf = (process: ImageProcessHandle | undefined): number =>
  process?.pid ? (residentBytes(process.pid) ?? 0) : 0

/** The promise, whose rejection is no longer reported as unhandled: it may be awaited later, or never. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

/** Supervises the process of one slot. Repeated failures delay the next start, up to five seconds. */
export function superviseProcess({ index, dir, launcher, log }: SupervisorOptions): ProcessSupervisor {
  let isClosed = false
  let failures = 0
  let bytesWhenReady = 0
  let current: ImageProcessHandle | undefined
  let previousExit: Promise<unknown> | undefined
  let ready: Promise<void> | undefined
  const launch = async (): Promise<void> => {
    await previousExit
    await delay(startDelayMs(failures))
    if (isClosed) throw new Error('the image pool is closed')
    const started = startImageProcess(launcher, index, dir)
    current = started
    void started.exited.then((exit) => current === started && replace(exit))
    await untilReady(started)
    failures = 0
    bytesWhenReady = bytesOf(current)
  }
  const start = (): Promise<void> => (ready ??= handled(launch()))
  const stop = (): void => {
    previousExit = current?.exited
    current?.kill()
    current = undefined
    ready = undefined
  }
  const restart = (): void => {
    stop()
    void start()
  }
  const replace = ({ stderrTail, ...exit }: ProcessExit): void => {
    if (isClosed) return
    failures++
    log.warn({ slot: index, ...exit, stderr: stderrTail.slice(-500) }, 'an image process exited; starting another')
    restart()
  }
  return {
    start,
    stop,
    restart,
    current: () => current,
    growthBytes: () => bytesOf(current) - bytesWhenReady,
    stopped: async () => previousExit,
    async close() {
      isClosed = true
      current?.kill()
      await Promise.all([previousExit, current?.exited])
    },
  }
}

/** Resolves when the process says that it is ready. One that does not say so in time is killed. */
async function untilReady(started: ImageProcessHandle): Promise<void> {
  const timeout = setTimeout(() => started.kill(), readyTimeoutMs)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  started.setListener({
    onMessage: ({ type }) => type === 'ready' && resolve(),
    onExit: ({ code, signal, stderrTail }) =>
      reject(
        new Error(`the image process exited before it was ready (${signal ?? code ?? 'not started'}): ${stderrTail}`),
      ),
  })
  await promise.finally(() => clearTimeout(timeout))
}
