import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ImagePoolOptions } from './pool.ts'
import { openPool, type TestPool } from './test/making.ts'
import { jpeg } from './test/pictures.ts'

const poison = (deed: string): Buffer => Buffer.from(`POISON ${deed}`)
const entry = join(import.meta.dirname, 'test/poison-child.ts')
const MB = 1024 * 1024

async function poisonable(options: Partial<ImagePoolOptions> = {}): Promise<TestPool> {
  const pool = await openPool({ entry, ...options })
  onTestFinished(() => pool.close())
  return pool
}

/** A photo whose making gets as far as its thumbnail, and no further. */
function stalled({ pool }: TestPool, signal?: AbortSignal): { begun: Promise<void>; ended: Promise<unknown> } {
  const { promise: begun, resolve } = Promise.withResolvers<void>()
  const ended = pool.render({
    place: (path) => writeFile(path, poison('stall')),
    onThumbnail: () => resolve(),
    take: async () => 'made',
    ...(signal && { signal }),
  })
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
    const pool = await openPool()
    onTestFinished(() => pool.close())
    await pool.make(await jpeg())
    const [pid] = pool.pool.pids()
    expect(sessionOf(pid!)).toBe(sessionOf(process.pid))
    const threads = readdirSync(`/proc/${pid}/task`)
    expect(threads.length).toBeGreaterThan(3)
    for (const thread of threads) expect(statOf(`/proc/${pid}/task/${thread}/stat`)[16]).toBe('10')
  })

  test('and is not ended by what a terminal or a service manager sends to all of a group', async () => {
    const pool = await openPool()
    onTestFinished(() => pool.close())
    const [pid] = pool.pool.pids()
    const made = pool.make(await jpeg({ width: 3000, height: 2000 }))
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid!, signal)
    expect((await made).made.full.kept).toBe(true)
    expect(pool.pool.pids()).toEqual([pid])
  })
})

describe('a decoder gone wrong costs one attempt and nobody else', () => {
  test('a crash may be tried again; other photos are made meanwhile and after', async () => {
    const pool = await poisonable({ size: 2 })
    const photo = await jpeg()
    const others = Promise.all([pool.make(photo), pool.make(photo), pool.make(photo)])
    for (const deed of ['segfault', 'abort', 'leave', 'chatter', 'flood', 'nothing', 'lie', 'empty', 'bug'])
      expect(await pool.failure(poison(deed))).toMatchObject({
        kind: 'crashed',
        sentence: expect.stringMatching(/once more/),
      })
    expect((await others).length).toBe(3)
    expect((await pool.make(photo)).made.full.kept).toBe(true)
  })

  test('a process that never comes to an end is stopped, and that is final', async () => {
    const pool = await poisonable({ size: 2, limits: { baseMs: 2_500, msPerMegapixel: 0 } })
    const photo = await jpeg()
    const [loop, hang] = await Promise.all([pool.failure(poison('loop')), pool.failure(poison('hang'))])
    expect([loop, hang]).toMatchObject([{ kind: 'timeout' }, { kind: 'timeout' }])
    expect((await pool.make(photo)).made.full.kept).toBe(true)
  })

  test.runIf(existsSync('/proc/self/status'))('a process that eats memory is stopped, and that is final', async () => {
    const pool = await poisonable({ limits: { baseBytes: 200 * MB, bytesPerMegapixel: 0 } })
    expect(await pool.failure(poison('eat'))).toMatchObject({ kind: 'memory' })
    const peak = /"peakMb":(\d+)/.exec(pool.logged.join(''))
    expect(Number(peak?.[1])).toBeLessThan(600)
    expect((await pool.make(await jpeg())).made.full.kept).toBe(true)
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
    const told: string[] = []
    const photo = await jpeg({ width: 800, height: 600 })
    await pool.pool.render({
      place: (path) => writeFile(path, photo),
      onThumbnail: ({ path, bytes }) => told.push(`thumbnail ${readFileSync(path).length === bytes}`),
      take: async ({ full }) => told.push(`full ${readFileSync(full.path).length === full.bytes}`),
    })
    expect(told).toEqual(['thumbnail true', 'full true'])
  })

  test('leaves nothing behind', async () => {
    const pool = await poisonable()
    await pool.make(await jpeg())
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
    expect((await pool.make(await jpeg())).made.full.kept).toBe(true)
  })

  test('is not at fault when the disk is full', async () => {
    const pool = await poisonable()
    const end = await pool.make(poison('full')).catch((error: unknown) => error)
    expect(end).toMatchObject({ name: 'Error', message: expect.stringContaining('could not write') })
    expect((await pool.make(await jpeg())).made.full.kept).toBe(true)
  })

  test('that cannot be laid ready or taken away ends with that error', async () => {
    const pool = await poisonable()
    const photo = await jpeg()
    const lost = pool.pool.render({ place: () => Promise.reject(new Error('no original')), take: async () => 1 })
    await expect(lost).rejects.toThrow('no original')
    const full = pool.pool.render({
      place: (path) => writeFile(path, photo),
      take: () => Promise.reject(new Error('disk full')),
    })
    await expect(full).rejects.toThrow('disk full')
    expect((await pool.make(photo)).made.full.kept).toBe(true)
  })

  test('is not lost when its process was replaced just before', async () => {
    const pool = await poisonable()
    process.kill(pool.pool.pids()[0]!, 'SIGKILL')
    const photo = await jpeg()
    const first = await pool.make(photo).catch(({ kind }) => kind)
    const { made } = first === 'crashed' ? await pool.make(photo) : first
    expect(made.full.kept).toBe(true)
  })
})

describe('image processes', () => {
  test('are replaced when they have grown', async () => {
    const pool = await poisonable({ grown: { workingBytes: 0, idleBytes: 0 } })
    const photo = await jpeg({ width: 3000, height: 2000 })
    const before = pool.pool.pids()
    for (let i = 0; i < 3; i++) expect((await pool.make(photo)).made.full.kept).toBe(true)
    expect(pool.pool.pids()).not.toEqual(before)
  })

  test('stay the same as long as nothing happens to them', async () => {
    const pool = await poisonable({ size: 2 })
    const photo = await jpeg()
    await bothAtWork(pool)
    const before = pool.pool.pids()
    await Promise.all(Array.from({ length: 12 }, () => pool.make(photo)))
    expect(pool.pool.pids()).toEqual(before)
  })

  test('are few while few photos come, more when photos wait, and few again after a quiet while', async () => {
    const pool = await poisonable({ size: 2, coolAfterMs: 100 })
    await pool.make(await jpeg())
    expect(pool.pool.pids()).toHaveLength(1)
    await bothAtWork(pool)
    await expect.poll(() => pool.pool.pids().length, { timeout: 5_000 }).toBe(1)
    await bothAtWork(pool)
  })

  test('end with the pool, and what they were at is told', async () => {
    const pool = await openPool({ entry })
    const pids = pool.pool.pids()
    const hanging = stalled(pool)
    await hanging.begun
    const ends = Promise.allSettled([hanging.ended, pool.make(await jpeg())])
    await pool.close()
    expect(await ends).toMatchObject([{ reason: { kind: 'crashed' } }, { reason: { message: 'closed' } }])
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  test('that cannot start at all stop the start with the reason', async () => {
    await expect(openPool({ entry: join(import.meta.dirname, 'test/no-such-file.ts') })).rejects.toThrow(
      /ended before it reported/,
    )
  })
})
