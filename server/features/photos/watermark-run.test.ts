import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WatermarkRun } from '@keepsnap/contract/branding.ts'
import { pixelsOf } from '../../images/test/pixels.ts'
import { storeStream } from '../../ports/storage/storage.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { grantPlan, makeUser, uploadBrandImage, type TestUser } from '../../test/test-data.ts'
import { expectConsistent, runOverdueWork } from '../../test/consistency-check.ts'
import { brightnessOfLogo, grey, watermarkActions } from './test/watermark-actions.ts'
import { watermarkNextPhoto } from './watermark-run.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await server.images()
})
afterAll(() => server.close())

const { call, makeBrandedUser, setWatermark, addPhoto, fullImage, watermarkRunOf, startRun } = watermarkActions(
  () => server,
)
const otherLogo = await grey(100, 100, 255).png().toBuffer()
const runStep = async (user: TestUser): Promise<void> =>
  watermarkNextPhoto({ ...server.app.deps, images: await server.images() }, user.id)

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
  test('get the watermark again with another size, corner and strength', async () => {
    const user = await makeBrandedUser()
    await setWatermark(user, true)
    const { id } = await addPhoto(user)
    expect(await watermarkRunOf(user)).toMatchObject({ applicable: 0, undoable: 1 })
    const layout = { watermark_size: 'large', watermark_corner: 'top-left', watermark_strength: 'strong' }
    const preview = async () => (await call(user, 'GET', '/user/watermark/preview')).rawPayload
    const before = await preview()
    expect((await call(user, 'PUT', '/user/settings', layout)).json()).toMatchObject(layout)
    expect((await preview()).equals(before)).toBe(false)
    expect((await call(user, 'PUT', '/user/settings', { watermark_corner: 'middle' })).statusCode).toBe(422)
    expect(await watermarkRunOf(user)).toMatchObject({ applicable: 1, undoable: 1 })
    await startRun(user, 'apply')
    await server.work()
    expect(await watermarkRunOf(user)).toMatchObject({ state: 'done', done: 1, applicable: 0 })
    const pixels = await pixelsOf(await fullImage(user, id))
    // 192 by 96 pixels, 18 from both edges, with an opacity of 95 %.
    expect(Math.abs(pixels[((18 + 48) * 1000 + 18 + 96) * 3]! - 242)).toBeLessThan(9)
    expect(await brightnessOfLogo(await fullImage(user, id))).toBeLessThan(12)
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
