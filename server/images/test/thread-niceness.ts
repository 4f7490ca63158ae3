import { readdirSync } from 'node:fs'
import { getPriority } from 'node:os'

/** The niceness of each thread of a process; Linux only. */
export const nicenessOfThreads = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).map((thread) => getPriority(Number(thread)))
