import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { newApiKey } from '../../lib/api-keys.ts'
import { newId, newSecret } from '../../lib/ids.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { repetitions, logWithSeed, isRecord } from '../statistics.ts'
import { newClientAddress, serverForThisTest, startServer, type TestServer } from '../harness.ts'
import { startStripeDouble } from '../stripe-double/stripe-double.ts'
import { grantPlan, makeUser, upload } from '../test-data.ts'
import { connectLive } from '../live-client.ts'
import { newestSecret } from '../outbox.ts'
import { createKey, getByKey } from '../api-keys.ts'
import { metricsToken, readMetrics } from '../../metrics/test/read-metrics.ts'
import { checkoutBody } from '../subscriptions.ts'
import { createWebhook } from '../../features/webhooks/test/webhook-actions.ts'
import { startWebhookReceiver } from '../webhook-receiver.ts'

let server: TestServer
let address: string
const log: string[] = []
const photo = await jpeg()
beforeAll(async () => {
  server = await startServer(
    { LOG_LEVEL: 'debug', WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', METRICS_TOKEN: metricsToken },
    { out: { write: (line) => log.push(line) } },
  )
  address = await server.listen()
})
afterAll(() => server.close())

describe('ids and codes', () => {
  test('never repeat, and every character is equally likely at every position', () => {
    const count = repetitions(20_000, 1_000_000)
    const alphabet = 62
    const seen = new Set<string>()
    const tallies = Array.from({ length: 22 }, () => new Map<string, number>())
    for (let n = 0; n < count; n++) {
      const id = newId()
      seen.add(id)
      for (let at = 0; at < 22; at++) tallies[at]!.set(id[at]!, (tallies[at]!.get(id[at]!) ?? 0) + 1)
    }
    expect(seen.size).toBe(count)
    const expected = count / alphabet
    const chiSquares = tallies.map((tally) =>
      [...tally.values()].reduce((sum, times) => sum + (times - expected) ** 2 / expected, 0),
    )
    for (const tally of tallies) expect(tally.size).toBe(alphabet)
    // 61 degrees of freedom: more than 150 comes once in a hundred million places.
    expect(Math.max(...chiSquares)).toBeLessThan(150)
    const sorted = [...seen].toSorted()
    const common = (a: string, b: string): number => a.split('').findIndex((one, at) => one !== b[at])
    const longest = Math.max(...sorted.slice(1, 20_000).map((id, at) => common(id, sorted[at]!)))
    expect(longest).toBeLessThan(11)
    logWithSeed(
      `${count} ids: chi-square ${Math.max(...chiSquares).toFixed(1)} at most, ${longest} characters in common`,
    )
  })

  test('of one user are unrelated to each other', async () => {
    const user = await makeUser(server)
    for (let n = 0; n < 5; n++) await upload(server, user, photo)
    await server.work()
    const photos = (await server.request({ method: 'GET', url: '/photos', token: user.token })).json<Photo[]>()
    const names = photos.flatMap((one) =>
      [one.b2_url!, one.thumbnail_url!, one.qr_code_url].map(
        (url) => /\/([0-9A-Za-z]{22})(\.png)?$/.exec(new URL(url).pathname)![1]!,
      ),
    )
    const all = [...names, ...photos.map(({ id }) => id), user.id, user.token]
    expect(new Set(all).size).toBe(22)
    expect(new Set(all.map((name) => name.slice(0, 6))).size).toBe(22)
  })

  test('cannot be found by brute force: after a minute’s worth of wrong ones all calls are refused', async () => {
    const from = newClientAddress()
    const tries = repetitions(100, 10_000)
    const found = new Map<number, number>()
    const paths = ['/d/', '/t/', '/media/', '/qr/d/', '/qr/r/']
    for (let n = 0; n < tries; n++) {
      const url = `${paths[n % paths.length]}${newId()}`
      const { statusCode } = await server.request({ method: 'GET', url, from })
      found.set(statusCode, (found.get(statusCode) ?? 0) + 1)
    }
    expect(found.get(200)).toBeUndefined()
    expect([...found.keys()].toSorted((a, b) => a - b)).toEqual([404, 429])
    expect(found.get(404)).toBeLessThanOrEqual(isRecord ? 600 : 60)
  })
})

/** Every row of every table, as text. */
async function dumpTables({ app }: TestServer): Promise<string> {
  const { pool } = app.deps
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

test('no secret reaches a log, a job, an answer, the metrics or the database, but as a hash', async () => {
  log.length = 0
  const secrets: Record<string, string> = { password: `Canary.${newSecret()}.1`, wrong: `Wrong.${newSecret()}.1` }
  const email = `canary-${newId(6).toLowerCase()}@example.com`
  const bodies: string[] = []
  const ask = async (what: Parameters<TestServer['request']>[0]) => {
    const answer = await server.request(what)
    bodies.push(answer.body)
    return answer
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const signIn = (password: string) =>
    ask({
      method: 'POST',
      url: '/token',
      body: new URLSearchParams({ username: email, password }).toString(),
      headers: form,
    })
  secrets['token'] = (
    await ask({ method: 'POST', url: '/register', body: { email, password: secrets['password'] } })
  ).json<{ access_token: string }>().access_token
  secrets['second token'] = (await signIn(secrets['password']!)).json<{ access_token: string }>().access_token
  bodies.length = 0
  await signIn(secrets['wrong']!)
  await ask({ method: 'POST', url: '/register', body: { email, password: secrets['password'], extra: 1 } })
  await ask({
    method: 'POST',
    url: '/register',
    body: `{"password":"${secrets['wrong']}"`,
    headers: { 'content-type': 'application/json' },
  })
  const token = secrets['token']
  const ticket = await server.request({ method: 'POST', url: '/ws/ticket', token })
  secrets['ticket'] = ticket.json<{ ticket: string }>().ticket
  const live = await connectLive(address, secrets['ticket'])
  live.socket.send(`{"action":"${secrets['wrong']}","token":"${token}"}`)
  secrets['idempotency key'] = `canary-${newSecret()}`
  const user = { id: '', email, token }
  await grantPlan(server, user, 'pro_yearly')
  secrets['API key'] = (await createKey(server, user)).key
  secrets['wrong API key'] = newApiKey('customer')
  for (const key of [secrets['API key'], secrets['wrong API key'], `${secrets['wrong API key']}x`])
    bodies.push((await getByKey(server, key, '/user/me')).body)
  await ask({ method: 'GET', url: '/api/keys', token })
  await upload(server, user, photo, { headers: { 'idempotency-key': secrets['idempotency key'] } })
  await upload(server, user, photo.subarray(0, photo.length / 2))
  await grantPlan(server, { ...user, id: '' }, 'pro_yearly')
  const receiver = await startWebhookReceiver()
  onTestFinished(() => receiver.close())
  const webhook = await createWebhook(server, user, receiver.url)
  secrets['webhook secret'] = webhook.secret
  const replaced = await server.request({ method: 'POST', url: `/api/webhooks/${webhook.id}/secret`, token })
  secrets['new webhook secret'] = replaced.json<{ secret: string }>().secret
  await ask({ method: 'POST', url: `/api/webhooks/${webhook.id}/test`, token })
  const jobs = await server.app.deps.pool.query<{ row: string }>(
    'select t::text as row from graphile_worker._private_jobs t',
  )
  await server.work()
  const [, made] = (await server.request({ method: 'GET', url: '/photos', token })).json<Photo[]>()
  secrets['signature'] = new URL(made!.b2_url!).searchParams.get('s')!
  await server.request({ method: 'GET', url: new URL(made!.b2_url!).pathname + new URL(made!.b2_url!).search })
  await ask({ method: 'GET', url: `/photos/${token}`, token })
  await ask({ method: 'GET', url: `/nothing?token=${token}&s=${secrets['signature']}` })
  await ask({ method: 'GET', url: '/user/me', token: `${token}x` })
  for (const path of ['', `/${webhook.id}/deliveries`]) await ask({ method: 'GET', url: `/api/webhooks${path}`, token })
  live.socket.close()
  await server.app.deps.pool.query('alter table photos rename to photos_gone')
  for (const url of ['/photos', `/photos/${token}`, `/media/x?s=${secrets['signature']}`])
    await ask({ method: 'GET', url, token })
  await upload(server, user, photo, { headers: { 'idempotency-key': secrets['idempotency key'] } })
  await server.app.deps.pool.query('alter table photos_gone rename to photos')
  await ask({ method: 'POST', url: '/logout', token: secrets['second token'] })
  await server.request({ method: 'POST', url: '/user/export', token })
  await server.request({ method: 'POST', url: '/request-password-reset', body: { email } })
  await server.work()
  secrets['link that confirms'] = await newestSecret(server, email, '/verify-email?token=')
  secrets['link that resets'] = await newestSecret(server, email, '/reset-password?token=')
  secrets['link to the archive'] = await newestSecret(server, email, '/export/')
  await ask({ method: 'GET', url: `/reset-password?token=${secrets['link that resets']}` })
  await ask({ method: 'GET', url: `/export/${secrets['link to the archive']}`, headers: { range: 'bytes=0-9' } })
  secrets['link that stops emails'] = server.app.deps.tokens.unsubscribe('guest@example.com')
  for (const tail of ['', '/undo', ''])
    await server.request({ method: 'POST', url: `/stop/${secrets['link that stops emails']}${tail}` })
  secrets['chosen'] = `Chosen.${newSecret()}.1`
  for (const url of ['/verify-email', '/reset-password', '/reset-password']) {
    const [link, chosen] = [url === '/verify-email' ? 'link that confirms' : 'link that resets', secrets['chosen']]
    await ask({
      method: 'POST',
      url,
      body: { token: secrets[link], ...(url !== '/verify-email' && { new_password: chosen }) },
    })
  }

  secrets['metrics token'] = metricsToken
  secrets['wrong metrics token'] = `canary-${newSecret()}`
  await ask({ method: 'GET', url: '/metrics', token: secrets['wrong metrics token'] })
  const metrics = (await readMetrics(server)).text

  expect(receiver.received).not.toEqual([])
  const tables = await dumpTables(server)
  const places = {
    log: log.join(''),
    jobs: jobs.rows.map(({ row }) => row).join(''),
    answers: bodies.join(''),
    metrics,
    database: tables,
  }
  expect(places.log).toContain('a request failed with an unexpected error')
  expect(places.jobs).toContain('photoId')
  expect(places.database).toContain(email)
  for (const route of ['/token', '/register', '/photos/:id', '/media/:code', '/export/:secret', 'none'])
    expect(places.metrics).toContain(`route="${route}"`)
  expect(places.metrics).not.toContain(email)
  for (const [place, text] of Object.entries(places))
    for (const [name, secret] of Object.entries(secrets))
      expect([place, name, text.includes(secret), text.includes(Buffer.from(secret).toString('hex'))]).toEqual([
        place,
        name,
        false,
        false,
      ])
})

test('no secret of the payment provider reaches a log, a job, an answer or the database, whether it answers or not', async () => {
  const double = await startStripeDouble(onTestFinished)
  const lines: string[] = []
  const own = await serverForThisTest(
    { ...double.env, LOG_LEVEL: 'debug' },
    { out: { write: (line) => lines.push(line) } },
  )
  const { token } = await makeUser(own)
  const bodies: string[] = []
  const ask = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await own.request({ method: 'POST', url: path, token, body, headers })
    bodies.push(answer.body, JSON.stringify(answer.headers))
    return answer.statusCode
  }
  const checkout = { ...checkoutBody(), price_id: double.prices.pro_monthly }
  const statuses = [await ask('/subscriptions/checkout', checkout)]
  double.isDown = true
  statuses.push(
    await ask('/subscriptions/checkout', { ...checkout, price_id: double.prices.pro_yearly }),
    await ask('/payments/webhook', '{"id":"evt_1"}', {
      'content-type': 'application/json',
      'stripe-signature': 't=1,v1=00',
    }),
  )
  await own.work()
  expect(statuses[0]).toBe(200)
  expect(statuses.slice(1).every((status) => status >= 400)).toBe(true)
  const tables = await dumpTables(own)
  const secrets = [double.secretKey, double.webhookSecret]
  expect(secrets.every((secret) => secret.length > 10)).toBe(true)
  expect(lines.join('')).toContain('a webhook was refused')
  for (const text of [lines.join(''), bodies.join(''), tables])
    for (const secret of secrets) expect(text.includes(secret)).toBe(false)
})
