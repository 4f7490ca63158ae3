import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { hostname, setPriority } from 'node:os'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

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

const niceness = 15

/** Gives this process a low CPU and I/O priority, as far as the system supports it. */
export function lowerPriority(): void {
  try {
    // On Linux each thread has its own priority; libuv's thread pool exists once the program has read a file.
    const threads = process.platform === 'linux' ? readdirSync('/proc/self/task') : [String(process.pid)]
    for (const thread of threads) setPriority(Number(thread), niceness)
    spawnSync('ionice', ['-c', '3', '-p', ...threads], { stdio: 'ignore', timeout: 5_000 })
  } catch {
    // Without it, other programs are only slower.
  }
}

/**
 * Creates a folder for this process inside a parent that processes of this and other machines share. Removes the folders
 * of dead processes of this machine.
 */
export async function createProcessFolder(sharedParent: string): Promise<string> {
  const hostName = hostname().replace(/[^\w.-]/g, '_')
  await mkdir(sharedParent, { recursive: true, mode: 0o711 })
  for (const name of await readdir(sharedParent)) {
    if (!name.startsWith(`${hostName}@`)) continue
    if (!isSameProcess(name.slice(hostName.length + 1)))
      await rm(join(sharedParent, name), { recursive: true, force: true })
  }
  const processFolder = join(sharedParent, `${hostName}@${ownProcessId()}`)
  await mkdir(processFolder, { recursive: true, mode: 0o711 })
  return processFolder
}
