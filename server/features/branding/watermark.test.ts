import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import type { WatermarkRun } from '@keepsnap/contract/branding.ts'
import { partNames } from '../../images/test/file-parts.ts'
import { jpegWithMetadata, pixelsOf } from '../../images/test/sample-images.ts'
import { hashOf } from '../../lib/ids.ts'
import { storeStream } from '../../ports/storage/storage.ts'
import { expectConsistent, runOverdueWork } from '../../test/consistency-check.ts'
import { removeJobs, useServer } from '../../test/harness.ts'
import { grantPlan, makeUser, type TestUser, uploadBrandImage } from '../../test/test-data.ts'
import { currentStorageUse } from '../photos/queries.ts'
import { brightnessOfLogo, grey, watermarkActions } from '../../test/watermark-actions.ts'
import { watermarkNextPhoto } from './watermark.ts'

const server = useServer()
beforeAll(async () => {
  await server.images()
})

const { call, makeBrandedUser, setWatermark, addPhoto, fullImage, watermarkRunOf, startRun } = watermarkActions(
  () => server,
)
const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
const black = await grey(1000, 600, 0).jpeg({ quality: 95 }).toBuffer()
const blackPng = await grey(1000, 600, 0).png().toBuffer()
const low = await grey(1000, 399, 0).jpeg().toBuffer()
const otherLogo = await grey(100, 100, 255).png().toBuffer()
const brightnessOf = async (user: TestUser, { id }: { id: string }) => brightnessOfLogo(await fullImage(user, id))
/** The brightness of a white logo with 70 % opacity on a black photo. */
const expectWatermarked = (brightness: number) => expect(Math.abs(brightness - 178)).toBeLessThan(9)
const isBlack = (pixels: Iterable<number>): boolean => [...pixels].every((value) => value < 12)
async function checkEverything(): Promise<void> {
  await runOverdueWork(server)
  await expectConsistent(server)
}

describe('a photo processed while the setting is on', () => {
  test('shows the logo with 70 % opacity, 24 % of its shorter side, 3 % from both edges; its thumbnail does not', async () => {
    const user = await makeBrandedUser()
    await setWatermark(user, true)
    const photo = await addPhoto(user)
    const pixels = await pixelsOf(await fullImage(user, photo.id))
    const at = (x: number, y: number): number => pixels[(y * 1000 + x) * 3]!
    // 144 by 72 pixels, 18 from both edges.
    expectWatermarked(at(1000 - 18 - 54, 600 - 18 - 27))
    for (const [x, y] of [
      [1000 - 9, 600 - 45],
      [1000 - 72, 600 - 9],
      [1000 - 18 - 144 - 12, 600 - 45],
      [1000 - 72, 600 - 18 - 72 - 12],
    ] as const)
      expect(at(x, y)).toBeLessThan(12)
    const thumbnail = await server.request({ method: 'GET', url: new URL(photo.thumbnail_url!).pathname })
    expect(isBlack(await pixelsOf(thumbnail.rawPayload))).toBe(true)
    await checkEverything()
  })

  test('counts once as used storage, with the larger of its two images, and both are deleted with it', async () => {
    const user = await makeBrandedUser()
    await setWatermark(user, true)
    const { id } = await addPhoto(user)
    const { rows } = await query('select * from photos where id = $1', [id])
    const { full_bytes: marked, unmarked_bytes: unmarked, thumb_bytes: thumbnail, full_key, unmarked_key } = rows[0]
    const actor = { by: 'session', userId: user.id, sessionHash: hashOf(user.token) } as const
    expect((await currentStorageUse(server.db, actor))?.bytes).toBe(Math.max(marked, unmarked) + thumbnail)
    await call(user, 'DELETE', `/photos/${id}`)
    await server.work()
    for (const key of [full_key, unmarked_key]) expect(await server.app.deps.storage.sizeOf(key)).toBeNull()
  })

  test.each([
    ['on a plan without branding', async () => makeBrandedUser('free'), black],
    ['without a logo', async () => makeUser(server), black],
    ['under 400 px', async () => makeBrandedUser(), low],
  ] as const)('is not changed %s', async (reason, makeOwner, file) => {
    const user = await makeOwner()
    if (reason === 'without a logo') await grantPlan(server, user, 'pro_monthly')
    expect((await setWatermark(user, true)).statusCode).toBe(200)
    const { id } = await addPhoto(user, file)
    expect(isBlack(await pixelsOf(await fullImage(user, id)))).toBe(true)
    expect((await query('select unmarked_key from photos where id = $1', [id])).rows).toEqual([{ unmarked_key: null }])
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

describe('existing photos', () => {
  const runStep = async (user: TestUser): Promise<void> =>
    watermarkNextPhoto({ ...server.app.deps, images: await server.images() }, user.id)
  const keysOf = async ({ id }: { id: string }): Promise<{ full_key: string; unmarked_key: string }> =>
    (await query('select full_key, unmarked_key from photos where id = $1', [id])).rows[0]

  test('get the watermark, and without it are the same as before, bit for bit', async () => {
    const user = await makeBrandedUser()
    const photos = [await addPhoto(user), await addPhoto(user, blackPng)]
    const small = await addPhoto(user, await grey(300, 300, 0).jpeg().toBuffer())
    const before = await Promise.all(photos.map(({ id }) => fullImage(user, id)))
    expect(await watermarkRunOf(user)).toMatchObject({ state: 'idle', what: null, applicable: 2, undoable: 0 })
    const started = (await startRun(user, 'apply')).json<WatermarkRun>()
    expect(started).toMatchObject({ state: 'running', what: 'apply', total: 2, done: 0 })
    await server.work()
    const counts = { state: 'done', total: 2, done: 2, failed: 0 }
    expect(await watermarkRunOf(user)).toMatchObject({ ...counts, applicable: 0, undoable: 2 })
    for (const photo of photos) expectWatermarked(await brightnessOf(user, photo))
    expect(isBlack(await pixelsOf(await fullImage(user, small.id)))).toBe(true)
    await expectConsistent(server)
    await startRun(user, 'undo')
    await server.work()
    expect(await watermarkRunOf(user)).toMatchObject({ ...counts, what: 'undo', applicable: 2, undoable: 0 })
    const after = await Promise.all(photos.map(({ id }) => fullImage(user, id)))
    expect(after.map((file, at) => file.equals(before[at]!))).toEqual([true, true])
    await checkEverything()
  })

  test('keep the watermark when the image without it is not in the store', async () => {
    const user = await makeBrandedUser()
    await setWatermark(user, true)
    const [lost, kept] = [await addPhoto(user), await addPhoto(user)]
    const watermarked = await fullImage(user, lost.id)
    const keys = await keysOf(lost)
    await server.app.deps.storage.remove([keys.unmarked_key])
    await startRun(user, 'undo')
    await server.work()
    expect(await watermarkRunOf(user)).toMatchObject({ state: 'done', done: 1, failed: 1, undoable: 1 })
    expect((await fullImage(user, lost.id)).equals(watermarked)).toBe(true)
    expect(await brightnessOf(user, kept)).toBeLessThan(12)
    expect(await keysOf(lost)).toEqual(keys)
    await call(user, 'DELETE', `/photos/${lost.id}`)
    await server.work()
  })

  test('get a new logo, size, corner and strength in place of the old ones', async () => {
    const user = await makeBrandedUser()
    await setWatermark(user, true)
    const photo = await addPhoto(user)
    const old = await fullImage(user, photo.id)
    const again = async () => {
      expect(await watermarkRunOf(user)).toMatchObject({ applicable: 1, undoable: 1 })
      await startRun(user, 'apply')
      await server.work()
      expect(await watermarkRunOf(user)).toMatchObject({ state: 'done', done: 1, applicable: 0 })
      return fullImage(user, photo.id)
    }
    await uploadBrandImage(server, user, 'logo', otherLogo)
    const withOtherLogo = await again()
    expect(withOtherLogo.equals(old)).toBe(false)
    // Not in addition to the old one.
    expectWatermarked(await brightnessOfLogo(withOtherLogo))
    const layout = { watermark_size: 'large', watermark_corner: 'top-left', watermark_strength: 'strong' }
    expect((await call(user, 'PUT', '/user/settings', layout)).json()).toMatchObject(layout)
    const pixels = await pixelsOf(await again())
    // 192 pixels, 18 from both edges, with an opacity of 95 %.
    expect(Math.abs(pixels[((18 + 48) * 1000 + 18 + 96) * 3]! - 242)).toBeLessThan(9)
    expect(await brightnessOf(user, photo)).toBeLessThan(12)
    await checkEverything()
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
    const stop = async () => (await call(user, 'DELETE', '/user/watermark')).json<WatermarkRun>()
    expect(await stop()).toMatchObject({ state: 'stopping' })
    await server.work()
    const stopped = { state: 'stopped', done: 1, total: 3, applicable: 2, undoable: 1 }
    expect(await watermarkRunOf(user)).toMatchObject(stopped)
    expect(await stop()).toMatchObject({ state: 'stopped' })
    expect((await startRun(user, 'apply')).json<WatermarkRun>()).toMatchObject({ total: 2 })
    await server.work()
    expect(await watermarkRunOf(user)).toMatchObject({ state: 'done', done: 2, applicable: 0 })
  })

  test('get the watermark once when several workers do the same step, and when a worker is killed', async () => {
    const user = await makeBrandedUser()
    const photos = [await addPhoto(user), await addPhoto(user)]
    await startRun(user, 'apply')
    await Promise.all([runStep(user), runStep(user), runStep(user)])
    expect([1, 2]).toContain((await watermarkRunOf(user)).done)
    // The job of the next step is lost, as after kill -9 and a restored queue; the clean-up job continues the run.
    await removeJobs(server.app.deps.pool)
    await query("select graphile_worker.add_job('clean-up', '{}'::json)")
    await server.work()
    await server.work()
    expect(await watermarkRunOf(user)).toMatchObject({ state: 'done', done: 2, failed: 0 })
    for (const photo of photos) expectWatermarked(await brightnessOf(user, photo))
    await checkEverything()
  })

  test('are counted by their outcome when one is deleted meanwhile and one has no image', async () => {
    const user = await makeBrandedUser()
    const [missing, deleted, intact] = [await addPhoto(user), await addPhoto(user), await addPhoto(user)]
    await startRun(user, 'apply')
    await call(user, 'DELETE', `/photos/${deleted.id}`)
    const { storage } = server.app.deps
    const { full_key: key } = await keysOf(missing)
    const bytes = await buffer((await storage.open(key))!)
    await storage.remove([key])
    await server.work()
    expect(await watermarkRunOf(user)).toMatchObject({ state: 'done', total: 2, done: 1, failed: 1 })
    expectWatermarked(await brightnessOf(user, intact))
    await storeStream(storage, key, { source: Readable.from([Buffer.from(bytes)]), type: 'image/jpeg' })
    await checkEverything()
  })

  test('need a logo and a plan to get a watermark, but not to lose it', async () => {
    const user = await makeUser(server)
    expect((await startRun(user, 'apply')).statusCode).toBe(403)
    await grantPlan(server, user, 'pro_monthly')
    expect((await startRun(user, 'apply')).statusCode).toBe(409)
    const watermarked = await makeBrandedUser()
    const photo = await addPhoto(watermarked)
    // The plan ends during a run, which then stops.
    await startRun(watermarked, 'apply')
    await grantPlan(server, watermarked, 'free')
    await server.work()
    expect(await watermarkRunOf(watermarked)).toMatchObject({ state: 'stopped', done: 0 })
    expect((await startRun(watermarked, 'apply')).statusCode).toBe(403)
    await grantPlan(server, watermarked, 'pro_monthly')
    await startRun(watermarked, 'apply')
    await server.work()
    expectWatermarked(await brightnessOf(watermarked, photo))
    await grantPlan(server, watermarked, 'free')
    expect((await startRun(watermarked, 'undo')).json<WatermarkRun>()).toMatchObject({ total: 1 })
    await server.work()
    expect(await brightnessOf(watermarked, photo)).toBeLessThan(12)
  })
})

describe('the preview', () => {
  const preview = (user: TestUser) => call(user, 'GET', '/user/watermark/preview')

  test('shows the newest photo with the logo, before the setting is on', async () => {
    const user = await makeBrandedUser()
    const photo = await addPhoto(user)
    const first = await preview(user)
    expect(first.headers).toMatchObject({ 'content-type': 'image/jpeg', 'cache-control': 'no-store' })
    expectWatermarked(await brightnessOfLogo(first.rawPayload))
    expect(await brightnessOf(user, photo)).toBeLessThan(12)
    await call(user, 'PUT', '/user/settings', { watermark_strength: 'strong' })
    expect((await preview(user)).rawPayload.equals(first.rawPayload)).toBe(false)
    await call(user, 'PUT', '/user/settings', { watermark_strength: 'medium', use_logo_as_watermark: true })
    await addPhoto(user, await grey(2000, 1200, 0).jpeg().toBuffer())
    const { rawPayload } = await preview(user)
    expect(await sharp(rawPayload).metadata()).toMatchObject({ width: 1280, height: 768 })
    // 138 by 69 pixels, 23 from both edges: added once, not twice.
    const pixels = await pixelsOf(rawPayload)
    expect(Math.abs(pixels[((768 - 23 - 35) * 1280 + 1280 - 23 - 69) * 3]! - 178)).toBeLessThan(12)
  })

  test('does not exist without a photo, without a logo, or on a plan without branding', async () => {
    const user = await makeUser(server)
    expect((await preview(user)).statusCode).toBe(403)
    await grantPlan(server, user, 'pro_monthly')
    await addPhoto(user)
    expect((await preview(user)).statusCode).toBe(404)
    expect((await preview(await makeBrandedUser())).statusCode).toBe(404)
  })
})
