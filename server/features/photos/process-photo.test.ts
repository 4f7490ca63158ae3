import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { expectConsistent, runOverdueWork } from '../../test/consistency-check.ts'
import { grantPlan, makeUser } from '../../test/test-data.ts'
import { hashOf } from '../../lib/ids.ts'
import { jpegWithMetadata } from '../../images/test/sample-images.ts'
import { partNames } from '../../images/test/file-parts.ts'
import { pixelsOf } from '../../images/test/pixels.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { currentStorageUse } from './queries.ts'
import { grey, watermarkActions } from './test/watermark-actions.ts'
import { pathOf, photoFile, photoActions } from './test/photo-actions.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const { get, uploaded, processedPhoto, uploadsThisMonth, storedFiles } = photoActions(() => server)
const { call, makeBrandedUser, setWatermark, addPhoto, fullImage, startRun } = watermarkActions(() => server)
const black = await grey(1000, 600, 0).jpeg({ quality: 95 }).toBuffer()
const blackPng = await grey(1000, 600, 0).png().toBuffer()
const low = await grey(1000, 399, 0).jpeg().toBuffer()

describe('processing', () => {
  test('makes a full image, a thumbnail and two QR codes', async () => {
    const user = await makeUser(server)
    const ready = await processedPhoto(user)
    expect(ready).toMatchObject({
      processing: false,
      processing_complete: true,
      processing_failed: false,
      error_message: null,
      can_retry: false,
      width: expect.any(Number),
      height: expect.any(Number),
      thumbhash: expect.any(String),
    })
    const full = await server.request({ method: 'GET', url: pathOf(ready.b2_url) })
    expect(full.statusCode).toBe(200)
    expect(full.headers['content-type']).toBe('image/jpeg')
    expect(full.rawPayload.length).toBe(ready.size_bytes)
    const thumbnail = await server.request({ method: 'GET', url: pathOf(ready.thumbnail_url) })
    expect(thumbnail.headers['content-type']).toBe('image/webp')
    expect((await get(user, '/user/me')).json().photo_count).toBe(1)
  })

  test('leaves only the served files: the original is removed once the photo is ready', async () => {
    const user = await makeUser(server)
    const before = new Set(await storedFiles())
    const ready = await processedPhoto(user)
    const added = (await storedFiles()).filter((name) => !before.has(name))
    expect(added.sort()).toEqual(
      [pathOf(ready.b2_url).split('/')[2]!.split('?')[0]!, pathOf(ready.thumbnail_url).split('/')[2]!].sort(),
    )
  })
})

test('a photo that cannot be decoded fails with a reason and no longer counts towards the monthly quota', async () => {
  const user = await makeUser(server)
  const truncated = photoFile.subarray(0, Math.floor(photoFile.length * 0.6))
  const { id } = await uploaded(user, truncated)
  await server.work()
  const failed = (await get(user, `/photos/${id}`)).json<Photo>()
  expect(failed).toMatchObject({
    processing: false,
    processing_complete: false,
    processing_failed: true,
    b2_url: null,
    thumbnail_url: null,
    error_message: expect.stringMatching(/^[A-Z].+\.$/),
    can_retry: false,
  })
  expect(await uploadsThisMonth(user)).toBe(0)
})

describe('the checksum of a stored file', () => {
  const checksumsOf = async (photoId: string): Promise<{ key: string; sha256: Buffer }[]> =>
    (await server.app.deps.pool.query('select key, sha256 from stored_objects where photo_id = $1', [photoId])).rows
  const checksumOfStoredFile = async (key: string): Promise<Buffer> =>
    createHash('sha256')
      .update(await buffer((await server.app.deps.storage.open(key))!))
      .digest()

  test.each([
    ['a JPEG that is stored as it was received', black, false, 2],
    ['a JPEG that is rebuilt', jpegWithMetadata(black), false, 2],
    ['a PNG that is encoded again', blackPng, false, 2],
    ['a JPEG with a watermark and its image without it', black, true, 3],
    ['a rebuilt JPEG with a watermark and its image without it', jpegWithMetadata(black), true, 3],
  ])('is that of its bytes: %s', async (_, file, hasWatermark, files) => {
    const user = await makeBrandedUser()
    await setWatermark(user, hasWatermark)
    const checksums = await checksumsOf((await addPhoto(user, file)).id)
    expect(checksums).toHaveLength(files)
    for (const { key, sha256 } of checksums) expect(sha256).toEqual(await checksumOfStoredFile(key))
  })

  test('is that of the received bytes for an image stored as it was received, which is not read again', async () => {
    const user = await makeUser(server)
    const { id } = await uploaded(user, black)
    const received = Buffer.alloc(32, 1)
    await server.app.deps.pool.query('update photos set original_sha256 = $2 where id = $1', [id, received])
    await server.work()
    const checksums = await checksumsOf(id)
    expect(checksums.find(({ key }) => key.startsWith('full/'))?.sha256).toEqual(received)
    const thumbnail = checksums.find(({ key }) => key.startsWith('thumb/'))!
    expect(thumbnail.sha256).toEqual(await checksumOfStoredFile(thumbnail.key))
  })

  test('is computed for an image stored as it was received when that of the received bytes is unknown', async () => {
    const user = await makeUser(server)
    const { id } = await uploaded(user, black)
    await server.app.deps.pool.query('update photos set original_sha256 = null where id = $1', [id])
    await server.work()
    const checksums = await checksumsOf(id)
    expect(checksums).toHaveLength(2)
    for (const { key, sha256 } of checksums) expect(sha256).toEqual(await checksumOfStoredFile(key))
  })
})

describe('a photo processed while the setting is on', () => {
  test('shows the logo with 70 % opacity, 24 % of its shorter side, 3 % from both edges; its thumbnail does not', async () => {
    const user = await makeBrandedUser()
    await setWatermark(user, true)
    const photo = await addPhoto(user)
    const file = await fullImage(user, photo.id)
    const pixels = await pixelsOf(file)
    const at = (x: number, y: number): number => pixels[(y * 1000 + x) * 3]!
    // 144 by 72 pixels, 18 from both edges.
    expect(Math.abs(at(1000 - 18 - 54, 600 - 18 - 27) - 178)).toBeLessThan(9)
    for (const [x, y] of [
      [1000 - 9, 600 - 45],
      [1000 - 72, 600 - 9],
      [1000 - 18 - 144 - 12, 600 - 45],
      [1000 - 72, 600 - 18 - 72 - 12],
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
    const actor = { by: 'session', userId: user.id, sessionHash: hashOf(user.token) } as const
    expect((await currentStorageUse(server.db, actor))?.bytes).toBe(
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
