import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { webhookLimits } from '@keepsnap/contract/limits.ts'
import type { WebhookDelivery } from '@keepsnap/contract/integrations.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { createWebhookSender, type WebhookSender } from '../../ports/webhooks.ts'
import { addPhotos, grantPlan, makeUser, type TestUser, upload } from '../../test/test-data.ts'
import { removeJobs, useServer } from '../../test/harness.ts'
import { emailsTo } from '../../test/outbox.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../test/webhook-receiver.ts'
import { addPhotoDeletedEvents, cleanUpWebhooks, deliverToWebhook, recordWebhookEvent } from './webhook-deliveries.ts'
import {
  advanceWebhookTime,
  callWebhooks,
  createWebhook,
  fetchDeliveries,
  fetchWebhooks,
  verifySignature,
} from './test/webhook-actions.ts'

let receiver: WebhookReceiver
let user: TestUser
let resolved: string[] = []
const file = await jpeg()
const url = 'https://hooks.example.com/keepsnap'
const resolveWebhookHost = (host: string) => {
  resolved.push(host)
  return Promise.resolve(host.endsWith('.lan') ? ['192.168.1.20'] : ['93.184.215.14'])
}
const server = useServer({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', LOG_LEVEL: 'silent' }, { resolveWebhookHost })
beforeEach(async () => {
  resolved = []
  receiver = await startWebhookReceiver()
  onTestFinished(() => receiver.close())
  user = await makeUser(server)
  await grantPlan(server, user, 'pro_yearly')
})

const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
const call = (...what: Parameters<typeof callWebhooks>[2]) => callWebhooks(server, user, what)
const create = (to = receiver.url, events?: readonly string[]) => createWebhook(server, user, to, events)
const change = (webhook: { id: string; url: string; events: readonly string[] }, changes: object) =>
  call('PUT', `/${webhook.id}`, { url: webhook.url, events: webhook.events, enabled: true, ...changes })
const deliveriesOf = ({ id }: { id: string }, search?: string) =>
  fetchDeliveries(server, user, { id, ...(search !== undefined && { query: search }) })
/** An event without its photo. */
const recordEvent = (messageId = `msg_${Math.random()}`, at = new Date()) =>
  recordWebhookEvent(server.db, {
    userId: user.id,
    messageId,
    type: 'photo.deleted',
    timestamp: at.toISOString(),
    data: { photo_id: messageId, filename: 'dance.jpg' },
  })
/** Records an event, and runs the jobs. */
const deliverEvent = async (messageId?: string): Promise<void> => {
  await recordEvent(messageId)
  await server.work()
}
const passTime = (interval: string) => advanceWebhookTime(server, interval)
const bodies = (): { type: string; timestamp: string; data: Record<string, string> }[] =>
  receiver.received.map(({ body }) => JSON.parse(body) as never)
/** A sender that waits longer than in production: most tests are not about time. */
const patientSender = createWebhookSender({ allowedHosts: ['127.0.0.1'], timeoutMs: 120_000 })
/** Lets the server send in another way until the end of the test. */
function replaceSend(send: WebhookSender['send']): void {
  const replaced = vi.spyOn(server.app.deps.webhooks.sender, 'send').mockImplementation(send)
  onTestFinished(() => replaced.mockRestore())
}

describe('a webhook', () => {
  test('is created with its secret, which no later answer contains', async () => {
    const { secret, ...created } = await create(url, ['photo.ready', 'request.created'])
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
      url_set_at: created.created_at,
      last_used_at: null,
    })
    expect(await fetchWebhooks(server, user)).toEqual([created])
  })

  test('is changed, switched off and on, and deleted with its log', async () => {
    const webhook = await create(url)
    const { id } = webhook
    const changed = await change(webhook, { url: `${url}/2`, events: ['photo.failed'] })
    expect([changed.statusCode, changed.json()]).toMatchObject([200, { url: `${url}/2`, events: ['photo.failed'] }])
    expect((await change(webhook, { enabled: false })).json()).toMatchObject({
      enabled: false,
      disabled_because: 'owner',
    })
    const detail = 'This webhook is switched off. Switch it on first.'
    expect((await call('POST', `/${id}/test`)).json()).toEqual({ code: 'conflict', detail })
    const otherwise = url.replace('https://', 'HTTPS://').replace('example', 'EXAMPLE')
    const on = await change(webhook, { url: otherwise })
    expect(on.json(), 'one form for each URL').toMatchObject({ url, enabled: true, disabled_because: null })
    await call('POST', `/${id}/test`)
    expect((await call('DELETE', `/${id}`)).statusCode).toBe(204)
    expect((await query('select from webhook_deliveries where webhook_id = $1', [id])).rows).toEqual([])
    expect((await call('GET', `/${id}/deliveries`)).statusCode).toBe(404)
  })

  test.each([
    [{ url: 'http://hooks.example.com/' }, 'url', /https/],
    [{ url: 'hooks.example.com' }, 'url', /https/],
    [{ url: 'https://booth.lan/' }, 'url', /not on the internet/],
    [{ events: [] }, 'events', /\w/],
  ])('with %j is refused with a sentence', async (wrong, field, sentence) => {
    const answer = await call('POST', '', { url, events: ['photo.ready'], ...wrong })
    const { detail } = answer.json<{ detail: { loc: string[]; msg: string }[] }>()
    expect([answer.statusCode, detail[0]!.loc[1]]).toEqual([422, field])
    expect(detail[0]!.msg).toMatch(sentence)
    expect(await fetchWebhooks(server, user)).toEqual([])
  })

  test('is one of ten at most, however many are created at once', async () => {
    const most = webhookLimits.webhooksMax
    const body = { url, events: ['photo.ready'] }
    const answers = await Promise.all(Array.from({ length: most + 2 }, () => call('POST', '', body)))
    const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
    expect(statuses).toEqual([...Array.from({ length: most }, () => 201), 409, 409])
    expect(await fetchWebhooks(server, user)).toHaveLength(most)
  })

  test('can be listed and deleted without API access, and no host name is resolved', async () => {
    const webhook = await create(url)
    const { id } = webhook
    await grantPlan(server, user, 'pro_monthly')
    resolved = []
    for (const answer of [
      await change(webhook, { url: 'https://other.example.com/' }),
      await call('POST', `/${id}/test`),
    ])
      expect([answer.statusCode, answer.body]).toEqual([403, expect.stringContaining('API access not available')])
    expect(resolved).toEqual([])
    expect(await fetchWebhooks(server, user)).toHaveLength(1)
    expect((await call('DELETE', `/${id}`)).statusCode).toBe(204)
  })

  test('has a log of deliveries in pages, newest first, and by state', async () => {
    const webhook = await create(url)
    for (let n = 0; n < 5; n++) await recordEvent(`msg_${user.id}_${n}`)
    await query(
      "update webhook_deliveries set state = 'failed', finished_at = now(), next_attempt_at = null where message_id = $1",
      [`msg_${user.id}_1`],
    )
    const page = async (search: string) => {
      const answer = await call('GET', `/${webhook.id}/deliveries?${search}`)
      const { deliveries, has_more: more } = answer.json<{ deliveries: WebhookDelivery[]; has_more: boolean }>()
      return { last: deliveries.at(-1)?.id, more, numbers: deliveries.map(({ message_id: id }) => Number(id.at(-1))) }
    }
    const first = await page('limit=2')
    const second = await page(`limit=2&before=${first.last}`)
    const third = await page(`limit=2&before=${second.last}`)
    expect([first, second, third].map(({ numbers }) => numbers)).toEqual([[4, 3], [2, 1], [0]])
    expect([first, second, third].map(({ more }) => more)).toEqual([true, true, false])
    expect((await page('state=failed')).numbers).toEqual([1])
    expect((await page('state=delivered')).numbers).toEqual([])
  })
})

describe('events', () => {
  test('a photo that is ready, one that failed, a request and a deletion arrive, signed, with ids and names only', async () => {
    const webhook = await create()
    await upload(server, user, file, { filename: 'dance.jpg' })
    await server.work()
    const [photo] = (await server.request({ method: 'GET', url: '/photos', token: user.token })).json<Photo[]>()
    const guest = { email: 'guest@example.com' }
    await server.request({ method: 'POST', url: `/photos/${photo!.id}/request-email`, body: guest })
    await server.work()
    await server.request({ method: 'DELETE', url: `/photos/${photo!.id}`, token: user.token })
    await server.work()
    await upload(server, user, file.subarray(0, file.length / 2), { filename: 'half.jpg' })
    await server.work()
    expect(bodies().map(({ type }) => type)).toEqual([
      'photo.ready',
      'request.created',
      'photo.deleted',
      'photo.failed',
    ])
    const named = { photo_id: photo!.id, filename: 'dance.jpg' }
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const [ready, requested, deleted, failed] = bodies()
    expect(ready).toEqual({ type: 'photo.ready', timestamp: time, data: { ...named, created_at: photo!.created_at } })
    expect(requested!.data).toEqual({ ...named, request_id: expect.any(String), requested_at: time })
    expect(deleted!.data).toEqual(named)
    expect(failed!.data).toMatchObject({ filename: 'half.jpg', error_message: expect.stringMatching(/\w+/) })
    for (const got of receiver.received) {
      expect(verifySignature(webhook.secret, got)).toEqual(JSON.parse(got.body))
      expect(() => verifySignature(webhook.secret, { ...got, body: got.body.replace('photo', 'phota') })).toThrow()
      expect(got.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Keepsnap' })
      for (const hidden of ['://', guest.email, user.email, user.id, photo!.qr_code_url])
        expect(got.body).not.toContain(hidden)
    }
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(4)
  })

  test('are sent that a webhook is about, while it is on and the plan has API access', async () => {
    const [webhook, all] = [await create(receiver.url, ['photo.ready']), await create()]
    await recordEvent()
    expect(await deliveriesOf(webhook)).toEqual([])
    expect(await deliveriesOf(all)).toHaveLength(1)
    await change(all, { enabled: false })
    await recordEvent()
    await change(all, {})
    await grantPlan(server, user, 'pro_monthly')
    await recordEvent()
    expect(await deliveriesOf(all)).toHaveLength(1)
  })

  test('an event whose transaction is rolled back, or whose photo has no webhook, adds no job', async () => {
    const task = "where task_identifier = 'record-webhook-event'"
    const count = async () => (await query(`select from graphile_worker.jobs ${task}`)).rowCount
    const [photo] = await addPhotos(server, user, { count: 1 })
    await create(receiver.url, ['photo.deleted'])
    const remove = ({ token }: TestUser) => server.request({ method: 'DELETE', url: `/photos/${photo}`, token })
    const before = await count()
    await remove(await makeUser(server))
    expect(await count()).toBe(before)
    await remove(user)
    expect(await count()).toBe(Number(before) + 1)
  })

  test('of photos of one event alone reach a webhook that is bound to it, until that is deleted', async () => {
    const events = (method: 'POST' | 'DELETE', path: string, body?: object) =>
      server.request({ method, url: `/user/events${path}`, token: user.token, ...(body && { body }) })
    const add = async (name: string) => (await events('POST', '', { name })).json<{ id: string }>().id
    const plain = await create()
    expect(plain).not.toHaveProperty('event_id')
    const [wedding, party] = [await add('Wedding'), await add('Party')]
    const bind = (event_id: string | null) =>
      call('POST', '', { url: receiver.url, events: ['photo.deleted'], event_id })
    const bound = (await bind(wedding)).json<{ id: string; url: string; events: string[] }>()
    expect(bound).toMatchObject({ event_id: wedding, event_gone: false })
    expect((await bind('0'.repeat(22))).statusCode).toBe(404)
    const photos = await addPhotos(server, user, { count: 4 })
    for (const [at, event] of [wedding, party, null, wedding].entries())
      await query('update photos set event_id = $2 where id = $1', [photos[at], event])
    const namesOf = async (webhook: { id: string }) =>
      (await deliveriesOf(webhook)).map(({ body }) => photos.indexOf(JSON.parse(body).data.photo_id)).toReversed()
    const remove = async (at: number) => {
      await server.request({ method: 'DELETE', url: `/photos/${photos[at]}`, token: user.token })
      await server.work()
    }
    for (const at of [0, 1, 2]) await remove(at)
    expect([await namesOf(bound), await namesOf(plain)]).toEqual([[0], [0, 1, 2]])
    // A change without an event keeps it; null is all of them.
    expect((await change(bound, {})).json()).toMatchObject({ event_id: wedding })
    expect((await change(bound, { event_id: null })).json()).toMatchObject({ event_id: null })
    await change(bound, { event_id: wedding })
    await events('DELETE', `/${wedding}`)
    expect(await fetchWebhooks(server, user)).toMatchObject([
      { event_id: null },
      { event_id: wedding, event_gone: true, enabled: true },
    ])
    expect((await call('POST', `/${bound.id}/test`)).json()).toEqual({
      code: 'conflict',
      detail: 'The event of this webhook was deleted. Bring it back, or choose another event.',
    })
    expect((await bind(wedding)).statusCode).toBe(409)
    // Its photos go some days later: programs that were told of them are told that.
    await query('update photos set deleted_at = now() where id = $1', [photos[3]])
    await server.db.transaction().execute((tx) => addPhotoDeletedEvents(tx, user.id, [photos[3]!]))
    await server.work()
    expect([await namesOf(bound), await namesOf(plain)]).toEqual([[0], [0, 1, 2, 3]])
    // What waited for another attempt is sent no more either.
    await query(
      "update webhook_deliveries set state = 'waiting', next_attempt_at = now(), finished_at = null where webhook_id = $1",
      [bound.id],
    )
    const before = receiver.received.length
    await deliverToWebhook(server.app.deps, bound.id)
    expect([receiver.received.length, (await deliveriesOf(bound))[0]?.state]).toEqual([before, 'cancelled'])
  })

  test('are not about photos of guests that were not approved', async () => {
    await create()
    await upload(server, user, file)
    await query("update photos set source = 'guest', review = 'waiting' where user_id = $1", [user.id])
    await server.work()
    await upload(server, user, file.subarray(0, file.length / 2))
    await query("update photos set source = 'guest', review = 'waiting' where user_id = $1", [user.id])
    await server.work()
    const { rows } = await query('update photos set deleted_at = now() where user_id = $1 returning id', [user.id])
    await server.db.transaction().execute((tx) =>
      addPhotoDeletedEvents(
        tx,
        user.id,
        rows.map(({ id }: { id: string }) => id),
      ),
    )
    await server.work()
    expect([rows.length, receiver.received]).toEqual([2, []])
  })

  test('are delivered once by a job that runs twice', async () => {
    const webhook = await create()
    for (let n = 0; n < 2; n++) await recordEvent('msg_same')
    await Promise.all([deliverToWebhook(server.app.deps, webhook.id), deliverToWebhook(server.app.deps, webhook.id)])
    await server.work()
    expect(receiver.received).toHaveLength(1)
  })

  test('arrive in the order in which they happened, one at a time', async () => {
    await create()
    let open = 0
    let most = 0
    receiver.answer = (response) => {
      most = Math.max(most, ++open)
      setImmediate(() => {
        open -= 1
        response.writeHead(204).end()
      })
    }
    const start = Date.now()
    for (const n of [3, 1, 2, 0]) await recordEvent(`msg_${user.id}${n}`, new Date(start + n))
    await server.work()
    expect(bodies().map(({ data }) => data['photo_id']!.at(-1))).toEqual(['0', '1', '2', '3'])
    expect(most).toBe(1)
  })
})

describe('a receiver that fails', () => {
  test('gets the same message again, with growing delays for a day, then is switched off and its owner told', async () => {
    const webhook = await create()
    receiver.answer = (response) => response.writeHead(500).end('relation photos does not exist')
    await deliverEvent('msg_first')
    expect(receiver.received).toHaveLength(1)
    const [failing] = await fetchWebhooks(server, user)
    expect(Date.parse(failing!.gives_up_at!) - Date.parse(failing!.failing_since!)).toBe(24 * 60 * 60 * 1000)
    const attempts = [{ status: 500, error: null, response: 'relation photos does not exist' }]
    expect(await deliveriesOf(webhook)).toMatchObject([{ state: 'waiting', attempts }])
    const delays: number[] = []
    for (let tries = 0; tries < 30; tries++) {
      const [delivery] = await deliveriesOf(webhook)
      if (delivery?.state !== 'waiting') break
      const delayMs = Date.parse(delivery.next_attempt_at!) - Date.now()
      delays.push(delayMs)
      await passTime(`${delayMs + 1} milliseconds`)
      await server.work()
    }
    expect(delays.length).toBeGreaterThan(9)
    expect(delays.length).toBeLessThan(20)
    expect(delays[0]).toBeLessThan(7_000)
    expect(delays[3]).toBeGreaterThan(7 * 60_000)
    expect(Math.max(...delays)).toBeLessThan(5 * 3_600_000)
    expect(delays.reduce((sum, ms) => sum + ms, 0) / 3_600_000).toBeCloseTo(24, 0)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(['msg_first']))
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    expect(await deliveriesOf(webhook)).toMatchObject([{ state: 'failed', next_attempt_at: null }])
    expect(await fetchWebhooks(server, user)).toMatchObject([{ enabled: false, disabled_because: 'failing' }])
    await server.work()
    const subjects = (await emailsTo(server, user.email)).map(({ subject }) => subject)
    expect(subjects).toEqual([
      'A new webhook for your account',
      `Your webhook to 127.0.0.1:${receiver.port} was switched off`,
    ])
    const calls = receiver.received.length
    await deliverEvent()
    expect(receiver.received).toHaveLength(calls)
  })

  test('is not switched off while other events arrive, nor at the first failure after a pause', async () => {
    const webhook = await create()
    const stateOfWebhook = async () => (await fetchWebhooks(server, user))[0]
    receiver.answer = 500
    await deliverEvent('msg_poison')
    // Otherwise the next attempt may be due already: it is made after five seconds.
    await query(
      "update webhook_deliveries set next_attempt_at = now() + interval '1 hour' where message_id = 'msg_poison'",
    )
    receiver.answer = 204
    await deliverEvent('msg_good')
    receiver.answer = 500
    await passTime('25 hours')
    await server.work()
    expect((await deliveriesOf(webhook)).map(({ state }) => state)).toEqual(['delivered', 'failed'])
    expect(await stateOfWebhook()).toMatchObject({ enabled: true, gives_up_at: null })
    await passTime('3 days')
    await deliverEvent('msg_late')
    expect(await stateOfWebhook()).toMatchObject({ enabled: true })
    receiver.answer = 204
    await passTime('10 seconds')
    await server.work()
    expect(await stateOfWebhook()).toMatchObject({ enabled: true, failing_since: null, gives_up_at: null })
  })

  test('that hangs holds up no other receiver, and what waits for it is not lost', async () => {
    replaceSend(patientSender.send)
    const [slow, quick] = [await startWebhookReceiver(), receiver]
    onTestFinished(() => slow.close())
    const hanging = Promise.withResolvers<() => void>()
    slow.answer = (response) => hanging.resolve(() => response.writeHead(204).end())
    await create(slow.url)
    await create(quick.url)
    await recordEvent('msg_1')
    const working = server.work()
    await quick.untilReceived(1)
    const answer = await hanging.promise
    await recordEvent('msg_2')
    const alsoWorking = server.work()
    await quick.untilReceived(2)
    expect(slow.received).toHaveLength(1)
    slow.answer = 204
    answer()
    await Promise.all([working, alsoWorking])
    await server.work()
    expect(slow.received.map(({ headers }) => headers['webhook-id'])).toEqual(['msg_1', 'msg_2'])
  })

  test('keeps no worker while it answers slowly, and the one of another owner has its turn before the others of its owner', async () => {
    replaceSend(patientSender.send)
    const slow = await startWebhookReceiver()
    onTestFinished(() => slow.close())
    const hanging: (() => void)[] = []
    slow.answer = (response) => void hanging.push(() => response.writeHead(204).end())
    const slowWebhooks = [await create(slow.url), await create(slow.url), await create(slow.url)]
    await recordEvent()
    const owner = user
    user = await makeUser(server)
    await grantPlan(server, user, 'pro_yearly')
    await create()
    await recordEvent()
    const due =
      "select priority from graphile_worker.jobs where key like 'webhook:%' and attempts = 0 order by run_at, id"
    expect((await query(due)).rows.map(({ priority }) => priority)).toEqual([5, 6, 7, 5])
    const working = server.work() // two workers
    await Promise.all([receiver.untilReceived(1), slow.untilReceived(3)])
    slow.answer = 204
    for (const answer of hanging) answer()
    await working
    user = owner
    for (const webhook of slowWebhooks) expect(await deliveriesOf(webhook)).toMatchObject([{ state: 'delivered' }])
  })

  test('that was slow, and a new one, has its deliveries made among slow ones for ten minutes, also when it is quick again', async () => {
    const webhook = await create()
    let durationMs = 1
    replaceSend(async (request) => ({ ...(await patientSender.send(request)), durationMs }))
    const nextJobs = async (count: number): Promise<unknown[]> => {
      const names: unknown[] = []
      for (let n = 0; n < count; n++) {
        await recordEvent()
        const task = 'select task_identifier as name from graphile_worker.jobs where key = $1'
        names.push((await query(task, [`webhook:${webhook.id}`])).rows[0]?.name)
        await server.work()
      }
      return names
    }
    const [slow, quick] = ['deliver-to-slow-webhook', 'deliver-to-webhook']
    expect(await nextJobs(2)).toEqual([slow, slow])
    await passTime('10 minutes')
    expect(await nextJobs(2)).toEqual([quick, quick])
    durationMs = 2_001
    expect(await nextJobs(1)).toEqual([quick])
    durationMs = 1
    expect(await nextJobs(2)).toEqual([slow, slow])
    await passTime('10 minutes')
    expect(await nextJobs(1)).toEqual([quick])
    await change(webhook, { url: `${receiver.url}/2`, events: ['photo.deleted'] })
    expect(await nextJobs(1)).toEqual([slow])
    expect(receiver.received).toHaveLength(9)
  })

  test('because the program died during an attempt gets it again', async () => {
    const webhook = await create()
    await recordEvent()
    const sender = { ...server.app.deps.webhooks.sender, send: () => Promise.reject(new Error('the program died')) }
    const webhooks = { ...server.app.deps.webhooks, sender }
    await expect(deliverToWebhook({ ...server.app.deps, webhooks }, webhook.id)).rejects.toThrow('died')
    await server.work()
    expect(receiver.received).toHaveLength(0)
    await passTime('31 seconds')
    await server.work()
    expect(receiver.received).toHaveLength(1)
    expect(await deliveriesOf(webhook)).toMatchObject([{ state: 'delivered', attempts: [{ status: 204 }] }])
  })
})

describe('what the owner can do', () => {
  const replay = (webhook: { id: string }, delivery = '') =>
    call('POST', `/${webhook.id}/deliveries/${delivery}/replay`)

  test('a test is attempted once, signed, and switches nothing off; it cannot be replayed', async () => {
    const webhook = await create(receiver.url, ['photo.ready'])
    receiver.answer = 500
    const sent = await call('POST', `/${webhook.id}/test`)
    const { id, state } = sent.json<WebhookDelivery>()
    expect([sent.statusCode, state]).toEqual([201, 'waiting'])
    await server.work()
    const test = { type: 'webhook.test', data: { webhook_id: webhook.id } }
    expect(verifySignature(webhook.secret, receiver.received[0]!)).toMatchObject(test)
    expect(await deliveriesOf(webhook)).toMatchObject([{ type: 'webhook.test', state: 'failed' }])
    expect(await fetchWebhooks(server, user)).toMatchObject([{ enabled: true, failing_since: null }])
    expect((await replay(webhook, id)).statusCode).toBe(409)
    expect((await replay(await create(), id)).statusCode).toBe(404)
  })

  test('a replay carries the same id and body, and is signed anew', async () => {
    const webhook = await create()
    await deliverEvent('msg_again')
    const replayed = await replay(webhook, (await deliveriesOf(webhook))[0]?.id)
    expect([replayed.statusCode, replayed.json()]).toMatchObject([201, { is_replay: true, message_id: 'msg_again' }])
    await server.work()
    const [first, second] = receiver.received
    expect(second!.body).toBe(first!.body)
    expect(second!.headers['webhook-id']).toBe('msg_again')
    for (const got of receiver.received) expect(verifySignature(webhook.secret, got)).toBeTruthy()
    const states = (await deliveriesOf(webhook)).map(({ state, is_replay: is }) => [state, is])
    expect(states).toEqual([
      ['delivered', true],
      ['delivered', false],
    ])
  })

  test('after the secret was replaced both sign for a day, then only the new one', async () => {
    const webhook = await create()
    const replaced = await call('POST', `/${webhook.id}/secret`)
    const { secret, previous_secret_until: until } = replaced.json<{ secret: string; previous_secret_until: string }>()
    expect(secret).not.toBe(webhook.secret)
    expect((Date.parse(until) - Date.now()) / 3_600_000).toBeCloseTo(24, 1)
    await deliverEvent()
    for (const each of [webhook.secret, secret]) expect(verifySignature(each, receiver.received[0]!)).toBeTruthy()
    await passTime('25 hours')
    await deliverEvent()
    expect(verifySignature(secret, receiver.received[1]!)).toBeTruthy()
    expect(() => verifySignature(webhook.secret, receiver.received[1]!)).toThrow()
  })

  test('switching it off, the end of the plan and deleting the account cancel what waits, also replays', async () => {
    const webhook = await create()
    const replayNewest = async () => (await replay(webhook, (await deliveriesOf(webhook))[0]?.id)).statusCode
    const states = async () => (await deliveriesOf(webhook)).map(({ state }) => state)
    await recordEvent()
    await change(webhook, { enabled: false })
    expect([await states(), await replayNewest()]).toEqual([['cancelled'], 409])
    await change(webhook, {})
    expect(await replayNewest()).toBe(201)
    await grantPlan(server, user, 'free')
    expect(await replayNewest()).toBe(403)
    await server.work()
    expect(await states()).toEqual(['cancelled', 'cancelled'])
    await grantPlan(server, user, 'pro_yearly')
    expect(await replayNewest()).toBe(201)
    await query('delete from users where id = $1', [user.id])
    await server.work()
    expect(receiver.received).toHaveLength(0)
    expect((await query('select from webhook_deliveries where webhook_id = $1', [webhook.id])).rows).toEqual([])
  })

  test('a webhook whose secret cannot be decrypted sends nothing and says what to do', async () => {
    const webhook = await create()
    await query("update webhooks set encrypted_secret = '\\x00' where id = $1", [webhook.id])
    await deliverEvent()
    expect(receiver.received).toHaveLength(0)
    const error = 'The signing secret cannot be read any more. Replace it in Settings.'
    expect(await deliveriesOf(webhook)).toMatchObject([{ attempts: [{ status: null, error }] }])
  })
})

test('clean-up removes what is over 30 days old and expired secrets, and enqueues what no job makes', async () => {
  const webhook = await create(url)
  await recordEvent(`msg_old_${user.id}`)
  await call('POST', `/${webhook.id}/secret`)
  await removeJobs(server.app.deps.pool)
  const cleanUpAfter = async (interval: string): Promise<void> => {
    await passTime(interval)
    await cleanUpWebhooks(server.app.deps)
  }
  await cleanUpAfter('5 minutes')
  const jobs = await query('select from graphile_worker.jobs where key = $1', [`webhook:${webhook.id}`])
  expect(jobs.rowCount).toBe(1)
  await change(webhook, { enabled: false })
  await cleanUpAfter('29 days')
  expect(await deliveriesOf(webhook)).toHaveLength(1)
  await cleanUpAfter('2 days')
  expect(await deliveriesOf(webhook)).toEqual([])
  const previous = await query('select encrypted_previous_secret as secret from webhooks where id = $1', [webhook.id])
  expect(previous.rows).toEqual([{ secret: null }])
})

// The last ones: their rows make each later test slower.
test('tests and replays are a thousand a day at most for an account, whichever webhook they are of', async () => {
  const [one, other] = [await create(url), await create(url)]
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
  const refusal = { code: 'rate_limited', detail: expect.stringContaining('1000 a day') }
  for (const path of [`/${other.id}/test`, replay]) expect((await call('POST', path)).json()).toMatchObject(refusal)
  await passTime('1 day')
  expect((await call('POST', replay)).statusCode).toBe(201)
})

test('when too many deliveries wait, later events are cancelled and the log shows it', async () => {
  const webhook = await create(url)
  await query(
    `insert into webhook_deliveries (id, webhook_id, message_id, type, body, next_attempt_at, give_up_at)
     select 'full' || n || $1, $1, 'msg' || n, 'photo.ready', '{}', now() + interval '1 hour', now()
     from generate_series(1, $2) n`,
    [webhook.id, webhookLimits.waitingMax],
  )
  await recordEvent('msg_over')
  expect((await deliveriesOf(webhook, '?state=cancelled')).map((one) => one.message_id)).toEqual(['msg_over'])
  expect((await call('POST', `/${webhook.id}/test`)).statusCode).toBe(409)
})
