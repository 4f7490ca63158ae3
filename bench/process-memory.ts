import { readdirSync, readFileSync } from 'node:fs'

/** The memory of a group of processes, in MB. */
export interface MemoryUse {
  /** Sum of the resident set sizes: a page that several processes share is counted for each. */
  rss: number
  /** Sum of the proportional set sizes: a shared page is counted once. */
  pss: number
}

/** A file of a process in /proc; empty when the process has ended. */
export function procText(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    // The process has ended.
    return ''
  }
}

const kilobytesIn = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0)

/** The parent of each running process. */
function parentPids(): Map<number, number> {
  const pids = readdirSync('/proc').map(Number).filter(Boolean)
  return new Map(pids.map((pid) => [pid, Number(/^PPid:\s+(\d+)/m.exec(procText(pid, 'status'))?.[1] ?? 0)]))
}

/** A process and its descendants. */
export function descendantsOf(pid: number): number[] {
  const parents = [...parentPids()]
  const descendants = (ancestor: number): number[] => [
    ancestor,
    ...parents.filter(([, parent]) => parent === ancestor).flatMap(([child]) => descendants(child)),
  ]
  return descendants(pid)
}

export const isPostgres = (pid: number): boolean => /postgres/.test(procText(pid, 'cmdline').split('\0')[0] ?? '')

/** A process and its descendants, without PostgreSQL. */
export const processTree = (pid: number): number[] => descendantsOf(pid).filter((one) => !isPostgres(one))

/** The first descendant of a process whose command line contains a text. */
export function findDescendant(pid: number, text: string): number | undefined {
  const children = [...parentPids()].filter(([, parent]) => parent === pid).map(([child]) => child)
  for (const child of children) {
    const isMatch = procText(child, 'cmdline').replaceAll('\0', ' ').includes(text)
    const found = isMatch ? child : findDescendant(child, text)
    if (found !== undefined) return found
  }
  return undefined
}

/** The current memory use of processes. Linux only. */
export function processMemory(pids: readonly number[]): MemoryUse {
  const sumMb = (kilobytesOf: (pid: number) => number): number =>
    pids.reduce((total, pid) => total + kilobytesOf(pid), 0) / 1024
  return {
    rss: sumMb((pid) => kilobytesIn(procText(pid, 'status'), 'VmRSS')),
    pss: sumMb((pid) => kilobytesIn(procText(pid, 'smaps_rollup'), 'Pss')),
  }
}
