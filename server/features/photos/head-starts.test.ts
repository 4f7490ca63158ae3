import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { ImagePool } from '../../images/pool.ts'
import type { Made, MadeThumbnail } from '../../images/pictures.ts'
import { openPool } from '../../images/test/making.ts'
import { jpeg, noise } from '../../images/test/pictures.ts'
import { serverForThisTest } from '../../test/harness.ts'
import { givePlan, makeUser, upload } from '../../test/makers.ts'
import { expectConsistent, letTimePass } from '../../test/oracle.ts'
import { createHeadStarts, type HeadStarts } from './head-starts.ts'

const poisonable = join(import.meta.dirname, '../../images/test/poison-child.ts')
const photo = await jpeg({ width: 1200, height: 800 })

const filesIn = (scratchDir: string): string[] => readdirSync(join(scratchDir, 'jobs'))

/** A pool and head starts on it; `filesLeft` are those of photos that are still held. */
async function openStarts(options: { entry?: string; expireAfterMs?: number } = {}) {
  const { expireAfterMs, ...forPool } = options
  const pool = await openPool(forPool)
  onTestFinished(() => pool.close())
  const starts = createHeadStarts(expireAfterMs === undefined ? {} : { expireAfterMs })
  starts.useProcesses(pool.pool)
  const filesLeft = () => filesIn(pool.scratchDir)
  const made = () => filesLeft().filter((name) => name.endsWith('-full')).length
  return { pool, starts, filesLeft, made }
}

const place = (bytes: Buffer) => (path: string) => writeFile(path, bytes)

/** What a job gets, in the order in which it gets it. */
function listen() {
  const heard: string[] = []
  return {
    heard,
    rest: {
      onThumbnail: ({ width, height }: MadeThumbnail) => void heard.push(`thumbnail of ${width} x ${height}`),
      async take({ full, thumbnail }: Made) {
        heard.push('files')
        return { full: await readFile(full.path), thumb: await readFile(thumbnail.path) }
      },
    },
  }
}
const inOrder = ['thumbnail of 1200 x 800', 'files']

describe('a photo that began before its job came', () => {
  test('goes on from where it is: before its thumbnail, or when all is made', async () => {
    const parts = await openStarts()
    const whole = await parts.pool.make(photo)
    for (const made of [0, 1]) {
      void parts.starts.begin('one', place(photo))
      await expect.poll(parts.made).toBe(made)
      const { heard, rest } = listen()
      const taken = await parts.starts.take('one', rest)
      expect(heard).toEqual(inOrder)
      expect([taken?.full.equals(whole.full), taken?.thumb.equals(whole.thumb)]).toEqual([true, true])
      expect(parts.starts.take('one', rest)).toBeUndefined()
      expect(parts.filesLeft()).toEqual([])
    }
  })

  test('ends as a photo ends that cannot be made', async () => {
    const { starts, pool, filesLeft } = await openStarts({ entry: poisonable })
    void starts.begin('one', place(Buffer.from('POISON segfault')))
    await expect(starts.take('one', listen().rest)).rejects.toMatchObject({ kind: 'crashed' })
    const random = noise(7)
    void starts.begin('two', place(Buffer.concat([photo.subarray(0, 700), Buffer.from([random() * 256])])))
    await expect(starts.take('two', listen().rest)).rejects.toMatchObject({ kind: 'refused' })
    expect((await pool.make(photo)).made.full.kept).toBe(true)
    expect(filesLeft()).toEqual([])
  })

  test('tells its job what went wrong with taking the files, and is gone', async () => {
    const { starts, filesLeft } = await openStarts()
    void starts.begin('one', place(photo))
    const failing = starts.take('one', { take: () => Promise.reject(new Error('the store is away')) })
    await expect(failing).rejects.toThrow('the store is away')
    expect(filesLeft()).toEqual([])
  })

  test.each([
    ['when there will be no job', {}, (starts: HeadStarts) => starts.drop('one')],
    ['when none comes', { expireAfterMs: 50 }, () => {}],
  ])('leaves nothing %s', async (_, options, end) => {
    const parts = await openStarts(options)
    await parts.starts.begin('one', place(photo))
    end(parts.starts)
    await expect.poll(parts.pool.pool.isFree).toBe(true)
    await expect.poll(parts.filesLeft).toEqual([])
    expect(parts.starts.take('one', listen().rest)).toBeUndefined()
  })
})

test('a photo does not begin while others are at work, nor where nobody makes photos', async () => {
  const { starts, pool } = await openStarts({ entry: poisonable })
  const over = new AbortController()
  const stalled = pool.pool.render({
    place: place(Buffer.from('POISON stall')),
    take: async () => {},
    signal: over.signal,
  })
  await expect.poll(() => pool.pool.isFree()).toBe(false)
  void starts.begin('one', place(photo))
  expect(starts.take('one', listen().rest)).toBeUndefined()
  over.abort(new Error('seen'))
  await expect(stalled).rejects.toThrow('seen')
  const nowhere = createHeadStarts()
  void nowhere.begin('one', place(photo))
  expect(nowhere.take('one', listen().rest)).toBeUndefined()
})

test('those that wait for their jobs are few', async () => {
  const parts = await openStarts()
  const names = Array.from({ length: 12 }, (_, n) => `photo ${n}`)
  const small = await jpeg({ width: 16, height: 16 })
  for (const [at, name] of names.entries()) {
    await parts.starts.begin(name, place(small))
    await expect.poll(parts.made).toBe(Math.min(at + 1, 8))
    await expect.poll(parts.pool.pool.isFree).toBe(true)
  }
  const taken = names.map(async (name) => parts.starts.take(name, { take: async () => name }))
  expect(await Promise.all(taken)).toEqual([...names.slice(0, 8), ...Array.from({ length: 4 })])
})

describe('an upload', () => {
  /** A server whose uploads may begin; `rendered` counts photos that image processes have made. */
  async function beginning() {
    const server = await serverForThisTest()
    const images = await server.images()
    let rendered = 0
    const counting: ImagePool = { ...images, render: (job) => ((rendered += 1), images.render(job)) }
    server.app.deps.headStarts.useProcesses(counting)
    const user = await makeUser(server)
    const filesLeft = () => filesIn(join(server.dir, 'scratch'))
    return { server, user, rendered: () => rendered, filesLeft }
  }

  test('has its photo made before it is answered, once', async () => {
    const { server, user, rendered } = await beginning()
    const { id, processing_complete: atOnce } = (await upload(server, user, photo)).json<Photo>()
    expect([atOnce, rendered()]).toEqual([false, 1])
    const images = await server.images()
    await expect.poll(images.isFree).toBe(true)
    await server.work()
    const seen = await server.request({ method: 'GET', url: `/photos/${id}`, token: user.token })
    expect(seen.json()).toMatchObject({ processing_complete: true, width: 1200, height: 800 })
    const { rows } = await server.app.deps.pool.query('select attempt, state from photos')
    expect([rows, rendered()]).toEqual([[{ attempt: 1, state: 'ready' }], 1])
    await expectConsistent(server)
  })

  test('that is refused in the end leaves nothing of it', async () => {
    const { server, user, rendered, filesLeft } = await beginning()
    await upload(server, user, photo)
    await server.work()
    await server.app.deps.pool.query('update photos set full_bytes = 1024::bigint * 1024 * 1024 - 1')
    expect((await upload(server, user, photo)).statusCode).toBe(403)
    expect(rendered()).toBe(2)
    await expect.poll(filesLeft).toEqual([])
    expect((await server.app.deps.pool.query('select 1 from photos')).rowCount).toBe(1)
    await letTimePass(server)
  })

  test('whose photo gets a logo waits for its job, which knows the logo', async () => {
    const { server, user, rendered } = await beginning()
    await givePlan(server, user, 'pro_yearly')
    await server.app.deps.pool.query('update users set use_logo_as_watermark = true')
    expect((await upload(server, user, photo)).statusCode).toBe(201)
    expect(rendered()).toBe(0)
    await server.work()
    expect(rendered()).toBe(0)
    expect((await server.app.deps.pool.query('select state from photos')).rows).toEqual([{ state: 'ready' }])
  })

  test('whose photo is deleted before its job comes is not made after all', async () => {
    const { server, user, filesLeft } = await beginning()
    const { id } = (await upload(server, user, photo)).json<Photo>()
    await server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
    await expect.poll(filesLeft).toContain('1-full')
    await server.work()
    await expect.poll(filesLeft).toEqual([])
    await expectConsistent(server)
  })
})
