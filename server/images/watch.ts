import { readFileSync } from 'node:fs'

/** How long and how large one attempt may be; product.md section 5. */
export interface Limits {
  /** A picture may take this long, and so much longer for each megapixel. */
  baseMs: number
  msPerMegapixel: number
  baseBytes: number
  bytesPerMegapixel: number
  /** Whatever its size. */
  maxBytes: number
}

const MB = 1024 * 1024

export const usualLimits: Limits = {
  baseMs: 10_000,
  msPerMegapixel: 250,
  baseBytes: 400 * MB,
  bytesPerMegapixel: 16 * MB,
  maxBytes: 2048 * MB,
}

const lookEveryMs = 100

/** Memory that a process holds, in bytes; null where the system does not tell, or when it is gone. */
export function memoryOf(pid: number): number | null {
  try {
    const line = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
    return line ? Number(line[1]) * 1024 : null
  } catch {
    return null
  }
}

export interface Watch {
  /** The picture turned out to have so many megapixels: time and memory grow with them. */
  sized(megapixels: number): void
  /** The most memory seen, in bytes. */
  peakBytes(): number
  /** Whether the process stood close to its limit when it was last looked at. */
  wasNearLimit(): boolean
  stop(): void
}

/** Looks at a working process several times a second, and tells once when it has gone too far. */
export function watchProcess(
  pid: number,
  { limits, maxMegapixels }: { limits: Limits; maxMegapixels: number },
  tooFar: (kind: 'timeout' | 'memory') => void,
): Watch {
  const began = performance.now()
  let megapixels = 0
  let peak = 0
  const mostBytes = (): number => Math.min(limits.maxBytes, limits.baseBytes + megapixels * limits.bytesPerMegapixel)
  const look = (): void => {
    peak = Math.max(peak, memoryOf(pid) ?? 0)
    if (peak > mostBytes()) done('memory')
    else if (performance.now() - began > limits.baseMs + megapixels * limits.msPerMegapixel) done('timeout')
  }
  const timer = setInterval(look, lookEveryMs)
  const done = (kind: 'timeout' | 'memory'): void => {
    clearInterval(timer)
    tooFar(kind)
  }
  return {
    sized: (told) => void (megapixels = Math.min(told, maxMegapixels)),
    peakBytes: () => peak,
    wasNearLimit: () => peak > mostBytes() * 0.75,
    stop: () => clearInterval(timer),
  }
}
