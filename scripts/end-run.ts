import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { identityOf, isSameProcess } from '../server/runtime/processes.ts'

/** What a run uses, to be ended and removed with it. */
export interface EndableRun {
  /** The temporary folder of all of its programs: it stands in the environment or the command line of each. */
  folder: string
  /** Called when its processes have ended. */
  close?: () => void
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
const orderlyMs = 15_000
const killMs = 5_000

/**
 * At a signal that asks this process to end: ends the processes of the run, also detached ones, removes its folder, and
 * exits with the status of that signal.
 * @returns whether that has begun
 */
export function endRunOnSignals(run: EndableRun): () => boolean {
  let isEnding = false
  const end = async (signal: (typeof signals)[number]): Promise<void> => {
    // Under npm, Ctrl-C arrives twice.
    if (isEnding) return
    isEnding = true
    // A closed terminal must not interrupt this.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
    process.stdout.write(`\nEnding at ${signal} ...\n`)
    await endRun(run)
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of signals) process.on(signal, () => void end(signal))
  return () => isEnding
}

/** Ends what is left of a run, such as programs whose start was given up, and removes its folder. */
export async function endRun({ folder, close }: EndableRun): Promise<void> {
  const left = await endProcesses(folder)
  if (left.length) process.stdout.write(`These processes do not end: ${left.join(', ')}\n`)
  removeFolder(folder)
  close?.()
}

/** Asks all processes of a run to end, and kills those that have not after a while. Resolves to those that remain. */
async function endProcesses(folder: string): Promise<number[]> {
  const asked = new Map<number, string>()
  const beganAt = performance.now()
  for (;;) {
    // One that is ending, or whose parent has ended, may no longer be recognized as one of the run.
    const ending = [...asked].filter(([, identity]) => isSameProcess(identity)).map(([pid]) => pid)
    const pids = [...new Set([...ending, ...processesOf(folder, [process.pid, ...ending])])]
    const ms = performance.now() - beganAt
    if (pids.length === 0 || ms > orderlyMs + killMs) return pids
    for (const pid of pids) {
      const isAsked = asked.has(pid)
      asked.set(pid, asked.get(pid) ?? identityOf(pid))
      if (ms > orderlyMs) send(pid, 'SIGKILL')
      else if (!isAsked) {
        send(pid, 'SIGTERM')
        // Tests suspend processes with SIGSTOP; they handle SIGTERM only when continued.
        send(pid, 'SIGCONT')
      }
    }
    await delay(50)
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}

/** Living processes that descend from the given ones or name the folder, and what descends from those. */
export function processesOf(folder: string, ancestors = [process.pid]): number[] {
  const parents = new Map<number, number>()
  for (const pid of listFolder('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = read(`/proc/${pid}/stat`)
    // After the name in parentheses, which may hold spaces: state, parent (proc_pid_stat(5)).
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state && state !== 'Z') parents.set(Number(pid), Number(parent))
  }
  const found = new Set<number>()
  const isFound = (pid: number, parent: number): boolean =>
    ancestors.includes(parent) ||
    found.has(parent) ||
    ['environ', 'cmdline'].some((file) => read(`/proc/${pid}/${file}`).includes(folder))
  for (let before = -1; before < found.size;) {
    before = found.size
    for (const [pid, parent] of parents)
      if (pid !== process.pid && !found.has(pid) && isFound(pid, parent)) found.add(pid)
  }
  return [...found]
}

function removeFolder(folder: string): void {
  const mounted = read('/proc/self/mounts')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((path) => path.startsWith(`${folder}/`))
  // Those of tests that fill a small disk.
  for (const path of mounted.toReversed()) spawnSync('umount', ['--lazy', path])
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // only Linux has /proc
  }
}
