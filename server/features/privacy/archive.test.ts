import { storeStream } from '../../ports/storage/storage.ts'
import { on } from 'node:events'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromBuffer, type Entry, type Options, type ZipFile } from 'yauzl'
import { legalVersions } from '@keepsnap/contract/legal.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { Archive } from '@keepsnap/contract/privacy.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { newClientAddress, startServer, type TestServer } from '../../test/harness.ts'
import { createKey } from '../../test/api-keys.ts'
import { grantPlan, makeUser, registerUser, upload, type TestUser } from '../../test/test-data.ts'
import { expectConsistent, runOverdueWork } from '../../test/consistency-check.ts'
import { emailsTo, newestSecret } from '../../test/outbox.ts'

let server: TestServer
const photoFile = await jpeg({ width: 640, height: 480 })
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const requestArchive = (user: TestUser) => server.request({ method: 'POST', url: '/user/export', token: user.token })
const archiveState = async (user: TestUser) =>
  (await server.request({ method: 'GET', url: '/user/export', token: user.token })).json<Archive>()
const downloadArchive = (secret: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  server.request({ method, url: `/export/${secret}`, headers, from: newClientAddress() })
const archiveSecretOf = async (user: TestUser): Promise<string> => {
  expect((await requestArchive(user)).statusCode).toBe(200)
  await server.work()
  return newestSecret(server, user.email, '/export/')
}
const uploadPhoto = async (user: TestUser, filename = 'a.jpg'): Promise<Photo> => {
  const { id } = (await upload(server, user, photoFile, { filename })).json<Photo>()
  await server.work()
  return (await server.request({ method: 'GET', url: `/photos/${id}`, token: user.token })).json<Photo>()
}

/** What is in a zip, by name; every entry must be stored as it is. */
async function unpackArchive(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await promisify<Buffer, Options, ZipFile>(fromBuffer)(bytes, { lazyEntries: true })
  const archivedFiles = new Map<string, Buffer>()
  for (const entries = on(zip, 'entry', { close: ['end'] }); ;) {
    zip.readEntry()
    const { value } = await entries.next()
    const entry = value?.[0] as Entry | undefined // what the event carries
    if (!entry) return archivedFiles
    expect(entry.compressionMethod).toBe(0)
    archivedFiles.set(entry.fileName, await buffer(await promisify(zip.openReadStream.bind(zip))(entry)))
  }
}
const archivedText = (archivedFiles: Map<string, Buffer>, name: string): string => archivedFiles.get(name)!.toString()

describe('the archive of an account', () => {
  test('contains the account, every photo bit for bit, requests, consents, reports and insights', async () => {
    const user = await registerUser(server)
    const photos = [await uploadPhoto(user, 'Trouw – été.jpg'), await uploadPhoto(user, '=cmd().jpg')]
    const body = { email: 'guest@example.com' }
    await server.request({ method: 'POST', url: `/photos/${photos[0]!.id}/request-email`, body })
    await server.request({
      method: 'POST',
      url: `/photos/${photos[0]!.id}/report`,
      body: { reason: 'me', note: 'My face' },
    })
    await server.request({
      method: 'PUT',
      url: '/user/settings',
      token: user.token,
      body: { allow_marketing_emails: true },
    })
    const message = { name: 'Ann', email: 'ann@example.com', subject: 'Help', message: 'It is dark.' }
    await server.request({ method: 'POST', url: '/support', token: user.token, body: message })
    await grantPlan(server, user, 'pro_yearly')
    const { key } = await createKey(server, user, { name: 'Booth' })
    await server.app.deps.guestActivity.flush()
    const archivedFiles = await unpackArchive((await downloadArchive(await archiveSecretOf(user))).rawPayload)
    expect([...archivedFiles.keys()].filter((name) => !name.startsWith('photos/')).toSorted()).toEqual([
      'account.json',
      'billing.json',
      'consents.json',
      'insights.csv',
      'photos.csv',
      'reports.json',
      'requests.csv',
      'support-messages.json',
      'webhook-deliveries.csv',
      'webhooks.json',
    ])
    expect(JSON.parse(archivedText(archivedFiles, 'account.json'))).toMatchObject({
      account: { id: user.id, email: user.email, terms_version: legalVersions.terms },
      uploads_by_month: [{ uploads: 2 }],
      api_keys: [{ name: 'Booth', last_four: key.slice(-4), last_used_at: null, expires_at: null }],
      known_clients: [{ client: expect.stringMatching(/^[\d.]+$/), seen_at: expect.any(String) }],
    })
    // Names of fields: random ids may contain "hash".
    expect(archivedText(archivedFiles, 'account.json')).not.toMatch(/password|(hash|token)\w*":/)
    expect(archivedText(archivedFiles, 'requests.csv')).toContain('guest@example.com')
    expect(JSON.parse(archivedText(archivedFiles, 'consents.json'))).toMatchObject([{ kind: 'marketing', given: true }])
    expect(JSON.parse(archivedText(archivedFiles, 'reports.json'))).toMatchObject([{ reason: 'me', note: 'My face' }])
    expect(JSON.parse(archivedText(archivedFiles, 'support-messages.json'))).toMatchObject([
      { ...message, sent_at: expect.any(String), answered_at: null },
    ])
    expect(archivedText(archivedFiles, 'insights.csv')).toContain(photos[0]!.id)
    for (const photo of photos) {
      const name = [...archivedFiles.keys()].find(
        (one) => one.startsWith('photos/') && one.includes(photo.id.slice(0, 8)),
      )!
      const { pathname, search } = new URL(photo.b2_url!)
      const served = await server.request({ method: 'GET', url: pathname + search })
      expect(archivedFiles.get(name)!.equals(served.rawPayload)).toBe(true)
      expect(archivedText(archivedFiles, 'photos.csv')).toContain(name)
    }
    expect([...archivedFiles.keys()].some((name) => name.endsWith('Trouw – été.jpg'))).toBe(true)
  })

  test('gives every file a name that any file system accepts', async () => {
    const user = await makeUser(server)
    const filename = `${'é'.repeat(200)}.jpg`
    await uploadPhoto(user, filename)
    await upload(server, user, photoFile.subarray(0, 5_000), { filename })
    const archivedFiles = await unpackArchive((await downloadArchive(await archiveSecretOf(user))).rawPayload)
    const names = [...archivedFiles.keys()].flatMap((name) =>
      name.startsWith('photos/') ? name.slice('photos/'.length) : [],
    )
    expect(names).toHaveLength(2)
    for (const name of names) {
      expect(name).toMatch(/^[\d-]{16}\w{8}-é{80,}\.jpg$/)
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
    }
  })

  test('is announced by email, and downloads as one file, also in ranges, without being cached', async () => {
    const user = await registerUser(server)
    await uploadPhoto(user)
    expect(await archiveState(user)).toMatchObject({ state: 'none', requested_at: null })
    expect((await requestArchive(user)).json()).toMatchObject({ state: 'queued', ready_at: null, expires_at: null })
    await server.work()
    const now = await archiveState(user)
    expect(now).toMatchObject({ state: 'ready', size_bytes: expect.any(Number) })
    const days = (Date.parse(now.expires_at!) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(6.9)
    expect(days).toBeLessThanOrEqual(7)
    expect(await emailsTo(server, user.email)).toHaveLength(2)
    const secret = await newestSecret(server, user.email, '/export/')
    const whole = await downloadArchive(secret)
    expect(whole.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(now.size_bytes),
      'content-disposition': expect.stringMatching(/^attachment; filename="keepsnap-\d{4}-\d\d-\d\d\.zip"$/),
      'cache-control': 'no-store',
      'accept-ranges': 'bytes',
    })
    expect(whole.rawPayload).toHaveLength(now.size_bytes!)
    const part = await downloadArchive(secret, { range: 'bytes=10-29', 'if-range': String(whole.headers.etag) })
    expect([part.statusCode, part.rawPayload.equals(whole.rawPayload.subarray(10, 30))]).toEqual([206, true])
    expect((await downloadArchive(secret, {}, 'HEAD')).headers['content-length']).toBe(String(now.size_bytes))
    expect((await downloadArchive(secret)).statusCode).toBe(200)
  })

  test('is created one at a time, and a new one replaces the old one', async () => {
    const user = await makeUser(server)
    await Promise.all([requestArchive(user), requestArchive(user), requestArchive(user)])
    await server.work()
    const first = await newestSecret(server, user.email, '/export/')
    expect(
      (await server.app.deps.pool.query("select 1 from emails where kind = 'archive' and recipient = $1", [user.email]))
        .rowCount,
    ).toBe(1)
    await server.app.deps.pool.query('delete from rate_hits')
    const second = await archiveSecretOf(user)
    expect([
      first === second,
      (await downloadArchive(first)).statusCode,
      (await downloadArchive(second)).statusCode,
    ]).toEqual([false, 404, 200])
    const { rows } = await server.app.deps.pool.query(
      "select key from stored_objects where user_id = $1 and key like 'archive/%'",
      [user.id],
    )
    expect(rows).toHaveLength(1)
  })

  test('lists a photo that was deleted meanwhile as left out', async () => {
    const user = await makeUser(server)
    const [gone, kept] = [await uploadPhoto(user), await uploadPhoto(user)]
    const { rows } = await server.app.deps.pool.query('select full_key from photos where id = $1', [gone.id])
    await server.app.deps.storage.remove([rows[0].full_key])
    const archivedFiles = await unpackArchive((await downloadArchive(await archiveSecretOf(user))).rawPayload)
    expect(archivedText(archivedFiles, 'left-out.txt')).toContain(gone.id.slice(0, 8))
    const names = [...archivedFiles.keys()].filter((name) => name.startsWith('photos/'))
    expect(names).toEqual([expect.stringContaining(kept.id.slice(0, 8))])
    await server.request({ method: 'DELETE', url: `/photos/${gone.id}`, token: user.token })
  })

  test('is deleted after seven days, and not available while the account is deactivated', async () => {
    const user = await makeUser(server)
    const secret = await archiveSecretOf(user)
    await server.app.deps.pool.query('update users set is_active = false where id = $1', [user.id])
    expect((await downloadArchive(secret)).statusCode).toBe(404)
    await server.app.deps.pool.query('update users set is_active = true where id = $1', [user.id])
    expect((await downloadArchive(secret)).statusCode).toBe(200)
    await server.app.deps.pool.query(
      "update archives set expires_at = now() - interval '1 second' where user_id = $1",
      [user.id],
    )
    expect((await downloadArchive(secret)).statusCode).toBe(404)
    expect(await archiveState(user)).toMatchObject({ state: 'none' })
    await runOverdueWork(server)
    const keys: string[] = []
    for await (const { key } of server.app.deps.storage.list()) keys.push(key)
    const { rows } = await server.app.deps.pool.query<{ key: string }>('select key from archives where key is not null')
    expect(keys.filter((key) => key.startsWith('archive/')).toSorted()).toEqual(rows.map(({ key }) => key).toSorted())
    await expectConsistent(server)
  })

  test('is kept by the clean-up job as long as its link works', async () => {
    const user = await makeUser(server)
    const secret = await archiveSecretOf(user)
    await runOverdueWork(server)
    expect((await downloadArchive(secret)).statusCode).toBe(200)
  })

  test('whose job was lost has failed, and can be requested again', async () => {
    const user = await makeUser(server)
    await requestArchive(user)
    const { pool } = server.app.deps
    await pool.query("delete from graphile_worker._private_jobs where key like 'archive:%'")
    await pool.query("update archives set requested_at = now() - interval '6 minutes' where user_id = $1", [user.id])
    await runOverdueWork(server)
    expect(await archiveState(user)).toMatchObject({ state: 'failed' })
    const secret = await archiveSecretOf(user)
    expect((await downloadArchive(secret)).statusCode).toBe(200)
  })

  test.each(['0'.repeat(22), 'A'.repeat(43), 'x', '..%2f..%2fsecret-key'])(
    'is not found under the token %s',
    async (name) => {
      expect((await downloadArchive(name)).statusCode).toBe(404)
    },
  )
})

test('a large archive is streamed, not held in memory', async () => {
  const user = await makeUser(server)
  const { pool, storage } = server.app.deps
  const [photos, megabyte] = [20, 1024 * 1024]
  for (let n = 0; n < photos; n++) {
    const key = `full/Large${String(n).padStart(17, '0')}`
    await storeStream(storage, key, {
      source: Readable.from(Array.from({ length: 8 }, () => Buffer.alloc(megabyte, n))),
      type: 'image/jpeg',
    })
    await pool.query(
      `insert into photos (id, user_id, code, filename, state, counted_month, full_key, full_type, full_bytes)
       values ($1, $2, $1, 'large.jpg', 'ready', '2026-05-01', $3, 'image/jpeg', $4)`,
      [`Large${String(n).padStart(17, '0')}`, user.id, key, 8 * megabyte],
    )
  }
  await requestArchive(user)
  const used = (): number => process.memoryUsage().external + process.memoryUsage().heapUsed
  const before = used()
  let most = 0
  const timer = setInterval(() => void (most = Math.max(most, used() - before)), 5)
  await server.work()
  clearInterval(timer)
  expect((await archiveState(user)).size_bytes).toBeGreaterThan(photos * 8 * megabyte)
  expect(most / megabyte).toBeLessThan(64)
})
