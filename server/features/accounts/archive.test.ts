import { on } from 'node:events'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { legalVersions } from '@keepsnap/contract/site.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { Archive } from '@keepsnap/contract/security.ts'
import { describe, expect, test, vi } from 'vitest'
import { type Entry, fromBuffer, type Options, type ZipFile } from 'yauzl'
import { jpeg } from '../../images/test/sample-images.ts'
import { createCsvWriter } from '../../lib/csv.ts'
import { storeStream } from '../../ports/storage/storage.ts'
import {
  addPhotos,
  createKey,
  grantPlan,
  makeUser,
  registerUser,
  type TestUser,
  upload,
  validPassword,
} from '../../test/test-data.ts'
import { expectConsistent, runOverdueWork } from '../../test/consistency-check.ts'
import { removeJobs, useServer } from '../../test/harness.ts'
import { emailsTo, newestSecret } from '../../test/outbox.ts'
import { callBilling, subscribe } from '../../test/subscriptions.ts'
import { recordWebhookEvent } from '../integrations/webhook-deliveries.ts'
import { createWebhook } from '../integrations/test/webhook-actions.ts'
import { archivedFilesOf, type ArchivedPhoto, archivedWebhooksOf, webhookDeliveriesCsv } from './archive-contents.ts'
import { archivedBillingOf } from './archive.ts'

const server = useServer({ LOG_LEVEL: 'silent', WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' })

const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
const post = (url: string, body?: object, { token }: { token?: string } = {}) =>
  server.request({ method: 'POST', url, body, token })
const requestArchive = (user: TestUser) => post('/user/export', undefined, user)
const archiveState = async (user: TestUser) =>
  (await server.request({ method: 'GET', url: '/user/export', token: user.token })).json<Archive>()
const downloadArchive = (secret: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  server.request({ method, url: `/export/${secret}`, headers })
const statusOf = async (secret: string) => (await downloadArchive(secret)).statusCode
const archiveSecretOf = async (user: TestUser): Promise<string> => {
  expect((await requestArchive(user)).statusCode).toBe(200)
  await server.work()
  return newestSecret(server, user.email, '/export/')
}
const photoFile = await jpeg()
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
const archiveOf = async (user: TestUser) =>
  unpackArchive((await downloadArchive(await archiveSecretOf(user))).rawPayload)
const storedArchives = async (): Promise<string[]> =>
  (await Array.fromAsync(server.app.deps.storage.list())).flatMap(({ key }) => (key.startsWith('archive/') ? key : []))

describe('the archive of an account', () => {
  test('contains the account, every photo bit for bit, requests, consents, reports and insights', async () => {
    const user = await registerUser(server)
    await query("update users set language = 'nl' where id = $1", [user.id])
    const photos = [await uploadPhoto(user, 'Trouw – été.jpg'), await uploadPhoto(user, '=cmd().jpg')]
    const [gone] = await addPhotos(server, user, { count: 1 })
    await query("update photos set full_type = 'image/jpeg' where id = $1", [gone])
    await post(`/photos/${photos[0]!.id}/request-email`, { email: 'guest@example.com' })
    await post(`/photos/${photos[0]!.id}/report`, { reason: 'me', note: 'My face' })
    const consent = { allow_marketing_emails: true }
    await server.request({ method: 'PUT', url: '/user/settings', token: user.token, body: consent })
    const message = { name: 'Ann', email: 'ann@example.com', subject: 'Help', message: 'It is dark.' }
    await post('/support', message, user)
    await grantPlan(server, user, 'pro_yearly')
    const { key } = await createKey(server, user, { name: 'Booth' })
    await server.app.deps.guestActivity.flush()
    const files = await archiveOf(user)
    const textOf = (name: string): string => files.get(name)!.toString()
    const jsonOf = (name: string): unknown => JSON.parse(textOf(name))
    expect(
      [...files.keys()]
        .filter((name) => !name.startsWith('photos/'))
        .toSorted()
        .join(' '),
    ).toBe(
      'account.json billing.json consents.json insights.csv left-out.txt photos.csv reports.json requests.csv support-messages.json webhook-deliveries.csv webhooks.json withdrawals.json',
    )
    expect(jsonOf('account.json')).toMatchObject({
      account: { id: user.id, email: user.email, terms_version: legalVersions.terms },
      uploads_by_month: [{ uploads: 3 }],
      api_keys: [{ name: 'Booth', last_four: key.slice(-4), last_used_at: null, expires_at: null }],
      known_clients: [{ client: expect.stringMatching(/^[\d.]+$/), seen_at: expect.any(String) }],
    })
    // Names of fields: random ids may contain "hash".
    expect(textOf('account.json')).not.toMatch(/password(?!_changed_(at|before)":)|(hash|token)\w*":/)
    expect(textOf('requests.csv')).toContain('guest@example.com')
    expect(jsonOf('consents.json')).toMatchObject([{ kind: 'marketing', given: true }])
    expect(jsonOf('reports.json')).toMatchObject([{ reason: 'me', note: 'My face' }])
    const sent = { ...message, sent_at: expect.any(String), answered_at: null }
    expect(jsonOf('support-messages.json')).toMatchObject([sent])
    expect(textOf('insights.csv')).toContain(photos[0]!.id)
    // Tables are in the language of the account.
    expect(textOf('requests.csv')).toMatch(/^\uFEFF"Aanvrager";"Foto";"ID van de foto";"Aangevraagd \(UTC\)";/)
    expect(textOf('insights.csv')).toContain('"ID van de foto";"Uur (UTC)";"Scans";"Bezoeken";"Downloads";"Aanvragen"')
    expect(textOf('webhook-deliveries.csv')).toContain('"ID van de webhook";')
    expect(textOf('photos.csv')).toMatch(/"'=cmd\(\)\.jpg";"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d";"klaar";"nee";"\d+";"\d+";/)
    for (const { id, b2_url } of photos) {
      const name = [...files.keys()].find((one) => one.startsWith('photos/') && one.includes(id.slice(0, 8)))!
      const { pathname, search } = new URL(b2_url!)
      const served = await server.request({ method: 'GET', url: pathname + search })
      expect(files.get(name)!.equals(served.rawPayload)).toBe(true)
      expect(textOf('photos.csv')).toContain(name)
    }
    expect([...files.keys()].some((name) => name.endsWith('Trouw – été.jpg'))).toBe(true)
    // A photo whose file is gone is listed as left out.
    expect(textOf('left-out.txt')).toContain(gone?.slice(0, 8))
    expect([...files.keys()].filter((name) => name.startsWith('photos/'))).toHaveLength(2)
    await query('delete from users where id = $1', [user.id])
  })

  test('is announced by email, and downloads as one file, also in ranges, without being cached', async () => {
    const user = await makeUser(server)
    expect(await archiveState(user)).toMatchObject({ state: 'none', requested_at: null })
    expect((await requestArchive(user)).json()).toMatchObject({ state: 'queued', ready_at: null, expires_at: null })
    await server.work()
    const now = await archiveState(user)
    expect(now).toMatchObject({ state: 'ready', size_bytes: expect.any(Number) })
    const days = (Date.parse(now.expires_at!) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(6.9)
    expect(days).toBeLessThanOrEqual(7)
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
    for (const wrong of ['0'.repeat(22), 'A'.repeat(43), 'x', '..%2f..%2fsecret-key'])
      expect(await statusOf(wrong)).toBe(404)
  })

  test('is created one at a time, and a new one replaces the old one', async () => {
    const user = await makeUser(server)
    await Promise.all([requestArchive(user), requestArchive(user), requestArchive(user)])
    await server.work()
    const first = await newestSecret(server, user.email, '/export/')
    expect(await emailsTo(server, user.email)).toHaveLength(1)
    await query('delete from rate_hits')
    const second = await archiveSecretOf(user)
    expect([first === second, await statusOf(first), await statusOf(second)]).toEqual([false, 404, 200])
    const { rows } = await query("select key from stored_objects where user_id = $1 and key like 'archive/%'", [
      user.id,
    ])
    expect(rows).toHaveLength(1)
  })

  test('is kept for seven days, and not available while the account is deactivated', async () => {
    const user = await makeUser(server)
    const secret = await archiveSecretOf(user)
    await runOverdueWork(server)
    for (const [isActive, status] of [
      [false, 404],
      [true, 200],
    ] as const) {
      await query('update users set is_active = $2 where id = $1', [user.id, isActive])
      expect(await statusOf(secret)).toBe(status)
    }
    await query("update archives set expires_at = now() - interval '1 second' where user_id = $1", [user.id])
    expect(await statusOf(secret)).toBe(404)
    expect(await archiveState(user)).toMatchObject({ state: 'none' })
    await runOverdueWork(server)
    const { rows } = await query('select key from archives where key is not null order by key')
    expect((await storedArchives()).toSorted()).toEqual(rows.map(({ key }) => key))
    await expectConsistent(server)
  })

  test('whose job was lost has failed, and can be requested again', async () => {
    const user = await makeUser(server)
    await requestArchive(user)
    await removeJobs(server.app.deps.pool, 'archive:%')
    await query("update archives set requested_at = now() - interval '6 minutes' where user_id = $1", [user.id])
    await runOverdueWork(server)
    expect(await archiveState(user)).toMatchObject({ state: 'failed' })
    expect(await statusOf(await archiveSecretOf(user))).toBe(200)
  })

  test('is streamed, not held in memory', async () => {
    const user = await makeUser(server)
    const [photos, megabyte] = [20, 1024 * 1024]
    for (let n = 0; n < photos; n++) {
      const id = `Large${String(n).padStart(17, '0')}`
      const source = Readable.from(Array.from({ length: 8 }, () => Buffer.alloc(megabyte, n)))
      await storeStream(server.app.deps.storage, `full/${id}`, { source, type: 'image/jpeg' })
      await query(
        `insert into photos (id, user_id, code, filename, state, counted_month, full_key, full_type, full_bytes)
         values ($1, $2, $1, 'large.jpg', 'ready', '2026-05-01', 'full/' || $1, 'image/jpeg', $3)`,
        [id, user.id, 8 * megabyte],
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
})

describe('a photo in an archive', () => {
  const photo: ArchivedPhoto = {
    id: 'abcdefghijklmnopqrstuv',
    filename: 'party.heic',
    state: 'ready',
    created_at: new Date('2026-05-01T10:20:30Z'),
    hidden: false,
    operator_decision: null,
    operator_decided_at: null,
    operator_message: null,
    width: 40,
    height: 30,
    full_key: 'full/1',
    full_type: 'image/jpeg',
    unmarked_key: null,
    unmarked_type: null,
    original_key: null,
    event_id: null,
    source: 'owner',
    review: 'none',
    captured_at: null,
    consent: null,
  }
  const failed = { ...photo, state: 'failed', full_key: null, original_key: 'original/1' }
  const name = '2026-05-01-1020-abcdefgh-party'

  test('is named after its upload time, its id and its file name, with the extension of its type', () => {
    expect(archivedFilesOf(photo)).toEqual([{ key: 'full/1', name: `photos/2026-05/${name}.jpg` }])
    expect(archivedFilesOf({ ...photo, unmarked_key: 'full/2', unmarked_type: 'image/png' })).toEqual([
      { key: 'full/1', name: `photos/2026-05/${name}.jpg` },
      { key: 'full/2', name: `photos/without-watermark/2026-05/${name}.png` },
    ])
    // The upload of one that failed keeps its own name, until it is deleted.
    expect(archivedFilesOf(failed)).toEqual([{ key: 'original/1', name: `photos/2026-05/${name}.heic` }])
    expect(archivedFilesOf({ ...failed, original_key: null })).toEqual([])
  })

  test('has a name of at most 200 bytes', () => {
    const [file] = archivedFilesOf({ ...photo, filename: `${'é'.repeat(300)}.jpg` })
    expect(file?.name).toMatch(/é{80,}\.jpg$/)
    expect(Buffer.byteLength(file?.name.replace('photos/2026-05/', '') ?? '')).toBeLessThanOrEqual(200)
  })
})

test('an archive leaves out requests of deleted photos, and names photos that came while it was made', async () => {
  const user = await makeUser(server)
  const [kept, deleted] = [await uploadPhoto(user, 'kept.jpg'), await uploadPhoto(user, 'gone.jpg')]
  for (const [photo, email] of [
    [kept, 'kept@example.com'],
    [deleted, 'gone@example.com'],
  ] as const)
    expect((await post(`/photos/${photo.id}/request-email`, { email })).statusCode).toBe(200)
  await server.request({ method: 'DELETE', url: `/photos/${deleted.id}`, token: user.token })
  await server.work()
  await requestArchive(user)
  const { storage } = server.app.deps
  const open = vi.spyOn(storage, 'open').mockImplementationOnce(async (key, span) => {
    open.mockRestore()
    await addPhotos(server, user, { count: 1 })
    await query("update photos set filename = 'late.jpg' where user_id = $1 and full_type is null", [user.id])
    return storage.open(key, span)
  })
  await server.work()
  const files = await unpackArchive(
    (await downloadArchive(await newestSecret(server, user.email, '/export/'))).rawPayload,
  )
  const requests = files.get('requests.csv')!.toString()
  expect([requests.includes('kept@example.com'), requests.includes('gone@example.com')]).toEqual([true, false])
  expect(files.get('left-out.txt')!.toString()).toMatch(/^Uploaded while [^\n]*:\n\S+Z late\.jpg\n$/)
  expect(files.get('photos.csv')!.toString()).not.toContain('late.jpg')
  expect([...files.keys()].filter((name) => name.startsWith('photos/'))).toEqual([
    expect.stringMatching(/^photos\/\d{4}-\d\d\/.*-kept\.jpg$/),
  ])
})

describe('what an account has paid', () => {
  test('is in its archive, without anything of others', async () => {
    const [user, other] = [await makeUser(server), await makeUser(server)]
    await subscribe(server, other)
    expect(await archivedBillingOf(server.db, user.id)).toEqual({
      customers: [],
      business: null,
      subscriptions: [],
      checkouts: [],
      refunds: [],
      disputes: [],
      business_invoices: [],
      emails: [],
    })
    await subscribe(server, user, 'pro_yearly')
    await callBilling(server, user, 'refund')
    expect(await archivedBillingOf(server.db, user.id)).toMatchObject({
      customers: [{ provider: 'demo' }],
      subscriptions: [{ plan: 'pro_yearly', status: 'canceled' }],
      checkouts: [{ state: 'paid', price_id: 'demo_pro_yearly' }],
      refunds: [{ reason: 'customer', amount_cents: 14_999 }],
      emails: [{ kind: 'plan-started' }, { kind: 'payment-refunded' }],
    })
  })

  test('is gone after its deletion once the provider has confirmed that nothing more is charged', async () => {
    const user = await makeUser(server)
    await subscribe(server, user)
    const { rows } = await query('select customer_id from billing_customers where user_id = $1', [user.id])
    await server.request({ method: 'DELETE', url: '/user', token: user.token, body: { password: validPassword } })
    await server.work()
    for (const table of ['billing_customers', 'subscriptions', 'checkouts', 'refunds', 'payment_events']) {
      const { rowCount } = await query(`select 1 from ${table} where customer_id = $1`, [rows[0]?.customer_id])
      expect([table, rowCount]).toEqual([table, 0])
    }
    for (const table of ['paid_plans', 'subscribers', 'billing_effects']) {
      const { rowCount } = await query(`select 1 from ${table} where user_id = $1`, [user.id])
      expect([table, rowCount]).toEqual([table, 0])
    }
  })
})

test('an archive has webhooks without secrets, and what was sent, of this user only', async () => {
  const [user, other] = [await makeUser(server), await makeUser(server)]
  for (const [at, each] of [user, other].entries()) {
    await grantPlan(server, each, 'pro_yearly')
    await createWebhook(server, each, `http://127.0.0.1:9/${at}`)
    await recordWebhookEvent(server.db, {
      userId: each.id,
      messageId: `msg_${at}`,
      type: 'photo.deleted',
      timestamp: new Date().toISOString(),
      data: { photo_id: 'gone', filename: `dance-${at}.jpg` },
    })
  }
  await server.work()
  const webhooks = await archivedWebhooksOf(server.db, user.id, { hasEvents: false })
  expect(webhooks).toMatchObject([{ url: 'http://127.0.0.1:9/0', disabled_because: null }])
  expect(Object.keys(webhooks[0]!).filter((name) => name.includes('secret'))).toEqual([])
  const csv = createCsvWriter('en', () => '')
  const lines = (await Array.fromAsync(webhookDeliveriesCsv(csv, server.db, user.id))).join('').trim().split('\r\n')
  expect(lines).toHaveLength(2)
  for (const part of [webhooks[0]!.id, 'msg_0', 'dance-0.jpg', 'waiting', 'refused the connection'])
    expect(lines[1]).toContain(part)
})

// The last one: its photo has no files.
test('an archive has events with their codes, and photos with theirs, also of a deleted event and of guests', async () => {
  const user = await makeUser(server)
  const add = async (name: string) => (await post('/user/events', { name }, user)).json<{ id: string }>().id
  const [wedding, party] = [await add('Wedding'), await add('=Party')]
  const [ofWedding, ofParty, ofGuest] = await addPhotos(server, user, { count: 3 })
  for (const [photo, event, review] of [
    [ofWedding, wedding, 'none'],
    [ofParty, party, 'none'],
    [ofGuest, wedding, 'waiting'],
  ])
    await query(
      `update photos set full_type = 'image/jpeg', event_id = $2, review = $3, source = case when $3 = 'none' then 'owner' else 'guest' end,
         consent = case when $3 <> 'none' then '{"version":"2"}'::jsonb end where id = $1`,
      [photo, event, review],
    )
  await server.request({ method: 'PUT', url: '/user/current-event', token: user.token, body: { event_id: wedding } })
  await server.request({ method: 'DELETE', url: `/user/events/${party}`, token: user.token })
  const files = await archiveOf(user)
  const json = (name: string): unknown => JSON.parse(files.get(name)!.toString())
  expect(json('events.json')).toMatchObject([
    { id: wedding, name: 'Wedding', deleted_at: null, codes: [{ kind: 'event', code: expect.any(String) }] },
    { id: party, deleted_at: expect.any(String) },
  ])
  expect(json('account.json')).toMatchObject({ account: { current_event_id: wedding } })
  const lines = files.get('photos.csv')!.toString().split('\r\n')
  const lineOf = (photo = '') => lines.find((line) => line.includes(photo))
  expect(lineOf(ofWedding)).toMatch(/"Wedding".*"you"/)
  expect(lineOf(ofParty)).toContain(`"'=Party"`)
  expect(lineOf(ofGuest)).toMatch(/"Wedding".*"guest".*"waiting".*version/)
  await query('delete from users where id = $1', [user.id])
  const { rowCount } = await query(
    'select from events left join event_codes on event_codes.event_id = events.id where events.id = any($1) or event_id = any($1)',
    [[wedding, party]],
  )
  expect(rowCount).toBe(0)
})

test('small archives do not wait for large ones, of which one is created at a time', async () => {
  const [small, large] = [await makeUser(server), await makeUser(server)]
  await addPhotos(server, large, { count: 1 })
  await query('update photos set full_bytes = 2000000001 where user_id = $1', [large.id])
  for (const user of [small, large]) await requestArchive(user)
  const queued = "select queue_name from graphile_worker.jobs where task_identifier = 'build-archive' order by id"
  expect((await query(queued)).rows).toEqual([{ queue_name: null }, { queue_name: 'large-archives' }])
  await removeJobs(server.app.deps.pool, 'archive:%')
})
