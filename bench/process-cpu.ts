import { descendantsOf, isPostgres, procText } from './process-memory.ts'

/** Processor time that parts of the program have used, in milliseconds. */
export interface CpuTime {
  /** The main process: HTTP, sockets, jobs. */
  program: number
  /** Image processes and what starts them. */
  images: number
  /** The embedded PostgreSQL. */
  database: number
}

const msPerTick = 10

/** Processor time of a process, and of its children that have ended. */
function cpuOfProcess(pid: number): number {
  const fields = procText(pid, 'stat').split(') ').at(-1)?.split(' ') ?? []
  const firstTime = 11
  return fields.slice(firstTime, firstTime + 4).reduce((total, ticks) => total + Number(ticks) * msPerTick, 0)
}

/** What a running program and everything that it started have used until now. Linux only. */
export function cpuOf(pid: number): CpuTime {
  const used: CpuTime = { program: 0, images: 0, database: 0 }
  for (const one of descendantsOf(pid)) {
    const part = one === pid ? 'program' : isPostgres(one) ? 'database' : 'images'
    used[part] += cpuOfProcess(one)
  }
  return used
}

/** `part` of one CpuTime after the other, as numbers. */
export const cpuParts = ['program', 'images', 'database'] as const satisfies (keyof CpuTime)[]
