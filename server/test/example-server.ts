/** A server with an account that has a thing of every kind, and requests to every endpoint of the contract by its example. */
import { join } from 'node:path'
import { type Access, accessOf, type Endpoint } from '@keepsnap/contract/endpoint.ts'
import { type Example, exampleOf, exampleValues } from '@keepsnap/contract/examples.ts'
import type { EventCode } from '@keepsnap/contract/event-guests.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { SessionDetails } from '@keepsnap/contract/security.ts'
import type { SignedImage } from '../features/photos/urls.ts'
import { addSession } from '../features/accounts/sessions.ts'
import { createAdminKey } from '../features/operators/admin-keys.ts'
import { recordWebhookEvent } from '../features/integrations/webhook-deliveries.ts'
import { createWebhook, fetchDeliveries } from '../features/integrations/test/webhook-actions.ts'
import type { InjectedResponse } from '../platform/http/http-types.ts'
import { jpeg } from '../images/test/sample-images.ts'
import { hashOf, newId, newSecret } from '../lib/ids.ts'
import { addBusinessInvoice } from './businesses.ts'
import { demoPrices } from '../ports/payments/payment-settings.ts'
import {
  addPhotos,
  addToGallery,
  addSupportMessage,
  addWithdrawal,
  createGrant,
  createKey,
  makeOperator,
  makeUser,
  multipartForm,
  openDemoCheckout,
  type TestUser,
  upload,
  uploadBrandImage,
} from './test-data.ts'
import { startServer, type TestRequest, type TestServer } from './harness.ts'
import { newestSecret } from './outbox.ts'
import { subscribe } from './subscriptions.ts'

/** What exists, by the names of the examples. */
export type ExampleValues = Record<keyof typeof exampleValues, string>
export interface ExampleAccount {
  token: string
  /** The whole API key. */
  key: string
  /** Of the device of a guest who adds photos to an event, and of a helper. */
  cookie: string
  values: ExampleValues
}

interface ExampleOptions {
  /** Whether the account has an event and a deleted one. */
  hasEvents?: boolean
}

const file = await jpeg({ width: 64, height: 48 })
const codeIn = (url: string): string => new URL(url).pathname.split('/').at(-1)!.replace('.png', '')

/** A user who pays, with photos in the database alone, an API key, a webhook, a request of a guest, a message to support, and events. */
export async function makeExampleAccount(
  server: TestServer,
  { hasEvents = true }: ExampleOptions = {},
): Promise<ExampleAccount> {
  const { db, app, publicUrl } = server
  const user = await makeUser(server)
  const paidCheckout = await subscribe(server, user, 'pro_yearly')
  const [[photo = ''], [failedPhoto = '']] = [
    await addPhotos(server, user, { count: 1 }),
    await addPhotos(server, user, { count: 1, state: 'failed' }),
  ]
  await app.deps.pool.query(`insert into photo_reports (id, photo_id, user_id, reason) values ($1, $2, $3, 'me')`, [
    newId(),
    photo,
    user.id,
  ])
  const { event, deletedEvent } = hasEvents ? await addEvents(server, user) : exampleValues
  const { key, id: apiKey } = await createKey(server, user)
  const webhook = await createWebhook(server, user, 'https://hooks.example.com/')
  const deleted = { userId: user.id, messageId: newId(), timestamp: new Date().toISOString() }
  const data = { photo_id: 'gone', filename: 'dance.jpg' }
  await recordWebhookEvent(db, { ...deleted, type: 'photo.deleted', data })
  const [delivery] = await fetchDeliveries(server, user, webhook)
  await addSession(db, { tokenHash: hashOf(newSecret()), userId: user.id, userAgent: undefined })
  const listed = await server.request({ method: 'GET', url: '/user/sessions', token: user.token })
  const { sessions } = listed.json<{ sessions: SessionDetails[] }>()
  const { secret: grant, request, email: guestEmail } = await createGrant(server, { photo, owner: user.id })
  const gallery = hasEvents ? await addGallery(server, user, photo) : undefined
  const { cookie: guestCookie, ...guest } = gallery ? await addGuest(server, gallery.galleryEvent) : { cookie: '' }
  const { cookie: helperCookie, ...helper } = gallery
    ? await addHelper(server, gallery.galleryEvent, guest)
    : { cookie: '' }
  const cookie = `${guestCookie}; ${helperCookie}`
  return {
    token: user.token,
    key,
    cookie,
    values: {
      ...exampleValues,
      origin: publicUrl,
      user: user.id,
      email: user.email,
      photo,
      failedPhoto,
      event,
      deletedEvent,
      ...gallery,
      ...guest,
      ...helper,
      grant,
      request,
      guestEmail,
      apiKey,
      webhook: webhook.id,
      delivery: delivery!.id,
      paidCheckout,
      session: sessions.find(({ current }) => !current)!.id,
      unsubscribeSecret: app.deps.tokens.unsubscribe('guest@example.com'),
      testCode: app.deps.tokens.testCodes.token(user.id, Math.floor(Date.now() / 1000) + 600),
      businessInvoice: await addBusinessInvoice(server, user.id),
      supportMessage: await addSupportMessage(server, { owner: user.id }),
      withdrawal: await addWithdrawal(server, user, 'waiting'),
      unmatchedWithdrawal: await addWithdrawal(server, user, 'unmatched'),
      withdrawalToken: app.deps.tokens.withdrawals.token(
        await addWithdrawal(server, user, 'dismissed'),
        Math.floor(Date.now() / 1000) + 600,
      ),
      checkout: await openDemoCheckout(server),
      price: demoPrices.pro_monthly,
    },
  }
}

/** An event, and one that was deleted and can be brought back. */
async function addEvents(server: TestServer, { token }: TestUser): Promise<{ event: string; deletedEvent: string }> {
  const add = async (name: string): Promise<string> =>
    (await server.request({ method: 'POST', url: '/user/events', token, body: { name } })).json<{ id: string }>().id
  const [event, deletedEvent] = [await add('Lotte & Bram'), await add('Summer party')]
  await server.request({ method: 'DELETE', url: `/user/events/${deletedEvent}`, token })
  return { event, deletedEvent }
}

/** An event with a guest gallery that has the photo, and codes of it. */
async function addGallery(server: TestServer, user: TestUser, photo: string) {
  await server.app.deps.pool.query(`update photos set thumb_key = coalesce(thumb_key, 'thumb/' || id) where id = $1`, [
    photo,
  ])
  const [, , eventCode = '', , galleryToken = ''] = (await addToGallery(server, user, photo)).split('/')
  const { rows } = await server.app.deps.pool.query<{ id: string }>('select event_id as id from photos where id = $1', [
    photo,
  ])
  const galleryEvent = rows[0]!.id
  // An example switches the account's gate on.
  const event = `/user/events/${galleryEvent}`
  await server.request({
    method: 'PUT',
    url: event,
    token: user.token,
    body: { ask_email: false, guest_photos: 'review' },
  })
  const body = { kind: 'table', labels: ['Table 7'] }
  const url = `${event}/codes`
  const { codes } = (await server.request({ method: 'POST', url, token: user.token, body })).json<{
    codes: EventCode[]
  }>()
  return { galleryEvent, eventCode, tableCode: codes[1]!.code, galleryToken }
}

/** A link to all photos of the event, and another event whose guests may download all of them. */
async function addEventArchives(
  server: TestServer,
  user: TestUser,
  { event }: Pick<ExampleValues, 'event'>,
): Promise<Partial<ExampleValues>> {
  const { token } = user
  const { tokens } = server.app.deps
  const couple = `${newId().toLowerCase()}@example.com`
  const body = { email: couple }
  const answer = await server.request({ method: 'POST', url: `/user/events/${event}/grants`, token, body })
  const { id: eventGrant } = answer.json<{ id: string }>()
  await server.work()
  const shown = { name: 'For guests', gallery: 'link', guest_archive: true }
  const open = await server.request({ method: 'POST', url: '/user/events', token, body: shown })
  const { id, url } = open.json<{ id: string; url: string }>()
  const add = async (to: string): Promise<string> =>
    (await upload(server, user, file, { query: `?event=${to}` })).json<Photo>().id
  const [photo] = [await add(event), await add(id)]
  await server.work()
  return {
    eventGrant,
    eventGrantSecret: await newestSecret(server, couple, '/a/'),
    eventGrantToken: tokens.galleryPhotos(`grant ${eventGrant}`).encrypt(photo),
    archiveCode: codeIn(url),
  }
}

/** A guest of an event, with a photo in the database alone that waits for its review. */
async function addGuest({ app }: TestServer, event: string) {
  const { pool, urls } = app.deps
  const [contributor, guestPhoto, secret] = [newId(), newId(), newSecret()]
  await pool.query(
    "insert into contributors (id, event_id, token_hash, consent_version, language) values ($1, $2, $3, '2026-11', 'en')",
    [contributor, event, hashOf(secret)],
  )
  await pool.query(
    `insert into photos (id, user_id, code, filename, state, counted_month, finished_at, source, review, event_id, contributor_id)
     select $1, user_id, $2, 'guest-photo.jpg', 'ready', now()::date, now(), 'guest', 'waiting', id, $3 from events where id = $4`,
    [guestPhoto, newId(), contributor, event],
  )
  const cookie = `contributor-${event.slice(0, 8)}=${secret}`
  return { contributor, guestPhoto, cookie, ownPhotoToken: urls.ownPhotos(contributor).encrypt(guestPhoto) }
}

/** A helper of an event, whose device has begun, and another one asks. */
async function addHelper({ app }: TestServer, event: string, { guestPhoto = '' }: { guestPhoto?: string }) {
  const [helper, helperSecret, device] = [newId(), newSecret(), newSecret()]
  await app.deps.pool.query(
    `insert into helpers (id, event_id, name, secret_hash, device_hash, begun_at, asking_hash, asked_at, last_seen_at, expires_at)
     values ($1, $2, 'Anna', $3, $4, now(), $5, '2026-11-14T22:00:00Z', now() + interval '1 day', now() + interval '2 days')`,
    [helper, event, hashOf(helperSecret), hashOf(device), hashOf(newSecret())],
  )
  const helperToken = app.deps.tokens.galleryPhotos(`helper ${helper}`).encrypt(guestPhoto)
  return { helper, helperSecret, helperToken, cookie: `helper=${device}` }
}

/** As `addGuest`, with a photo that is stored. */
async function addStoredGuestPhoto(server: TestServer, event: string, code: string) {
  const { cookie, contributor } = await addGuest(server, event)
  const { body, headers } = multipartForm(file)
  const url = `/e/${code}/mine`
  const added = await server.request({ method: 'POST', url, body, headers: { ...headers, cookie } })
  await server.work()
  const ownPhotoToken = added.json<{ token: string }>().token
  const guestPhoto = server.app.deps.urls.ownPhotos(contributor).decrypt(ownPhotoToken)!
  return { cookie, contributor, guestPhoto, ownPhotoToken }
}

/** Such an account whose photo, logo and archive are stored, and whose links were mailed. */
async function makeWholeExampleAccount(server: TestServer, options?: ExampleOptions): Promise<ExampleAccount> {
  const account = await makeExampleAccount(server, options)
  const { values, token } = account
  const user = { id: values.user, email: values.email, token }
  const ask = (method: 'GET' | 'POST', url: string, body?: object) =>
    server.request({ method, url, token, ...(body && { body }) })
  const { id: photo } = (await upload(server, user, file)).json<Photo>()
  await server.work()
  const made = (await ask('GET', `/photos/${photo}`)).json<Photo>()
  const { secret: grant, request, email: guestEmail } = await createGrant(server, { photo, owner: user.id })
  await server.app.deps.pool.query('update photo_reports set photo_id = $1 where user_id = $2', [photo, user.id])
  const logo = (await uploadBrandImage(server, user, 'logo', file)).json<{ url: string }>().url
  for (const url of ['/user/export', '/user/verification']) await ask('POST', url)
  await ask('POST', '/request-password-reset', { email: user.email })
  await server.work()
  const { url: photoArchive } = (await ask('POST', '/photos/archive', { ids: [photo] })).json<{ url: string }>()
  const hasEvents = options?.hasEvents !== false
  const secretIn = (path: Parameters<typeof newestSecret>[2]) => newestSecret(server, user.email, path)
  const links = {
    grant,
    request,
    guestEmail,
    exportSecret: await secretIn('/export/'),
    photoArchiveSecret: codeIn(photoArchive),
    resetToken: await secretIn('/reset-password?token='),
    verifyToken: await secretIn('/verify-email?token='),
  }
  const { rows } = await server.app.deps.pool.query<SignedImage>(
    `select photos.id as "photoId", full_key as "fullKey", media_epoch as "mediaEpoch", hidden_at as "hiddenAt"
     from photos join users on users.id = user_id where photos.id = $1`,
    [photo],
  )
  const image = rows[0]!
  const codes = {
    photo,
    directCode: codeIn(made.qr_code_url),
    fullImageCode: codeIn(made.b2_url!),
    signature: new URL(made.b2_url!).searchParams.get('s')!,
    screenSignature: new URL(server.app.deps.urls.screenImage(image)).searchParams.get('s')!,
    thumbnailCode: codeIn(made.thumbnail_url!),
    logoCode: codeIn(logo),
  }
  if (!hasEvents) return { ...account, values: { ...values, ...links, ...codes } }
  const archived = await addEventArchives(server, user, values)
  const gallery = await addGallery(server, user, photo)
  const { cookie: guestCookie, ...guest } = await addStoredGuestPhoto(server, gallery.galleryEvent, gallery.eventCode)
  const { cookie: helperCookie, ...helper } = await addHelper(server, gallery.galleryEvent, guest)
  const cookie = `${guestCookie}; ${helperCookie}`
  return { ...account, cookie, values: { ...values, ...links, ...codes, ...archived, ...gallery, ...guest, ...helper } }
}

const names = new Map(
  Object.entries(exampleValues).map(([name, value]) => [value as string, name as keyof ExampleValues]),
)
const anyValue = new RegExp([...names.keys()].join('|'), 'g')

/** An example with what exists instead of its values. */
export function filled(endpoint: Endpoint, values: ExampleValues): Example {
  const text = JSON.stringify(exampleOf(endpoint)).replace(anyValue, (value) => values[names.get(value)!])
  return JSON.parse(text) as Example // an example with other texts
}

/** Which values an example names. */
export const namedIn = (endpoint: Endpoint): (keyof ExampleValues)[] =>
  (JSON.stringify(exampleOf(endpoint)).match(anyValue) ?? []).map((value) => names.get(value)!)

const formType = 'application/x-www-form-urlencoded'

/** The body of a request and its type. A text is sent as it is. */
function payloadOf(
  { upload: isUpload, form }: Endpoint,
  { body, file: filename }: Example,
): Pick<TestRequest, 'headers' | 'body'> {
  if (isUpload) return multipartForm(file, filename === undefined ? {} : { filename })
  if (body === undefined) return {}
  const headers = { 'content-type': form === true ? formType : 'application/json' }
  if (typeof body === 'string') return { headers, body }
  return {
    headers,
    body: form === true ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body),
  }
}

/** The request of an example. `headers`: those of the caller, and others to replace the request's own. */
export function requestOf(endpoint: Endpoint, example: Example, headers: Record<string, string> = {}): TestRequest {
  const { params = {}, query = {}, idempotencyKey } = example
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(
    Object.entries(query).map(([name, one]): [string, string] => [name, String(one)]),
  ).toString()
  const payload = payloadOf(endpoint, example)
  const ownHeaders = { ...payload.headers, ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }) }
  return {
    method: endpoint.method,
    url: search ? `${path}?${search}` : path,
    ...payload,
    headers: { ...ownHeaders, ...headers },
  }
}

export const called = ({ method, path }: Endpoint): string => `${method} ${path}`
/** Endpoints as the rows of `test.each`. */
export const shown = (list: readonly Endpoint[]): [string, Endpoint][] => list.map((one) => [called(one), one])
export const allows = (endpoint: Endpoint, kind: Access): boolean => accessOf(endpoint).includes(kind)
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** A server, an account with a thing of every kind, and those who may call besides its owner. */
export interface ExampleServer {
  server: TestServer
  log: string[]
  owner: ExampleAccount
  operator: TestUser
  adminKey: string
  /** Sends a request. The limits of calls are not counted. */
  send(request: TestRequest): Promise<InjectedResponse>
  /** The headers of somebody whom an endpoint lets in: of this account, otherwise of the owner, the operator or the admin key. */
  headersFor(endpoint: Endpoint, account?: Pick<ExampleAccount, 'token' | 'key' | 'cookie'>): Record<string, string>
}

/** Starts it. `prepare` gets the server before its first request. */
export async function startExampleServer(
  prepare?: (server: TestServer) => void,
  options?: ExampleOptions,
): Promise<ExampleServer> {
  const log: string[] = []
  const server = await startServer(
    {},
    {
      // Refused calls and changes of operators are in the security log.
      out: { write: (line) => line.includes('"msg":"security: ') || log.push(line) },
      ownImageProcesses: false,
      resolveWebhookHost: async () => ['93.184.215.14'],
      webDist: join(import.meta.dirname, '../../web/dist'),
    },
  )
  prepare?.(server)
  const operator = await makeOperator(server)
  const adminKey = (await createAdminKey(server.db, 'reports'))!.key
  const owner = await makeWholeExampleAccount(server, options)
  // The time of the last use, which is written each minute, and the networks of each use would look like changes.
  const { pool } = server.app.deps
  await pool.query('create function keep_row() returns trigger language plpgsql as $$ begin return old; end $$')
  for (const table of ['api_keys', 'admin_keys']) {
    await pool.query(`update ${table} set last_used_at = now() + interval '1 day'`)
    await pool.query(
      `create trigger keep_networks before update of networks on ${table} for each row execute function keep_row()`,
    )
  }
  let calls = 0
  return {
    server,
    log,
    owner,
    operator,
    adminKey,
    async send(request) {
      if (calls++ % 8 === 0) await server.app.deps.pool.query('delete from rate_hits')
      return server.request(request)
    },
    headersFor(endpoint, { token, key, cookie } = owner) {
      if (endpoint.path.startsWith('/e/:code/mine') || endpoint.helperCookie) return { cookie }
      if (allows(endpoint, 'operator')) return bearer(operator.token)
      if (allows(endpoint, 'admin')) return { 'api-key': adminKey }
      if (allows(endpoint, 'user')) return bearer(token)
      return allows(endpoint, 'key') ? { 'api-key': key } : {}
    },
  }
}
