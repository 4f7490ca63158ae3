import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'

/** A PostgreSQL process that is alive; a zombie is not. */
export interface PostgresProcess {
  pid: number
  command: string
}

const read = (file: string): string => {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

/** The fields of /proc/PID/stat behind the program's name: [0] state, [1] parent, [19] start in clock ticks since boot. */
const statOf = (pid: number | 'self'): { name: string; fields: string[] } => {
  const text = read(`/proc/${pid}/stat`)
  const end = text.lastIndexOf(')')
  return { name: text.slice(text.indexOf('(') + 1, end), fields: text.slice(end + 2).split(' ') }
}

const hasProc = process.platform === 'linux'

/** Whether a process of this id is there and no zombie. */
export function isRunning(pid: number): boolean {
  if (hasProc) {
    const state = statOf(pid).fields[0]
    return Boolean(state) && !['Z', 'X'].includes(state ?? '')
  }
  const { stdout } = spawnSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.startsWith('Z')
}

/** Names this very process, for `isSameProcess`: another that gets the same id later has another start time. */
export const ownProcess = (): string => `${process.pid}-${hasProc ? statOf('self').fields[19] : 0}`

/** Whether the process that once called `ownProcess` still runs. */
export function isSameProcess(name: string): boolean {
  const [pid = 0, start] = name.split('-').map(Number)
  return pid > 0 && isRunning(pid) && (!hasProc || statOf(pid).fields[19] === String(start))
}

function listed(): PostgresProcess[] {
  if (hasProc) {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => statOf(pid).name === 'postgres' && isRunning(pid))
      .map((pid) => ({ pid, command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ') }))
  }
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,state=,command='], { encoding: 'utf8' })
  return [...stdout.matchAll(/^\s*(\d+)\s+([^\sZ]\S*)\s+(.*postgres.*)$/gm)].map(([, pid, , command]) => ({
    pid: Number(pid),
    command: command ?? '',
  }))
}

const worksIn = (pid: number, folder: { dev: number; ino: number }): boolean => {
  const found = hasProc ? statSync(`/proc/${pid}/cwd`, { throwIfNoEntry: false }) : undefined
  return found?.dev === folder.dev && found.ino === folder.ino
}

/**
 * All living processes of one cluster. They carry its name (setting cluster_name) in their titles, which everybody
 * may read; where the working folder may be read as well, one that was started without the name is found by that.
 */
export function clusterProcesses(clusterDir: string, name: string): PostgresProcess[] {
  const folder = statSync(clusterDir)
  return listed().filter(({ pid, command }) => {
    if (command.includes(name)) return true
    try {
      return worksIn(pid, folder)
    } catch {
      return false
    }
  })
}

/**
 * Words before a command that make the kernel send it this signal when the thread that starts it ends (start it on the
 * main thread); none where the kernel or util-linux cannot.
 */
export function endsWithUs(signal: 'INT' | 'KILL'): string[] {
  const words = ['--pdeathsig', signal, '--']
  return spawnSync('setpriv', [...words, 'true'], { timeout: 10_000 }).status === 0 ? ['setpriv', ...words] : []
}
