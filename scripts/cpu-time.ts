import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasProc, readProcessStat } from '../server/runtime/processes.ts'

/** Measures the CPU time (user and system) of this process and of everything that it starts. */
export interface CpuMeter {
  /** Seconds so far. */
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
