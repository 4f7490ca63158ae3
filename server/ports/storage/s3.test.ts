import { storeStream } from './storage.ts'
import {
  CreateBucketCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { newId } from '../../lib/ids.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { makeUser, upload } from '../../test/test-data.ts'
import { hasRadosgw, startGateway, type Gateway } from '../../test/radosgw.ts'
import { testStorageContract } from './test/storage-contract.ts'
import { s3Storage } from './s3.ts'
import { StorageDown, type Storage } from './storage.ts'

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
})
const open = (): Promise<Storage> => s3Storage(config(), join(scratch, newId()))

const canStart = hasRadosgw()
beforeAll(async () => {
  if (!canStart) return
  gateway = await startGateway()
  const { endpoint, region, accessKeyId, secretAccessKey } = config()
  client = new S3Client({ endpoint, region, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  // As Backblaze B2 always does.
  await client.send(new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration: { Status: 'Enabled' } }))
}, 90_000)
beforeEach(({ skip }) => skip(!canStart, 'needs radosgw, ceph-osd and ceph-mon'))
afterAll(async () => {
  if (canStart) {
    client.destroy()
    await gateway.stop()
  }
  await rm(scratch, { recursive: true, force: true })
})

describe('a bucket', () => {
  testStorageContract(open, scratch)

  test('that keeps versions keeps none of what was removed', async () => {
    const storage = await open()
    const key = `full/${newId()}`
    for (const text of ['one', 'two'])
      await storeStream(storage, key, { source: Readable.from([Buffer.from(text)]), type: 'image/jpeg' })
    await storage.remove([key])
    const { Versions = [], DeleteMarkers = [] } = await client.send(
      new ListObjectVersionsCommand({ Bucket: bucket, Prefix: key }),
    )
    expect([...Versions, ...DeleteMarkers]).toEqual([])
  })

  test('gives away an object for a minute, under the name and type we say, and only that object', async () => {
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
      address.replace(/X-Amz-Signature=../, 'X-Amz-Signature=00'),
      address.split('?')[0]!,
    ]) {
      expect((await fetch(forged)).status).toBe(403)
    }
  })

  test('that is not there, or not ours, is trouble and not a missing object', async () => {
    const wrong = await s3Storage({ ...config(), secretAccessKey: 'wrong' }, join(scratch, newId()))
    await expect(wrong.sizeOf(`full/${newId()}`)).rejects.toBeInstanceOf(StorageDown)
    const nowhere = await s3Storage({ ...config(), endpoint: 'http://127.0.0.1:1' }, join(scratch, newId()))
    await expect(nowhere.check()).rejects.toBeInstanceOf(StorageDown)
  })
})

describe('the whole program on a bucket', () => {
  let server: TestServer
  beforeAll(async () => {
    if (!canStart) return
    const { endpoint, region, accessKeyId, secretAccessKey } = config()
    server = await startServer({
      S3_BUCKET: bucket,
      S3_ENDPOINT: endpoint,
      S3_REGION: region,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    })
  })
  afterAll(() => canStart && server.close())

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
    const bytes = await fetch(answer.headers.location!)
    expect(bytes.status).toBe(200)
    expect((await bytes.arrayBuffer()).byteLength).toBe(made.size_bytes)
    expect((await server.request({ method: 'GET', url: pathname })).statusCode).toBe(404)
    await server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
    await server.work()
    expect((await fetch(answer.headers.location!)).status).toBe(404)
  })

  test('answers 503 while the gateway hangs or is gone, keeps lists working, and recovers by itself', async () => {
    const user = await makeUser(server)
    const file = await jpeg({ width: 300, height: 200 })
    const before = (await upload(server, user, file)).json<Photo>()
    const { rgw } = await gateway.pids()
    process.kill(rgw, 'SIGSTOP')
    const health = await server.request({ method: 'GET', url: '/ready' })
    expect(health.statusCode).toBe(503)
    expect((await server.request({ method: 'GET', url: '/photos', token: user.token })).json()).toMatchObject([
      { id: before.id },
    ])
    process.kill(rgw, 'SIGCONT')
    expect((await upload(server, user, file)).statusCode).toBe(201)
    await server.work()
    expect((await server.request({ method: 'GET', url: '/photos/latest', token: user.token })).json()).toMatchObject({
      processing_complete: true,
    })
  })
})
