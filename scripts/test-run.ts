import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { execFileSync, spawnSync } from 'node:child_process'
import { constants, tmpdir } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { hasProc, identityOf, isRunning, isSameProcess, readProcessStat } from '../server/platform/process/processes.ts'

interface TestRun {
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

/** Measures the CPU time (user and system) of this process and of everything that it starts. */
interface CpuMeter {
  seconds(): number
  /** What is not counted on this system; empty if everything is. */
  caveat: string
  close(): void
}

const ticksPerSecond = 100 // what Linux reports in /proc on every architecture that Node runs on

/** Versions 2 and 1 of control groups: the path of this process in /proc/self/cgroup, and the file with the time. */
const cgroups = [
  { path: /^0::(.*)$/m, mount: '/sys/fs/cgroup', file: 'cpu.stat', time: /^usage_usec (\d+)/, unit: 1e6 },
  {
    path: /^\d+:(?:[^:\n]*,)?cpuacct(?:,[^:\n]*)?:(.*)$/m,
    mount: '/sys/fs/cgroup/cpuacct',
    file: 'cpuacct.usage',
    time: /^(\d+)/,
    unit: 1e9,
  },
]

/** Counts in a control group of the kernel, which no process leaves by detaching itself. */
function createCgroupMeter({ path, mount, file, time, unit }: (typeof cgroups)[number]): CpuMeter | undefined {
  const parent = join(mount, path.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1] ?? '')
  const folder = join(parent, `keepsnap-test-${process.pid}`)
  const seconds = (): number => Number(time.exec(readFileSync(join(folder, file), 'utf8'))?.[1]) / unit
  const close = (): void => {
    try {
      writeFileSync(join(parent, 'cgroup.procs'), String(process.pid))
      rmdirSync(folder)
    } catch {
      // The kernel keeps the group while one of its processes lives.
    }
  }
  try {
    mkdirSync(folder)
    if (Number.isNaN(seconds())) throw new Error('this group counts no CPU time')
    writeFileSync(join(folder, 'cgroup.procs'), String(process.pid))
    return { seconds, caveat: '', close }
  } catch {
    close()
    return undefined
  }
}

/** The best meter that this system allows. Create it before the first process to be counted is started. */
export function createCpuMeter(): CpuMeter {
  for (const each of hasProc ? cgroups : []) {
    const meter = createCgroupMeter(each)
    if (meter) return meter
  }
  const close = (): void => {}
  if (!hasProc) {
    const seconds = (): number => (process.cpuUsage().user + process.cpuUsage().system) / 1e6
    return { seconds, close, caveat: `on ${process.platform} of the test command alone, without what it starts` }
  }
  // Of this process, and of its children that have ended (proc_pid_stat(5)).
  const seconds = (): number =>
    readProcessStat('self')
      .fields.slice(11, 15)
      .reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
  return { seconds, close, caveat: 'without processes that outlive the one that started them' }
}

/** Paths of programs and files that npm cannot bring, and the Debian package of each. */
export type Tools = Record<string, string>

/** For `npm test`. */
export const testTools: Tools = {
  '/usr/bin/chromium-headless-shell': 'chromium-headless-shell',
  '/usr/bin/zbarimg': 'zbar-tools',
  '/usr/bin/pdftoppm': 'poppler-utils',
  '/usr/bin/curl': 'curl',
  '/usr/bin/openssl': 'openssl',
  '/usr/bin/strace': 'strace',
  '/usr/bin/radosgw': 'radosgw',
  '/usr/bin/ceph-mon': 'ceph-mon',
  '/usr/bin/ceph-osd': 'ceph-osd',
}

/** Debian starts no service while this program exits with 101. */
const startPolicy = '/usr/sbin/policy-rc.d'

/** Installs what is missing when this is Debian and we are root; otherwise says what to install and stops. */
export function installTools(tools: Tools): void {
  const missing = [...new Set(Object.keys(tools).flatMap((path) => (existsSync(path) ? [] : [tools[path] ?? ''])))]
  if (missing.length === 0) return
  const names = missing.join(' ')
  if (process.geteuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    process.stderr.write(`The tests need ${names}. Install them first, on Debian with: sudo apt-get install ${names}\n`)
    process.exit(1)
  }
  process.stdout.write(`Installing ${names} ...\n`)
  const isOurs = !existsSync(startPolicy)
  if (isOurs) writeFileSync(startPolicy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  const apt = (...args: string[]): boolean =>
    spawnSync('apt-get', [...args, '-qq'], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'inherit'],
    }).status === 0
  const install = (): boolean => apt('install', '-y', '--no-install-recommends', ...missing)
  try {
    // Otherwise it would listen on all interfaces from the next start of the machine on.
    if (missing.includes('postfix'))
      execFileSync('debconf-set-selections', { input: 'postfix postfix/main_mailer_type select No configuration\n' })
    if (!install() && !(apt('update') && install())) throw new Error(`apt-get could not install ${names}`)
  } finally {
    if (isOurs) rmSync(startPolicy)
  }
}

/** Installs the packages of a folder that has its own package-lock.json, unless they are there. */
export function installPackages(folder: string): void {
  const lockFile = join(folder, 'package-lock.json')
  const installed = join(folder, 'node_modules', '.package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lockFile).mtimeMs) return
  process.stdout.write(`Installing the packages of ${folder} ...\n`)
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' })
}
