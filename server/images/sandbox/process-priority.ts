/** The CPU priority of image processes, and which processes the kernel ends first when memory runs out. */
import { readdirSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

const lowNiceness = 10
const lowestNiceness = 19
/** When memory runs out, the kernel kills image processes first. */
const oomScore = '800'

function ignoreErrors(change: () => void): void {
  try {
    change()
  } catch {
    // A process that has exited is noticed elsewhere; one whose priority cannot be lowered works all the same.
  }
}

/**
 * Sets the niceness of all threads of a process; on Linux each has its own. The first thread starts the others, which
 * inherit its niceness, so it is set before the others are listed.
 */
function setNiceness(pid: number, niceness: number): void {
  setPriority(pid, niceness)
  if (process.platform !== 'linux') return
  for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), niceness)
}

/**
 * Lowers the priority of a process that has just been started. It may have threads already: on a busy machine, this process
 * can be interrupted for long after the start.
 */
export function giveLowPriority(pid: number): void {
  ignoreErrors(() => setNiceness(pid, lowNiceness))
  if (process.platform === 'linux') ignoreErrors(() => writeFileSync(`/proc/${pid}/oom_score_adj`, oomScore))
}

/** Gives a process the lowest priority. Only a new process can have a higher one again. */
export const giveLowestPriority = (pid: number): void => ignoreErrors(() => setNiceness(pid, lowestNiceness))
