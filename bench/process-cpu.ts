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
function cpuOfProcess(pid: number): { own: number; ended: number } {
  const fields = procText(pid, 'stat').split(') ').at(-1)?.split(' ') ?? []
  const firstTime = 11
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields
    .slice(firstTime, firstTime + 4)
    .map((ticks) => Number(ticks) * msPerTick)
  return { own: user + system, ended: endedUser + endedSystem }
}

/** What a running program and everything that it started have used until now. Linux only. */
export function cpuOf(pid: number): CpuTime {
  const used: CpuTime = { program: 0, images: 0, database: 0 }
  for (const one of descendantsOf(pid)) {
    const { own, ended } = cpuOfProcess(one)
    const part = isPostgres(one) ? 'database' : 'images'
    used[one === pid ? 'program' : part] += own
    // Image processes end from time to time; PostgreSQL runs as long as the program.
    used[part] += ended
  }
  return used
}

/** The parts of the program whose processor time is measured. */
export const cpuParts = ['program', 'images', 'database'] as const satisfies (keyof CpuTime)[]
