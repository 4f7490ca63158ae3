import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { hasProc, identityOf, isRunning, isSameProcess, readProcessStat } from '../server/runtime/processes.ts'

/** A run of tests: where it writes, and its end. */
export interface TestRun {
  /** Holds everything that the run writes; in the environment (TMPDIR) or the command line of each of its programs. */
  folder: string
  /** Whether a signal is ending the run. */
  isEnding(): boolean
  /** Ends what is left of it, such as programs whose start was given up, and removes its folder. */
  end(): Promise<void>
}

const prefix = 'keepsnap-test-'
const roomBytes = 2 * 1024 ** 3
const orderlyMs = 15_000
const killMs = 5_000

/**
 * Creates the folder of a run in the first of these folders that has room, otherwise among the temporary files, and removes
 * those of runs that were killed. At a signal that asks this process to end it ends all processes of the run, also detached
 * ones, removes the folder, and exits with the status of that signal.
 */
export function startTestRun(parents: string[], close = (): void => {}): TestRun {
  for (const parent of [...parents, tmpdir()]) removeAbandoned(parent)
  const folder = mkdtempSync(join(parents.find(hasRoom) ?? tmpdir(), `${prefix}${process.pid}-`))
  chmodSync(folder, 0o1777) // some tests start programs as another user
  const end = async (): Promise<void> => {
    const left = await endProcesses(folder)
    if (left.length) process.stdout.write(`These processes do not end: ${left.join(', ')}\n`)
    // Those of tests that fill a small disk.
    const mounts = hasProc ? readFileSync('/proc/self/mounts', 'utf8').split('\n') : []
    const paths = mounts.map((line) => line.split(' ')[1] ?? '').filter((path) => path.startsWith(`${folder}/`))
    for (const path of paths.toReversed()) spawnSync('umount', ['--lazy', path])
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    close()
  }
  let isEnding = false
  const endAtSignal = async (signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP'): Promise<void> => {
    // Under npm, Ctrl-C arrives twice.
    if (isEnding) return
    isEnding = true
    // A closed terminal must not interrupt this.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
    process.stdout.write(`\nEnding at ${signal} ...\n`)
    await end()
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void endAtSignal(signal))
  return { folder, end, isEnding: () => isEnding }
}

/** Whether 2 GB are free there, and scripts can be executed, which some systems forbid for files in memory. */
function hasRoom(parent: string): boolean {
  const script = join(parent, `${prefix}${process.pid}-script`)
  try {
    const { bavail, bsize } = statfsSync(parent)
    writeFileSync(script, '#!/bin/sh\n', { mode: 0o755 })
    return bavail * bsize >= roomBytes && spawnSync(script).status === 0
  } catch {
    return false // only Linux has a folder in memory
  } finally {
    rmSync(script, { force: true })
  }
}

function removeAbandoned(parent: string): void {
  for (const name of existsSync(parent) ? readdirSync(parent) : []) {
    const [, pid] = new RegExp(`^${prefix}(\\d+)-`).exec(name) ?? []
    try {
      if (pid && !isRunning(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true })
    } catch {
      // It belongs to another user.
    }
  }
}

/** Asks all processes of a run to end, and kills those that have not after a while. Returns those that remain. */
async function endProcesses(folder: string): Promise<number[]> {
  /** All that were found: one whose parent has ended may no longer be recognized as one of the run. */
  const found = new Map<number, string>()
  const began = performance.now()
  for (;;) {
    const alive = (): number[] => [...found].filter(([, id]) => isSameProcess(id)).map(([pid]) => pid)
    for (const pid of processesOf(folder, alive())) {
      if (found.has(pid)) continue
      found.set(pid, identityOf(pid))
      // Tests suspend processes with SIGSTOP; they handle SIGTERM only when continued.
      for (const signal of ['SIGTERM', 'SIGCONT'] as const) send(pid, signal)
    }
    const left = alive()
    const ms = performance.now() - began
    if (left.length === 0 || ms > orderlyMs + killMs) return left
    if (ms > orderlyMs) for (const pid of left) send(pid, 'SIGKILL')
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

/** Living processes that name the folder, and all that descend from those, from the given ones or from this process. */
function processesOf(folder: string, ancestors: number[]): number[] {
  const parents = new Map<number, number>()
  for (const pid of hasProc ? readdirSync('/proc').map(Number).filter(isRunning) : [])
    parents.set(pid, Number(readProcessStat(pid).fields[1]))
  const found = new Set([process.pid, ...ancestors])
  for (let before = 0; before < found.size;) {
    before = found.size
    for (const [pid, parent] of parents) if (found.has(parent) || namesFolder(pid, folder)) found.add(pid)
  }
  found.delete(process.pid)
  return [...found]
}

function namesFolder(pid: number, folder: string): boolean {
  try {
    return ['environ', 'cmdline'].some((file) => readFileSync(`/proc/${pid}/${file}`, 'latin1').includes(folder))
  } catch {
    return false // it has ended, or belongs to another user
  }
}
