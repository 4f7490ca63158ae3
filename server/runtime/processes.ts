import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const readTextOrEmpty = (file: string): string => {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

/** The fields of /proc/PID/stat after the program name: [0] state, [1] parent, [19] start time in clock ticks since boot. */
export const readProcessStat = (pid: number | 'self'): { name: string; fields: string[] } => {
  const statText = readTextOrEmpty(`/proc/${pid}/stat`)
  const nameEnd = statText.lastIndexOf(')')
  return { name: statText.slice(statText.indexOf('(') + 1, nameEnd), fields: statText.slice(nameEnd + 2).split(' ') }
}

/** Whether processes are listed under /proc. */
export const hasProc = process.platform === 'linux'

/** Whether a process with this id exists and is not a zombie. */
export function isRunning(pid: number): boolean {
  if (hasProc) {
    const processState = readProcessStat(pid).fields[0]
    return Boolean(processState) && !['Z', 'X'].includes(processState ?? '')
  }
  const { stdout } = spawnSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.startsWith('Z')
}

/** Identifies a process for `isSameProcess`: a later process with the same id has another start time. */
export const identityOf = (pid: number): string => `${pid}-${hasProc ? readProcessStat(pid).fields[19] : 0}`

/** The `identityOf` this process. */
export const ownProcessId = (): string => identityOf(process.pid)

/** Whether the process that `identityOf` identified is still running. */
export function isSameProcess(id: string): boolean {
  const [pid = 0, startTicks] = id.split('-').map(Number)
  return pid > 0 && isRunning(pid) && (!hasProc || readProcessStat(pid).fields[19] === String(startTicks))
}

/**
 * Arguments to put before a command so that the kernel sends it this signal when the thread that started it ends (start it
 * from the main thread). Empty where the kernel or util-linux does not support this.
 */
export function parentDeathSignal(signal: 'INT' | 'KILL'): string[] {
  const setprivArgs = ['--pdeathsig', signal, '--']
  return spawnSync('setpriv', [...setprivArgs, 'true'], { timeout: 10_000 }).status === 0
    ? ['setpriv', ...setprivArgs]
    : []
}
