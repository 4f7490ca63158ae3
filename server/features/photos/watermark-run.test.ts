import { storeStream } from '../../ports/storage/storage.ts'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WatermarkRun } from '@keepsnap/contract/branding.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { hashOf } from '../../lib/ids.ts'
import { pixelsOf } from '../../images/test/pixels.ts'
import { sharpFrom, jpegWithMetadata } from '../../images/test/sample-images.ts'
import { partNames } from '../../images/test/file-parts.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { grantPlan, makeUser, upload, uploadBrandImage, type TestUser } from '../../test/test-data.ts'
import { expectConsistent, runOverdueWork } from '../../test/consistency-check.ts'
import { currentStorageUse } from './queries.ts'
import { watermarkNextPhoto } from './watermark-run.ts'

let server: TestServer
const grey = (width: number, height: number, value: number) =>
  sharpFrom({ width, height, data: Buffer.alloc(width * height * 3, value) })
const logo = await grey(200, 100, 255).png().toBuffer()
const otherLogo = await grey(100, 100, 255).png().toBuffer()
const low = await grey(1000, 399, 0).jpeg().toBuffer()
const black = await grey(1000, 600, 0).jpeg({ quality: 95 }).toBuffer()

beforeAll(async () => {
  server = await startServer()
  await server.images()
})
afterAll(() => server.close())

const call = (user: TestUser, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown) =>
  server.request({ method, url, token: user.token, ...(body !== undefined && { body }) })
const makeBrandedUser = async (plan: 'free' | 'pro_monthly' = 'pro_monthly'): Promise<TestUser> => {
  const user = await makeUser(server)
  await grantPlan(server, user, 'pro_monthly')
  await uploadBrandImage(server, user, 'logo', logo)
  await grantPlan(server, user, plan)
  return user
}
const setWatermark = (user: TestUser, on: boolean) => call(user, 'PUT', '/user/settings', { use_logo_as_watermark: on })
const addPhoto = async (user: TestUser, file: Buffer = black): Promise<Photo> => {
  const { id } = (await upload(server, user, file)).json<Photo>()
  await server.work()
  return (await call(user, 'GET', `/photos/${id}`)).json<Photo>()
}
const fullImage = async (user: TestUser, id: string): Promise<Buffer> => {
  const { b2_url: url } = (await call(user, 'GET', `/photos/${id}`)).json<Photo>()
  const { pathname, search } = new URL(url!)
  const response = await server.request({ method: 'GET', url: pathname + search })
  if (response.statusCode !== 200) throw new Error(`the photo was answered with ${response.statusCode}`)
  return response.rawPayload
}
/** The brightness in the middle of the logo, on a black photo of 1000 by 600. */
const brightnessOfLogo = async (file: Buffer): Promise<number> =>
  (await pixelsOf(file))[((600 - 18 - 27) * 1000 + 1000 - 18 - 54) * 3]!
const watermarkRunOf = async (user: TestUser): Promise<WatermarkRun> =>
  (await call(user, 'GET', '/user/watermark')).json<WatermarkRun>()
const startRun = (user: TestUser, what: 'apply' | 'undo') => call(user, 'POST', '/user/watermark', { what })
const runStep = async (user: TestUser): Promise<void> =>
  watermarkNextPhoto({ ...server.app.deps, images: await server.images() }, user.id)

describe('a photo processed while the setting is on', () => {
  test('shows the logo with 70 % opacity, 18 % of its shorter side, 3 % from both edges; its thumbnail does not', async () => {
    const user = await makeBrandedUser()
    await setWatermark(user, true)
    const photo = await addPhoto(user)
    const file = await fullImage(user, photo.id)
    const pixels = await pixelsOf(file)
    const at = (x: number, y: number): number => pixels[(y * 1000 + x) * 3]!
    // 108 by 54 pixels, 18 from both edges.
    expect(Math.abs(at(1000 - 18 - 54, 600 - 18 - 27) - 178)).toBeLessThan(9)
    for (const [x, y] of [
      [1000 - 9, 600 - 45],
      [1000 - 72, 600 - 9],
      [1000 - 18 - 108 - 12, 600 - 45],
      [1000 - 72, 600 - 18 - 54 - 12],
    ] as const)
      expect(at(x, y)).toBeLessThan(12)
    const thumbnail = await server.request({ method: 'GET', url: new URL(photo.thumbnail_url!).pathname })
    expect((await pixelsOf(thumbnail.rawPayload)).every((value) => value < 12)).toBe(true)
    await runOverdueWork(server)
    await expectConsistent(server)
  })
  test('counts once as used storage, with the larger of its two images, and both are deleted with it', async () => {
    const user = await makeBrandedUser()
    await setWatermark(user, true)
    const { id } = await addPhoto(user)
    const { rows } = await server.app.deps.pool.query<Record<string, number | string>>(
      'select full_bytes, unmarked_bytes, thumb_bytes, full_key, unmarked_key from photos where id = $1',
      [id],
    )
    const [row] = rows
    expect((await currentStorageUse(server.db, user.id, hashOf(user.token)))?.bytes).toBe(
      Math.max(Number(row!['full_bytes']), Number(row!['unmarked_bytes'])) + Number(row!['thumb_bytes']),
    )
    await call(user, 'DELETE', `/photos/${id}`)
    await server.work()
    for (const key of ['full_key', 'unmarked_key'])
      expect(await server.app.deps.storage.sizeOf(String(row![key]))).toBeNull()
  })
  test.each([
    ['on a plan without branding', async () => makeBrandedUser('free'), black],
    [
      'without a logo',
      async () => {
        const user = await makeUser(server)
        await grantPlan(server, user, 'pro_monthly')
        return user
      },
      black,
    ],
    ['under 400 px', async () => makeBrandedUser(), low],
  ] as const)('is not changed %s', async (_, makeOwner, file) => {
    const user = await makeOwner()
    expect((await setWatermark(user, true)).statusCode).toBe(200)
    const { id } = await addPhoto(user, file)
    expect((await pixelsOf(await fullImage(user, id))).every((value) => value < 12)).toBe(true)
    const { rows } = await server.app.deps.pool.query(
      'select 1 from photos where id = $1 and unmarked_key is not null',
      [id],
    )
    expect(rows).toEqual([])
    await runOverdueWork(server)
    await expectConsistent(server)
  })
  test('has no metadata except the credit, and neither has its image without the watermark', async () => {
    const user = await makeBrandedUser()
    await setWatermark(user, true)
    const { id } = await addPhoto(user, jpegWithMetadata(black))
    const watermarked = await fullImage(user, id)
    await startRun(user, 'undo')
    await server.work()
    for (const file of [watermarked, await fullImage(user, id)]) {
      expect(partNames(file).filter((name) => /^(?:e[2-9a-f]|fe|trailing)$/.test(name))).toEqual([])
      expect((await sharp(file).metadata()).xmp).toBeUndefined()
    }
  })
})

describe('the preview', () => {
  test('shows the newest photo with the logo, before the setting is on', async () => {
    const user = await makeBrandedUser()
    const { id } = await addPhoto(user)
    const response = await server.request({ method: 'GET', url: '/user/watermark/preview', token: user.token })
    expect(response.headers).toMatchObject({ 'content-type': 'image/jpeg', 'cache-control': 'no-store' })
    expect(await brightnessOfLogo(response.rawPayload)).toBeGreaterThan(170)
    expect(await brightnessOfLogo(await fullImage(user, id))).toBeLessThan(12)
    await setWatermark(user, true)
    await addPhoto(user, await grey(2000, 1200, 0).jpeg().toBuffer())
    const again = await call(user, 'GET', '/user/watermark/preview')
    expect(await sharp(again.rawPayload).metadata()).toMatchObject({ width: 1280, height: 768 })
    // 138 by 69 pixels, 23 from both edges: added once, not twice.
    const pixels = await pixelsOf(again.rawPayload)
    expect(Math.abs(pixels[((768 - 23 - 35) * 1280 + 1280 - 23 - 69) * 3]! - 178)).toBeLessThan(12)
  })
  test('does not exist without a photo, without a logo, or on a plan without branding', async () => {
    const user = await makeUser(server)
    expect((await call(user, 'GET', '/user/watermark/preview')).statusCode).toBe(403)
    await grantPlan(server, user, 'pro_monthly')
    await addPhoto(user)
    expect((await call(user, 'GET', '/user/watermark/preview')).statusCode).toBe(404)
    expect((await call(await makeBrandedUser(), 'GET', '/user/watermark/preview')).statusCode).toBe(404)
  })
})

describe('existing photos', () => {
  test('get the watermark, and without it are the same as before, bit for bit', async () => {
    const user = await makeBrandedUser()
    const ids = [(await addPhoto(user)).id, (await addPhoto(user, await grey(1000, 600, 0).png().toBuffer())).id]
    const small = (await addPhoto(user, await grey(300, 300, 0).jpeg().toBuffer())).id
    const before = await Promise.all(ids.map((id) => fullImage(user, id)))
    expect(await watermarkRunOf(user)).toMatchObject({ state: 'idle', what: null, applicable: 2, undoable: 0 })
    expect((await startRun(user, 'apply')).json<WatermarkRun>()).toMatchObject({
      state: 'running',
      what: 'apply',
      total: 2,
      done: 0,
    })
    await server.work()
    expect(await watermarkRunOf(user)).toMatchObject({
      state: 'done',
      total: 2,
      done: 2,
      failed: 0,
      applicable: 0,
      undoable: 2,
    })
    for (const id of ids) expect(await brightnessOfLogo(await fullImage(user, id))).toBeGreaterThan(170)
    expect((await pixelsOf(await fullImage(user, small))).every((value) => value < 12)).toBe(true)
    await expectConsistent(server)
    await startRun(user, 'undo')
    await server.work()
    expect(await watermarkRunOf(user)).toMatchObject({
      state: 'done',
      what: 'undo',
      done: 2,
      applicable: 2,
      undoable: 0,
    })
    const after = await Promise.all(ids.map((id) => fullImage(user, id)))
    expect(after.map((file, at) => file.equals(before[at]!))).toEqual([true, true])
    await runOverdueWork(server)
    await expectConsistent(server)
  })
  test('keep the watermark when the image without it is not in the store', async () => {
    const user = await makeBrandedUser()
    await setWatermark(user, true)
    const [lost, kept] = [await addPhoto(user), await addPhoto(user)]
    const watermarked = await fullImage(user, lost.id)
    const unmarkedKey = async () =>
      (
        await server.app.deps.pool.query<{ unmarked_key: string }>('select unmarked_key from photos where id = $1', [
          lost.id,
        ])
      ).rows[0]!.unmarked_key
    const key = await unmarkedKey()
    await server.app.deps.storage.remove([key])
    await startRun(user, 'undo')
    await server.work()
    expect(await watermarkRunOf(user)).toMatchObject({ state: 'done', done: 1, failed: 1, undoable: 1 })
    expect((await fullImage(user, lost.id)).equals(watermarked)).toBe(true)
    expect(await brightnessOfLogo(await fullImage(user, kept.id))).toBeLessThan(12)
    expect(await unmarkedKey()).toBe(key)
    await call(user, 'DELETE', `/photos/${lost.id}`)
    await server.work()
  })
  test('get a new logo in place of the old one, not in addition to it', async () => {
    const user = await makeBrandedUser()
    await setWatermark(user, true)
    const { id } = await addPhoto(user)
    const old = await fullImage(user, id)
    await uploadBrandImage(server, user, 'logo', otherLogo)
    expect(await watermarkRunOf(user)).toMatchObject({ applicable: 1, undoable: 1 })
    await startRun(user, 'apply')
    await server.work()
    const now = await fullImage(user, id)
    expect(now.equals(old)).toBe(false)
    expect(Math.abs((await brightnessOfLogo(now)) - 178)).toBeLessThan(9)
    await runOverdueWork(server)
    await expectConsistent(server)
  })
  test('can be read at any time during a run', async () => {
    const user = await makeBrandedUser()
    const photos = [await addPhoto(user), await addPhoto(user), await addPhoto(user)]
    const codes = photos.map(({ qr_code_url: url }) => /\/qr\/d\/(\w+)/.exec(url)![1]!)
    await startRun(user, 'apply')
    const runEnded = new AbortController()
    const reading = (async () => {
      let reads = 0
      while (!runEnded.signal.aborted) {
        for (const code of codes) {
          const response = await server.request({ method: 'GET', url: `/d/${code}?download=1` })
          expect(response.statusCode).toBe(200)
          expect(await sharp(response.rawPayload).metadata()).toMatchObject({ width: 1000 })
          reads++
        }
      }
      return reads
    })()
    await server.work()
    runEnded.abort()
    expect(await reading).toBeGreaterThan(2)
    expect(await watermarkRunOf(user)).toMatchObject({ state: 'done', done: 3 })
  })
  test('are not processed after the run is stopped, and then by the next run', async () => {
    const user = await makeBrandedUser()
    for (let count = 0; count < 3; count++) await addPhoto(user)
    await startRun(user, 'apply')
    await runStep(user)
    expect(await watermarkRunOf(user)).toMatchObject({ state: 'running', done: 1, total: 3 })
    expect((await startRun(user, 'apply')).statusCode).toBe(409)
    expect((await call(user, 'DELETE', '/user/watermark')).json<WatermarkRun>()).toMatchObject({ state: 'stopping' })
    await server.work()
    expect(await watermarkRunOf(user)).toMatchObject({
      state: 'stopped',
      done: 1,
      total: 3,
      applicable: 2,
      undoable: 1,
    })
    expect((await call(user, 'DELETE', '/user/watermark')).json<WatermarkRun>()).toMatchObject({ state: 'stopped' })
    expect((await startRun(user, 'apply')).json<WatermarkRun>()).toMatchObject({ total: 2 })
    await server.work()
    expect(await watermarkRunOf(user)).toMatchObject({ state: 'done', done: 2, applicable: 0 })
    await runOverdueWork(server)
    await expectConsistent(server)
  })
  test('get the watermark once when several workers do the same step, and when a worker is killed', async () => {
    const user = await makeBrandedUser()
    const ids = [(await addPhoto(user)).id, (await addPhoto(user)).id]
    await startRun(user, 'apply')
    await Promise.all([runStep(user), runStep(user), runStep(user)])
    const { done } = await watermarkRunOf(user)
    expect(done).toBeGreaterThanOrEqual(1)
    expect(done).toBeLessThanOrEqual(2)
    // The job of the next step is lost, as after kill -9 and a restored queue; the clean-up job continues the run.
    await server.app.deps.pool.query('delete from graphile_worker._private_jobs')
    await server.app.deps.pool.query("select graphile_worker.add_job('clean-up', '{}'::json)")
    await server.work()
    await server.work()
    expect(await watermarkRunOf(user)).toMatchObject({ state: 'done', done: 2, failed: 0 })
    for (const id of ids) expect(Math.abs((await brightnessOfLogo(await fullImage(user, id))) - 178)).toBeLessThan(9)
    await runOverdueWork(server)
    await expectConsistent(server)
  })
  test('are counted by their outcome when one is deleted meanwhile and one has no image', async () => {
    const user = await makeBrandedUser()
    const [missing, deleted, intact] = [await addPhoto(user), await addPhoto(user), await addPhoto(user)]
    await startRun(user, 'apply')
    await call(user, 'DELETE', `/photos/${deleted.id}`)
    const { rows } = await server.app.deps.pool.query<{ full_key: string }>(
      'select full_key from photos where id = $1',
      [missing.id],
    )
    const { storage } = server.app.deps
    const bytes = await buffer((await storage.open(rows[0]!.full_key))!)
    await storage.remove([rows[0]!.full_key])
    await server.work()
    expect(await watermarkRunOf(user)).toMatchObject({ state: 'done', total: 2, done: 1, failed: 1 })
    expect(await brightnessOfLogo(await fullImage(user, intact.id))).toBeGreaterThan(170)
    await storeStream(storage, rows[0]!.full_key, { source: Readable.from([Buffer.from(bytes)]), type: 'image/jpeg' })
    await runOverdueWork(server)
    await expectConsistent(server)
  })
  test('need a logo and a plan to get a watermark, but not to lose it', async () => {
    const user = await makeUser(server)
    expect((await startRun(user, 'apply')).statusCode).toBe(403)
    await grantPlan(server, user, 'pro_monthly')
    expect((await startRun(user, 'apply')).statusCode).toBe(409)
    const watermarked = await makeBrandedUser()
    await setWatermark(watermarked, true)
    const { id } = await addPhoto(watermarked)
    await grantPlan(server, watermarked, 'free')
    expect((await startRun(watermarked, 'apply')).statusCode).toBe(403)
    expect((await startRun(watermarked, 'undo')).json<WatermarkRun>()).toMatchObject({ total: 1 })
    await server.work()
    expect(await brightnessOfLogo(await fullImage(watermarked, id))).toBeLessThan(12)
  })
  test('get no more watermarks when the plan ends during a run', async () => {
    const user = await makeBrandedUser()
    await addPhoto(user)
    await startRun(user, 'apply')
    await grantPlan(server, user, 'free')
    await server.work()
    expect(await watermarkRunOf(user)).toMatchObject({ state: 'stopped', done: 0 })
  })
})
