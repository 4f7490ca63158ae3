/** The CPU priority of image processes, and which processes the kernel ends first when memory runs out. */
import { readdirSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

const niceness = 10
const lowestPriority = 19
/** When memory runs out, the kernel kills image processes first. */
const oomScore = '800'

/**
 * Sets the niceness of all threads of a process; on Linux each has its own. The first thread starts the others, which
 * inherit its niceness, so it is set before the others are listed.
 */
function setNiceness(pid: number, value: number): void {
  setPriority(pid, value)
  if (process.platform !== 'linux') return
  for (const thread of readdirSync(`/proc/${pid}/task`).map(Number)) if (thread !== pid) setPriority(thread, value)
}

/**
 * Lowers the priority of a process that has been started, if it still exists. It may have threads already: on a busy
 * machine this process can be interrupted for long after the start.
 */
export function lowerPriority(pid: number): void {
  try {
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/oom_score_adj`, oomScore)
    setNiceness(pid, niceness)
  } catch {
    // A process that has exited is noticed when it does not report that it is ready.
  }
}

/** Gives a process the lowest priority, with all its threads. Only a new process can have a higher one again. */
export function giveLowestPriority(pid: number): void {
  try {
    setNiceness(pid, lowestPriority)
  } catch {
    // The process, or one of its threads, has exited.
  }
}
