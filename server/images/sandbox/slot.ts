import type { Logger } from 'pino'
import type { ImageRequest } from '../protocol.ts'
import type { Launcher } from './launcher.ts'
import { giveLowestPriority } from './process-priority.ts'
import { superviseProcess } from './process-supervisor.ts'
import type { ResourceLimits } from './resource-limits.ts'
import { runRequest, type FinalReply, type RequestCallbacks } from './run-request.ts'

/** A folder and the image process that works in it. The process is replaced when it exits or has grown. */
export interface Slot {
  readonly dir: string
  /** Starts a process if there is none. Resolves once it is ready; rejects when it cannot be started. */
  start(): Promise<void>
  /** Kills the process of a slot that nobody uses; the next request starts another. */
  stop(): void
  /** Runs one request; rejects as `runRequest` does, and when no process can be started. */
  run(request: Omit<ImageRequest, 'id'>, callbacks: RequestCallbacks): Promise<FinalReply>
  /**
   * After a request: replaces a process that has grown.
   * Resolves when no old process can write into the folder any more.
   */
  finishRequest(): Promise<void>
  /** Undefined when no process is running. */
  pid(): number | undefined
  close(): Promise<void>
}

/** By how many bytes a process may grow before it is replaced. */
export interface GrowthLimits {
  /** Checked after each request. */
  afterRequestBytes: number
  /** Checked when the process has had nothing to do for a while. */
  whenIdleBytes: number
}

/** What a slot is made of. */
export interface SlotOptions {
  index: number
  dir: string
  launcher: Launcher
  limits: ResourceLimits
  log: Logger
  growthLimits: GrowthLimits
  /** Its processes give way to all others. */
  isForLongTasks: boolean
}

const idleAfterMs = 10_000

/** Creates a slot without a process. */
export function createSlot(options: SlotOptions): Slot {
  const { index, dir, launcher, limits, log, growthLimits, isForLongTasks } = options
  const supervisor = superviseProcess({ index, dir, launcher, log })
  let lastRequestId = 0
  let idleTimer: NodeJS.Timeout | undefined
  const restartIfGrown = (bytes: number): void => {
    if (supervisor.growthBytes() > bytes) supervisor.restart()
  }
  return {
    dir,
    start: supervisor.start,
    stop() {
      clearTimeout(idleTimer)
      supervisor.stop()
    },
    pid: () => supervisor.current()?.pid,
    async run(request, callbacks) {
      clearTimeout(idleTimer)
      // It may be replaced while it starts, or have exited since it became ready.
      await supervisor.start().catch(() => supervisor.start())
      if (!supervisor.current()) await supervisor.start()
      const process = supervisor.current()
      if (!process?.pid) throw new Error('there is no image process')
      const { pid } = process
      if (isForLongTasks) giveLowestPriority(pid)
      const requestOptions = { ...callbacks, limits, log, discardProcess: supervisor.restart }
      return runRequest(process, { ...request, id: ++lastRequestId }, requestOptions)
    },
    async finishRequest() {
      clearTimeout(idleTimer)
      restartIfGrown(growthLimits.afterRequestBytes)
      idleTimer = setTimeout(() => restartIfGrown(growthLimits.whenIdleBytes), idleAfterMs).unref()
      if (!supervisor.current()) await supervisor.stopped()
    },
    async close() {
      clearTimeout(idleTimer)
      await supervisor.close()
    },
  }
}
