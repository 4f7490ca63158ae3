import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { poison, type ImageProcessFault } from '../test/poison.ts'
import { jpeg } from '../test/sample-images.ts'
import { nicenessOfThreads } from '../test/thread-niceness.ts'
import { jobInput, openTestPool, poisonProcess, sharedTestPool, type TestPool } from '../test/test-pool.ts'
import type { ImagePoolOptions } from './open-slots.ts'

const MB = 1024 * 1024
const photo = await jpeg()

/** On a busy machine a photo takes long, for which a process is replaced, and one that waits for work is stopped. */
const keepsProcesses = { longRequestMs: 600_000, stopIdleAfterMs: 600_000 }

/** Two image processes that may be poisoned. */
const images = sharedTestPool({ entry: poisonProcess, size: 2, ...keepsProcesses })

/** A pool with options of its own. */
async function openPool(options: Partial<ImagePoolOptions>): Promise<TestPool> {
  const pool = await openTestPool({ entry: poisonProcess, ...options })
  onTestFinished(() => pool.close())
  return pool
}

/** A photo whose rendering stops after its thumbnail until it is aborted. */
function stall({ pool }: TestPool, signal?: AbortSignal): { started: Promise<unknown>; ended: Promise<unknown> } {
  const job = pool.renderPhoto(jobInput(poison('stall')), signal)
  const ended = job.then(({ result, release }) => result.finally(release))
  ended.catch(() => {})
  const started = job.then(({ thumbnail }) => thumbnail)
  started.catch(() => {})
  return { started, ended }
}

/** Makes two processes of a pool work at the same time, and then idle. Another one starts when their photos take long. */
async function useTwoProcesses(pool: TestPool): Promise<void> {
  const abort = new AbortController()
  const both = [stall(pool, abort.signal), stall(pool, abort.signal)]
  await Promise.all(both.map(({ started }) => started))
  expect(pool.pool.pids().length).toBeGreaterThanOrEqual(2)
  abort.abort(new Error('seen'))
  await Promise.allSettled(both.map(({ ended }) => ended))
}

const expectRenders = async (pool: TestPool): Promise<void> =>
  expect((await pool.render(photo)).photo.full.lossless).toBe(true)

describe('an image process', () => {
  beforeEach(({ skip }) => skip(process.platform !== 'linux', 'reads /proc'))
  const unpoisoned = sharedTestPool(keepsProcesses)
  /** Field 6 of proc_pid_stat(5), counted from the third one: the command before it may contain any character. */
  const sessionOf = (pid: number): string =>
    readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')[3]!

  test('has a low priority in each thread, in the session of its parent: niceness counts only within one', async () => {
    await expectRenders(unpoisoned())
    const [pid] = unpoisoned().pool.pids()
    expect(sessionOf(pid!)).toBe(sessionOf(process.pid))
    const niceness = nicenessOfThreads(pid!)
    expect(niceness.length).toBeGreaterThan(3)
    expect(new Set(niceness)).toEqual(new Set([10]))
  })

  test('has the lowest priority once a job has taken long', async () => {
    const pool = await openPool({})
    const abort = new AbortController()
    const [pid] = pool.pool.pids()
    const { started, ended } = stall(pool, abort.signal)
    await started
    await expect.poll(() => new Set(nicenessOfThreads(pid!))).toEqual(new Set([19]))
    abort.abort(new Error('seen'))
    await Promise.allSettled([ended])
  })

  test('ignores the signals that a terminal or a service manager sends to a process group', async () => {
    const { pool } = unpoisoned()
    const [pid] = pool.pids()
    const job = await pool.renderPhoto(jobInput(await jpeg({ width: 1600, height: 1200 })))
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid!, signal)
    expect((await job.result).full.lossless).toBe(true)
    await job.release()
    await expectRenders(unpoisoned())
    expect(pool.pids()).toContain(pid)
  })
})

describe('a misbehaving image process fails only its own photo', () => {
  test('a crash may be tried again; other photos are rendered meanwhile and afterwards', async () => {
    const pool = images()
    const others = Promise.all([pool.render(photo), pool.render(photo), pool.render(photo)])
    const crashes: ImageProcessFault[] = ['segfault', 'abort', 'exit', 'chatter', 'flood']
    const wrongReplies: ImageProcessFault[] = ['no-thumbnail', 'no-files', 'empty-file', 'bug']
    const exits = () => pool.logged.filter((line) => line.includes('an image process exited')).length
    const exitsBefore = exits()
    for (const fault of [...crashes, ...wrongReplies])
      expect(await pool.failure(poison(fault))).toMatchObject({
        kind: 'crashed',
        sentence: expect.stringMatching(/upload it again/),
      })
    expect(exits() - exitsBefore).toBe(crashes.length)
    expect(await others).toHaveLength(3)
    await expectRenders(pool)
  })

  test('a process that does not finish in time is stopped, and that is final', async () => {
    // A good photo reports its size and gets more time, however busy the machine is.
    const pool = await openPool({ size: 2, limits: { baseMs: 3_000, msPerMegapixel: 100_000 } })
    const [loop, hang] = await Promise.all([pool.failure(poison('loop')), pool.failure(poison('hang'))])
    expect([loop, hang]).toMatchObject([{ kind: 'timeout' }, { kind: 'timeout' }])
    await expectRenders(pool)
  })

  test('the CPU time of a photo is that of its process, without the time in which that did not run', async ({
    skip,
  }) => {
    skip(!existsSync('/proc/self/schedstat'), 'reads /proc/PID/schedstat')
    const abort = new AbortController()
    const job = await images().pool.renderPhoto(jobInput(poison('stall')), abort.signal)
    await job.thumbnail
    setTimeout(() => abort.abort(new Error('seen')), 1_000)
    await expect(job.result).rejects.toThrow('seen')
    await job.release()
    expect(job.cpuMs()).toBeGreaterThan(0)
    expect(job.cpuMs()).toBeLessThan(800)
  })

  test('a process that uses too much memory is stopped, and that is final', async ({ skip }) => {
    skip(!existsSync('/proc/self/status'), 'reads /proc/PID/status')
    const pool = await openPool({ limits: { baseMs: 60_000, baseBytes: 200 * MB, bytesPerMegapixel: 0 } })
    expect(await pool.failure(poison('memory'))).toMatchObject({ kind: 'memory' })
    const peak = /"exceeded":"memory","peakMb":(\d+)/.exec(pool.logged.join(''))
    expect(Number(peak?.[1])).toBeLessThan(600)
    await expectRenders(pool)
  })

  test('an output that is not a regular file of its own is not accepted', async () => {
    const pool = images()
    const wrongOutputs: [ImageProcessFault, argument?: string][] = [
      ['full-is-link', '/etc/passwd'],
      ['full-is-link', 'in'],
      ['input-replaced'],
      ['input-replaced', '/etc/passwd'],
      ['full-is-folder'],
      ['thumbnail-is-folder'],
    ]
    const pids = pool.pool.pids()
    for (const [fault, argument] of wrongOutputs)
      expect((await pool.failure(poison(fault, argument))).kind).toBe('crashed')
    // The process reported success: what it left was refused.
    expect(pool.pool.pids()).toEqual(expect.arrayContaining(pids))
    expect(readdirSync(join(pool.scratchDir, 'jobs'))).toEqual([])
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
    await pool.render(photo)
    await pool.failure(poison('segfault'))
    await pool.failure(Buffer.from('no photo'))
    const left = readdirSync(pool.scratchDir, { recursive: true, encoding: 'utf8' })
    expect(new Set(left)).toEqual(new Set(['jobs', 'slot-0', 'slot-1', 'slot-2', 'slot-3']))
  })

  test('that is aborted ends at once, while it waits and while it is rendered', async () => {
    const pool = images()
    const [whileRendered, whileWaiting] = [new AbortController(), new AbortController()]
    const running = [stall(pool, whileRendered.signal), stall(pool, whileRendered.signal)]
    await Promise.all(running.map(({ started }) => started))
    const waiting = stall(pool, whileWaiting.signal).ended
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

  test('whose input cannot be written ends with that error', async () => {
    const { pool } = images()
    const missing = { writeInput: () => Promise.reject(new Error('no original')) }
    await expect(pool.renderPhoto(missing)).rejects.toThrow('no original')
    await expect(pool.renderSingle('logo', missing)).rejects.toThrow('no original')
    await expectRenders(images())
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

describe('image processes', () => {
  test('are replaced when they have grown', async () => {
    const pool = await openPool({ growthLimits: { afterRequestBytes: 0, whenIdleBytes: 0 } })
    const before = pool.pool.pids()
    const larger = await jpeg({ width: 1200, height: 800 })
    for (let i = 0; i < 2; i++) expect((await pool.render(larger)).photo.full.lossless).toBe(true)
    expect(pool.pool.pids()).not.toEqual(before)
  })

  test('are not replaced without a reason', async () => {
    const pool = await openPool({ size: 2, ...keepsProcesses })
    const small = await jpeg({ width: 16, height: 16 })
    const renderTwelve = () => Promise.all(Array.from({ length: 12 }, () => pool.render(small)))
    await renderTwelve()
    const before = pool.pool.pids()
    expect(before.length).toBeGreaterThan(0)
    await renderTwelve()
    expect(pool.pool.pids()).toEqual(expect.arrayContaining(before))
  })

  test('start when photos wait, and all but one stop when idle', async () => {
    const pool = await openPool({ ...keepsProcesses, size: 2, stopIdleAfterMs: 100 })
    await pool.render(photo)
    expect(pool.pool.pids()).toHaveLength(1)
    await useTwoProcesses(pool)
    await expect.poll(() => pool.pool.pids().length).toBe(1)
    await useTwoProcesses(pool)
  })

  test('end with the pool, and their jobs reject', async () => {
    const pool = await openTestPool({ entry: poisonProcess })
    const pids = pool.pool.pids()
    const running = stall(pool)
    await running.started
    const ends = Promise.allSettled([running.ended, pool.render(photo)])
    await pool.close()
    expect(await ends).toMatchObject([
      { reason: { kind: 'crashed' } },
      { reason: { message: 'the image pool is closed' } },
    ])
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  test('that cannot start reject the pool with the reason', async () => {
    await expect(openTestPool({ entry: join(import.meta.dirname, '../test/no-such-file.ts') })).rejects.toThrow(
      /exited before it was ready/,
    )
  })
})
