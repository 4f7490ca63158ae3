import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { compileOnce } from './compiled.ts'
import type { Walls } from './walls.ts'

export interface Launcher {
  /** Starts an image process in a folder of its own. */
  start(slot: number, dir: string): ChildProcess
  close(): void
}

export interface LaunchOptions {
  walls: Walls
  /** The script that an image process runs. */
  entry: string
  /** How many processes there will be. */
  size: number
  /** From which size on a process must end itself, where its parent cannot see it; null where it can. */
  selfWatchBytes: number | null
}

/** The folder that holds both our code and node_modules. */
const programDir = resolve(import.meta.dirname, '../..')
const cacheDir = 'node_modules/.cache/keepsnap-images'

/** For Node 22, where running TypeScript is still announced, and for what `--permission` says about add-ons. */
const quiet = ['--disable-warning=ExperimentalWarning', '--disable-warning=SecurityWarning']
const small = ['--max-semi-space-size=2', '--v8-pool-size=1', '--expose-gc']

/**
 * Settings of glibc and libuv; nothing of our own environment goes in. Memory is kept from one photo to the next, since
 * asking the system for it anew costs a tenth of a large one; a process that has grown is replaced when it falls idle.
 */
const smallEnvironment = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '268435456',
  MALLOC_MMAP_THRESHOLD_: '33554432',
  UV_THREADPOOL_SIZE: '2',
}

const niceness = 10
/** The kernel, short of memory, takes image processes first. */
const oomScore = '800'
const compilesWithinMs = 20_000

/**
 * How image processes are started behind the walls. A process with a user of its own may not be able to walk to the
 * program (below /root, say): it gets the program's folder and the Node binary as open descriptors, and goes in
 * through them.
 */
export async function createLauncher({ walls, entry, size, selfWatchBytes }: LaunchOptions): Promise<Launcher> {
  const program = openSync(programDir, 'r')
  const node = openSync(process.execPath, 'r')
  const nothing = openSync('/dev/null', 'r+')
  const users = Array.from({ length: size }, (_, slot) => walls.userOf(slot)).filter((user) => user !== null)
  const throughHandles = users.length > 0
  const root = throughHandles ? '/proc/self/fd/3' : programDir
  const cache = `${root}/${cacheDir}`
  const env = { ...smallEnvironment, NODE_COMPILE_CACHE: cache }
  const handles = throughHandles ? [program, node] : []
  const nodeLine = [throughHandles ? '/proc/self/fd/4' : process.execPath, ...small, ...quiet]
  if (throughHandles) nodeLine.push('--preserve-symlinks', '--preserve-symlinks-main')
  const script = join(root, relative(programDir, entry))

  const run = ([command = '', ...args]: string[], cwd: string): ChildProcess =>
    // In our own session, or its niceness would not count: Linux shares the processor among sessions first, whatever
    // their processes' niceness (sched(7), autogroup).
    spawn(command, args, {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'pipe', ...coveringInherited(handles, nothing)],
    })
  const leave = (): Promise<boolean> =>
    new Promise((done) => {
      const child = run([...nodeLine, script, 'leave'], programDir)
      const late = setTimeout(() => child.kill('SIGKILL'), compilesWithinMs)
      child.on('error', () => done(false))
      child.on('close', (code) => {
        clearTimeout(late)
        done(code === 0)
      })
    })
  await compileOnce({ dir: join(programDir, cacheDir), sources: import.meta.dirname, users, leave })

  return {
    start(slot, dir) {
      const walled = [...walls.before(slot), ...nodeLine, ...permissions([root, dir], [dir, cache])]
      const child = run([...walled, script, String(selfWatchBytes ?? '')], dir)
      if (child.pid !== undefined) humble(child.pid)
      return child
    },
    close() {
      for (const handle of [program, node, nothing]) closeSync(handle)
    },
  }
}

/**
 * Node's own walls around scripts: no files but these, no processes, no threads. Native code is not held by them. Node
 * uses a compile cache only where scripts may write; the kernel still says no to another user.
 */
const permissions = (readable: string[], writable: string[]): string[] => [
  '--permission',
  '--allow-addons',
  ...readable.map((dir) => `--allow-fs-read=${dir}/*`),
  ...writable.map((dir) => `--allow-fs-write=${dir}/*`),
]

/** Makes a process step back for everybody else. Best effort: it may be gone already. */
function humble(pid: number): void {
  try {
    setPriority(pid, niceness)
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/oom_score_adj`, oomScore)
  } catch {
    // Seen soon enough, when it does not report.
  }
}

/**
 * The descriptors from 3 on. Whoever started this program may have left some open that would go on to every child;
 * what is there and not closed on exec is covered with /dev/null.
 */
function coveringInherited(handles: number[], nothing: number): (number | 'ignore')[] {
  const stdio: (number | 'ignore')[] = [...handles]
  if (process.platform !== 'linux') return stdio
  const open = readdirSync('/proc/self/fdinfo').map(Number)
  for (const fd of open.filter((one) => one >= 3 + handles.length && one < 1024 && goesOn(one))) {
    while (stdio.length < fd - 3) stdio.push('ignore')
    stdio[fd - 3] = nothing
  }
  return stdio
}

const closeOnExec = 0o2000000

function goesOn(fd: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))
    return flags !== null && (Number.parseInt(flags[1]!, 8) & closeOnExec) === 0
  } catch {
    return false
  }
}
