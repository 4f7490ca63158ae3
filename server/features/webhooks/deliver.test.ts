import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { createWebhookSender, type WebhookSender } from '../../ports/webhooks/webhook-sender.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { grantPlan, makeUser, upload, type TestUser } from '../../test/test-data.ts'
import { emailsTo } from '../../test/outbox.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../test/webhook-receiver.ts'
import {
  callWebhooks,
  createWebhook,
  fetchDeliveries,
  fetchWebhooks,
  advanceWebhookTime,
  verifySignature,
} from './test/webhook-actions.ts'
import { deliverToWebhook } from './deliver.ts'
import { recordWebhookEvent } from './record-event.ts'

let server: TestServer
let receiver: WebhookReceiver
let user: TestUser
const file = await jpeg()
beforeAll(async () => {
  server = await startServer({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', LOG_LEVEL: 'silent' })
})
afterAll(() => server.close())
beforeEach(async () => {
  receiver = await startWebhookReceiver()
  onTestFinished(() => receiver.close())
  user = await makeUser(server)
  await grantPlan(server, user, 'pro_yearly')
})

/** An event without its photo. */
const recordEvent = (messageId = `msg_${Math.random()}`, at = new Date()) =>
  recordWebhookEvent(server.db, {
    userId: user.id,
    messageId,
    type: 'photo.deleted',
    timestamp: at.toISOString(),
    data: { photo_id: messageId, filename: 'dance.jpg' },
  })
const bodies = (): { type: string; timestamp: string; data: Record<string, string> }[] =>
  receiver.received.map(({ body }) => JSON.parse(body) as never)

/** A sender that waits longer than in production: most tests are not about time. */
const patientSender = createWebhookSender({ allowedHosts: ['127.0.0.1'], timeoutMs: 120_000 })
/** Lets the server send in another way until the end of the test. */
function replaceSend(send: WebhookSender['send']): void {
  const replaced = vi.spyOn(server.app.deps.webhooks.sender, 'send').mockImplementation(send)
  onTestFinished(() => replaced.mockRestore())
}

describe('events', () => {
  test('a photo that is ready, one that failed, a request and a deletion arrive, signed, with ids and names only', async () => {
    const webhook = await createWebhook(server, user, receiver.url)
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

  test('only those that a webhook is about, while it is on and the plan has API access', async () => {
    const webhook = await createWebhook(server, user, receiver.url, ['photo.ready'])
    const all = await createWebhook(server, user, receiver.url)
    await recordEvent()
    expect(await fetchDeliveries(server, user, webhook)).toEqual([])
    expect(await fetchDeliveries(server, user, all)).toHaveLength(1)
    await callWebhooks(server, user, ['PUT', `/${all.id}`, { url: all.url, events: all.events, enabled: false }])
    await recordEvent()
    await callWebhooks(server, user, ['PUT', `/${all.id}`, { url: all.url, events: all.events, enabled: true }])
    await grantPlan(server, user, 'pro_monthly')
    await recordEvent()
    expect(await fetchDeliveries(server, user, all)).toHaveLength(1)
  })

  test('an event whose transaction is rolled back, or whose photo has no webhook, adds no job', async () => {
    const count = async () =>
      (
        await server.app.deps.pool.query(
          "select 1 from graphile_worker.jobs where task_identifier = 'record-webhook-event'",
        )
      ).rows.length
    await upload(server, user, file)
    await server.work()
    const [photo] = (await server.request({ method: 'GET', url: '/photos', token: user.token })).json<Photo[]>()
    await createWebhook(server, user, receiver.url, ['photo.deleted'])
    const other = await makeUser(server)
    await server.request({ method: 'DELETE', url: `/photos/${photo!.id}`, token: other.token })
    expect(await count()).toBe(0)
    await server.request({ method: 'DELETE', url: `/photos/${photo!.id}`, token: user.token })
    expect(await count()).toBe(1)
  })

  test('a job that runs twice delivers an event once', async () => {
    const webhook = await createWebhook(server, user, receiver.url)
    await recordEvent('msg_same')
    await recordEvent('msg_same')
    await Promise.all([deliverToWebhook(server.app.deps, webhook.id), deliverToWebhook(server.app.deps, webhook.id)])
    await server.work()
    expect(receiver.received).toHaveLength(1)
  })

  test('arrive in the order in which they happened, one at a time', async () => {
    await createWebhook(server, user, receiver.url)
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
    const webhook = await createWebhook(server, user, receiver.url)
    receiver.answer = (response) => response.writeHead(500).end('relation photos does not exist')
    await recordEvent('msg_first')
    await server.work()
    expect(receiver.received).toHaveLength(1)
    const [failing] = await fetchWebhooks(server, user)
    expect(Date.parse(failing!.gives_up_at!) - Date.parse(failing!.failing_since!)).toBe(24 * 60 * 60 * 1000)
    const [delivery] = await fetchDeliveries(server, user, webhook)
    expect(delivery).toMatchObject({
      state: 'waiting',
      attempts: [{ status: 500, error: null, response: 'relation photos does not exist' }],
    })
    const delays: number[] = []
    for (let tries = 0; tries < 30; tries++) {
      const [{ next_attempt_at: next, state }] = (await fetchDeliveries(server, user, webhook)) as [
        typeof delivery & object,
      ]
      if (state !== 'waiting') break
      delays.push(Date.parse(next!) - Date.now())
      await advanceWebhookTime(server, `${Date.parse(next!) - Date.now() + 1} milliseconds`)
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
    expect((await fetchDeliveries(server, user, webhook))[0]).toMatchObject({ state: 'failed', next_attempt_at: null })
    expect(await fetchWebhooks(server, user)).toMatchObject([{ enabled: false, disabled_because: 'failing' }])
    await server.work()
    const emails = await emailsTo(server, user.email)
    expect(emails.map(({ subject }) => subject)).toEqual([
      `Your webhook to 127.0.0.1:${receiver.port} was switched off`,
    ])
    const calls = receiver.received.length
    await recordEvent()
    await server.work()
    expect(receiver.received).toHaveLength(calls)
  })

  test('is not switched off while other events arrive, nor at the first failure after a pause', async () => {
    const webhook = await createWebhook(server, user, receiver.url)
    receiver.answer = 500
    await recordEvent('msg_poison')
    await server.work()
    // Otherwise the next attempt may be due already: it is made after five seconds.
    await server.app.deps.pool.query(
      "update webhook_deliveries set next_attempt_at = now() + interval '1 hour' where message_id = 'msg_poison'",
    )
    receiver.answer = 204
    await recordEvent('msg_good')
    await server.work()
    receiver.answer = 500
    await advanceWebhookTime(server, '25 hours')
    await server.work()
    const [good, poison] = await fetchDeliveries(server, user, webhook)
    expect([good?.state, poison?.state]).toEqual(['delivered', 'failed'])
    expect(await fetchWebhooks(server, user)).toMatchObject([{ enabled: true, gives_up_at: null }])
    await advanceWebhookTime(server, '3 days')
    await recordEvent('msg_late')
    await server.work()
    expect(await fetchWebhooks(server, user)).toMatchObject([{ enabled: true }])
    receiver.answer = 204
    await advanceWebhookTime(server, '10 seconds')
    await server.work()
    expect(await fetchWebhooks(server, user)).toMatchObject([{ enabled: true, failing_since: null, gives_up_at: null }])
  })

  test('that hangs holds up no other receiver, and what waits for it is not lost', async () => {
    replaceSend(patientSender.send)
    const [slow, quick] = [await startWebhookReceiver(), receiver]
    onTestFinished(() => slow.close())
    const hanging = Promise.withResolvers<() => void>()
    slow.answer = (response) => hanging.resolve(() => response.writeHead(204).end())
    await createWebhook(server, user, slow.url)
    await createWebhook(server, user, quick.url)
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

  test('that was slow, and a new one, has its deliveries made among slow ones for ten minutes, also when it is quick again', async () => {
    const webhook = await createWebhook(server, user, receiver.url)
    let durationMs = 1
    replaceSend(async (request) => ({ ...(await patientSender.send(request)), durationMs }))
    const nextJob = async (): Promise<string | undefined> => {
      await recordEvent()
      const { rows } = await server.app.deps.pool.query<{ name: string }>(
        'select task_identifier as name from graphile_worker.jobs where key = $1',
        [`webhook:${webhook.id}`],
      )
      await server.work()
      return rows[0]?.name
    }
    const [slow, quick] = ['deliver-to-slow-webhook', 'deliver-to-webhook']
    expect([await nextJob(), await nextJob()]).toEqual([slow, slow])
    await advanceWebhookTime(server, '10 minutes')
    expect([await nextJob(), await nextJob()]).toEqual([quick, quick])
    durationMs = 2_001
    expect(await nextJob()).toBe(quick)
    durationMs = 1
    expect([await nextJob(), await nextJob()]).toEqual([slow, slow])
    await advanceWebhookTime(server, '10 minutes')
    expect(await nextJob()).toBe(quick)
    const body = { url: `${receiver.url}/2`, events: ['photo.deleted'], enabled: true }
    await callWebhooks(server, user, ['PUT', `/${webhook.id}`, body])
    expect(await nextJob()).toBe(slow)
    expect(receiver.received).toHaveLength(9)
  })

  test('a program that dies during an attempt makes it again', async () => {
    const webhook = await createWebhook(server, user, receiver.url)
    await recordEvent()
    receiver.answer = (response) => response.destroy()
    const sender = { ...server.app.deps.webhooks.sender, send: () => Promise.reject(new Error('the program died')) }
    const webhooks = { ...server.app.deps.webhooks, sender }
    await expect(deliverToWebhook({ ...server.app.deps, webhooks }, webhook.id)).rejects.toThrow('died')
    await server.work()
    expect(receiver.received).toHaveLength(0)
    receiver.answer = 204
    await advanceWebhookTime(server, '31 seconds')
    await server.work()
    expect(receiver.received).toHaveLength(1)
    expect(await fetchDeliveries(server, user, webhook)).toMatchObject([
      { state: 'delivered', attempts: [{ status: 204 }] },
    ])
  })
})

describe('what the owner can do', () => {
  test('a test is attempted once, signed, and switches nothing off', async () => {
    const webhook = await createWebhook(server, user, receiver.url, ['photo.ready'])
    receiver.answer = 500
    const sent = await callWebhooks(server, user, ['POST', `/${webhook.id}/test`])
    expect([sent.statusCode, sent.json<{ state: string }>().state]).toEqual([201, 'waiting'])
    await server.work()
    expect(verifySignature(webhook.secret, receiver.received[0]!)).toMatchObject({
      type: 'webhook.test',
      data: { webhook_id: webhook.id },
    })
    expect(await fetchDeliveries(server, user, webhook)).toMatchObject([{ type: 'webhook.test', state: 'failed' }])
    expect(await fetchWebhooks(server, user)).toMatchObject([{ enabled: true, failing_since: null }])
  })

  test('a replay carries the same id and body, and is signed anew', async () => {
    const webhook = await createWebhook(server, user, receiver.url)
    await recordEvent('msg_again')
    await server.work()
    const [delivery] = await fetchDeliveries(server, user, webhook)
    const replayed = await callWebhooks(server, user, ['POST', `/${webhook.id}/deliveries/${delivery!.id}/replay`])
    expect([replayed.statusCode, replayed.json()]).toMatchObject([201, { is_replay: true, message_id: 'msg_again' }])
    await server.work()
    const [first, second] = receiver.received
    expect(second!.body).toBe(first!.body)
    expect(second!.headers['webhook-id']).toBe('msg_again')
    for (const got of receiver.received) expect(verifySignature(webhook.secret, got)).toBeTruthy()
    expect((await fetchDeliveries(server, user, webhook)).map(({ state, is_replay: is }) => [state, is])).toEqual([
      ['delivered', true],
      ['delivered', false],
    ])
  })

  test('after the secret was replaced both sign for a day, then only the new one', async () => {
    const webhook = await createWebhook(server, user, receiver.url)
    const replaced = await callWebhooks(server, user, ['POST', `/${webhook.id}/secret`])
    const { secret, previous_secret_until: until } = replaced.json<{ secret: string; previous_secret_until: string }>()
    expect(secret).not.toBe(webhook.secret)
    expect((Date.parse(until) - Date.now()) / 3_600_000).toBeCloseTo(24, 1)
    await recordEvent()
    await server.work()
    for (const each of [webhook.secret, secret]) expect(verifySignature(each, receiver.received[0]!)).toBeTruthy()
    await advanceWebhookTime(server, '25 hours')
    await recordEvent()
    await server.work()
    expect(verifySignature(secret, receiver.received[1]!)).toBeTruthy()
    expect(() => verifySignature(webhook.secret, receiver.received[1]!)).toThrow()
  })

  test('switching it off, the end of the plan and deleting the account cancel what waits, also replays', async () => {
    const webhook = await createWebhook(server, user, receiver.url)
    const change = (enabled: boolean) =>
      callWebhooks(server, user, ['PUT', `/${webhook.id}`, { url: webhook.url, events: webhook.events, enabled }])
    const replay = async () => {
      const [delivery] = await fetchDeliveries(server, user, webhook)
      return callWebhooks(server, user, ['POST', `/${webhook.id}/deliveries/${delivery!.id}/replay`])
    }
    const states = async () => (await fetchDeliveries(server, user, webhook)).map(({ state }) => state)
    await recordEvent()
    await change(false)
    expect(await states()).toEqual(['cancelled'])
    expect((await replay()).statusCode).toBe(409)
    await change(true)
    expect((await replay()).statusCode).toBe(201)
    await grantPlan(server, user, 'free')
    expect((await replay()).statusCode).toBe(403)
    await server.work()
    expect(await states()).toEqual(['cancelled', 'cancelled'])
    await grantPlan(server, user, 'pro_yearly')
    expect((await replay()).statusCode).toBe(201)
    await server.db.deleteFrom('users').where('id', '=', user.id).execute()
    await server.work()
    expect(receiver.received).toHaveLength(0)
    const { rows } = await server.app.deps.pool.query('select 1 from webhook_deliveries where webhook_id = $1', [
      webhook.id,
    ])
    expect(rows).toEqual([])
  })

  test('a webhook whose secret cannot be decrypted sends nothing and says what to do', async () => {
    const webhook = await createWebhook(server, user, receiver.url)
    await server.app.deps.pool.query("update webhooks set encrypted_secret = '\\x00' where id = $1", [webhook.id])
    await recordEvent()
    await server.work()
    expect(receiver.received).toHaveLength(0)
    expect(await fetchDeliveries(server, user, webhook)).toMatchObject([
      { attempts: [{ status: null, error: 'The signing secret cannot be read any more. Replace it in Settings.' }] },
    ])
  })
})
