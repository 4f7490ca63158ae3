import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type ImageReply, type ImageRequest, memoryExitCode, parseReply } from '../protocol.ts'
import { giveLowestPriority, type Launcher } from './launcher.ts'
import { residentBytes, type ResourceLimits, watchProcess } from './resource-limits.ts'
import { crashFailure, memoryFailure, refusalFailure, timeoutFailure } from './image-jobs.ts'

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

interface SlotOptions {
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

interface ProcessExit {
  code: number | null
  signal: NodeJS.Signals | null
  /** The end of what it wrote to standard error. */
  stderrTail: string
}

/** Receives the replies of an image process, and its exit. */
interface ProcessListener {
  onMessage?(reply: ImageReply): void
  onExit?(exit: ProcessExit): void
}

interface ImageProcessHandle {
  /** Undefined when it could not be started. */
  readonly pid: number | undefined
  readonly exited: Promise<ProcessExit>
  send(request: ImageRequest): void
  setListener(listener: ProcessListener): void
  kill(): void
}

const maxLineChars = 64 * 1024
const maxStderrChars = 2_000

/** Starts an image process. One that sends anything but replies is killed: it may be under an attacker's control. */
function startImageProcess(launcher: Launcher, slot: number, dir: string): ImageProcessHandle {
  const imageProcess = launcher.start(slot, dir)
  let listener: ProcessListener = {}
  let stderr = ''
  let incompleteLine = ''
  const kill = (): void => void imageProcess.kill('SIGKILL')
  imageProcess.stdin?.on('error', () => {})
  imageProcess.stderr
    ?.setEncoding('utf8')
    .on('data', (chunk: string) => (stderr = (stderr + chunk).slice(-maxStderrChars)))
  imageProcess.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (incompleteLine + chunk).split('\n')
    incompleteLine = lines.pop() ?? ''
    const replies = lines.map(parseReply)
    if (incompleteLine.length > maxLineChars || replies.includes(null)) return kill()
    for (const reply of replies) if (reply) listener.onMessage?.(reply)
  })
  const exited = new Promise<ProcessExit>((resolve) => {
    imageProcess.on('error', (error) => resolve({ code: null, signal: null, stderrTail: error.message }))
    imageProcess.on('close', (code, signal) => resolve({ code, signal, stderrTail: stderr.trim() }))
  })
  void exited.then((exit) => listener.onExit?.(exit))
  return {
    pid: imageProcess.pid,
    exited,
    send: (request) => void imageProcess.stdin?.write(`${JSON.stringify(request)}\n`),
    setListener: (next) => void (listener = next),
    kill,
  }
}

type SupervisorOptions = Pick<SlotOptions, 'index' | 'dir' | 'launcher' | 'log'>

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

/**
 * Keeps one image process running: starts it on demand and replaces it when it exits. Repeated failures delay the next start, up
 * to five seconds.
 */
function superviseProcess({ index, dir, launcher, log }: SupervisorOptions) {
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
  /** Starts a process if there is none. Resolves once it is ready; rejects when it cannot be started. */
  const start = (): Promise<void> => (whenReady ??= handled(launchImageProcess(stops)))
  /** Kills the process; the next `start` starts another. */
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
    /** The process, unless none is running. */
    current: () => currentProcess,
    /** By how many bytes the process has grown since it was ready. */
    growthBytes: () => memoryOf(currentProcess) - bytesWhenReady,
    /** Resolves when the process that was stopped last has exited. */
    stopped: async () => previousExit,
    /** Kills the process for good and waits for its exit. */
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

interface RequestCallbacks {
  onThumbnail?(thumbnail: Extract<ImageReply, { type: 'thumbnail' }>): void
  /** Called when the request has ended, with the CPU time that it used. */
  onCpuMs?(ms: number): void
  signal?: AbortSignal | undefined
}

/** The reply that ends a successful request. */
export type FinalReply = Extract<ImageReply, { type: 'full' | 'image' }>

interface RunRequestOptions extends RequestCallbacks {
  limits: ResourceLimits
  log: Logger
  /** Kills and replaces the process. */
  discardProcess(): void
}

/** What becomes of a request after one reply: not over yet, done, or failed. */
type Step = { reply: FinalReply } | { error: unknown } | null

function nextStep(reply: ImageReply, request: ImageRequest, { log, onThumbnail }: RunRequestOptions): Step {
  switch (reply.type) {
    case 'ready':
    case 'sized':
      return null
    case 'thumbnail':
      onThumbnail?.(reply)
      return null
    case 'refused':
      log.debug({ code: reply.code, reason: reply.reason }, 'a photo was refused')
      return { error: refusalFailure(reply.code, request.maxMegapixels) }
    case 'failed':
      log.error({ message: reply.message }, 'an image process failed')
      return {
        error: reply.machineFault ? new Error(`an image process could not write: ${reply.message}`) : crashFailure(),
      }
    default:
      return { reply }
  }
}

/**
 * Sends one request to an image process and waits for its final reply. Rejects with an `ImageFailure`, with the signal's
 * reason, or with another error when the machine is at fault. A process that takes too long, uses too much memory or is no
 * longer needed is discarded.
 */
function runRequest(
  process: ImageProcessHandle,
  request: ImageRequest,
  options: RunRequestOptions,
): Promise<FinalReply> {
  const { limits, log, signal, discardProcess } = options
  const { promise, resolve, reject } = Promise.withResolvers<FinalReply>()
  const rejectAndDiscard = (reason: unknown): void => {
    resourceWatch.stop()
    reject(reason)
    discardProcess()
  }
  const abortRequest = (): void => rejectAndDiscard(signal?.reason)
  const resourceWatch = watchProcess(process.pid ?? 0, { limits, maxMegapixels: request.maxMegapixels }, (exceeded) => {
    log.warn({ exceeded, peakMb: Math.round(resourceWatch.peakBytes() / 1e6) }, 'an image process exceeded its limit')
    rejectAndDiscard(exceeded === 'memory' ? memoryFailure() : timeoutFailure())
  })
  process.setListener({
    onMessage(reply) {
      if (reply.type === 'ready' || reply.id !== request.id) return
      if (reply.type === 'sized') resourceWatch.setSize(reply)
      const step = nextStep(reply, request, options)
      if (step && 'reply' in step) resolve(step.reply)
      else if (step) reject(step.error)
    },
    // The kernel's memory limit can strike between two of our checks.
    onExit: ({ code }: ProcessExit) =>
      reject(code === memoryExitCode || resourceWatch.wasNearLimit() ? memoryFailure() : crashFailure()),
  })
  signal?.addEventListener('abort', abortRequest)
  if (signal?.aborted) abortRequest()
  else process.send(request)
  return promise.finally(() => {
    resourceWatch.stop()
    options.onCpuMs?.(resourceWatch.cpuMs())
    signal?.removeEventListener('abort', abortRequest)
    process.setListener({})
  })
}
