import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ImagePoolOptions } from './open-slots.ts'
import { jobInput, openTestPool, type TestPool } from '../test/test-pool.ts'
import { jpeg } from '../test/sample-images.ts'

const poison = (deed: string): Buffer => Buffer.from(`POISON ${deed}`)
const entry = join(import.meta.dirname, '../test/poison-process.ts')
const MB = 1024 * 1024

async function poisonable(options: Partial<ImagePoolOptions> = {}): Promise<TestPool> {
  const pool = await openTestPool({ entry, ...options })
  onTestFinished(() => pool.close())
  return pool
}

/** A photo whose rendering gets as far as its thumbnail, and no further. */
function stalled({ pool }: TestPool, signal?: AbortSignal): { begun: Promise<unknown>; ended: Promise<unknown> } {
  const job = pool.renderPhoto(jobInput(poison('stall')), signal)
  const ended = job.then(({ result, release }) => result.finally(release))
  ended.catch(() => {})
  const begun = job.then(({ thumbnail }) => thumbnail)
  begun.catch(() => {})
  return { begun, ended }
}

/** Resolves when two photos are being made at the same moment, and after they were given up. */
async function bothAtWork(pool: TestPool): Promise<void> {
  const over = new AbortController()
  const both = [stalled(pool, over.signal), stalled(pool, over.signal)]
  await Promise.all(both.map(({ begun }) => begun))
  expect(pool.pool.pids()).toHaveLength(2)
  over.abort(new Error('seen'))
  await Promise.allSettled(both.map(({ ended }) => ended))
}

describe.runIf(process.platform === 'linux')('an image process steps back for everybody else', () => {
  /** Of proc_pid_stat(5), from the third field on: the command before it may hold anything. */
  const statOf = (path: string): string[] => readFileSync(path, 'latin1').split(') ').at(-1)!.split(' ')
  const sessionOf = (pid: number): string => statOf(`/proc/${pid}/stat`)[3]!

  test('by its niceness, in the session of its parent, outside of which it would not count', async () => {
    const pool = await openTestPool()
    onTestFinished(() => pool.close())
    await pool.render(await jpeg())
    const [pid] = pool.pool.pids()
    expect(sessionOf(pid!)).toBe(sessionOf(process.pid))
    const threads = readdirSync(`/proc/${pid}/task`)
    expect(threads.length).toBeGreaterThan(3)
    for (const thread of threads) expect(statOf(`/proc/${pid}/task/${thread}/stat`)[16]).toBe('10')
  })

  test('and is not ended by what a terminal or a service manager sends to all of a group', async () => {
    const pool = await openTestPool()
    onTestFinished(() => pool.close())
    const [pid] = pool.pool.pids()
    const made = pool.render(await jpeg({ width: 3000, height: 2000 }))
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid!, signal)
    expect((await made).photo.full.lossless).toBe(true)
    expect(pool.pool.pids()).toEqual([pid])
  })
})

describe('a decoder gone wrong costs one attempt and nobody else', () => {
  test('a crash may be tried again; other photos are made meanwhile and after', async () => {
    const pool = await poisonable({ size: 2 })
    const photo = await jpeg()
    const others = Promise.all([pool.render(photo), pool.render(photo), pool.render(photo)])
    for (const deed of ['segfault', 'abort', 'leave', 'chatter', 'flood', 'nothing', 'lie', 'empty', 'bug'])
      expect(await pool.failure(poison(deed))).toMatchObject({
        kind: 'crashed',
        sentence: expect.stringMatching(/upload it again/),
      })
    expect((await others).length).toBe(3)
    expect((await pool.render(photo)).photo.full.lossless).toBe(true)
  })

  test('a process that never comes to an end is stopped, and that is final', async () => {
    const pool = await poisonable({ size: 2, limits: { baseMs: 2_500, msPerMegapixel: 0 } })
    const photo = await jpeg()
    const [loop, hang] = await Promise.all([pool.failure(poison('loop')), pool.failure(poison('hang'))])
    expect([loop, hang]).toMatchObject([{ kind: 'timeout' }, { kind: 'timeout' }])
    expect((await pool.render(photo)).photo.full.lossless).toBe(true)
  })

  test.runIf(existsSync('/proc/self/status'))('a process that eats memory is stopped, and that is final', async () => {
    const pool = await poisonable({ limits: { baseBytes: 200 * MB, bytesPerMegapixel: 0 } })
    expect(await pool.failure(poison('eat'))).toMatchObject({ kind: 'memory' })
    const peak = /"peakMb":(\d+)/.exec(pool.logged.join(''))
    expect(Number(peak?.[1])).toBeLessThan(600)
    expect((await pool.render(await jpeg())).photo.full.lossless).toBe(true)
  })

  test('what lies where an image should be, and is no plain file, is not taken along', async () => {
    const pool = await poisonable()
    expect((await pool.failure(poison('link /etc/passwd'))).kind).toBe('crashed')
    expect((await pool.failure(poison('link in'))).kind).toBe('crashed')
    expect((await pool.failure(poison('swap'))).kind).toBe('crashed')
    expect((await pool.failure(poison('swap /etc/passwd'))).kind).toBe('crashed')
    expect((await pool.failure(poison('folder full'))).kind).toBe('crashed')
    expect((await pool.failure(poison('folder thumb'))).kind).toBe('crashed')
    expect(readdirSync(join(pool.scratchDir, 'jobs'))).toEqual([])
  })
})

describe('a photo on its way', () => {
  test('has its thumbnail announced before it is finished', async () => {
    const pool = await poisonable()
    const order: string[] = []
    const job = await pool.pool.renderPhoto(jobInput(await jpeg({ width: 800, height: 600 })))
    const thumbnail = job.thumbnail.then((file) => (order.push('thumbnail'), file))
    const full = job.result.then((photo) => (order.push('full'), photo.full))
    for (const { path, bytes } of [await thumbnail, await full]) expect(readFileSync(path)).toHaveLength(bytes)
    expect(order).toEqual(['thumbnail', 'full'])
    await job.release()
  })

  test('leaves nothing behind', async () => {
    const pool = await poisonable()
    await pool.render(await jpeg())
    await pool.failure(poison('segfault'))
    await pool.failure(Buffer.from('no photo'))
    const left = readdirSync(pool.scratchDir, { recursive: true, encoding: 'utf8' })
    expect(new Set(left)).toEqual(new Set(['jobs', 'slot-0']))
  })

  test('that is no longer wanted is dropped, in the queue and at work', async () => {
    const pool = await poisonable()
    const working = new AbortController()
    const waiting = new AbortController()
    const atWork = stalled(pool, working.signal)
    await atWork.begun
    const inQueue = stalled(pool, waiting.signal).ended
    waiting.abort(new Error('not wanted'))
    await expect(inQueue).rejects.toThrow('not wanted')
    working.abort(new Error('not wanted either'))
    await expect(atWork.ended).rejects.toThrow('not wanted either')
    expect((await pool.render(await jpeg())).photo.full.lossless).toBe(true)
  })

  test('is not at fault when the disk is full', async () => {
    const pool = await poisonable()
    const end = await pool.render(poison('full')).catch((error: unknown) => error)
    expect(end).toMatchObject({ name: 'Error', message: expect.stringContaining('could not write') })
    expect((await pool.render(await jpeg())).photo.full.lossless).toBe(true)
  })

  test('whose input cannot be written ends with that error', async () => {
    const pool = await poisonable()
    const photo = await jpeg()
    const lost = { writeInput: () => Promise.reject(new Error('no original')) }
    await expect(pool.pool.renderPhoto(lost)).rejects.toThrow('no original')
    await expect(pool.pool.renderSingle('logo', lost)).rejects.toThrow('no original')
    expect((await pool.render(photo)).photo.full.lossless).toBe(true)
  })

  test('is not lost when its process was replaced just before', async () => {
    const pool = await poisonable()
    process.kill(pool.pool.pids()[0]!, 'SIGKILL')
    const photo = await jpeg()
    const first = await pool.render(photo).catch(({ kind }) => kind)
    const { made } = first === 'crashed' ? await pool.render(photo) : first
    expect(made.full.lossless).toBe(true)
  })
})

describe('image processes', () => {
  test('are replaced when they have grown', async () => {
    const pool = await poisonable({ growthLimits: { afterRequestBytes: 0, whenIdleBytes: 0 } })
    const photo = await jpeg({ width: 3000, height: 2000 })
    const before = pool.pool.pids()
    for (let i = 0; i < 3; i++) expect((await pool.render(photo)).photo.full.lossless).toBe(true)
    expect(pool.pool.pids()).not.toEqual(before)
  })

  test('stay the same as long as nothing happens to them', async () => {
    const pool = await poisonable({ size: 2 })
    const photo = await jpeg()
    await bothAtWork(pool)
    const before = pool.pool.pids()
    await Promise.all(Array.from({ length: 12 }, () => pool.render(photo)))
    expect(pool.pool.pids()).toEqual(before)
  })

  test('are few while few photos come, more when photos wait, and few again after a quiet while', async () => {
    const pool = await poisonable({ size: 2, stopIdleAfterMs: 100 })
    await pool.render(await jpeg())
    expect(pool.pool.pids()).toHaveLength(1)
    await bothAtWork(pool)
    await expect.poll(() => pool.pool.pids().length, { timeout: 5_000 }).toBe(1)
    await bothAtWork(pool)
  })

  test('end with the pool, and what they were at is told', async () => {
    const pool = await openTestPool({ entry })
    const pids = pool.pool.pids()
    const hanging = stalled(pool)
    await hanging.begun
    const ends = Promise.allSettled([hanging.ended, pool.render(await jpeg())])
    await pool.close()
    expect(await ends).toMatchObject([
      { reason: { kind: 'crashed' } },
      { reason: { message: 'the image pool is closed' } },
    ])
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  test('that cannot start at all stop the start with the reason', async () => {
    await expect(openTestPool({ entry: join(import.meta.dirname, '../test/no-such-file.ts') })).rejects.toThrow(
      /exited before it was ready/,
    )
  })
})
