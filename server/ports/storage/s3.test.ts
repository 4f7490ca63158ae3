import {
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { moveStorageCommands } from '../../operations/move-storage.ts'
import { newId } from '../../lib/ids.ts'
import { jpeg, quadrantPixels, sharpFrom } from '../../images/test/sample-images.ts'
import { storageState } from './store-in-use.ts'
import { createMovingFixture, keysOf, repeatUntilStopped } from '../../test/moving-fixture.ts'
import { addPhotos, grantPlan, makeUser, upload, uploadBrandImage } from '../../test/test-data.ts'
import { serverForThisTest, startServer, type TestServer } from '../../test/harness.ts'
import { createBucket, type Gateway, hasRadosgw, openS3Proxy, type S3Proxy, sharedGateway } from '../../test/radosgw.ts'
import { testStorageContract } from '../../test/storage-contract.ts'
import { s3Storage } from './s3.ts'
import { type Storage, StorageDown, storeStream } from './storage.ts'

const scratch = await mkdtemp(join(tmpdir(), 'keepsnap-s3-storage-'))
const bucket = 'photos'
let gateway: Gateway
let client: S3Client
const config = () => ({
  kind: 's3' as const,
  bucket,
  region: 'default',
  endpoint: gateway.endpoint,
  accessKeyId: gateway.accessKeyId,
  secretAccessKey: gateway.secretAccessKey,
  downloads: 'redirect' as const,
})
const versionsOf = async (Prefix: string): Promise<object[]> => {
  const { Versions = [], DeleteMarkers = [] } = await client.send(
    new ListObjectVersionsCommand({ Bucket: bucket, Prefix }),
  )
  return [...Versions, ...DeleteMarkers]
}
const open = (): Promise<Storage> => s3Storage(config(), join(scratch, newId()))

const canStart = hasRadosgw()
beforeAll(async () => {
  if (!canStart) return
  gateway = await sharedGateway()
  const { endpoint, region, accessKeyId, secretAccessKey } = config()
  client = new S3Client({ endpoint, region, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } })
  await createBucket(gateway, bucket)
})
beforeEach(({ skip }) => skip(!canStart, 'needs radosgw, ceph-osd and ceph-mon'))
afterAll(async () => {
  client?.destroy()
  await rm(scratch, { recursive: true, force: true })
})

describe('a bucket', () => {
  testStorageContract(open, scratch)

  test('that keeps versions keeps none of what was removed', async () => {
    const storage = await open()
    const key = `full/${newId()}`
    for (const text of ['one', 'two'])
      await storeStream(storage, key, { source: Readable.from([Buffer.from(text)]), type: 'image/jpeg' })
    // Somebody removed it by its name, with another program.
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }))
    expect(await versionsOf(key)).toHaveLength(3)
    await storage.remove([key])
    expect(await versionsOf(key)).toEqual([])
  })

  test('lists only what is ours, tells other names in its folders apart, and ends what was begun a day ago and never finished', async () => {
    const storage = await open()
    const Key = `archive/${newId()}`
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: 'notes of the operator.txt', Body: 'keep' }))
    await client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key }))
    const stray = `full/${newId()}~`
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: stray, Body: 'keep' }))
    const others: string[] = []
    const keys = (await Array.fromAsync(storage.list((name) => void others.push(name)))).map(({ key }) => key)
    expect(keys.filter((key) => ['notes of the operator.txt', stray].includes(key))).toEqual([])
    expect(others).toEqual([stray])
    expect(await storage.removeUnfinished!(new Date(Date.now() - 60_000))).toBe(0)
    expect(await storage.removeUnfinished!(new Date(Date.now() + 60_000))).toBe(1)
  })

  test('gives access to one object by a presigned URL, for a minute, with our file name and type, unless downloads are proxied', async () => {
    const storage = await open()
    const [key, other] = [`full/${newId()}`, `full/${newId()}`]
    for (const one of [key, other])
      await storeStream(storage, one, { source: Readable.from([Buffer.from(one)]), type: 'application/octet-stream' })
    const address = (await storage.presign(key, { type: 'image/jpeg', disposition: 'attachment; filename="a.jpg"' }))!
    expect(Number(new URL(address).searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(60)
    const answer = await fetch(address)
    expect([answer.status, await answer.text()]).toEqual([200, key])
    expect(answer.headers.get('content-type')).toBe('image/jpeg')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="a.jpg"')
    for (const forged of [
      address.replace(key, other),
      address.replace(/X-Amz-Signature=(.)/, (_, first) => `X-Amz-Signature=${first === '0' ? '1' : '0'}`),
      address.split('?')[0]!,
      address.replace('a.jpg', 'b.jpg'),
      address.replace('response-content-type=image%2Fjpeg', 'response-content-type=text%2Fhtml'),
      address.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'),
    ]) {
      expect((await fetch(forged)).status).toBe(403)
    }
    const part = await fetch(address, { headers: { range: 'bytes=1-3' } })
    expect([part.status, await part.text()]).toEqual([206, key.slice(1, 4)])
    expect(part.headers.get('cache-control')).toBe('private, max-age=60')
    vi.setSystemTime(Date.now() - 70_000)
    onTestFinished(() => void vi.useRealTimers())
    const old = (await storage.presign(key, { type: 'image/jpeg', disposition: 'inline' }))!
    expect((await fetch(old)).status).toBe(403)
    const proxied = await s3Storage({ ...config(), downloads: 'proxy' }, join(scratch, newId()))
    expect(await proxied.presign(key, { type: 'image/jpeg', disposition: 'inline' })).toBeNull()
  })

  test('that does not exist, or denies access, is reported as down, not as a missing object', async () => {
    const wrong = await s3Storage({ ...config(), secretAccessKey: 'wrong' }, join(scratch, newId()))
    await expect(wrong.sizeOf(`full/${newId()}`)).rejects.toBeInstanceOf(StorageDown)
    const nowhere = await s3Storage({ ...config(), endpoint: 'http://127.0.0.1:1' }, join(scratch, newId()))
    await expect(nowhere.check()).rejects.toThrow('the object store failed: ECONNREFUSED')
    const missing = await s3Storage({ ...config(), bucket: 'no-such-bucket' }, join(scratch, newId()))
    await expect(missing.open(`full/${newId()}`)).rejects.toThrow('the object store failed: NoSuchBucket 404')
    await expect(missing.check()).rejects.toBeInstanceOf(StorageDown)
  })
})

describe('the calls to a store', () => {
  let proxy: S3Proxy
  let storage: Storage
  beforeAll(async () => {
    if (!canStart) return
    proxy = await openS3Proxy(gateway.endpoint)
    storage = await s3Storage({ ...config(), endpoint: proxy.endpoint }, join(scratch, newId()))
  })
  afterAll(() => proxy?.close())
  beforeEach(() => proxy?.failWhen(() => undefined))

  const localFile = async (bytes: number): Promise<string> => {
    const path = join(scratch, newId())
    await writeFile(path, randomBytes(bytes))
    return path
  }
  const store = async (bytes: number): Promise<string> => {
    const key = `full/${newId()}`
    await storage.moveIn(key, await localFile(bytes), { type: 'image/jpeg' })
    return key
  }

  test('have no header that Backblaze B2 refuses, and remove version by version', async () => {
    proxy.calls.length = 0
    const keys = [await store(100), await store(9 * 1024 * 1024)]
    await storeStream(storage, `archive/${newId()}`, {
      source: Readable.from([Buffer.from('zip')]),
      type: 'application/zip',
    })
    await storage.remove(keys)
    await Array.fromAsync(storage.list())
    const headers = new Set(proxy.calls.flatMap((call) => Object.keys(call.headers)))
    expect(
      [...headers].filter((name) => /acl|checksum|trailer|tagging|encryption|content-encoding/.test(name)),
    ).toEqual([])
    expect(proxy.calls.filter(({ path }) => /[?&](acl|delete|tagging|policy|versioning)\b/.test(path))).toEqual([])
    expect(proxy.calls.filter(({ path }) => path.includes('uploadId=') && path.includes('partNumber='))).toHaveLength(2)
  })

  test('remove by name in a store that does not know versions', async () => {
    const key = await store(100)
    proxy.failWhen(({ path }) => (path.includes('versions') ? { status: 501, code: 'NotImplemented' } : undefined))
    await storage.remove([key, `full/${newId()}`])
    expect(await storage.sizeOf(key)).toBeNull()
  })

  test('are retried when the store asks to slow down; other failures mean that it is down', async () => {
    let refused = 0
    proxy.failWhen(({ method }) => (method === 'PUT' && refused++ < 2 ? { status: 503, code: 'SlowDown' } : undefined))
    const key = await store(2_000)
    expect([refused, await storage.sizeOf(key)]).toEqual([3, 2_000])
    proxy.failWhen(() => ({ status: 403, code: 'AccessDenied' }))
    await expect(storage.open(key)).rejects.toThrow('the object store failed: AccessDenied 403')
    const path = await localFile(50)
    await expect(storage.moveIn(`full/${newId()}`, path, { type: 'image/jpeg' })).rejects.toBeInstanceOf(StorageDown)
    // What could not be stored is still where it was.
    expect((await stat(path)).size).toBe(50)
  })

  test('that break off in the middle of an upload leave no parts; a download that breaks off leaves no file', async () => {
    proxy.failWhen(({ path }) => (path.includes('partNumber=2') ? { status: 400, code: 'InvalidPart' } : undefined))
    await expect(store(9 * 1024 * 1024)).rejects.toBeInstanceOf(StorageDown)
    expect(await storage.removeUnfinished!(new Date(Date.now() + 60_000))).toBe(0)
    const key = await store(300_000)
    proxy.failWhen(({ method }) => (method === 'GET' ? { cutAfter: 1_000 } : undefined))
    const path = join(scratch, newId())
    await expect(storage.linkTo(key, path)).rejects.toBeInstanceOf(StorageDown)
    await expect(stat(path)).rejects.toThrow('ENOENT')
  })
})

test('photos, logos and what is uploaded and removed meanwhile move to the bucket, unless it is marked by another installation, and back; every read succeeds', async () => {
  const fixture = await createMovingFixture()
  onTestFinished(() => fixture.close())
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
  const { config, log } = server.app.deps
  const other = { reportProgress: () => {}, lowerPriority: () => {}, confirm: async () => false }
  const moveToBucket = async () =>
    moveStorageCommands['move-storage']!(['s3'])({ ...other, config, log, db: server.db, database: fixture.database })
  await stores.s3.writeInstallation('another')
  await expect(moveToBucket()).rejects.toThrow(
    /^The bucket \S+ at .* is of another Keepsnap.*Check S3_BUCKET and S3_ENDPOINT/,
  )
  const { S3_BUCKET: Bucket } = fixture.env
  await client.send(new DeleteObjectCommand({ Bucket, Key: 'keepsnap-installation.json' }))
  const reading = repeatUntilStopped(async () => {
    for (const url of [kept.b2_url!, kept.thumbnail_url!]) expect(await read(url)).toBe(200)
    await wait(100)
  })
  const files = await fixture.createFiles()
  for (let n = 0; n < 8; n++) await files.add(1_000 + n)
  // In a bucket it has several parts.
  const large = await files.add(9 * 1024 * 1024)
  const changing = repeatUntilStopped(async () => {
    const key = await files.add(500)
    await files.expectReadable(key)
    if (files.live.size > 12) await files.remove([...files.live.keys()].find((one) => one !== large)!)
    await wait(100)
  })
  const toBucket = moveToBucket()
  await server.request({ method: 'DELETE', url: `/photos/${removed.id}`, token: user.token })
  await server.work()
  await toBucket
  await files.expectReadable(large)
  const { id } = await server.db.selectFrom('installation').select('id').executeTakeFirstOrThrow()
  expect(await stores.s3.readInstallation()).toBe(id)
  expect(await storageState(server.db)).toMatchObject({ store: 's3', step: 'settled' })
  expect(await keysOf(stores.disk)).toEqual([])
  expect(
    (await server.request({ method: 'GET', url: new URL(kept.b2_url!).pathname + new URL(kept.b2_url!).search }))
      .statusCode,
  ).toBe(302)
  await move('disk')
  const [changes, reads] = [await changing.stop(), await reading.stop()]
  expect([changes > 3, reads > 3]).toEqual([true, true])
  expect(await keysOf(stores.s3)).toEqual([])
  expect(await keysOf(stores.disk)).toEqual(await keysOf(server.app.deps.storage))
  for (const key of files.live.keys()) await files.expectReadable(key)
  expect([await read(kept.b2_url!), await read(removed.b2_url!)]).toEqual([200, 404])
})

describe('the whole program on a bucket', () => {
  let server: TestServer
  let proxy: S3Proxy
  beforeAll(async () => {
    if (!canStart) return
    proxy = await openS3Proxy(gateway.endpoint)
    server = await startServer(await createBucket({ ...gateway, endpoint: proxy.endpoint }))
  })
  afterAll(async () => {
    await server?.close()
    await proxy?.close()
  })

  test('takes a photo, makes its images, gives them by presigned addresses after the check, and removes all of it', async () => {
    const user = await makeUser(server)
    const file = await jpeg({ width: 900, height: 600 })
    const { id } = (await upload(server, user, file)).json<Photo>()
    await server.work()
    const made = (await server.request({ method: 'GET', url: `/photos/${id}`, token: user.token })).json<Photo>()
    expect(made.processing_complete).toBe(true)
    const { pathname, search } = new URL(made.b2_url!)
    const answer = await server.request({ method: 'GET', url: pathname + search })
    expect(answer.statusCode).toBe(302)
    expect(answer.headers['cache-control']).toBe('no-store')
    const signed = answer.headers.location!
    expect(new URL(signed).searchParams.get('response-content-disposition')).toMatch(/^inline; filename=/)
    const bytes = await fetch(signed)
    expect(bytes.status).toBe(200)
    expect((await bytes.arrayBuffer()).byteLength).toBe(made.size_bytes)
    const known = { 'if-none-match': `"${new URL(made.b2_url!).pathname.split('/').at(-1)}"` }
    expect((await server.request({ method: 'GET', url: pathname + search, headers: known })).statusCode).toBe(304)
    // What a page reads, and what only asks for headers, is answered here; a file to keep is one wherever it comes from.
    const read = await server.request({ method: 'GET', url: `${pathname}${search}&inline=1` })
    expect([read.statusCode, read.rawPayload.length]).toEqual([200, made.size_bytes])
    expect((await server.request({ method: 'HEAD', url: pathname + search })).statusCode).toBe(200)
    const kept = await server.request({ method: 'GET', url: `${pathname}${search}&download=1` })
    expect(decodeURIComponent(kept.headers.location!)).toContain('response-content-disposition=attachment; filename=')
    const scanned = await server.request({ method: 'GET', url: new URL(made.qr_code_url).pathname.replace('/qr', '') })
    expect(decodeURIComponent(scanned.headers.location!)).toContain('disposition=attachment; filename="keepsnap-')
    const thumbnail = await server.request({ method: 'GET', url: new URL(made.thumbnail_url!).pathname })
    expect([thumbnail.statusCode, thumbnail.headers['content-type']]).toEqual([200, 'image/webp'])
    expect((await server.request({ method: 'GET', url: pathname })).statusCode).toBe(404)
    const [missing] = (await server.app.deps.pool.query<{ key: string }>('select full_key as key from photos')).rows
    const image = await buffer((await server.app.deps.storage.open(missing!.key))!)
    await server.app.deps.storage.remove([missing!.key])
    const lost = await server.request({ method: 'GET', url: `${pathname}${search}&inline=1` })
    expect([lost.statusCode, lost.json()]).toMatchObject([503, { code: 'unavailable' }])
    expect(image.byteLength).toBe(made.size_bytes)
    await server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
    await server.work()
    expect((await fetch(answer.headers.location!)).status).toBe(404)
  })

  test('sends photos as one ZIP file, of which a range opens only the photos that it needs', async () => {
    const user = await makeUser(server)
    const ids = await addPhotos(server, user, { count: 4, bytes: 50_000 })
    await server.app.deps.pool.query(`update photos set full_type = 'image/jpeg' where id = any($1)`, [ids])
    for (const id of ids)
      await storeStream(server.app.deps.storage, `full/${id}`, {
        source: Readable.from([randomBytes(50_000)]),
        type: 'image/jpeg',
      })
    const asked = { method: 'POST', url: '/photos/archive', token: user.token, body: { ids } } as const
    const { url, size_bytes: size } = (await server.request(asked)).json<{ url: string; size_bytes: number }>()
    const get = (headers = {}) => server.request({ method: 'GET', url: new URL(url).pathname, headers })
    const whole = await get()
    expect([whole.statusCode, whole.rawPayload.length]).toEqual([200, size])
    proxy.calls.length = 0
    // Photos are sorted by time, and each of these is older than the one before.
    const part = await get({ range: 'bytes=60000-109999', 'if-range': String(whole.headers.etag) })
    expect([part.statusCode, part.rawPayload.equals(whole.rawPayload.subarray(60_000, 110_000))]).toEqual([206, true])
    const opened = proxy.calls.flatMap(({ method, path }) =>
      method === 'GET' ? path.split('?')[0]!.split('/').at(-1)! : [],
    )
    expect(opened.toSorted()).toEqual(ids.slice(1, 3).toSorted())
  })

  test('answers 503 while the bucket hangs, keeps lists working, and recovers by itself', async () => {
    const user = await makeUser(server)
    const file = await jpeg({ width: 300, height: 200 })
    const before = (await upload(server, user, file)).json<Photo>()
    proxy.failWhen(() => 'hang')
    const health = await server.request({ method: 'GET', url: '/ready' })
    expect(health.statusCode).toBe(503)
    expect((await server.request({ method: 'GET', url: '/photos', token: user.token })).json()).toMatchObject([
      { id: before.id },
    ])
    proxy.failWhen(() => undefined)
    expect((await upload(server, user, file)).statusCode).toBe(201)
    await server.work()
    expect((await server.request({ method: 'GET', url: '/photos/latest', token: user.token })).json()).toMatchObject({
      processing_complete: true,
    })
  })

  test('refuses another bucket, and stores nothing in one that was down at the start and proves to be of another', async () => {
    const other = await createBucket({ ...gateway, endpoint: proxy.endpoint })
    const sameDatabase = { database: server.database, foreignStore: 'refuse' as const }
    await expect(startServer(other, sameDatabase)).rejects.toThrow(
      /^The bucket \S+ at .* has none of the files that the database names.*Check S3_BUCKET and S3_ENDPOINT/,
    )
    const { S3_BUCKET: Bucket } = other
    const mark = { Bucket, Key: 'keepsnap-installation.json' }
    await client.send(new PutObjectCommand({ ...mark, Body: '{"installation":"another"}' }))
    proxy.failWhen(({ path }) => (path.includes(Bucket!) ? { status: 403, code: 'AccessDenied' } : undefined))
    const logged: string[] = []
    const out = { write: (line: string) => logged.push(line) }
    const node = await serverForThisTest(other, { ...sameDatabase, out })
    const user = await makeUser(node)
    const file = await jpeg({ width: 30, height: 20 })
    expect((await node.request({ method: 'GET', url: '/ready' })).statusCode).toBe(503)
    expect((await upload(node, user, file)).statusCode).toBe(503)
    proxy.failWhen(() => undefined)
    expect((await upload(node, user, file)).statusCode).toBe(503)
    await expect(node.app.deps.storage.check()).rejects.toThrow('is of another Keepsnap')
    expect(logged.filter((line) => line.includes('is of another Keepsnap'))).toHaveLength(1)
    const { id } = await server.db.selectFrom('installation').select('id').executeTakeFirstOrThrow()
    await client.send(new PutObjectCommand({ ...mark, Body: JSON.stringify({ installation: id }) }))
    expect((await upload(node, user, file)).statusCode).toBe(201)
  })
})
