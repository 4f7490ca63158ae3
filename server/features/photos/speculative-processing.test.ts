import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { ImagePool } from '../../images/sandbox/image-pool.ts'
import { poison } from '../../images/test/poison.ts'
import { jobInput, openTestPool, poisonProcess } from '../../images/test/test-pool.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { serverForThisTest } from '../../test/harness.ts'
import { grantPlan, makeUser, upload } from '../../test/test-data.ts'
import { expectConsistent, runOverdueWork } from '../../test/consistency-check.ts'
import { createSpeculativeProcessing, type SpeculativeProcessing } from './speculative-processing.ts'

const photo = await jpeg({ width: 600, height: 400 })

const filesIn = (scratchDir: string): string[] => readdirSync(join(scratchDir, 'jobs'))

/** A pool and speculative processing with it. */
async function openSpeculative(options: { entry?: string; expireAfterMs?: number } = {}) {
  const { expireAfterMs, ...poolOptions } = options
  const pool = await openTestPool(poolOptions)
  onTestFinished(() => pool.close())
  const speculative = createSpeculativeProcessing(expireAfterMs === undefined ? {} : { expireAfterMs })
  speculative.useImages(pool.pool)
  const jobFiles = () => filesIn(pool.scratchDir)
  const renderedPhotos = () => jobFiles().filter((name) => name.endsWith('-full')).length
  const start = (id: string, bytes: Buffer) => speculative.start(id, (path) => writeFile(path, bytes))
  return { pool, speculative, start, jobFiles, renderedPhotos }
}

/** Claims a photo as its job does, reads its files and releases it. */
async function claimFiles(speculative: SpeculativeProcessing, id: string): Promise<{ full: Buffer; thumb: Buffer }> {
  const job = speculative.claim(id)
  if (!job) throw new Error('was not started')
  try {
    const thumb = await readFile((await job.thumbnail).path)
    return { thumb, full: await readFile((await job.result).full.path) }
  } finally {
    await job.release()
  }
}

describe('a photo that was started during its upload', () => {
  test('is claimed by its job, while it is being rendered or afterwards', async () => {
    const { speculative, pool, start, renderedPhotos, jobFiles } = await openSpeculative()
    const expected = await pool.render(photo)
    for (const renderedBefore of [0, 1]) {
      await start('one', photo)
      await expect.poll(renderedPhotos).toBeGreaterThanOrEqual(renderedBefore)
      const { full, thumb } = await claimFiles(speculative, 'one')
      expect([full.equals(expected.full), thumb.equals(expected.thumb)]).toEqual([true, true])
      expect(speculative.claim('one')).toBeUndefined()
      expect(jobFiles()).toEqual([])
    }
  })

  test('fails for its job as it would have failed without', async () => {
    const { speculative, pool, start, jobFiles } = await openSpeculative({ entry: poisonProcess })
    await start('one', poison('segfault'))
    await expect(claimFiles(speculative, 'one')).rejects.toMatchObject({ kind: 'crashed' })
    await expect.poll(pool.pool.hasIdleProcess).toBe(true)
    await start('two', photo.subarray(0, 700))
    await expect(claimFiles(speculative, 'two')).rejects.toMatchObject({ kind: 'refused' })
    expect((await pool.render(photo)).photo.full.lossless).toBe(true)
    expect(jobFiles()).toEqual([])
  })

  test.each([
    ['when it is discarded', {}, (speculative: SpeculativeProcessing) => speculative.discard('one')],
    ['when no job claims it', { expireAfterMs: 50 }, () => {}],
  ])('leaves nothing %s', async (_, options, end) => {
    const { speculative, pool, start, jobFiles } = await openSpeculative(options)
    await start('one', photo)
    end(speculative)
    await expect.poll(pool.pool.hasIdleProcess).toBe(true)
    await expect.poll(jobFiles).toEqual([])
    expect(speculative.claim('one')).toBeUndefined()
  })
})

test('does not start a photo while no process is idle, or on a node that processes none', async () => {
  const { speculative, pool, start } = await openSpeculative({ entry: poisonProcess })
  const abort = new AbortController()
  const stalled = await pool.pool.renderPhoto(jobInput(poison('stall')), abort.signal)
  expect(pool.pool.hasIdleProcess()).toBe(false)
  await start('one', photo)
  expect(speculative.claim('one')).toBeUndefined()
  abort.abort(new Error('seen'))
  await expect(stalled.result).rejects.toThrow('seen')
  await stalled.release()
  const elsewhere = createSpeculativeProcessing()
  await elsewhere.start('one', (path) => writeFile(path, photo))
  expect(elsewhere.claim('one')).toBeUndefined()
})

test('keeps at most eight photos that wait for their jobs', async () => {
  const { speculative, pool, start, renderedPhotos } = await openSpeculative()
  const ids = Array.from({ length: 12 }, (_, n) => `photo ${n}`)
  const small = await jpeg({ width: 16, height: 16 })
  for (const [at, id] of ids.entries()) {
    await start(id, small)
    await expect.poll(renderedPhotos).toBe(Math.min(at + 1, 8))
    await expect.poll(pool.pool.hasIdleProcess).toBe(true)
  }
  const jobs = ids.map((id) => speculative.claim(id))
  expect(jobs.map((job) => job !== undefined)).toEqual([...Array(8).fill(true), ...Array(4).fill(false)])
  for (const job of jobs) await job?.release()
})

describe('an upload', () => {
  /** A server that processes uploads speculatively; `rendered` counts renderings. */
  async function speculativeServer() {
    const server = await serverForThisTest()
    const images = await server.images()
    let rendered = 0
    const counting: ImagePool = {
      ...images,
      async renderPhotoIfIdle(input) {
        const job = await images.renderPhotoIfIdle(input)
        if (job) rendered += 1
        return job
      },
    }
    server.app.deps.speculative.useImages(counting)
    const user = await makeUser(server)
    const jobFiles = async () => filesIn(await server.scratchDir())
    return { server, user, rendered: () => rendered, jobFiles }
  }

  test('has its photo rendered once, before it is answered', async () => {
    const { server, user, rendered } = await speculativeServer()
    const { id, processing_complete: atOnce } = (await upload(server, user, photo)).json<Photo>()
    expect([atOnce, rendered()]).toEqual([false, 1])
    const images = await server.images()
    await expect.poll(images.hasIdleProcess).toBe(true)
    await server.work()
    const seen = await server.request({ method: 'GET', url: `/photos/${id}`, token: user.token })
    expect(seen.json()).toMatchObject({ processing_complete: true, width: 600, height: 400 })
    const { rows } = await server.app.deps.pool.query('select attempt, state from photos')
    expect([rows, rendered()]).toEqual([[{ attempt: 1, state: 'ready' }], 1])
    await expectConsistent(server)
  })

  test('that is refused leaves no files of its rendering', async () => {
    const { server, user, rendered, jobFiles } = await speculativeServer()
    await upload(server, user, photo)
    await server.work()
    await server.app.deps.pool.query('update photos set full_bytes = 1024::bigint * 1024 * 1024 - 1')
    expect((await upload(server, user, photo)).statusCode).toBe(403)
    expect(rendered()).toBe(2)
    await expect.poll(jobFiles).toEqual([])
    expect((await server.app.deps.pool.query('select 1 from photos')).rowCount).toBe(1)
    await runOverdueWork(server)
  })

  test('whose photo gets a watermark is not rendered before its job, which knows the logo', async () => {
    const { server, user, rendered } = await speculativeServer()
    await grantPlan(server, user, 'pro_yearly')
    await server.app.deps.pool.query('update users set use_logo_as_watermark = true')
    expect((await upload(server, user, photo)).statusCode).toBe(201)
    expect(rendered()).toBe(0)
    await server.work()
    expect(rendered()).toBe(0)
    expect((await server.app.deps.pool.query('select state from photos')).rows).toEqual([{ state: 'ready' }])
  })

  test('whose photo is deleted before its job runs leaves no files', async () => {
    const { server, user, jobFiles } = await speculativeServer()
    const { id } = (await upload(server, user, photo)).json<Photo>()
    await server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
    await expect.poll(jobFiles).toContainEqual(expect.stringMatching(/^\d+-full$/))
    await server.work()
    await expect.poll(jobFiles).toEqual([])
    await expectConsistent(server)
  })
})
