import { readdirSync, readFileSync } from 'node:fs'

/** What a group of processes holds, in MB. */
export interface Held {
  /** Resident sets added up: pages that several share are counted for each. */
  rss: number
  /** Shared pages counted once, in parts. */
  pss: number
}

function text(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    // It ended meanwhile.
    return ''
  }
}

const kilobytes = (from: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(from)?.[1] ?? 0)

/** Parent of every process there is. */
function parents(): Map<number, number> {
  const pids = readdirSync('/proc').map(Number).filter(Boolean)
  return new Map(pids.map((pid) => [pid, Number(/^PPid:\s+(\d+)/m.exec(text(pid, 'status'))?.[1] ?? 0)]))
}

/** A process and all that come from it, but for PostgreSQL. */
export function programOf(pid: number): number[] {
  const all = [...parents()]
  const below = (one: number): number[] => [
    one,
    ...all.filter(([, parent]) => parent === one).flatMap(([child]) => below(child)),
  ]
  return below(pid).filter((one) => !/postgres/.test(text(one, 'cmdline').split('\0')[0] ?? ''))
}

/** The first process below another one whose command line holds these words. */
export function findBelow(pid: number, words: string): number | undefined {
  const children = [...parents()].filter(([, parent]) => parent === pid).map(([child]) => child)
  for (const child of children) {
    const found = text(child, 'cmdline').replaceAll('\0', ' ').includes(words) ? child : findBelow(child, words)
    if (found !== undefined) return found
  }
  return undefined
}

/** What they hold together now. Linux only. */
export function heldBy(pids: readonly number[]): Held {
  const sum = (of: (pid: number) => number): number => pids.reduce((total, pid) => total + of(pid), 0) / 1024
  return {
    rss: sum((pid) => kilobytes(text(pid, 'status'), 'VmRSS')),
    pss: sum((pid) => kilobytes(text(pid, 'smaps_rollup'), 'Pss')),
  }
}
