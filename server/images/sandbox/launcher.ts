import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'

export interface Launcher {
  /** Starts the image process of a slot in a folder of its own. */
  start(slot: number, dir: string): ChildProcess
  close(): void
}

interface LaunchOptions {
  isolation: Isolation
  /** The script that an image process runs. */
  entry: string
  /** The largest number of processes. */
  size: number
  /** The memory at which a process must end itself, where the parent process cannot measure it; null where it can. */
  maxOwnBytes: number | null
}

/** The folder that contains both our code and node_modules. */
const programDir = resolve(import.meta.dirname, '../../..')
const cacheDir = 'node_modules/.cache/keepsnap-images'

/** Node 22 warns about running TypeScript, and `--permission` about native add-ons. */
const warningFlags = ['--disable-warning=ExperimentalWarning', '--disable-warning=SecurityWarning']
const memoryFlags = ['--max-semi-space-size=2', '--v8-pool-size=1', '--expose-gc']

/**
 * Settings of glibc and libuv; none of our own environment is passed on. Memory is kept between photos, because getting it
 * from the system again costs a tenth of the time of a large photo. A process that has grown is replaced when it is idle.
 */
const imageProcessEnvironment = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '268435456',
  MALLOC_MMAP_THRESHOLD_: '33554432',
  UV_THREADPOOL_SIZE: '2',
}

const compileTimeoutMs = 20_000

/** The command line and the descriptors with which Node starts an image process. */
interface NodeCommand {
  node: string[]
  script: string
  /** The program's folder, as the process sees it. */
  root: string
  cache: string
  /** Descriptors that the process inherits, from 3 on. */
  inherited: number[]
}

/**
 * A process with a user of its own may not be allowed to enter the folders above the program (/root, for example). It
 * inherits the program's folder and the Node binary as open descriptors and reaches both through them.
 */
function nodeCommand(entry: string, descriptors: { program: number; node: number } | null): NodeCommand {
  const root = descriptors ? '/proc/self/fd/3' : programDir
  const node = [descriptors ? '/proc/self/fd/4' : process.execPath, ...memoryFlags, ...warningFlags]
  if (descriptors) node.push('--preserve-symlinks', '--preserve-symlinks-main')
  return {
    node,
    script: join(root, relative(programDir, entry)),
    root,
    cache: `${root}/${cacheDir}`,
    inherited: descriptors ? [descriptors.program, descriptors.node] : [],
  }
}

/** Prepares the start of image processes in an isolation. */
export async function createLauncher({ isolation, entry, size, maxOwnBytes }: LaunchOptions): Promise<Launcher> {
  const program = openSync(programDir, 'r')
  const node = openSync(process.execPath, 'r')
  const devNull = openSync('/dev/null', 'r+')
  const users = Array.from({ length: size }, (_, slot) => isolation.userIdOf(slot)).filter((user) => user !== null)
  const nodeCommandLine = nodeCommand(entry, users.length > 0 ? { program, node } : null)
  const { root, cache, script, inherited } = nodeCommandLine
  const env = { ...imageProcessEnvironment, NODE_COMPILE_CACHE: cache }
  // In our own session: Linux first divides processor time among sessions, and niceness counts only within one (sched(7),
  // autogroup).
  const spawnNode = ([program = '', ...args]: string[], cwd: string): ChildProcess =>
    spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe', ...coverInherited(inherited, devNull)] })
  const compileScripts = (): Promise<boolean> =>
    exitsInTime(spawnNode([...nodeCommandLine.node, script, 'compile-only'], programDir))
  await fillCompileCache({
    dir: join(programDir, cacheDir),
    sources: join(import.meta.dirname, '..'),
    users,
    compileScripts,
  })
  return {
    start(slot, dir) {
      const flags = permissionFlags([root, dir], [dir, cache])
      const commandLine = [
        ...isolation.commandPrefix(slot),
        ...nodeCommandLine.node,
        ...flags,
        script,
        String(maxOwnBytes ?? ''),
      ]
      const imageProcess = spawnNode(commandLine, dir)
      if (imageProcess.pid !== undefined) giveLowPriority(imageProcess.pid)
      return imageProcess
    },
    close() {
      for (const descriptor of [program, node, devNull]) closeSync(descriptor)
    },
  }
}

/** Whether a process exits successfully within 20 seconds; it is killed otherwise. */
async function exitsInTime(imageProcess: ChildProcess): Promise<boolean> {
  const { promise, resolve: resolveWith } = Promise.withResolvers<boolean>()
  const timeout = setTimeout(() => imageProcess.kill('SIGKILL'), compileTimeoutMs)
  imageProcess.on('error', () => resolveWith(false))
  imageProcess.on('close', (code) => resolveWith(code === 0))
  return promise.finally(() => clearTimeout(timeout))
}

/**
 * Node's permission model: scripts may use only these files, no processes and no threads. It does not restrict native code.
 * Node reads a compile cache only where scripts may write; the kernel still denies writing to another user.
 */
const permissionFlags = (readable: string[], writable: string[]): string[] => [
  '--permission',
  '--allow-addons',
  ...readable.map((dir) => `--allow-fs-read=${dir}/*`),
  ...writable.map((dir) => `--allow-fs-write=${dir}/*`),
]

/**
 * The descriptors of a process from 3 on. Whatever started this program may have left descriptors open that every child
 * would inherit; /dev/null replaces those that are not closed on exec.
 */
function coverInherited(inherited: number[], devNull: number): (number | 'ignore')[] {
  const stdio: (number | 'ignore')[] = [...inherited]
  if (process.platform !== 'linux') return stdio
  const open = readdirSync('/proc/self/fdinfo').map(Number)
  for (const fd of open.filter((one) => one >= 3 + inherited.length && one < 1024 && isInheritable(one))) {
    while (stdio.length < fd - 3) stdio.push('ignore')
    stdio[fd - 3] = devNull
  }
  return stdio
}

const closeOnExec = 0o2000000

function isInheritable(fd: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1]
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0
  } catch {
    return false
  }
}

interface CompileOptions {
  dir: string
  /** The folder whose scripts are compiled. */
  sources: string
  /** Ids of the users that read the cache. */
  users: number[]
  /** Runs the scripts until they exit, which is when Node writes the cache. Resolves with whether that worked. */
  compileScripts(): Promise<boolean>
}

/**
 * Fills Node's compile cache for all image processes. Without it, each process strips types and compiles at its start and
 * keeps the compiler in memory, 25 MB each. A process with a user of its own must not write a cache, and looks for one
 * under its own user id. When the cache cannot be filled everything works the same, with more memory.
 */
export async function fillCompileCache({ dir, sources, users, compileScripts }: CompileOptions): Promise<void> {
  try {
    const cacheStamp = await computeCacheStamp(sources)
    const cacheStampFile = join(dir, 'stamp')
    await mkdir(dir, { recursive: true })
    const isFresh = (await readFile(cacheStampFile, 'utf8').catch(() => '')) === cacheStamp
    if (!isFresh && !(await compileScripts())) return
    await shareCache(dir, users)
    if (!isFresh) await writeFile(cacheStampFile, cacheStamp)
  } catch {
    // The folder is not writable, or the disk is full.
  }
}

/** Changes with the scripts, the version of Node and the user. */
async function computeCacheStamp(sources: string): Promise<string> {
  const names = (await readdir(sources, { recursive: true })).filter((name) => name.endsWith('.ts')).toSorted()
  const times = await Promise.all(names.map(async (name) => (await stat(join(sources, name))).mtimeMs))
  return JSON.stringify([process.version, process.getuid?.(), ...names, ...times])
}

/** Makes the cache readable under the user ids of the image processes: Node names it after version, flags and user. */
async function shareCache(dir: string, users: number[]): Promise<void> {
  if (users.length === 0) return
  const ownSuffix = `-${process.getuid?.() ?? 0}`
  const caches = (await readdir(dir)).filter((name) => name.startsWith(process.version) && name.endsWith(ownSuffix))
  for (const cache of caches) {
    const prefix = cache.slice(0, -ownSuffix.length)
    for (const file of await readdir(join(dir, cache))) await chmod(join(dir, cache, file), 0o644)
    for (const user of users) await symlink(cache, join(dir, `${prefix}-${user}`)).catch(() => {})
  }
}

/** How an image process is isolated from the rest of the machine. */
export interface Isolation {
  /** The commands that run before Node's own command line, for the process of a slot. */
  commandPrefix(slot: number): string[]
  /** The id of the user that the process of a slot runs as; null for our own user. */
  userIdOf(slot: number): number | null
}

/** Debian's policy assigns these ids (65000 to 65533) to nobody, and the user map of every container includes them. */
const firstUserId = 65_300

const kernelLimits = ['--core=0', '--nofile=1024', `--fsize=${2 * 1024 ** 3}`]
/** The processes and threads of one user. Ours use about 15, and several instances on one machine share the users. */
const processLimit = '--nproc=512'

const basicRestrictions = ['--no-new-privs', '--pdeathsig=KILL']
const noCapabilities = ['--inh-caps=-all', '--bounding-set=-all']

const noIsolation: Isolation = { commandPrefix: () => [], userIdOf: () => null }

/**
 * The isolations that work on this machine, the strongest first. Each command is included only if a process has been started
 * through it and all before it. Whether Node itself starts through them, the caller must find out: another user may not be
 * allowed to read the program.
 */
export async function findIsolations(): Promise<Isolation[]> {
  if (process.platform !== 'linux') return [noIsolation]
  const isRoot = process.getuid?.() === 0
  const workingPrefix: string[] = []
  for (const candidates of [networkCommands(isRoot), limitCommands(isRoot)])
    workingPrefix.push(...(await firstWorkingCommand(workingPrefix, candidates)))
  const restrictions = isRoot ? [restrictedRoot, restricted] : [restricted]
  const sameUser = [...workingPrefix, ...(await firstWorkingCommand(workingPrefix, restrictions))]
  const isolations: Isolation[] = [{ commandPrefix: () => sameUser, userIdOf: () => null }, noIsolation]
  if (isRoot && (await commandWorks([...workingPrefix, ...asUser(firstUserId), 'true'])))
    isolations.unshift({
      commandPrefix: (slot) => [...workingPrefix, ...asUser(firstUserId + slot)],
      userIdOf: (slot) => firstUserId + slot,
    })
  return isolations
}

/** A network namespace of its own, without any connection. Other users than root need a user namespace for it. */
const networkCommands = (isRoot: boolean): string[][] =>
  isRoot ? [['unshare', '--net', '--']] : [['unshare', '--user', '--map-current-user', '--net', '--']]

/** The number of processes is limited only for users that nothing else runs as. */
const limitCommands = (isRoot: boolean): string[][] => [
  ['prlimit', ...kernelLimits, ...(isRoot ? [processLimit] : []), '--'],
  ['prlimit', ...kernelLimits, '--'],
]

const restricted = ['setpriv', ...basicRestrictions, '--']
const restrictedRoot = ['setpriv', ...noCapabilities, ...basicRestrictions, '--']
const asUser = (userId: number): string[] => [
  'setpriv',
  `--reuid=${userId}`,
  `--regid=${userId}`,
  '--clear-groups',
  ...noCapabilities,
  ...basicRestrictions,
  '--',
]

async function firstWorkingCommand(workingPrefix: string[], candidates: string[][]): Promise<string[]> {
  for (const candidate of candidates) if (await commandWorks([...workingPrefix, ...candidate, 'true'])) return candidate
  return []
}

const commandWorks = ([command = '', ...args]: string[]): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(command, args, { env: {}, timeout: 20_000 }, (error) => resolve(error === null))
  })

/** The CPU priority of image processes, and which processes the kernel ends first when memory runs out. */

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
function giveLowPriority(pid: number): void {
  ignoreErrors(() => setNiceness(pid, lowNiceness))
  if (process.platform === 'linux') ignoreErrors(() => writeFileSync(`/proc/${pid}/oom_score_adj`, oomScore))
}

/** Gives a process the lowest priority. Only a new process can have a higher one again. */
export const giveLowestPriority = (pid: number): void => ignoreErrors(() => setNiceness(pid, lowestNiceness))
