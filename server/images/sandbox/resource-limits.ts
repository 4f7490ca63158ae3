import { readdirSync, readFileSync } from 'node:fs'

/** How long one request may take and how much memory it may use; docs/behaviour.md section 13. */
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
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) * 1024
  } catch {
    return null
  }
}

/**
 * For each thread of a process, how long it could have run but had to wait for a processor, in milliseconds; empty when the
 * system does not report it.
 */
export function processorWaits(pid: number): Map<string, number> {
  const waits = new Map<string, number>()
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const [, nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')
      waits.set(thread, Number(nanoseconds ?? 0) / 1e6)
    }
  } catch {
    // The process has exited, or its system does not count.
  }
  return waits
}

/**
 * How long a process has been waiting for a processor since `before`: as long as the thread that waited longest. A process
 * cannot make that longer by sleeping.
 */
const waitedSince = (before: ReadonlyMap<string, number>, pid: number): number =>
  Math.max(
    0,
    ...processorWaits(pid)
      .entries()
      .map(([thread, ms]) => ms - (before.get(thread) ?? 0)),
  )

/** A running check of a process's limits. */
export interface ResourceWatch {
  /** Raises the limits to those of a picture of this size. */
  setSize(size: { megapixels: number; animated: boolean }): void
  /** The most memory that was measured. */
  peakBytes(): number
  /** Whether the memory was close to its limit at the last check. */
  wasNearLimit(): boolean
  stop(): void
}

/**
 * Checks a process several times a second; calls `onExceeded` once when it has exceeded a limit. The time that it waits for a
 * processor does not count, because other processes take it, but the limit is never exceeded more than twofold.
 */
export function watchProcess(
  pid: number,
  { limits, maxMegapixels }: { limits: ResourceLimits; maxMegapixels: number },
  onExceeded: (kind: 'timeout' | 'memory') => void,
): ResourceWatch {
  const startedAt = performance.now()
  const waitsBefore = processorWaits(pid)
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
    return elapsedMs > limitMs && (elapsedMs > 2 * limitMs || elapsedMs - waitedSince(waitsBefore, pid) > limitMs)
  }
  const checkLimits = (): void => {
    peakMemoryBytes = Math.max(peakMemoryBytes, residentBytes(pid) ?? 0)
    if (peakMemoryBytes > memoryLimitBytes()) report('memory')
    else if (tookTooLong()) report('timeout')
  }
  const limitCheckTimer = setInterval(checkLimits, checkEveryMs)
  const report = (kind: 'timeout' | 'memory'): void => {
    clearInterval(limitCheckTimer)
    onExceeded(kind)
  }
  return {
    setSize(claimed) {
      megapixels = Math.min(claimed.megapixels, maxMegapixels)
      isAnimated = claimed.animated
    },
    peakBytes: () => peakMemoryBytes,
    wasNearLimit: () => peakMemoryBytes > memoryLimitBytes() * 0.75,
    stop: () => clearInterval(limitCheckTimer),
  }
}
