import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { accessOf, type Endpoint } from '@keepsnap/contract/endpoint.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { TestCode } from '@keepsnap/contract/readiness.ts'
import { sampleCode, samplePage } from '@keepsnap/contract/sharing.ts'
import { appManifest, pagePreview } from '@keepsnap/contract/web-pages.ts'
import type { SessionDetails } from '@keepsnap/contract/security.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { createKey } from '../api-keys.ts'
import { startServer, type TestServer } from '../harness.ts'
import {
  validPassword,
  grantPlan,
  createGrant,
  openDemoCheckout,
  makeUser,
  upload,
  uploadBrandImage,
  type TestUser,
} from '../test-data.ts'
import { recordWebhookEvent } from '../../features/webhooks/record-event.ts'
import { createWebhook, fetchDeliveries } from '../../features/webhooks/test/webhook-actions.ts'
import { newestSecret } from '../outbox.ts'
import { refusalOf } from '../refusals.ts'
import { hashTables } from '../table-hashes.ts'

let server: TestServer
let owner: TestUser
let other: TestUser
let dead: TestUser
let names: Record<Name, string>
let delivery: string

/** What the owner's things are called by. */
type Name =
  | 'ready'
  | 'failed'
  | 'code'
  | 'full'
  | 'signature'
  | 'thumbnail'
  | 'brand'
  | 'grant'
  | 'stop'
  | 'request'
  | 'session'
  | 'archive'
  | 'checkout'
  | 'testCode'
  | 'apiKey'
  | 'webhook'
interface Row {
  /** Which of the owner's things the address names. */
  name: Name
  /** `owner`: only with the owner's token. `holder`: anyone who has the name, always the same. */
  for: 'owner' | 'holder'
  /** A part of the address that proves the right to it. */
  query?: () => string
  /** What is sent: JSON, or a form. */
  json?: Record<string, unknown>
  form?: string
}

const webhookUrl = 'http://127.0.0.1:9/hook'
/** One row for each address that names something. A new endpoint that does needs one here. */
const rows: Record<string, Row> = {
  'GET /photos/:id': { name: 'ready', for: 'owner' },
  'POST /photos/:id/retry': { name: 'failed', for: 'owner' },
  'PUT /photos/:id': { name: 'ready', for: 'owner', json: { hidden: false } },
  'DELETE /photos/:id': { name: 'ready', for: 'owner' },
  'GET /d/:code': { name: 'code', for: 'holder' },
  'GET /media/:code': { name: 'full', for: 'holder', query: () => `?s=${names.signature}` },
  'GET /t/:code': { name: 'thumbnail', for: 'holder' },
  'GET /b/:code': { name: 'brand', for: 'holder' },
  'GET /qr/d/:code': { name: 'code', for: 'holder' },
  'GET /qr/r/:code': { name: 'ready', for: 'holder' },
  'GET /photos/:id/public': { name: 'ready', for: 'holder' },
  'POST /photos/:id/request-email': { name: 'ready', for: 'holder', json: { email: 'guest@example.com' } },
  'GET /request-photo/:id': { name: 'ready', for: 'holder' },
  'POST /request-photo/:id': { name: 'ready', for: 'holder', form: 'email=guest%40example.com' },
  'GET /g/:grant': { name: 'grant', for: 'holder' },
  'GET /g/:grant/download': { name: 'grant', for: 'holder' },
  'GET /stop/:secret': { name: 'stop', for: 'holder' },
  'POST /stop/:secret': { name: 'stop', for: 'holder' },
  'GET /stop/:secret/undo': { name: 'stop', for: 'holder' },
  'POST /stop/:secret/undo': { name: 'stop', for: 'holder' },
  'POST /user/photo-requests/:id/resend': { name: 'request', for: 'owner' },
  'POST /photos/:id/report': { name: 'ready', for: 'holder', json: { reason: 'me' } },
  'POST /report-photo/:id': { name: 'ready', for: 'holder', form: 'reason=me' },
  'DELETE /user/sessions/:id': { name: 'session', for: 'owner' },
  'GET /qr/t/:token': { name: 'testCode', for: 'holder' },
  'GET /test-code/:token': { name: 'testCode', for: 'holder' },
  'DELETE /api/keys/:id': { name: 'apiKey', for: 'owner' },
  'GET /export/:secret': { name: 'archive', for: 'holder' },
  'GET /demo-checkout/:id': { name: 'checkout', for: 'holder' },
  'POST /demo-checkout/:id': { name: 'checkout', for: 'holder', form: 'outcome=decline' },
  'POST /photos/:id/decision': { name: 'ready', for: 'owner', json: { decision: 'keep' } },
  'PUT /api/webhooks/:id': {
    name: 'webhook',
    for: 'owner',
    json: { url: webhookUrl, events: ['photo.ready'], enabled: true },
  },
  'DELETE /api/webhooks/:id': { name: 'webhook', for: 'owner' },
  'POST /api/webhooks/:id/secret': { name: 'webhook', for: 'owner' },
  'GET /api/webhooks/:id/deliveries': { name: 'webhook', for: 'owner' },
  'POST /api/webhooks/:id/deliveries/:delivery_id/replay': { name: 'webhook', for: 'owner' },
  'POST /api/webhooks/:id/test': { name: 'webhook', for: 'owner' },
  'DELETE /photos/:id/decision': { name: 'ready', for: 'owner', query: () => '?decided_at=2026-01-01T00:00:00.000Z' },
}
const called = ({ method, path }: Endpoint): string => `${method} ${path}`
/** Sample pictures and public pages belong to nobody. */
const samplePaths = new Set<string>([samplePage, sampleCode, pagePreview, appManifest].map(({ path }) => path))
/** Those for operators and admin keys: operator-authorization.test.ts. */
const isForUsers = (shape: Endpoint): boolean =>
  accessOf(shape).some((access) => access !== 'operator' && access !== 'admin')
const naming = endpoints.filter(
  (shape) => shape.path.includes(':') && !samplePaths.has(shape.path) && isForUsers(shape),
)
const rowOf = (shape: Endpoint): Row => rows[called(shape)]!
const addressOf = (shape: Endpoint, value: string): string =>
  `${shape.path.replace(':delivery_id', delivery).replace(/:\w+/, value)}${rowOf(shape).query?.() ?? ''}`
/** What goes with a call besides its address. */
const bodyOf = (shape: Endpoint): { headers?: Record<string, string>; body?: unknown } => {
  const { json, form } = rowOf(shape)
  if (form !== undefined) return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form }
  return json ? { body: json } : {}
}
const shown = (shapes: readonly Endpoint[]): [string, Endpoint][] => shapes.map((shape) => [called(shape), shape])
const owned = naming.filter((shape) => rows[called(shape)]?.for === 'owner')
const held = naming.filter((shape) => rows[called(shape)]?.for === 'holder')

/** The id of a session besides the one that the tests use. */
async function anotherSession({ email, token }: TestUser): Promise<string> {
  const body = new URLSearchParams({ username: email, password: validPassword }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  await server.request({ method: 'POST', url: '/token', headers, body })
  const answer = await server.request({ method: 'GET', url: '/user/sessions', token })
  return answer.json<{ sessions: SessionDetails[] }>().sessions.find(({ current }) => !current)!.id
}

beforeAll(async () => {
  server = await startServer({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' })
  ;[owner, other, dead] = [await makeUser(server), await makeUser(server), await makeUser(server)]
  await server.request({ method: 'POST', url: '/logout', token: dead.token })
  const photo = await jpeg({ width: 640, height: 480 })
  await upload(server, owner, photo)
  await upload(server, owner, photo.subarray(0, photo.length / 2))
  await upload(server, other, photo)
  await server.work()
  const mine = (await server.request({ method: 'GET', url: '/photos', token: owner.token })).json<Photo[]>()
  const [failed, ready] = [mine[0]!, mine[1]!]
  if (!failed.processing_failed || !ready.processing_complete) throw new Error('one should have failed, one be ready')
  const full = new URL(ready.b2_url!)
  const last = (address: string): string => new URL(address).pathname.split('/').at(-1)!
  const email = await createGrant(server, { photo: ready.id, owner: owner.id })
  await server.request({ method: 'POST', url: '/user/export', token: owner.token })
  await server.work()
  await grantPlan(server, owner, 'pro_yearly')
  const logo = (await uploadBrandImage(server, owner, 'logo', photo)).json<{ url: string }>().url
  const code = (await server.request({ method: 'POST', url: '/user/test-code', token: owner.token })).json<TestCode>()
  const webhook = await createWebhook(server, owner, webhookUrl)
  await recordWebhookEvent(server.db, {
    userId: owner.id,
    messageId: 'msg_1',
    type: 'photo.deleted',
    timestamp: new Date().toISOString(),
    data: { photo_id: 'gone', filename: 'dance.jpg' },
  })
  delivery = (await fetchDeliveries(server, owner, webhook))[0]!.id
  names = {
    session: await anotherSession(owner),
    archive: await newestSecret(server, owner.email, '/export/'),
    ready: ready.id,
    failed: failed.id,
    code: last(ready.qr_code_url).replace('.png', ''),
    full: last(full.href),
    signature: full.searchParams.get('s')!,
    thumbnail: last(ready.thumbnail_url!),
    brand: last(logo),
    grant: email.secret,
    stop: server.app.deps.tokens.unsubscribe('guest@example.com'),
    request: email.request,
    checkout: await openDemoCheckout(server),
    testCode: last(code.image_url).replace('.svg', ''),
    apiKey: (await createKey(server, owner)).id,
    webhook: webhook.id,
  }
})
afterAll(() => server.close())

test('every path with an id has its row here, and no other path has', () => {
  expect(Object.keys(rows).toSorted()).toEqual(naming.map(called).toSorted())
  for (const shape of owned) expect(accessOf(shape)).not.toContain('public')
})

describe('what belongs to somebody', () => {
  test.each(shown(owned))('%s answers another user as if it did not exist, and changes nothing', async (_, shape) => {
    const before = await hashTables(server)
    const ask = async (id: string, token: string) => {
      const { statusCode, body, headers } = await server.request({
        method: shape.method,
        url: addressOf(shape, id),
        token,
        ...bodyOf(shape),
      })
      const { date: _date, 'x-request-id': _id, ratelimit: _left, ...kept } = headers
      return { statusCode, body, headers: kept }
    }
    const unknown = await ask('0'.repeat(22), other.token)
    expect(unknown.statusCode).toBe(404)
    const id = names[rowOf(shape).name]
    for (const way of [id, encodeURIComponent(id), `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`])
      expect(await ask(way, other.token)).toEqual(unknown)
    expect(await hashTables(server)).toEqual(before)
  })

  test.each(shown(owned))('%s answers missing and ended sessions alike, and changes nothing', async (_, shape) => {
    const before = await hashTables(server)
    const url = addressOf(shape, names[rowOf(shape).name])
    const strangers: Record<string, string>[] = [
      {},
      { authorization: `Bearer ${dead.token}` },
      { authorization: `Bearer ${owner.token}x` },
      { authorization: `Bearer ${owner.token} ${owner.token}` },
      { authorization: `Bearer ${owner.id}` },
      { authorization: `Basic ${Buffer.from(`${owner.email}:x`).toString('base64')}` },
      { cookie: `access_token=${owner.token}; token=${owner.token}` },
      { 'x-api-key': owner.token },
    ]
    for (const headers of strangers) {
      const sent = bodyOf(shape)
      const answer = await server.request({
        method: shape.method,
        url,
        ...sent,
        headers: { ...sent.headers, ...headers },
      })
      expect([answer.statusCode, answer.json()]).toEqual(refusalOf(shape))
    }
    const inAddress = await server.request({ method: shape.method, url: `${url}?token=${owner.token}` })
    expect(inAddress.statusCode).toBe(refusalOf(shape)[0])
    expect(await hashTables(server)).toEqual(before)
  })

  test.each(shown(endpoints.filter((shape) => !accessOf(shape).includes('public') && shape.method === 'GET')))(
    '%s shows another user nothing of it',
    async (_, shape) => {
      for (const query of ['', `?before=${names.ready}`, `?user_id=${owner.id}`]) {
        const url = `${shape.path.replace(/:\w+/, names.ready)}${query}`
        const { body } = await server.request({ method: 'GET', url, token: other.token })
        for (const secret of [...Object.values(names), owner.id, owner.email]) expect(body).not.toContain(secret)
      }
    },
  )
})

describe('what anyone who has its id may read', () => {
  test.each(shown(held))('%s gives all of them the same response', async (_, shape) => {
    const url = addressOf(shape, names[rowOf(shape).name])
    const answers = await Promise.all(
      [undefined, owner.token, other.token, dead.token].map((token) =>
        server.request({ method: shape.method, url, token, ...bodyOf(shape) }),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    for (const { rawPayload } of answers) expect(rawPayload.equals(answers[0]!.rawPayload)).toBe(true)
  })

  test.each(shown(held))('%s cannot be reached by any other id, not even by the owner', async (_, shape) => {
    await server.app.deps.guestActivity.flush()
    const before = await hashTables(server)
    const right = names[rowOf(shape).name]
    const wrong = [...Object.values(names).filter((name) => name !== right), owner.id, '0'.repeat(22)]
    const near = [right.slice(1), `${right}0`, `${right}%20`, swapCase(right), `..%2f${right}`]
    const { method } = shape
    const unknown = await server.request({ method, url: addressOf(shape, '0'.repeat(22)), ...bodyOf(shape) })
    expect(unknown.statusCode).toBe(404)
    for (const name of [...wrong, ...near]) {
      for (const token of [undefined, owner.token]) {
        const answer = await server.request({ method, url: addressOf(shape, name), token, ...bodyOf(shape) })
        expect([name, answer.statusCode, answer.body]).toEqual([name, 404, unknown.body])
      }
    }
    expect(await hashTables(server)).toEqual(before)
  })
})

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase()))

test('and the owner may do all of it', async () => {
  // Without the photo there is nothing left to do with it.
  const last = (shape: Endpoint): number =>
    Number(shape.method === 'DELETE') + Number(called(shape) === 'DELETE /photos/:id')
  for (const shape of owned.toSorted((a, b) => last(a) - last(b))) {
    const answer = await server.request({
      method: shape.method,
      url: addressOf(shape, names[rowOf(shape).name]),
      token: owner.token,
      ...bodyOf(shape),
    })
    expect([called(shape), answer.statusCode]).toEqual([called(shape), shape.status ?? 200])
  }
})
