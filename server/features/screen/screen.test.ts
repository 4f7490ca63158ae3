import { rm, stat } from 'node:fs/promises'
import sharp from 'sharp'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { PhotoHold } from '@keepsnap/contract/screen.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import type { ServerMessage } from '@keepsnap/contract/live.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { ImagePool } from '../../images/sandbox/image-pool.ts'
import {
  pixelsOf,
  quadrantColours,
  quadrantPixels,
  sharpFrom,
  storedWithOrientation,
} from '../../images/test/sample-images.ts'
import { checkEverything } from '../operators/integrity.ts'
import { addPhotos, type TestUser, makeUser } from '../../test/test-data.ts'
import { expectConsistent, runOverdueWork, storedFilePath } from '../../test/consistency-check.ts'
import { useServer } from '../../test/harness.ts'
import { connectLive } from '../../test/live-client.ts'
import { sharedPhoto } from '../../test/sample-photos.ts'
import { grey, watermarkActions } from '../../test/watermark-actions.ts'
import { createScreenImages } from './screen-images.ts'

const [width, height] = [3300, 900]
const large = await sharpFrom(storedWithOrientation(quadrantPixels(width, height), 6))
  .withMetadata({ orientation: 6 })
  .jpeg({ quality: 85 })
  .toBuffer()
const server = useServer()

describe('pictures for screens', () => {
  const { call, makeBrandedUser, addPhoto, startRun } = watermarkActions(() => server)
  const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await server.app.deps.pool.query<Row>(text, values)).rows
  const get = (url: string | null, method: 'GET' | 'HEAD' = 'GET', headers: Record<string, string> = {}) => {
    const { pathname, search } = new URL(String(url), server.publicUrl)
    return server.request({ method, url: pathname + search, headers })
  }
  const screenOf = async (user: TestUser, id: string): Promise<Buffer> =>
    (await get((await call(user, 'GET', `/photos/${id}`)).json<Photo>().screen_url)).rawPayload
  const storageOf = async ({ token }: TestUser): Promise<number> =>
    (await server.request({ method: 'GET', url: '/subscriptions/status', token })).json<{
      current_usage: { storage_used_bytes: number }
    }>().current_usage.storage_used_bytes
  /** What `verify` finds. */
  const findings = async () => {
    const { db, storage, log } = server.app.deps
    return (await checkEverything({ db, storage, log, by: 'operator' })).found.findings()
  }
  /** Keys of the pictures for screens that are registered for a photo. */
  const keysOf = async (id: string): Promise<string[]> =>
    (
      await query<{ key: string }>("select key from stored_objects where photo_id = $1 and key like 'screen/%'", [id])
    ).map(({ key }) => key)
  const isStored = (key: string): Promise<boolean> =>
    stat(storedFilePath(server, key)).then(
      () => true,
      () => false,
    )

  describe('the picture of a photo for screens', () => {
    test('is upright, at most 2,048 px, made once by requests that meet, and counts as no storage', async () => {
      const user = await makeUser(server)
      const { id, screen_url: url, b2_url: full } = await addPhoto(user, large)
      const use = await storageOf(user)
      expect([await keysOf(id), url]).toEqual([[], expect.stringContaining('/screen/')])
      const answers = await Promise.all(Array.from({ length: 12 }, () => get(url)))
      for (const { statusCode, headers, rawPayload } of answers) {
        expect([statusCode, headers['content-type']]).toEqual([200, 'image/jpeg'])
        expect(rawPayload.equals(answers[0]!.rawPayload)).toBe(true)
      }
      const picture = answers[0]!.rawPayload
      expect(picture.length).toBeLessThan(large.length)
      const shown = await sharp(picture).metadata()
      expect([shown.width, shown.height, shown.orientation]).toEqual([1650, 450, undefined])
      const pixels = await pixelsOf(picture)
      quadrantColours.forEach((colour, n) => {
        const [x, y] = [n % 2 ? 1400 : 200, n > 1 ? 350 : 100]
        colour.forEach((value, part) => expect(Math.abs(pixels[(y * 1650 + x) * 3 + part]! - value)).toBeLessThan(16))
      })
      expect(await keysOf(id)).toHaveLength(1)
      expect(await storageOf(user)).toEqual(use)
      // Conditional requests and ranges, as of every stored file.
      const etag = String(answers[0]!.headers.etag)
      expect((await get(url, 'GET', { 'if-none-match': etag })).statusCode).toBe(304)
      expect((await get(url, 'GET', { range: 'bytes=0-9' })).rawPayload.equals(picture.subarray(0, 10))).toBe(true)
      expect(etag).not.toBe((await get(full)).headers.etag)
      await expectConsistent(server)
    })

    test('is the full image where that is small, transparent or animated', async () => {
      const user = await makeUser(server)
      const frames = await Promise.all([9, 200].map((value) => grey(2060, 40, value).png().toBuffer()))
      const create = { width: 2060, height: 40, channels: 4, background: { r: 1, g: 2, b: 3, alpha: 0.5 } } as const
      for (const [type, file] of [
        ['image/jpeg', await grey(2048, 40, 50).jpeg().toBuffer()],
        ['image/png', await sharp({ create }).png().toBuffer()],
        [
          'image/gif',
          await sharp(frames, { join: { animated: true } })
            .gif()
            .toBuffer(),
        ],
      ] as const) {
        const { b2_url: full, screen_url: screen } = await addPhoto(user, file)
        expect([screen, (await get(full)).headers['content-type']]).toEqual([full, type])
      }
    })

    test('is made again from another full image, and when its file is missing; clean-up and verify leave it alone', async () => {
      const user = await makeBrandedUser()
      const { id } = await addPhoto(user, await grey(2400, 1200, 0).jpeg().toBuffer())
      const before = await screenOf(user, id)
      expect((await sharp(before).metadata()).width).toBe(limits.screenSidePx)
      const [first = ''] = await keysOf(id)
      await query("update stored_objects set created_at = created_at - interval '3 days' where photo_id = $1", [id])
      await runOverdueWork(server)
      expect([await keysOf(id), await isStored(first)]).toEqual([[first], true])
      expect(await findings()).toEqual([])
      await rm(storedFilePath(server, first))
      expect(await findings()).toEqual([])
      expect((await screenOf(user, id)).equals(before)).toBe(true)
      await startRun(user, 'apply')
      await server.work()
      const marked = await screenOf(user, id)
      expect(marked.equals(before)).toBe(false)
      expect((await pixelsOf(marked)).some((value) => value > 100)).toBe(true)
      // The others are of no use any more.
      await query("update stored_objects set created_at = created_at - interval '1 hour' where photo_id = $1", [id])
      await runOverdueWork(server)
      expect(await keysOf(id)).toHaveLength(1)
      await expectConsistent(server)
      const [last = ''] = await keysOf(id)
      await call(user, 'DELETE', `/photos/${id}`)
      await server.work()
      expect(await isStored(last)).toBe(false)
    })
  })

  describe('a picture that cannot be made soon', () => {
    const photo = sharedPhoto({ width: 4000, height: 3000 })
    const createWith = (images: () => Promise<ImagePool>) => {
      const { db, storage, mediaCache, log } = server.app.deps
      return createScreenImages({ db, storage, mediaCache, log, images }, { maxWaitMs: 60 })
    }

    test('is answered by the full image after a while, and at once when many are waited for', async () => {
      const user = await makeUser(server)
      const { id, screen_url: url, b2_url: full } = await addPhoto(user, large)
      const waits = createWith(() => new Promise(() => {}))
      const found = (n: number) => waits.find({ ...photo, photoId: id, fullKey: `full/${n}` })
      // Photos with another full image by now.
      expect(await Promise.all(Array.from({ length: 40 }, (_, n) => found(n)))).toEqual(Array(40).fill(null))
      const { full_key } = (await query<{ full_key: string }>('select full_key from photos where id = $1', [id]))[0]!
      expect(await waits.find({ ...photo, photoId: id, fullKey: full_key })).toBeNull()
      const refused = createWith(() => Promise.reject(new Error('no image process')))
      expect(await refused.find({ ...photo, photoId: id, fullKey: full_key })).toBeNull()
      vi.spyOn(server.app.deps.storage, 'moveIn').mockRejectedValueOnce(new Error('the disk is full'))
      expect((await get(url)).rawPayload.equals((await get(full)).rawPayload)).toBe(true)
      expect(await keysOf(id)).toEqual([])
    })
  })
})

describe('a hold', () => {
  let address: string
  beforeAll(async () => {
    address = await server.listen()
  })
  const makePhotos = (user: TestUser, count: number) => addPhotos(server, user, { count, daysAgo: 1 })
  const setHidden = (user: TestUser, id: string, hidden: boolean) =>
    server.request({ method: 'PUT', url: `/photos/${id}`, token: user.token, body: { hidden } })
  const call = (user: TestUser, method: 'GET' | 'PUT' | 'DELETE', photo_id?: string) =>
    server.request({ method, url: '/user/hold', token: user.token, body: photo_id && { photo_id } })
  const held = async (user: TestUser): Promise<string | undefined> =>
    (await call(user, 'GET')).json<{ hold: { photo_id: string } | null }>().hold?.photo_id
  const isHold = (message: ServerMessage): boolean => message.action === 'photo_hold' && message.hold !== null
  const isRelease = (message: ServerMessage): boolean => message.action === 'photo_hold' && message.hold === null
  test('is sent to all screens of its owner, with the end that the server keeps, and so is its release', async () => {
    const [owner, other] = [await makeUser(server), await makeUser(server)]
    const [id] = await makePhotos(owner, 1)
    const screens = await Promise.all([owner, owner, other].map(({ token }) => connectLive(address, token)))
    const { hold } = (await call(owner, 'PUT', id)).json<{ hold: PhotoHold }>()
    expect(hold.remaining_ms).toBeGreaterThan(9.5 * 60_000)
    expect(hold.remaining_ms).toBeLessThanOrEqual(10 * 60_000)
    const told = { action: 'photo_hold', hold: { ...hold, remaining_ms: expect.any(Number) } }
    for (const screen of screens.slice(0, 2)) expect(await screen.next(isHold)).toEqual(told)
    expect((await call(owner, 'GET')).json()).toMatchObject({ hold: { photo_id: id, until: hold.until } })
    expect((await call(owner, 'DELETE')).json()).toEqual({ hold: null })
    for (const screen of screens.slice(0, 2))
      expect(await screen.next(isRelease)).toEqual({ action: 'photo_hold', hold: null })
    expect(await held(other)).toBeUndefined()
    for (const { socket } of screens) socket.close()
  })

  test('is sent to a screen that missed its event while the database connection was lost', async () => {
    const owner = await makeUser(server)
    const [id] = await makePhotos(owner, 1)
    const screen = await connectLive(address, owner.token)
    const { pool } = server.app.deps
    const hold =
      "insert into photo_holds (user_id, photo_id, held_until) values ($1, $2, now() + interval '10 minutes')"
    await pool.query(hold, [owner.id, id])
    await pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    expect(await screen.next(isHold)).toMatchObject({ hold: { photo_id: id } })
    screen.socket.close()
  })

  test('ends after ten minutes, and when guests may not see its photo any more', async () => {
    const owner = await makeUser(server)
    const [first = '', second = ''] = await makePhotos(owner, 2)
    for (const id of [first, second]) await call(owner, 'PUT', id)
    expect(await held(owner)).toBe(second)
    await server.app.deps.pool.query('update photo_holds set held_until = now() where user_id = $1', [owner.id])
    expect(await held(owner)).toBeUndefined()
    await call(owner, 'PUT', second)
    await setHidden(owner, second, true)
    expect(await held(owner)).toBeUndefined()
    await call(owner, 'PUT', first)
    await server.request({ method: 'DELETE', url: `/photos/${first}`, token: owner.token })
    expect(await held(owner)).toBeUndefined()
  })

  test("is not possible of another user's photo, a hidden one and one in processing", async () => {
    const [owner, other] = [await makeUser(server), await makeUser(server)]
    const [[theirs], [hidden = '']] = [await makePhotos(other, 1), await makePhotos(owner, 1)]
    await setHidden(owner, hidden, true)
    const [processing] = await addPhotos(server, owner, { count: 1, state: 'queued' })
    const detail = 'Only a photo of yours that guests can see can be held.'
    for (const id of [theirs, hidden, processing]) {
      const answer = await call(owner, 'PUT', id)
      expect([answer.statusCode, answer.json()]).toMatchObject([404, { detail }])
    }
    expect(await held(owner)).toBeUndefined()
  })
})
