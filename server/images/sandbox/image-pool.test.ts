import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { ProbeTargets } from '../test/isolation-probe.ts'
import type { ImageProcessFault } from '../test/poison-process.ts'
import { poison } from '../test/poison.ts'
import { jpeg } from '../test/sample-images.ts'
import { jobInput, openTestPool, poisonProcess, sharedTestPool, type TestPool } from '../test/test-pool.ts'
import type { JobInput } from './image-jobs.ts'
import type { ImagePoolOptions } from './image-pool.ts'

const MB = 1024 * 1024
const photo = await jpeg()

/** Two image processes that may be poisoned. */
const images = sharedTestPool({ entry: poisonProcess, size: 2, stopIdleAfterMs: 600_000 })

async function openPool(options: Partial<ImagePoolOptions>): Promise<TestPool> {
  const pool = await openTestPool({ entry: poisonProcess, ...options })
  onTestFinished(() => pool.close())
  return pool
}

/** A photo whose rendering stops after its thumbnail until it is aborted. */
function stall(
  { pool }: TestPool,
  { signal, ...input }: Pick<JobInput, 'taskClass'> & { signal?: AbortSignal } = {},
): { started: Promise<unknown>; ended: Promise<unknown> } {
  const job = pool.renderPhoto({ ...jobInput(poison('stall')), ...input }, signal)
  const ended = job.then(({ result, release }) => result.finally(release))
  ended.catch(() => {})
  const started = job.then(({ thumbnail }) => thumbnail)
  started.catch(() => {})
  return { started, ended }
}

const expectRenders = async (pool: TestPool): Promise<void> =>
  expect((await pool.render(photo)).photo.full.lossless).toBe(true)

/** The niceness of each thread of a process. */
const nicenessOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).map((thread) => getPriority(Number(thread)))

describe('an image process', () => {
  beforeEach(({ skip }) => skip(process.platform !== 'linux', 'reads /proc'))
  /** Field 6 of proc_pid_stat(5), counted from the third one: the command before it may contain any character. */
  const sessionOf = (pid: number): string =>
    readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')[3]!

  test('has a low priority in each thread, in the session of its parent: niceness counts only within one', async () => {
    await expectRenders(images())
    const [pid = 0] = images().pool.pids()
    expect(sessionOf(pid)).toBe(sessionOf(process.pid))
    expect(nicenessOf(pid).length).toBeGreaterThan(3)
    expect(new Set(nicenessOf(pid))).toEqual(new Set([10]))
    expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('800')
  })

  const unpoisoned = sharedTestPool()
  test('ignores the signals that a terminal or a service manager sends to a process group', async () => {
    const { pool } = unpoisoned()
    const [pid = 0] = pool.pids()
    const job = await pool.renderPhoto(jobInput(await jpeg({ width: 1600, height: 1200 })))
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal)
    expect((await job.result).full.lossless).toBe(true)
    await job.release()
    expect(pool.pids()).toContain(pid)
  })

  test('is replaced when it has grown; has the lowest priority for a long job; ends with its pool, and its jobs reject', async () => {
    const growthLimits = { afterRequestBytes: 0, whenIdleBytes: 0 }
    const pool = await openTestPool({ entry: poisonProcess, growthLimits })
    const before = pool.pool.pids()
    const larger = await jpeg({ width: 1200, height: 800 })
    for (let i = 0; i < 2; i++) expect((await pool.render(larger)).photo.full.lossless).toBe(true)
    expect(pool.pool.pids()).not.toEqual(before)
    const long = stall(pool, { taskClass: 'long' })
    await long.started
    expect(new Set(pool.pool.pids().flatMap(nicenessOf))).toEqual(new Set([10, 19]))
    const { started, ended } = stall(pool)
    await started
    const running = pool.pool.pids()
    const ends = Promise.allSettled([ended, long.ended, pool.render(photo), pool.render(photo)])
    await pool.close()
    expect(await ends).toMatchObject([
      { reason: { kind: 'crashed' } },
      { reason: { kind: 'crashed' } },
      expect.anything(),
      { reason: { message: 'the image pool is closed' } },
    ])
    for (const pid of running) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  test('that cannot start rejects the pool with the reason', async () => {
    await expect(openTestPool({ entry: join(import.meta.dirname, '../test/no-such-file.ts') })).rejects.toThrow(
      /exited before it was ready/,
    )
  })
})

describe('a misbehaving image process fails only its own photo', () => {
  test('a crash may be tried again; other photos are rendered meanwhile and afterwards', async () => {
    const pool = images()
    const others = Promise.all([pool.render(photo), pool.render(photo), pool.render(photo)])
    const crashes: ImageProcessFault[] = ['segfault', 'exit', 'chatter', 'flood']
    // What a process may leave as its output is in scratch-files.test.ts.
    const wrongReplies: ImageProcessFault[] = ['no-thumbnail', 'no-files', 'full-is-link', 'bug']
    const exits = () => pool.logged.filter((line) => line.includes('an image process exited')).length
    const exitsBefore = exits()
    for (const fault of [...crashes, ...wrongReplies])
      expect(await pool.failure(poison(fault, '/etc/passwd'))).toMatchObject({
        kind: 'crashed',
        sentence: expect.stringMatching(/upload it again/),
      })
    expect(exits() - exitsBefore).toBe(crashes.length)
    expect(await others).toHaveLength(3)
    await expectRenders(pool)
  })

  test('a process that does not finish in time is stopped, and that is final, as are too many pixels', async () => {
    // A good photo reports its size and gets more time, however busy the machine is.
    const limits = { baseMs: 1_000, msPerMegapixel: 100_000, maxIdleMs: 3_000 }
    const pool = await openPool({ size: 2, limits, maxMegapixels: 0.1 })
    const [loop, hang] = await Promise.all([pool.failure(poison('loop')), pool.failure(poison('hang'))])
    expect([loop, hang]).toMatchObject([{ kind: 'timeout' }, { kind: 'timeout' }])
    await expectRenders(pool)
    expect(await pool.failure(await jpeg({ width: 400, height: 260 }))).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining('0.1 megapixels'),
    })
  })

  test('the CPU time of a photo is that of its process, without the time in which that did not run', async ({
    skip,
  }) => {
    skip(!existsSync('/proc/self/schedstat'), 'reads /proc/PID/schedstat')
    const abort = new AbortController()
    const job = await images().pool.renderPhoto(jobInput(poison('stall')), abort.signal)
    await job.thumbnail
    setTimeout(() => abort.abort(new Error('seen')), 500)
    await expect(job.result).rejects.toThrow('seen')
    await job.release()
    expect(job.cpuMs()).toBeGreaterThan(0)
    expect(job.cpuMs()).toBeLessThan(400)
  })

  test('a process that uses too much memory is stopped, and that is final', async ({ skip }) => {
    skip(!existsSync('/proc/self/status'), 'reads /proc/PID/status')
    const pool = await openPool({ limits: { baseMs: 60_000, baseBytes: 200 * MB, bytesPerMegapixel: 0 } })
    expect(await pool.failure(poison('memory'))).toMatchObject({ kind: 'memory' })
    const peak = /"exceeded":"memory","peakMb":(\d+)/.exec(pool.logged.join(''))
    expect(Number(peak?.[1])).toBeLessThan(600)
    expect(await pool.failure(poison('memory-exit'))).toMatchObject({ kind: 'memory' })
    await expectRenders(pool)
  })
})

describe('a photo', () => {
  test('has its thumbnail before its full image', async () => {
    const order: string[] = []
    const job = await images().pool.renderPhoto(jobInput(await jpeg({ width: 800, height: 600 })))
    const thumbnail = job.thumbnail.then((file) => (order.push('thumbnail'), file))
    const full = job.result.then(({ full: file }) => (order.push('full'), file))
    for (const { path, bytes } of [await thumbnail, await full]) expect(readFileSync(path)).toHaveLength(bytes)
    expect(order).toEqual(['thumbnail', 'full'])
    await job.release()
  })

  test('leaves no files', async () => {
    const pool = images()
    // After the crashes above.
    await pool.render(photo)
    await pool.failure(Buffer.from('no photo'))
    const left = readdirSync(pool.scratchDir, { recursive: true, encoding: 'utf8' })
    expect(new Set(left)).toEqual(new Set(['jobs', 'slot-0', 'slot-1', 'slot-2', 'slot-3']))
  })

  test('that is aborted ends at once, while it waits and while it is rendered', async () => {
    const pool = images()
    const [whileRendered, whileWaiting] = [new AbortController(), new AbortController()]
    const running = [1, 2, 3].map(() => stall(pool, { signal: whileRendered.signal }))
    await Promise.all(running.map(({ started }) => started))
    const waiting = stall(pool, { signal: whileWaiting.signal }).ended
    whileWaiting.abort(new Error('no longer needed'))
    await expect(waiting).rejects.toThrow('no longer needed')
    whileRendered.abort(new Error('not needed either'))
    for (const { ended } of running) await expect(ended).rejects.toThrow('not needed either')
    await expectRenders(pool)
  })

  test('is not at fault when the disk is full', async () => {
    const outcome = await images()
      .render(poison('disk-full'))
      .catch((error: unknown) => error)
    expect(outcome).toMatchObject({ name: 'Error', message: expect.stringContaining('could not write') })
    await expectRenders(images())
  })

  test('whose input or logo cannot be written ends with that error and leaves no files; without its logo it has no watermark', async () => {
    const { pool, scratchDir } = images()
    const missing = { writeInput: () => Promise.reject(new Error('no original')) }
    await expect(pool.renderPhoto(missing)).rejects.toThrow('no original')
    await expect(pool.renderSingle('logo', missing)).rejects.toThrow('no original')
    const withLogo = (writeLogo: (path: string) => Promise<boolean>): JobInput => {
      const { watermark, ...input } = jobInput(large, photo)
      return { ...input, watermark: { ...watermark!, writeLogo } }
    }
    const large = await jpeg({ width: 400, height: 400 })
    const writeBrokenLogo = async (path: string): Promise<boolean> => {
      writeFileSync(path, 'lo')
      throw new Error('the store is down')
    }
    await expect(pool.renderPhoto(withLogo(writeBrokenLogo))).rejects.toThrow('the store is down')
    expect(readdirSync(join(scratchDir, 'jobs'))).toEqual([])
    const job = await pool.renderPhoto(withLogo(async () => false))
    expect((await job.result).unmarked).toBeNull()
    await job.release()
  })

  test('can be rendered when the processes have just been killed', async () => {
    const pool = images()
    const killed = pool.pool.pids()
    for (const pid of killed) process.kill(pid, 'SIGKILL')
    // Each of them may still be given one photo before its exit is seen.
    for (const _ of killed) {
      const outcome = await pool.render(photo).then(
        () => 'rendered',
        (error: { kind?: string }) => error.kind,
      )
      expect(['rendered', 'crashed']).toContain(outcome)
    }
    await expectRenders(pool)
  })
})

test('a slot that cannot be cleared does not fail the photo that was rendered in it, nor the next one', async () => {
  const { pool, logged, scratchDir } = images()
  const slots = readdirSync(scratchDir).filter((name) => name.startsWith('slot-'))
  const rename = (from: string, to: string): void =>
    slots.forEach((slot) => renameSync(join(scratchDir, from + slot), join(scratchDir, to + slot)))
  const job = await pool.renderPhoto(jobInput(photo))
  // As soon as the photo is finished, before its slot is cleared.
  const { full } = await job.result.finally(() => rename('', 'moved-'))
  expect([full.lossless, existsSync(full.path)]).toEqual([true, true])
  await job.release()
  expect(logged.join('')).toContain('a slot could not be cleared')
  expect(existsSync(full.path)).toBe(false)
  rename('moved-', '')
  await expectRenders(images())
})

test('image processes are not replaced without a reason', async () => {
  const { pool, render } = images()
  const small = await jpeg({ width: 16, height: 16 })
  const renderTwelve = () => Promise.all(Array.from({ length: 12 }, () => render(small)))
  await renderTwelve()
  const before = pool.pids()
  expect(before.length).toBeGreaterThan(0)
  await renderTwelve()
  expect(pool.pids()).toEqual(expect.arrayContaining(before))
})

const listen = (server: Server, address: number | string): Promise<void> =>
  new Promise((resolve) =>
    typeof address === 'number' ? server.listen(address, '127.0.0.1', resolve) : server.listen(address, resolve),
  )

/** Files in a closed folder and servers that an image process must not reach. */
async function createTargets(): Promise<ProbeTargets> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsnap-closed-'))
  const [tcp, unix] = [createServer((socket) => socket.destroy()), createServer((socket) => socket.destroy())]
  await listen(tcp, 0)
  await listen(unix, join(folder, 'socket'))
  writeFileSync(join(folder, 'picture'), photo)
  chmodSync(folder, 0o700)
  onTestFinished(() => {
    tcp.close()
    unix.close()
    rmSync(folder, { recursive: true })
  })
  // `address` of a listening TCP server is never a string.
  const { port } = tcp.address() as AddressInfo
  return { port, socket: join(folder, 'socket'), picture: join(folder, 'picture'), folder, parent: process.pid }
}

const denied = /EACCES|EPERM|EINVAL|ERR_ACCESS|restricted|missing|permission|unable to open/i

test('an attacker in a decoder reaches no more than the start-up line says', async () => {
  const { render, pool } = images()
  const targets = await createTargets()
  const { thumb } = await render(poison('probe-isolation', JSON.stringify(targets)))
  // Written by `probeIsolation`.
  const results = JSON.parse(thumb.toString()) as Record<string, string>
  const has = (measure: string): boolean => pool.isolation.some((one) => one.startsWith(measure))
  const environment = JSON.parse(results['environment']!) as string[]
  expect(environment.filter((name) => !/^(MALLOC_|UV_|NODE_COMPILE_CACHE|VIPSHOME)/.test(name))).toEqual([])
  const allowed = (attempts: string[]): string[] => attempts.filter((attempt) => !denied.test(results[attempt]!))
  expect(allowed(['scriptReads', 'scriptWrites', 'parentEnvironment', 'fork', 'thread'])).toEqual([])
  expect(results['network']).toMatch(has('no network') ? /ENETUNREACH|ECONNREFUSED|EADDRNOTAVAIL/ : /^done$/)
  const byKernel = ['socket', 'nativeReads', 'nativeWrites', 'kill', 'root']
  expect(allowed(has('own user') ? byKernel : ['root'])).toEqual([])
  expect(existsSync(join(targets.folder, 'native'))).toBe(!has('own user'))
})

/** Whether this process may change its user, which root in a restricted container may not. */
function maySetUser(): boolean {
  if (process.platform !== 'linux') return false
  const capabilities = /^CapEff:\s+([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
  const needed = (1n << 7n) | (1n << 6n) | (1n << 0n)
  return (BigInt(`0x${capabilities}`) & needed) === needed
}

test('started by root, each process has a user of its own and no capabilities', async ({ skip }) => {
  skip(!maySetUser(), 'needs the right to change the user of a process')
  const { pool, render } = images()
  // The second one starts when photos wait.
  while (pool.pids().length < 2) await Promise.all([1, 2, 3, 4].map(() => render(photo)))
  const [one, other] = pool.pids().map((pid) => readFileSync(`/proc/${pid}/status`, 'utf8'))
  const userOf = (status = ''): string | undefined => /^Uid:\s+(\d+)/m.exec(status)?.[1]
  expect(userOf(one)).not.toBe('0')
  expect(userOf(one)).not.toBe(userOf(other))
  expect(one).toMatch(/^CapBnd:\s+0+$/m)
  expect(one).toMatch(/^NoNewPrivs:\s+1$/m)
  expect(pool.isolation).toContain(`own user ${userOf(one)}`)
})

test('image processes end when their parent process is killed, while they wait and in an endless loop', async ({
  skip,
}) => {
  skip(!existsSync('/proc/self/status'), 'reads /proc/PID/status')
  const dir = mkdtempSync(join(tmpdir(), 'keepsnap-killed-'))
  const child = spawn(process.execPath, [join(import.meta.dirname, '../test/pool-program.ts'), dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
    rmSync(dir, { recursive: true, force: true })
  })
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data) => resolve(String(data)))
    child.once('exit', () => reject(new Error('the program ended')))
  })
  const pids = JSON.parse(line) as number[] // written by our own program
  const isAlive = (pid: number): boolean => {
    try {
      // A zombie still has its process id.
      return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
    } catch {
      return false
    }
  }
  expect([pids.length, pids.filter(isAlive)]).toEqual([2, pids])
  child.kill('SIGKILL')
  await expect.poll(() => pids.filter(isAlive)).toEqual([])
})
