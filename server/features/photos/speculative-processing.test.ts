import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { ImagePool } from '../../images/sandbox/image-pool.ts'
import { poison } from '../../images/test/poison.ts'
import { jobInput, poisonProcess, sharedTestPool } from '../../images/test/test-pool.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { grantPlan, makeUser, multipartForm, type TestUser, upload } from '../../test/test-data.ts'
import { expectConsistent, runOverdueWork } from '../../test/consistency-check.ts'
import { createSpeculativeProcessing, type SpeculativeProcessing } from './process.ts'

const photo = await jpeg({ width: 600, height: 400 })

const filesIn = (scratchDir: string): string[] => readdirSync(join(scratchDir, 'jobs'))

/** Longer than any test takes, on however busy a machine. */
const neverMs = 600_000
/** Its process is not replaced when it has grown. */
const images = sharedTestPool({
  entry: poisonProcess,
  stopIdleAfterMs: neverMs,
  growthLimits: { afterRequestBytes: Infinity, whenIdleBytes: Infinity },
})
/** On a busy machine a process may be about to be replaced, and nothing starts without one. */
const untilProcessIsIdle = ({ hasIdleProcess }: ImagePool) =>
  vi.waitUntil(hasIdleProcess, { timeout: 120_000, interval: 5 })
beforeEach(() => untilProcessIsIdle(images().pool))

/** Speculative processing with the shared pool. */
function startSpeculative({ expireAfterMs = neverMs } = {}) {
  const pool = images()
  const speculative = createSpeculativeProcessing({ expireAfterMs })
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
    const { speculative, pool, start, renderedPhotos, jobFiles } = startSpeculative()
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
    const { speculative, pool, start, jobFiles } = startSpeculative()
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
    const { speculative, start, jobFiles } = startSpeculative(options)
    const job = await start('one', photo)
    end(speculative)
    await job?.result
    await expect.poll(jobFiles).toEqual([])
    expect(speculative.claim('one')).toBeUndefined()
    // Its upload may still be refused, and then this is counted.
    expect(job?.cpuMs()).toBeGreaterThan(0)
  })
})

test('does not start a photo while no process is idle, or on a node that processes none', async () => {
  const { speculative, pool, start } = startSpeculative()
  const abort = new AbortController()
  // One regular slot, and one more for a quick photo.
  const stalled = await pool.pool.renderPhoto(jobInput(poison('stall')), abort.signal)
  const alsoStalled = await pool.pool.renderPhoto(jobInput(poison('stall')), abort.signal)
  expect(pool.pool.hasIdleProcess()).toBe(false)
  const starting = start('one', photo)
  abort.abort(new Error('seen'))
  await expect(stalled.result).rejects.toThrow('seen')
  await stalled.release()
  await alsoStalled.release()
  await starting
  expect(speculative.claim('one')).toBeUndefined()
  const elsewhere = createSpeculativeProcessing()
  await elsewhere.start('one', (path) => writeFile(path, photo))
  expect(elsewhere.claim('one')).toBeUndefined()
})

test('keeps at most eight photos that wait for their jobs', async () => {
  const { speculative, pool, start, renderedPhotos } = startSpeculative()
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
  let server: TestServer
  let rendered = 0
  beforeAll(async () => {
    server = await startServer()
    const pool = await server.images()
    const counting: ImagePool = {
      ...pool,
      async renderPhotoIfIdle(input) {
        await untilProcessIsIdle(pool)
        const job = await pool.renderPhotoIfIdle(input)
        if (job) rendered += 1
        return job
      },
    }
    server.app.deps.speculative.useImages(counting)
  })
  afterAll(() => server.close())

  /** A user, and how many renderings have started since. */
  async function makeUploader(): Promise<{ user: TestUser; renderings: () => number }> {
    const before = rendered
    return { user: await makeUser(server), renderings: () => rendered - before }
  }
  const jobFiles = async () => filesIn(await server.scratchDir())
  const photosOf = async ({ id }: TestUser) =>
    (await server.app.deps.pool.query('select attempt, state from photos where user_id = $1', [id])).rows

  /** The time of failed quick files that a user has used today. */
  const failedMs = async ({ id }: TestUser): Promise<number> => {
    const text = 'select coalesce(sum(failed_quick_ms), 0)::int as ms from processing_days where user_id = $1'
    return (await server.app.deps.pool.query<{ ms: number }>(text, [id])).rows[0]!.ms // an aggregate has one row
  }

  test('has its photo rendered once, before it is answered', async () => {
    const { user, renderings } = await makeUploader()
    const { id, processing_complete: atOnce } = (await upload(server, user, photo)).json<Photo>()
    expect([atOnce, renderings()]).toEqual([false, 1])
    const pool = await server.images()
    await expect.poll(pool.hasIdleProcess).toBe(true)
    await server.work()
    const seen = await server.request({ method: 'GET', url: `/photos/${id}`, token: user.token })
    expect(seen.json()).toMatchObject({ processing_complete: true, width: 600, height: 400 })
    expect(await photosOf(user)).toEqual([{ attempt: 1, state: 'ready' }])
    expect(renderings()).toBe(1)
    expect(await failedMs(user)).toBe(0)
    await expectConsistent(server)
  })

  test('whose photo gets a watermark is not rendered before its job, which knows the logo', async () => {
    const { user, renderings } = await makeUploader()
    await grantPlan(server, user, 'pro_yearly')
    await server.app.deps.pool.query('update users set use_logo_as_watermark = true where id = $1', [user.id])
    expect((await upload(server, user, photo)).statusCode).toBe(201)
    expect(renderings()).toBe(0)
    await server.work()
    expect(renderings()).toBe(0)
    expect(await photosOf(user)).toMatchObject([{ state: 'ready' }])
  })

  test('whose photo is deleted before its job runs leaves no files', async () => {
    const { user } = await makeUploader()
    const { id } = (await upload(server, user, photo)).json<Photo>()
    await server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
    await expect.poll(jobFiles).toContainEqual(expect.stringMatching(/^\d+-full$/))
    await server.work()
    await expect.poll(jobFiles).toEqual([])
    await expectConsistent(server)
  })

  test('whose connection closes before the form ends uses the time of its rendering as a photo that failed', async () => {
    const { user, renderings } = await makeUploader()
    const { body, headers } = multipartForm(photo)
    const connection = new AbortController()
    async function* formWithoutEnd(): AsyncGenerator<Buffer> {
      // The two hyphens that end the form are missing; so the file is complete and the form is not.
      yield body.subarray(0, -4)
      await expect.poll(renderings).toBe(1)
      connection.abort()
    }
    const answer = fetch(`${await server.listen()}/photos/upload`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${user.token}` },
      body: ReadableStream.from(formWithoutEnd()),
      duplex: 'half',
      signal: connection.signal,
    })
    await expect(answer).rejects.toThrow()
    await expect.poll(() => failedMs(user)).toBeGreaterThan(0)
    expect(await photosOf(user)).toEqual([])
    await expect.poll(jobFiles).toEqual([])
  })

  // The last test: it changes a size in the database.
  test('that is refused leaves no files of its rendering', async () => {
    const { user, renderings } = await makeUploader()
    await upload(server, user, photo)
    await server.work()
    const fullStorage = 'update photos set full_bytes = 1024::bigint * 1024 * 1024 - 1 where user_id = $1'
    await server.app.deps.pool.query(fullStorage, [user.id])
    expect((await upload(server, user, photo)).statusCode).toBe(403)
    expect(renderings()).toBe(2)
    expect(await failedMs(user)).toBeGreaterThan(0)
    expect(await jobFiles()).toEqual([])
    expect(await photosOf(user)).toHaveLength(1)
    await runOverdueWork(server)
  })
})
