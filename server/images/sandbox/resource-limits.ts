import { readFileSync } from 'node:fs'

/** How long one request may take and how much memory it may use; docs/behaviour.md section 13. */
export interface ResourceLimits {
  /** Time for any picture, and the additional time for each megapixel. */
  baseMs: number
  msPerMegapixel: number
  baseBytes: number
  bytesPerMegapixel: number
  /** The most memory for a picture of any size. */
  maxBytes: number
}

const MB = 1024 * 1024

export const defaultResourceLimits: ResourceLimits = {
  baseMs: 10_000,
  msPerMegapixel: 250,
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

/** A running check of a process's limits. */
export interface ResourceWatch {
  /** Raises the limits to those of a picture of this size. */
  setMegapixels(megapixels: number): void
  /** The most memory that was measured. */
  peakBytes(): number
  /** Whether the memory was close to its limit at the last check. */
  wasNearLimit(): boolean
  stop(): void
}

/** Checks a process several times a second; calls `onExceeded` once when it has exceeded a limit. */
export function watchProcess(
  pid: number,
  { limits, maxMegapixels }: { limits: ResourceLimits; maxMegapixels: number },
  onExceeded: (kind: 'timeout' | 'memory') => void,
): ResourceWatch {
  const startedAt = performance.now()
  let megapixels = 0
  let peakMemoryBytes = 0
  const memoryLimitBytes = (): number =>
    Math.min(limits.maxBytes, limits.baseBytes + megapixels * limits.bytesPerMegapixel)
  const checkLimits = (): void => {
    peakMemoryBytes = Math.max(peakMemoryBytes, residentBytes(pid) ?? 0)
    if (peakMemoryBytes > memoryLimitBytes()) report('memory')
    else if (performance.now() - startedAt > limits.baseMs + megapixels * limits.msPerMegapixel) report('timeout')
  }
  const limitCheckTimer = setInterval(checkLimits, checkEveryMs)
  const report = (kind: 'timeout' | 'memory'): void => {
    clearInterval(limitCheckTimer)
    onExceeded(kind)
  }
  return {
    setMegapixels: (claimed) => void (megapixels = Math.min(claimed, maxMegapixels)),
    peakBytes: () => peakMemoryBytes,
    wasNearLimit: () => peakMemoryBytes > memoryLimitBytes() * 0.75,
    stop: () => clearInterval(limitCheckTimer),
  }
}
