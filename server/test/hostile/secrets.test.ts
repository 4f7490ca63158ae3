import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { createWebhook } from '../../features/integrations/test/webhook-actions.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { newApiKey } from '../../lib/api-keys.ts'
import { newId, newSecret } from '../../lib/ids.ts'
import { metricsToken, readMetrics } from '../prometheus.ts'
import { createKey, getByKey, grantPlan, makeUser, signInRequest, upload } from '../test-data.ts'
import { startServer, type TestRequest, type TestServer } from '../harness.ts'
import { connectLive } from '../live-client.ts'
import { newestSecret } from '../outbox.ts'
import { logWithSeed, repetitions } from '../statistics.ts'
import { startStripeDouble, type StripeDouble } from '../stripe-double.ts'
import { checkoutBody } from '../subscriptions.ts'
import { startWebhookReceiver } from '../webhook-receiver.ts'

let server: TestServer
let double: StripeDouble
const log: string[] = []
beforeAll(async () => {
  double = await startStripeDouble(afterAll)
  const env = { ...double.env, LOG_LEVEL: 'debug', WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', METRICS_TOKEN: metricsToken }
  server = await startServer(env, { out: { write: (line) => log.push(line) }, ownImageProcesses: false })
})
afterAll(() => server.close())

test('ids and codes never repeat, and every character is equally likely at every position', () => {
  const count = repetitions(10_000, 1_000_000)
  const tallies = Array.from({ length: 22 }, () => new Map<string, number>())
  const seen = new Set<string>()
  for (let n = 0; n < count; n++) {
    const id = newId()
    seen.add(id)
    for (const [at, tally] of tallies.entries()) tally.set(id[at]!, (tally.get(id[at]!) ?? 0) + 1)
  }
  expect(seen.size).toBe(count)
  const expected = count / 62
  const chiSquares = tallies.map((tally) =>
    [...tally.values()].reduce((sum, times) => sum + (times - expected) ** 2 / expected, 0),
  )
  for (const tally of tallies) expect(tally.size).toBe(62)
  // 61 degrees of freedom: more than 150 comes once in a hundred million places.
  expect(Math.max(...chiSquares)).toBeLessThan(150)
  logWithSeed(`${count} ids: chi-square ${Math.max(...chiSquares).toFixed(1)} at most`)
})

/** Every row of every table, as text. */
async function dumpTables(): Promise<string> {
  const { pool } = server.app.deps
  const { rows: tables } = await pool.query<{ name: string }>(
    "select table_schema || '.' || quote_ident(table_name) as name from information_schema.tables where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'",
  )
  const dump: string[] = []
  for (const { name } of tables) {
    // The key of an upload is its client's word for it, not a secret of ours: it is kept for a day, to be compared.
    const row = name === 'public.photos' ? "(to_jsonb(t) - 'idempotency_key')::text" : 't::text'
    dump.push(...(await pool.query<{ row: string }>(`select ${row} as row from ${name} t`)).rows.map((one) => one.row))
  }
  return dump.join('')
}

/** No secret is in any place, neither as it is nor in hexadecimal. */
function expectNone(secrets: Record<string, string>, places: Record<string, string>): void {
  const found = Object.entries(places).flatMap(([place, text]) =>
    Object.entries(secrets).flatMap(([name, secret]) =>
      text.includes(secret) || text.includes(Buffer.from(secret).toString('hex')) ? [`${name} in the ${place}`] : [],
    ),
  )
  expect(found).toEqual([])
  for (const secret of Object.values(secrets)) expect(secret.length).toBeGreaterThan(10)
}

test('no secret reaches a log, a job, an answer, the metrics or the database, but as a hash', async () => {
  const secrets: Record<string, string> = { password: `Canary.${newSecret()}.1`, wrong: `Wrong.${newSecret()}.1` }
  const email = `canary-${newId(6).toLowerCase()}@example.com`
  const answers: string[] = []
  const { password, wrong } = secrets as { password: string; wrong: string }
  /** A request whose answer contains a secret on purpose. */
  const get = async <Reply>(method: TestRequest['method'], url: string, more: Partial<TestRequest> = {}) =>
    (await server.request({ method, url, ...more })).json<Reply>()
  const ask = async (method: TestRequest['method'], url: string, more: Partial<TestRequest> = {}) => {
    answers.push((await server.request({ method, url, ...more })).body)
  }
  const registered = await get<{ access_token: string }>('POST', '/register', { body: { email, password } })
  const token = (secrets['token'] = registered.access_token)
  const signedIn = await get<{ access_token: string }>('POST', '/token', signInRequest(email, password))
  secrets['second token'] = signedIn.access_token
  await ask('POST', '/token', signInRequest(email, wrong))
  await ask('POST', '/register', { body: { email, password, extra: 1 } })
  const json = { 'content-type': 'application/json' }
  await ask('POST', '/register', { body: `{"password":"${wrong}"`, headers: json })
  secrets['ticket'] = (await get<{ ticket: string }>('POST', '/ws/ticket', { token })).ticket
  const live = await connectLive(await server.listen(), secrets['ticket'])
  live.socket.send(`{"action":"${wrong}","token":"${token}"}`)

  const user = { id: '', email, token }
  await grantPlan(server, user, 'pro_yearly')
  secrets['API key'] = (await createKey(server, user)).key
  secrets['wrong API key'] = newApiKey('customer')
  for (const key of [secrets['API key'], secrets['wrong API key'], `${secrets['wrong API key']}x`])
    answers.push((await getByKey(server, key, '/user/me')).body)
  await ask('GET', '/api/keys', { token })
  secrets['idempotency key'] = `canary-${newSecret()}`
  const headers = { 'idempotency-key': secrets['idempotency key'] }
  const photo = await jpeg()
  await upload(server, user, photo, { headers })
  await upload(server, user, photo.subarray(0, photo.length / 2))
  const receiver = await startWebhookReceiver()
  onTestFinished(() => receiver.close())
  const webhook = await createWebhook(server, user, receiver.url)
  secrets['webhook secret'] = webhook.secret
  const replaced = await get<{ secret: string }>('POST', `/api/webhooks/${webhook.id}/secret`, { token })
  secrets['new webhook secret'] = replaced.secret
  await ask('POST', `/api/webhooks/${webhook.id}/test`, { token })
  const { rows: jobs } = await server.app.deps.pool.query('select * from graphile_worker._private_jobs')
  await server.work()

  const [, made] = await get<Photo[]>('GET', '/photos', { token })
  const { pathname, search, searchParams } = new URL(made!.b2_url!)
  const signature = (secrets['signature'] = searchParams.get('s')!)
  await server.request({ method: 'GET', url: pathname + search })
  await ask('GET', `/photos/${token}`, { token })
  await ask('GET', `/nothing?token=${token}&s=${signature}`)
  await ask('GET', '/user/me', { token: `${token}x` })
  for (const path of ['', `/${webhook.id}/deliveries`]) await ask('GET', `/api/webhooks${path}`, { token })
  live.socket.close()
  // Errors that nobody expects are logged whole.
  await server.app.deps.pool.query('alter table photos rename to photos_gone')
  for (const url of ['/photos', `/photos/${token}`, `/media/x?s=${signature}`]) await ask('GET', url, { token })
  await upload(server, user, photo, { headers })
  await server.app.deps.pool.query('alter table photos_gone rename to photos')
  await ask('POST', '/logout', { token: secrets['second token'] })

  await server.request({ method: 'POST', url: '/user/export', token })
  await server.request({ method: 'POST', url: '/request-password-reset', body: { email } })
  await server.work()
  const confirms = (secrets['link that confirms'] = await newestSecret(server, email, '/verify-email?token='))
  const resets = (secrets['link that resets'] = await newestSecret(server, email, '/reset-password?token='))
  secrets['link to the archive'] = await newestSecret(server, email, '/export/')
  await ask('GET', `/reset-password?token=${resets}`)
  await ask('GET', `/export/${secrets['link to the archive']}`, { headers: { range: 'bytes=0-9' } })
  const zipped = await server.request({ method: 'POST', url: '/photos/archive', token, body: { ids: [made!.id] } })
  secrets['link to photos as one file'] = zipped.json<{ url: string }>().url.split('/').at(-1)!
  await ask('GET', `/archive/${secrets['link to photos as one file']}`, { headers: { range: 'bytes=0-9' } })
  secrets['link that stops emails'] = server.app.deps.tokens.unsubscribe('guest@example.com')
  for (const tail of ['', '/undo', ''])
    await server.request({ method: 'POST', url: `/stop/${secrets['link that stops emails']}${tail}` })
  secrets['chosen'] = `Chosen.${newSecret()}.1`
  await ask('POST', '/verify-email', { body: { token: confirms } })
  for (let n = 0; n < 2; n++)
    await ask('POST', '/reset-password', { body: { token: resets, new_password: secrets['chosen'] } })
  secrets['metrics token'] = metricsToken
  secrets['wrong metrics token'] = `canary-${newSecret()}`
  await ask('GET', '/metrics', { token: secrets['wrong metrics token'] })

  expect(receiver.received).not.toEqual([])
  const places = {
    log: log.join(''),
    jobs: JSON.stringify(jobs),
    answers: answers.join(''),
    metrics: (await readMetrics(server)).text,
    database: await dumpTables(),
  }
  expect(places.log).toContain('a request failed with an unexpected error')
  expect(places.jobs).toContain('photoId')
  expect(places.database).toContain(email)
  for (const route of ['/token', '/register', '/photos/:id', '/media/:code', '/export/:secret', 'none'])
    expect(places.metrics).toContain(`route="${route}"`)
  expect(places.metrics).not.toContain(email)
  expectNone(secrets, places)
})

test('nor does one of the payment provider, whether it answers or not', async () => {
  const { token } = await makeUser(server)
  const answers: string[] = []
  const ask = async (url: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await server.request({ method: 'POST', url, token, body, headers })
    answers.push(answer.body, JSON.stringify(answer.headers))
    return answer.statusCode
  }
  const checkout = { ...checkoutBody(), price_id: double.prices.pro_monthly }
  expect(await ask('/subscriptions/checkout', checkout)).toBe(200)
  double.isDown = true
  const forged = { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=00' }
  const refused = [
    await ask('/subscriptions/checkout', { ...checkout, price_id: double.prices.pro_yearly }),
    await ask('/payments/webhook', '{"id":"evt_1"}', forged),
  ]
  expect(refused.every((status) => status >= 400)).toBe(true)
  await server.work()
  const places = { log: log.join(''), answers: answers.join(''), database: await dumpTables() }
  expect(places.log).toContain('a webhook was refused')
  expectNone({ 'secret key': double.secretKey, 'webhook secret': double.webhookSecret }, places)
})
