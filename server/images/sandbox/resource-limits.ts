import { readdirSync } from 'node:fs'
import { readProcFile } from './read-proc-file.ts'

/** How long one request may take and how much memory it may use. */
export interface ResourceLimits {
  /** Time for any picture, and the additional time for each megapixel. */
  baseMs: number
  msPerMegapixel: number
  /** Time for an animation of any size, unless the time for its megapixels is longer. */
  animationMs: number
  baseBytes: number
  bytesPerMegapixel: number
  /** The most memory for a picture of any size. */
  maxBytes: number
}

const MB = 1024 * 1024

export const defaultResourceLimits: ResourceLimits = {
  baseMs: 10_000,
  msPerMegapixel: 250,
  animationMs: 44_000,
  baseBytes: 400 * MB,
  bytesPerMegapixel: 16 * MB,
  maxBytes: 2048 * MB,
}

const checkEveryMs = 100

/** The resident memory of a process in bytes; null when the system does not report it, or the process has exited. */
export function residentBytes(pid: number): number | null {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readProcFile(`/proc/${pid}/status`))?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) * 1024
}

/** The CPU time of a thread and its time in the run queue, in milliseconds. */
interface ThreadTime {
  ranMs: number
  /** Runnable, but waiting for a CPU. */
  waitedMs: number
}

/** The time of each thread of a process; empty when the system does not report it, or the process has exited. */
function threadTimes(pid: number): Map<string, ThreadTime> {
  const times = new Map<string, ThreadTime>()
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const [ran, waited] = readProcFile(`/proc/${pid}/task/${thread}/schedstat`).split(' ')
      // Not of a thread that has just ended.
      if (ran && waited) times.set(thread, { ranMs: Number(ran) / 1e6, waitedMs: Number(waited) / 1e6 })
    }
  } catch {
    // The process has exited, or its system does not count.
  }
  return times
}

/** Measures the CPU time of a process, from now on. */
function measureProcessorTime(pid: number) {
  const before = threadTimes(pid)
  let processorTimeReadAt = performance.now()
  let isKnown = false
  const last = new Map(before)
  const read = (): void => {
    const times = threadTimes(pid)
    // Some systems report zeros only.
    isKnown = times.values().some(({ ranMs }) => ranMs > 0)
    if (!isKnown) return
    processorTimeReadAt = performance.now()
    for (const [thread, time] of times) last.set(thread, time)
  }
  const sinceStart = (kind: keyof ThreadTime): number[] => [
    0,
    ...last.entries().map(([thread, time]) => time[kind] - (before.get(thread)?.[kind] ?? 0)),
  ]
  return {
    /** The run-queue wait of the thread that waited longest. A process cannot make that longer by sleeping. */
    waitedMs(): number {
      read()
      return Math.max(...sinceStart('waitedMs'))
    },
    /** The CPU time of all its threads; once that can no longer be read, elapsed time is added. */
    ranMs(): number {
      read()
      return sinceStart('ranMs').reduce((sum, ms) => sum + ms) + (isKnown ? 0 : performance.now() - processorTimeReadAt)
    },
  }
}

/** A running check of a process's limits. */
export interface ResourceWatch {
  /** Raises the limits to those of a picture of this size. */
  setSize(size: { megapixels: number; animated: boolean }): void
  /** The most memory that was measured. */
  peakBytes(): number
  /** Whether the memory was close to its limit at the last check. */
  wasNearLimit(): boolean
  /** Ends the check. */
  stop(): void
  /** The CPU time of the process in milliseconds until the check ended; where that cannot be read, elapsed time. */
  cpuMs(): number
}

/**
 * Checks a process several times a second; calls `onExceeded` once when it has exceeded a limit. Time spent waiting for
 * a CPU does not count, because other processes cause it, but a request never runs longer than twice its limit.
 */
export function watchProcess(
  pid: number,
  { limits, maxMegapixels }: { limits: ResourceLimits; maxMegapixels: number },
  onExceeded: (kind: 'timeout' | 'memory') => void,
): ResourceWatch {
  const startedAt = performance.now()
  const processorTime = measureProcessorTime(pid)
  let cpuMs = 0
  let isStopped = false
  let megapixels = 0
  let isAnimated = false
  let peakMemoryBytes = 0
  const memoryLimitBytes = (): number =>
    Math.min(limits.maxBytes, limits.baseBytes + megapixels * limits.bytesPerMegapixel)
  const timeLimitMs = (): number =>
    Math.max(isAnimated ? limits.animationMs : 0, limits.baseMs + megapixels * limits.msPerMegapixel)
  const tookTooLong = (): boolean => {
    const elapsedMs = performance.now() - startedAt
    const limitMs = timeLimitMs()
    return elapsedMs > limitMs && (elapsedMs > 2 * limitMs || elapsedMs - processorTime.waitedMs() > limitMs)
  }
  const checkLimits = (): void => {
    peakMemoryBytes = Math.max(peakMemoryBytes, residentBytes(pid) ?? 0)
    if (peakMemoryBytes > memoryLimitBytes()) report('memory')
    else if (tookTooLong()) report('timeout')
  }
  const limitCheckTimer = setInterval(checkLimits, checkEveryMs)
  const stop = (): void => {
    clearInterval(limitCheckTimer)
    if (isStopped) return
    isStopped = true
    cpuMs = processorTime.ranMs()
  }
  const report = (kind: 'timeout' | 'memory'): void => {
    // Before the process is killed: afterwards nothing can be read.
    stop()
    onExceeded(kind)
  }
  return {
    setSize(claimed) {
      megapixels = Math.min(claimed.megapixels, maxMegapixels)
      isAnimated = claimed.animated
    },
    peakBytes: () => peakMemoryBytes,
    wasNearLimit: () => peakMemoryBytes > memoryLimitBytes() * 0.75,
    stop,
    cpuMs: () => cpuMs,
  }
}
