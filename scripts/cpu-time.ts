import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Measures the CPU time (user and system) that is used from its creation on. */
export interface CpuMeter {
  /** Seconds so far, of this process and of everything that it starts. */
  seconds(): number
  /** Limitations of the measurement on this system; empty if there are none. */
  caveat: string
  close(): void
}

interface ProcessTimes {
  parent: number
  startedAt: string
  /** CPU seconds of the process and of those descendants that have ended and were waited for. */
  seconds: number
}

const ticksPerSecond = 100 // what Linux reports in /proc on every architecture that Node runs on
const sampleMs = 500
const marker = 'KEEPSNAP_TEST_RUN'

/** The best meter that this system allows. Create it before the first process to be counted is started. */
export function createCpuMeter(): CpuMeter {
  if (process.platform !== 'linux') return createOwnMeter()
  return createCgroupMeter() ?? createProcMeter()
}

/** Counts in a control group of the kernel, which no process leaves by detaching itself. */
function createCgroupMeter(): CpuMeter | undefined {
  const name = `keepsnap-test-${process.pid}`
  const candidates = [
    { parent: `/sys/fs/cgroup${cgroupPath('0::')}`, file: 'cpu.stat', pattern: /^usage_usec (\d+)/, unit: 1e6 },
    { parent: `/sys/fs/cgroup/cpuacct${cgroupPath('cpuacct')}`, file: 'cpuacct.usage', pattern: /^(\d+)/, unit: 1e9 },
  ]
  for (const { parent, file, pattern, unit } of candidates) {
    const folder = join(parent, name)
    const seconds = (): number => Number(pattern.exec(readFileSync(join(folder, file), 'utf8'))?.[1]) / unit
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
    }
  }
  return undefined
}

/** Where this process is in the hierarchy that starts with `0::` (version 2) or has this controller (version 1). */
function cgroupPath(controller: string): string {
  const lines = readFileSync('/proc/self/cgroup', 'utf8').split('\n')
  const line = lines.find((each) =>
    controller === '0::' ? each.startsWith(controller) : each.split(':')[1]?.split(',').includes(controller),
  )
  return line?.split(':').slice(2).join(':') ?? '/'
}

/** Samples /proc. It misses processes that both detach themselves and end between two samples. */
function createProcMeter(): CpuMeter {
  const run = `${process.pid}-${Date.now()}`
  process.env[marker] = run
  const own = String(process.pid)
  const tracked = new Map<string, ProcessTimes>()
  const isOurs = (pid: string, { parent }: ProcessTimes): boolean =>
    isTracked(parent) || String(parent) === own || hasMarker(pid, run)
  const isTracked = (pid: number): boolean => [...tracked.keys()].some((key) => key.startsWith(`${pid} `))
  let endedSeconds = 0
  const sample = (): void => {
    const current = readProcesses()
    for (const [key, times] of tracked) {
      if (current.has(key)) continue
      // A tracked parent that waits for the process inherits its time.
      if (!isTracked(times.parent) && String(times.parent) !== own) endedSeconds += times.seconds
    }
    for (const key of tracked.keys()) if (!current.has(key)) tracked.delete(key)
    for (const [key, times] of current) {
      const [pid = ''] = key.split(' ')
      if (pid !== own && (tracked.has(key) || isOurs(pid, times))) tracked.set(key, times)
    }
  }
  const timer = setInterval(sample, sampleMs).unref()
  return {
    seconds() {
      sample()
      const living = [...tracked.values()].reduce((sum, { seconds }) => sum + seconds, 0)
      return (timesOf(own)?.seconds ?? 0) + living + endedSeconds
    },
    caveat: `sampled from /proc every ${sampleMs} ms: detached processes that lived shorter may be missing`,
    close: () => clearInterval(timer),
  }
}

/** All processes by number and start, in the order of their numbers, so that parents come before their children. */
function readProcesses(): Map<string, ProcessTimes> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const processes = new Map<string, ProcessTimes>()
  for (const pid of pids.toSorted((a, b) => Number(a) - Number(b))) {
    const times = timesOf(pid)
    if (times) processes.set(`${pid} ${times.startedAt}`, times)
  }
  return processes
}

function timesOf(pid: string): ProcessTimes | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // After the name in parentheses, which may hold spaces: state, parent, ... (proc_pid_stat(5), fields 3 and on).
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { parent: Number(fields[1]), startedAt: fields[19] ?? '', seconds: ticks / ticksPerSecond }
  } catch {
    return undefined
  }
}

function hasMarker(pid: string, run: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${marker}=${run}`)
  } catch {
    return false
  }
}

/** Where there is neither: the time of this process alone. */
function createOwnMeter(): CpuMeter {
  return {
    seconds: () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
    caveat: `on ${process.platform} only the test command itself is counted, not the processes that it starts`,
    close: () => {},
  }
}
