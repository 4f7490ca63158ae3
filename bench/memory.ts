import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { forEachConcurrently } from '../server/lib/concurrency.ts'
import { freePort } from '../server/test/child-processes.ts'
import { itemAt } from './load.ts'
import { atMost, type BenchmarkPart, measured, type Measurement } from './results.ts'
import { sampleOf, testServer } from './server.ts'

const inFlight = 8
const sampleMs = 100
const restMs = 40_000
const root = join(import.meta.dirname, '..')

/** Runs `npm start` with a data folder in `folder`; resolves when it is ready, with the milliseconds until then. */
async function npmStart(folder: string) {
  mkdirSync(join(folder, 'data'), { recursive: true })
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const log = openSync(join(folder, 'log'), 'a')
  const startedAt = performance.now()
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: address,
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'warn',
      TRUSTED_PROXIES: '127.0.0.1',
    },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const exited = new Promise((resolve) => npm.on('exit', resolve))
  while (!(await fetch(`${address}/ready`).catch(() => undefined))?.ok) {
    if (performance.now() - startedAt > 60_000 || npm.exitCode !== null)
      throw new Error(`npm start did not become ready: ${readFileSync(join(folder, 'log'), 'utf8').slice(-1000)}`)
    await wait(20)
  }
  const readyMs = performance.now() - startedAt
  return {
    address,
    pid: npm.pid!,
    readyMs,
    async stop() {
      npm.kill('SIGTERM')
      await exited
    },
  }
}

export function procText(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}

/** The descendants of a process. Linux only. */
export function processesBelow(ancestor: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Boolean)
  const parents = pids.map((pid) => [pid, Number(/^PPid:\s+(\d+)/m.exec(procText(pid, 'status'))?.[1])] as const)
  const below = (of: number): number[] =>
    parents.filter(([, parent]) => parent === of).flatMap(([pid]) => [pid, ...below(pid)])
  return below(ancestor)
}

/**
 * Megabytes of the server and its descendants, without npm, which started it, and without PostgreSQL: the sum of their
 * resident set sizes, in which a page that several share is counted for each.
 */
function memoryBelow(npmPid: number): number {
  return processesBelow(npmPid)
    .filter((pid) => !/postgres/.test(procText(pid, 'cmdline').split('\0')[0]!))
    .map((pid) => Number(/^VmRSS:\s+(\d+) kB/m.exec(procText(pid, 'status'))?.[1] ?? 0) / 1024)
    .reduce((sum, megabytes) => sum + megabytes, 0)
}

/** One run of the program: just started, under load, and idle again; then started once more. */
async function observe(folder: string, kind: 'kept' | 'reencoded', photos: number) {
  const program = await npmStart(folder)
  const server = await testServer(program, join(folder, 'data'))
  let timer: NodeJS.Timeout | undefined
  let peak = 0
  try {
    await wait(3_000)
    const afterStart = memoryBelow(program.pid)
    timer = setInterval(() => (peak = Math.max(peak, memoryBelow(program.pid))), sampleMs)
    const users = await server.createUsers(16)
    const photo = (await sampleOf('12 MP'))[kind]
    await forEachConcurrently([...Array(photos).keys()], inFlight, (index) => itemAt(users, index).addPhoto(photo))
    await wait(restMs)
    return { afterStart, peak, afterWork: memoryBelow(program.pid) }
  } finally {
    clearInterval(timer)
    // Unlike other servers of the benchmarks, it does not end with this process.
    await server.stop()
  }
}

async function secondStartMs(folder: string): Promise<number> {
  const program = await npmStart(folder)
  await program.stop()
  return program.readyMs
}

export const memory: BenchmarkPart = {
  title: 'Memory of the program and its image processes, and its second start',
  method:
    'Resident memory of the program as npm start runs it, and of its descendants except PostgreSQL; a page that several share is counted for each. ' +
    `Sampled every ${sampleMs} ms under load, and once ${restMs / 1000} s after it. The second start with the same data folder is timed from the command to the first successful response of /ready, npm included.`,
  async run({ scratchDir, quick }) {
    const folders = { kept: join(scratchDir, 'kept'), reencoded: join(scratchDir, 'reencoded') }
    const kept = await observe(folders.kept, 'kept', quick ? 40 : 120)
    const reencoded = await observe(folders.reencoded, 'reencoded', quick ? 40 : 120)
    const starts = [await secondStartMs(folders.kept), await secondStartMs(folders.reencoded)]
    const rss = (name: string, runs: number[], most: number): Measurement => atMost(measured(name, 'MB', runs), most)
    return [
      rss('idle after the start', [kept.afterStart, reencoded.afterStart], 250),
      rss('idle after work', [kept.afterWork, reencoded.afterWork], 250),
      rss(`${inFlight} in flight at 12 MP, re-encoded, peak`, [reencoded.peak], 600),
      rss(`${inFlight} in flight at 12 MP, kept, peak`, [kept.peak], 600),
      atMost(measured('second npm start', 'ms', starts), 3_000),
    ]
  },
}
