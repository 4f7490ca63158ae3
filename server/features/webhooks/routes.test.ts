import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { webhookLimits } from '@keepsnap/contract/limits.ts'
import type { WebhookDelivery } from '@keepsnap/contract/webhooks.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { grantPlan, makeUser, type TestUser } from '../../test/test-data.ts'
import { cleanUpWebhooks } from './clean-up.ts'
import { recordWebhookEvent } from './record-event.ts'
import {
  allEvents,
  callWebhooks,
  createWebhook,
  fetchDeliveries,
  fetchWebhooks,
  advanceWebhookTime,
} from './test/webhook-actions.ts'

let server: TestServer
let user: TestUser
let resolved: string[] = []
const url = 'https://hooks.example.com/keepsnap'
beforeAll(async () => {
  const resolveWebhookHost = (host: string) => {
    resolved.push(host)
    return Promise.resolve(host.endsWith('.lan') ? ['192.168.1.20'] : ['93.184.215.14'])
  }
  server = await startServer({}, { resolveWebhookHost })
})
afterAll(() => server.close())
beforeEach(async () => {
  user = await makeUser(server)
  await grantPlan(server, user, 'pro_yearly')
  resolved = []
})
const call = (...what: Parameters<typeof callWebhooks>[2]) => callWebhooks(server, user, what)
const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
const recordEvent = (messageId: string) =>
  recordWebhookEvent(server.db, {
    userId: user.id,
    messageId,
    type: 'photo.deleted',
    timestamp: new Date().toISOString(),
    data: { photo_id: messageId, filename: 'dance.jpg' },
  })

test('a webhook is created with its secret, which no later answer and no row contains', async () => {
  const { secret, ...created } = await createWebhook(server, user, url, ['photo.ready', 'request.created'])
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(created).toEqual({
    id: expect.stringMatching(/^\w{22}$/),
    url,
    events: ['photo.ready', 'request.created'],
    enabled: true,
    disabled_because: null,
    failing_since: null,
    gives_up_at: null,
    secret_hint: `whsec_...${secret.slice(-4)}`,
    previous_secret_until: null,
    created_at: expect.stringMatching(/Z$/),
  })
  expect(await fetchWebhooks(server, user)).toEqual([created])
  const { rows } = await query('select webhooks::text as row from webhooks where user_id = $1', [user.id])
  expect(JSON.stringify(rows)).not.toContain(Buffer.from(secret).toString('hex'))
  expect(JSON.stringify(rows)).not.toContain(secret)
})

test('it is changed, switched off and on, and deleted with its log', async () => {
  const { id } = await createWebhook(server, user, url)
  const changed = await call('PUT', `/${id}`, { url: `${url}/2`, events: ['photo.failed'], enabled: true })
  expect([changed.statusCode, changed.json()]).toMatchObject([200, { url: `${url}/2`, events: ['photo.failed'] }])
  const off = await call('PUT', `/${id}`, { url, events: ['photo.failed'], enabled: false })
  expect(off.json()).toMatchObject({ enabled: false, disabled_because: 'owner' })
  expect((await call('POST', `/${id}/test`)).json()).toEqual({
    code: 'conflict',
    detail: 'This webhook is switched off. Switch it on first.',
  })
  const otherwise = url.replace('https://', 'HTTPS://').replace('example', 'EXAMPLE')
  const on = await call('PUT', `/${id}`, { url: otherwise, events: ['photo.failed'], enabled: true })
  expect(on.json(), 'one form for each URL').toMatchObject({ url, enabled: true, disabled_because: null })
  await call('POST', `/${id}/test`)
  expect((await call('DELETE', `/${id}`)).statusCode).toBe(204)
  expect((await query('select 1 from webhook_deliveries where webhook_id = $1', [id])).rows).toEqual([])
  for (const path of [`/${id}/deliveries`, '/0000000000000000000000/deliveries', '/x/deliveries'])
    expect((await call('GET', path)).statusCode).toBe(404)
})

test.each([
  [{ url: 'http://hooks.example.com/', events: ['photo.ready'] }, 'url', /https/],
  [{ url: 'https://booth.lan/', events: ['photo.ready'] }, 'url', /not on the internet/],
  [{ url, events: [] }, 'events', /\w/],
  [{ url, events: ['photo.ready', 'photo.ready'] }, 'events', /\w/],
  [{ url, events: ['photo.created'] }, 'events', /\w/],
  [{ url: `${url}?${'x'.repeat(2_048)}`, events: ['photo.ready'] }, 'url', /\w/],
  [{ events: ['photo.ready'] }, 'url', /\w/],
])('%j is refused with a sentence', async (body, field, sentence) => {
  const answer = await call('POST', '', body)
  const { detail } = answer.json<{ detail: { loc: string[]; msg: string }[] }>()
  expect([answer.statusCode, detail[0]!.loc[1]]).toEqual([422, field])
  expect(detail[0]!.msg).toMatch(sentence)
  expect(await fetchWebhooks(server, user)).toEqual([])
})

test('there are ten at most, however many are created at once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 13 }, () => call('POST', '', { url, events: ['photo.ready'] })),
  )
  const statuses = answers.map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status === 201)).toHaveLength(webhookLimits.webhooksMax)
  expect(statuses.filter((status) => status === 409)).toHaveLength(3)
  expect(await fetchWebhooks(server, user)).toHaveLength(webhookLimits.webhooksMax)
})

test('without API access webhooks can be listed and deleted, and no host name is resolved', async () => {
  const { id } = await createWebhook(server, user, url)
  await recordEvent('msg_before')
  const [delivery] = await fetchDeliveries(server, user, { id })
  await grantPlan(server, user, 'pro_monthly')
  resolved = []
  const refused: [method: 'POST' | 'PUT', path: string, body?: object][] = [
    ['POST', '', { url, events: ['photo.ready'] }],
    ['PUT', `/${id}`, { url: 'https://other.example.com/', events: ['photo.ready'], enabled: true }],
    ['PUT', `/${id}`, { url, events: ['photo.ready'], enabled: false }],
    ['POST', `/${id}/secret`],
    ['POST', `/${id}/test`],
    ['POST', `/${id}/deliveries/${delivery!.id}/replay`],
  ]
  for (const what of refused) {
    const { statusCode, body } = await call(...what)
    expect([statusCode, body]).toEqual([
      403,
      expect.stringContaining('API access not available with your current subscription'),
    ])
  }
  expect(resolved).toEqual([])
  expect(await fetchDeliveries(server, user, { id })).toHaveLength(1)
  expect((await call('DELETE', `/${id}`)).statusCode).toBe(204)
})

test('deliveries are listed in pages, newest first, and by state', async () => {
  const webhook = await createWebhook(server, user, url)
  for (let n = 0; n < 5; n++) await recordEvent(`msg_${user.id}_${n}`)
  await query(
    "update webhook_deliveries set state = 'failed', finished_at = now(), next_attempt_at = null where message_id = $1",
    [`msg_${user.id}_1`],
  )
  const page = async (search: string) =>
    (await call('GET', `/${webhook.id}/deliveries?${search}`)).json<{
      deliveries: WebhookDelivery[]
      has_more: boolean
    }>()
  const numbersOf = ({ deliveries }: { deliveries: WebhookDelivery[] }) =>
    deliveries.map(({ message_id: id }) => Number(id.at(-1)))
  const first = await page('limit=2')
  const second = await page(`limit=2&before=${first.deliveries[1]!.id}`)
  const third = await page(`limit=2&before=${second.deliveries[1]!.id}`)
  expect([first, second, third].map(numbersOf)).toEqual([[4, 3], [2, 1], [0]])
  expect([first, second, third].map(({ has_more: more }) => more)).toEqual([true, true, false])
  expect(numbersOf(await page('state=failed'))).toEqual([1])
  expect(numbersOf(await page('state=delivered'))).toEqual([])
  for (const search of ['limit=0', 'limit=101', 'state=lost', 'x=1'])
    expect((await call('GET', `/${webhook.id}/deliveries?${search}`)).statusCode).toBe(422)
})

test('a delivery of another webhook, and a test, cannot be replayed', async () => {
  const [one, other] = [await createWebhook(server, user, url), await createWebhook(server, user, url)]
  const { id } = (await call('POST', `/${one.id}/test`)).json<WebhookDelivery>()
  expect((await call('POST', `/${other.id}/deliveries/${id}/replay`)).statusCode).toBe(404)
  expect((await call('POST', `/${one.id}/deliveries/${id}/replay`)).statusCode).toBe(409)
})

test('when too many deliveries wait, later events are cancelled and the log shows it', async () => {
  const webhook = await createWebhook(server, user, url)
  await query(
    `insert into webhook_deliveries (id, webhook_id, message_id, type, body, next_attempt_at, give_up_at)
     select 'full' || n || $1, $1, 'msg' || n, 'photo.ready', '{}', now() + interval '1 hour', now()
     from generate_series(1, $2) n`,
    [webhook.id, webhookLimits.waitingMax],
  )
  await recordEvent('msg_over')
  expect(
    (await fetchDeliveries(server, user, { id: webhook.id, query: '?state=cancelled' })).map((one) => one.message_id),
  ).toEqual(['msg_over'])
  expect((await call('POST', `/${webhook.id}/test`)).statusCode).toBe(409)
})

test('tests and replays are a thousand a day at most for an account, whichever webhook they are of', async () => {
  const [one, other] = [await createWebhook(server, user, url), await createWebhook(server, user, url)]
  const add = (type: string, count: number) =>
    query(
      `insert into webhook_deliveries (id, webhook_id, message_id, type, is_replay, body, state, finished_at, give_up_at)
       select $3 || n || $1, $1, $3 || n, $3, $3 <> 'webhook.test', '{}', 'delivered', now(), now()
       from generate_series(1, $2::integer) n`,
      [one.id, count, type],
    )
  await add('webhook.test', 500)
  await add('photo.ready', webhookLimits.ownDeliveriesPerDay - 501)
  expect((await call('POST', `/${other.id}/test`)).statusCode).toBe(201)
  const replay = `/${one.id}/deliveries/photo.ready1${one.id}/replay`
  for (const path of [`/${other.id}/test`, replay])
    expect((await call('POST', path)).json()).toMatchObject({
      code: 'rate_limited',
      detail: expect.stringContaining('1000 a day'),
    })
  await advanceWebhookTime(server, '1 day')
  expect((await call('POST', replay)).statusCode).toBe(201)
})

test('clean-up removes what is over 30 days old and expired secrets, and enqueues what no job makes', async () => {
  const webhook = await createWebhook(server, user, url, allEvents)
  await recordEvent(`msg_old_${user.id}`)
  await call('POST', `/${webhook.id}/secret`)
  await query('delete from graphile_worker._private_jobs')
  await advanceWebhookTime(server, '5 minutes')
  await cleanUpWebhooks(server.app.deps)
  const { rows } = await query('select 1 from graphile_worker.jobs where key = $1', [`webhook:${webhook.id}`])
  expect(rows).toHaveLength(1)
  await call('PUT', `/${webhook.id}`, { url, events: allEvents, enabled: false })
  await advanceWebhookTime(server, '29 days')
  await cleanUpWebhooks(server.app.deps)
  expect(await fetchDeliveries(server, user, webhook)).toHaveLength(1)
  await advanceWebhookTime(server, '2 days')
  await cleanUpWebhooks(server.app.deps)
  expect(await fetchDeliveries(server, user, webhook)).toEqual([])
  const previous = await query('select encrypted_previous_secret as secret from webhooks where id = $1', [webhook.id])
  expect(previous.rows).toEqual([{ secret: null }])
})
