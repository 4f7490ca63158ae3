import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { moveStorageCommands } from '../commands/move-storage-command.ts'
import { liveNodes, storageState } from './storage-state.ts'
import { jpeg, quadrantPixels, sharpFrom } from '../images/test/sample-images.ts'
import { grantPlan, makeUser, upload, uploadBrandImage } from '../test/test-data.ts'
import { openS3Proxy } from '../test/s3-proxy.ts'
import { hasRadosgw, sharedGateway } from '../test/radosgw.ts'
import { storeIdsOf } from '../setup/open-storage.ts'
import { s3Storage } from '../ports/storage/s3.ts'
import { refuseOtherNodes } from './wait-for-nodes.ts'
import {
  createFiles,
  createMovingFixture,
  keysOf,
  repeatUntilStopped,
  type MovingFixture,
} from './test/moving-fixture.ts'

const canStart = hasRadosgw()
let fixture: MovingFixture
beforeAll(async () => {
  if (canStart) fixture = await createMovingFixture()
})
beforeEach(({ skip }) => skip(!canStart, 'needs radosgw, ceph-osd and ceph-mon'))
afterAll(() => fixture?.close())

test('photos, logos and what is uploaded and removed meanwhile move to the bucket and back; every read succeeds', async () => {
  const { server, stores, move } = fixture
  const user = await makeUser(server)
  await grantPlan(server, user, 'pro_yearly')
  const file = await jpeg({ width: 300, height: 200 })
  expect(
    (await uploadBrandImage(server, user, 'logo', await sharpFrom(quadrantPixels(60, 40)).png().toBuffer())).statusCode,
  ).toBe(200)
  const photos = [(await upload(server, user, file)).json<Photo>(), (await upload(server, user, file)).json<Photo>()]
  await server.work()
  const made = async (id: string): Promise<Photo> =>
    (await server.request({ method: 'GET', url: `/photos/${id}`, token: user.token })).json<Photo>()
  const [kept, removed] = [await made(photos[0]!.id), await made(photos[1]!.id)]
  const read = async (url: string): Promise<number> => {
    const { pathname, search } = new URL(url)
    const answer = await server.request({ method: 'GET', url: pathname + search })
    return answer.statusCode === 302 ? (await fetch(answer.headers.location!)).status : answer.statusCode
  }
  const reading = repeatUntilStopped(async () => {
    for (const url of [kept.b2_url!, kept.thumbnail_url!]) expect(await read(url)).toBe(200)
    await wait(25)
  })
  const files = await createFiles(fixture)
  for (let n = 0; n < 12; n++) await files.add(1_000 + n)
  const large = await files.add(9 * 1024 * 1024)
  const changing = repeatUntilStopped(async () => {
    const key = await files.add(500)
    await files.expectReadable(large)
    await files.expectReadable(key)
    if (files.live.size > 30) await files.remove([...files.live.keys()][3]!)
    await wait(50)
  })
  const toBucket = move('s3')
  await server.request({ method: 'DELETE', url: `/photos/${removed.id}`, token: user.token })
  await server.work()
  await toBucket
  expect(await storageState(server.db)).toMatchObject({ store: 's3', step: 'settled' })
  expect(await keysOf(stores.disk)).toEqual([])
  expect(
    (await server.request({ method: 'GET', url: new URL(kept.b2_url!).pathname + new URL(kept.b2_url!).search }))
      .statusCode,
  ).toBe(302)
  await move('disk')
  const [changes, reads] = [await changing.stop(), await reading.stop()]
  expect([changes > 5, reads > 5]).toEqual([true, true])
  expect(await keysOf(stores.s3)).toEqual([])
  expect(await keysOf(stores.disk)).toEqual(await keysOf(server.app.deps.storage))
  for (const key of files.live.keys()) await files.expectReadable(key)
  expect([await read(kept.b2_url!), await read(removed.b2_url!)]).toEqual([200, 404])
})

test('a target that fails, or gives back other bytes, stops the move, which later continues; nobody notices', async () => {
  const { server, stores, move } = fixture
  const files = await createFiles(fixture)
  for (let n = 0; n < 5; n++) await files.add(3_000)
  const proxy = await openS3Proxy((await sharedGateway()).endpoint)
  const { storage: settings } = server.app.deps.config
  if (settings.kind !== 's3') throw new Error('the settings name no bucket')
  const s3 = await s3Storage({ ...settings, endpoint: proxy.endpoint }, fixture.scratchDir)
  let puts = 0
  proxy.failWhen(({ method }) =>
    method === 'PUT' && ++puts > 3 ? { status: 507, code: 'InsufficientStorage' } : undefined,
  )
  const options = { stores: { ...stores, s3 }, patienceMs: 0 }
  await expect(move('s3', options)).rejects.toThrow(/Stopped: .*Nothing is lost/)
  expect(await storageState(server.db)).toMatchObject({ store: 'disk', step: 'copying' })
  const added = await files.add(100)
  await files.remove([...files.live.keys()][0]!)
  proxy.failWhen(({ method }) => (method === 'GET' ? { cutAfter: 100 } : undefined))
  await expect(move('s3', options)).rejects.toThrow(/Stopped: /)
  for (const key of files.live.keys()) await files.expectReadable(key)
  // Going back removes the copies.
  await move('disk')
  expect(await keysOf(stores.s3)).toEqual([])
  proxy.failWhen(() => undefined)
  await move('s3', { ...options, keepSource: true })
  await proxy.close()
  expect(await storageState(server.db)).toMatchObject({ store: 's3', step: 'kept' })
  expect(await keysOf(stores.disk)).toEqual(await keysOf(stores.s3))
  await files.remove(added)
  expect([await stores.disk.sizeOf(added), await stores.s3.sizeOf(added)]).toEqual([null, null])
  await move('disk')
  expect(await keysOf(stores.s3)).toEqual([])
  for (const key of files.live.keys()) await files.expectReadable(key)
})

test('is refused with invalid arguments, and while a server without a bucket runs', async () => {
  for (const words of [[], ['tape'], ['s3', '--limit', 'fast'], ['s3', '--limit', '0'], ['disk', '--force']])
    expect(() => moveStorageCommands['move-storage']!(words)).toThrow('move-storage s3 | disk')
  const { db, app } = fixture.server
  const ids = await storeIdsOf(app.deps.config)
  await refuseOtherNodes(db, ids)
  await db.insertInto('storage_nodes').values({ node: 'old', disk: 'another', s3: null, generation: 1 }).execute()
  await expect(refuseOtherNodes(db, ids)).rejects.toThrow('one has no settings of a bucket')
  await db.updateTable('storage_nodes').set({ seen_at: '2026-01-01' }).where('node', '=', 'old').execute()
  expect(await liveNodes(db)).toHaveLength(1)
})
