import { createHash } from 'node:crypto'
import { link, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextMacrotask } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { newId } from '../../lib/ids.ts'
import { blackPng } from '../../images/test/make-bombs.ts'
import { poison } from '../../images/test/poison.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { startServer, type TestServer } from '../harness.ts'
import { makeUser, upload, type TestUser } from '../test-data.ts'
import { expectConsistent, runOverdueWork } from '../consistency-check.ts'
import { promisedMs } from '../statistics.ts'

let server: TestServer
const photo = await jpeg()
beforeAll(async () => {
  const imageProcessScript = join(import.meta.dirname, '../../images/test/poison-process.ts')
  server = await startServer({ LOG_LEVEL: 'silent' }, { imageProcessScript })
})
afterAll(() => server.close())

/** Accepted like any photo; only then its bytes become what makes the decoder do as they say. */
async function uploadPoison(user: TestUser, input: Buffer): Promise<string> {
  const { id } = (await upload(server, user, photo)).json<Photo>()
  const { rows } = await server.app.deps.pool.query<{ key: string }>(
    'update photos set original_sha256 = $2, original_bytes = $3 where id = $1 returning original_key as key',
    [id, createHash('sha256').update(input).digest(), input.length],
  )
  const [kind = '', name = ''] = rows[0]!.key.split('/')
  await writeFile(join(server.dir, 'files', kind, name.slice(0, 2), name), input)
  return id
}
const photosOf = async (user: TestUser): Promise<Photo[]> =>
  (await server.request({ method: 'GET', url: '/photos', token: user.token })).json<Photo[]>()

describe('a photo that crashes its decoder', () => {
  test('fails with a sentence after three crashes, while all photos of others are processed', async () => {
    const inputs = [
      ...(['segfault', 'abort', 'exit', 'no-thumbnail'] as const).map((fault) => poison(fault)),
      poison('after-thumbnail', 'segfault'),
    ]
    const [bad, good] = [await makeUser(server), await makeUser(server)]
    const ids: string[] = []
    for (const input of inputs) {
      ids.push(await uploadPoison(bad, input))
      await upload(server, good, photo)
    }
    await server.work()
    expect((await photosOf(good)).map(({ processing_complete: done }) => done)).toEqual(inputs.map(() => true))
    for (const one of await photosOf(bad))
      expect(one).toMatchObject({
        processing: false,
        processing_failed: true,
        thumbnail_url: null,
        error_message: expect.stringMatching(/^[A-Z].*again\.$/),
      })
    const { rows } = await server.app.deps.pool.query('select crashes, attempt from photos where id = any($1)', [ids])
    expect(rows).toEqual(inputs.map(() => ({ crashes: 3, attempt: 3 })))
    await runOverdueWork(server)
    await expectConsistent(server)
  })

  test('leaves no thumbnail behind, even when the store is slow to take it', async () => {
    const { storage } = server.app.deps
    const images = await server.images()
    const { moveIn } = storage
    const { renderPhoto } = images
    onTestFinished(() => {
      storage.moveIn = moveIn
      images.renderPhoto = renderPhoto
    })
    const events: string[] = []
    let crashNoticed: Promise<unknown> | undefined
    images.renderPhoto = async (...input) => {
      const job = await renderPhoto(...input)
      crashNoticed = Promise.allSettled([job.result])
      const release = (): Promise<void> => {
        events.push('job released')
        return job.release()
      }
      return { ...job, release }
    }
    // Like a bucket: it stores what it has begun to read, here only after the server has noticed the crash.
    storage.moveIn = async (key, path, options) => {
      const heldPath = join(server.dir, `held-${newId()}`)
      await link(path, heldPath)
      await crashNoticed
      // A server that does not wait for this thumbnail releases the job before the next macrotask.
      await nextMacrotask()
      await moveIn(key, heldPath, options)
      events.push('thumbnail stored')
    }
    const user = await makeUser(server)
    await uploadPoison(user, poison('after-thumbnail', 'segfault'))
    await server.work()
    const attempt = ['thumbnail stored', 'job released']
    expect(events).toEqual([...attempt, ...attempt, ...attempt])
    expect(await photosOf(user)).toMatchObject([{ processing_failed: true, thumbnail_url: null }])
    await expectConsistent(server)
  })
})

test('a bomb fails within its time, with a sentence, while photos of others are made', async () => {
  const [bad, good] = [await makeUser(server), await makeUser(server)]
  // 108 megapixels that take as long as a decoder can take over so few bytes.
  const bomb = blackPng(12_000, 9_000, { bits: 8, colour: 2, interlaced: true })
  const began = performance.now()
  expect((await upload(server, bad, bomb.subarray(0, bomb.length - 20))).statusCode).toBe(201)
  for (let n = 0; n < 4; n++) await upload(server, good, photo)
  await server.work()
  expect(performance.now() - began).toBeLessThan(promisedMs(45_000))
  expect((await photosOf(good)).map(({ processing_complete: done }) => done)).toEqual([true, true, true, true])
  expect(await photosOf(bad)).toMatchObject([{ processing_failed: true, error_message: expect.stringMatching(/\.$/) }])
  await runOverdueWork(server)
  await expectConsistent(server)
})
