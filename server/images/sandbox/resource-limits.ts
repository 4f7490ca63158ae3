import { closeSync, openSync, readdirSync, readSync } from 'node:fs'

/** How much CPU time and memory one request may use. */
export interface ResourceLimits {
  /** CPU time for any picture, and the additional CPU time for each megapixel. */
  baseMs: number
  msPerMegapixel: number
  /** CPU time for an animation of any size, unless that for its megapixels is longer. */
  animationMs: number
  /** How long a process may go on without using any CPU time. */
  maxIdleMs: number
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
  maxIdleMs: 20_000,
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

/** The CPU time of each thread of a process in milliseconds; empty when the system does not report it, or the process has exited. */
function threadTimes(pid: number): Map<string, number> {
  const times = new Map<string, number>()
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const [ran] = readProcFile(`/proc/${pid}/task/${thread}/schedstat`).split(' ')
      // Not of a thread that has just ended.
      if (ran) times.set(thread, Number(ran) / 1e6)
    }
  } catch {
    // The process has exited, or its system does not count.
  }
  return times
}

/** Measures the CPU time of all threads of a process, from now on; while that cannot be read, elapsed time is added. */
function measureCpuTime(pid: number): () => number {
  const before = threadTimes(pid)
  const last = new Map(before)
  let readAt = performance.now()
  let unreadMs = 0
  return () => {
    const times = threadTimes(pid)
    const now = performance.now()
    // Some systems report zeros only.
    if (times.values().some((ranMs) => ranMs > 0)) for (const [thread, ranMs] of times) last.set(thread, ranMs)
    else unreadMs += now - readAt
    readAt = now
    return last.entries().reduce((sum, [thread, ranMs]) => sum + ranMs - (before.get(thread) ?? 0), unreadMs)
  }
}

/** A process that uses less CPU time than this in `maxIdleMs` does nothing: a process that works does, however busy the machine. */
const leastProgressMs = 10

/**
 * Checks a process several times a second; calls `onExceeded` once when it has exceeded a limit. Only CPU time counts, so no
 * picture takes too long because others are being processed; a process that uses none for `maxIdleMs` hangs.
 */
export function watchProcess(
  pid: number,
  { limits, maxMegapixels }: { limits: ResourceLimits; maxMegapixels: number },
  onExceeded: (kind: 'timeout' | 'memory') => void,
) {
  const readCpuMs = measureCpuTime(pid)
  let cpuMs = 0
  let lastProgress = { cpuMs: 0, at: performance.now() }
  let isStopped = false
  let megapixels = 0
  let isAnimated = false
  let peakMemoryBytes = 0
  const memoryLimitBytes = (): number =>
    Math.min(limits.maxBytes, limits.baseBytes + megapixels * limits.bytesPerMegapixel)
  const timeLimitMs = (): number =>
    Math.max(isAnimated ? limits.animationMs : 0, limits.baseMs + megapixels * limits.msPerMegapixel)
  const tookTooLong = (): boolean => {
    cpuMs = readCpuMs()
    const at = performance.now()
    if (cpuMs - lastProgress.cpuMs >= leastProgressMs) lastProgress = { cpuMs, at }
    return cpuMs > timeLimitMs() || at - lastProgress.at > limits.maxIdleMs
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
    cpuMs = readCpuMs()
  }
  const report = (kind: 'timeout' | 'memory'): void => {
    // Before the process is killed: afterwards nothing can be read.
    stop()
    onExceeded(kind)
  }
  return {
    /** Raises the limits to those of a picture of this size. */
    setSize(claimed: { megapixels: number; animated: boolean }): void {
      megapixels = Math.min(claimed.megapixels, maxMegapixels)
      isAnimated = claimed.animated
    },
    peakBytes: () => peakMemoryBytes,
    /** Whether the memory was close to its limit at the last check. */
    wasNearLimit: () => peakMemoryBytes > memoryLimitBytes() * 0.75,
    stop,
    /** The CPU time of the process in milliseconds until the check ended; where that cannot be read, elapsed time. */
    cpuMs: () => cpuMs,
  }
}

const procBuffer = Buffer.allocUnsafeSlow(16 * 1024)

/**
 * The content of a file below /proc, of at most 16 KB that one read returns, such as status or limits; empty if it cannot be
 * read, for example because the process has exited. These files have no size: `readFileSync` allocates 64 KB for each, which
 * stay until garbage is collected.
 */
export function readProcFile(file: string): string {
  try {
    const descriptor = openSync(file, 'r')
    try {
      return procBuffer.toString('latin1', 0, readSync(descriptor, procBuffer))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return ''
  }
}
