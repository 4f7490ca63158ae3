/** A database that crashes, loses its answer to a commit, takes no writes, or cannot count calls. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { createAdminKey } from '../../features/operators/admin-keys.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { newApiKey } from '../../lib/api-keys.ts'
import {
  grantPlan,
  makeOperator,
  makeUser,
  makeUserWithKey,
  multipartForm,
  signInRequest,
  type TestUser,
  upload,
  uploadInHalves,
  validPassword,
} from '../test-data.ts'
import { killProcess } from '../child-processes.ts'
import { expectConsistent, runOverdueWork } from '../consistency-check.ts'
import type { DatabaseProxy } from '../database-proxy.ts'
import {
  newClientAddress,
  serverForThisTest,
  startServerBehindProxy,
  type TestRequest,
  type TestServer,
} from '../harness.ts'
import { rawConnection } from '../raw-connection.ts'
import { startServerProcess } from '../server-process.ts'
import { logWithSeed, promisedMs, repetitions, seededRandom } from '../statistics.ts'

let server: TestServer
let proxy: DatabaseProxy
const photo = await jpeg()
beforeAll(async () => {
  ;({ server, proxy } = await startServerBehindProxy({ LOG_LEVEL: 'silent' }))
})
afterAll(() => server.close())

const again = { headers: { 'idempotency-key': 'the same' } }
const photosOf = async (user: TestUser): Promise<Photo[]> =>
  (await server.request({ method: 'GET', url: '/photos', token: user.token })).json<Photo[]>()
const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search

describe('an upload that is committed but never acknowledged is stored once', () => {
  test('when the connection to the database breaks at that moment', async () => {
    const user = await makeUser(server)
    const lost = proxy.loseCommitReply()
    const first = await upload(server, user, photo, again)
    await lost
    expect([first.statusCode, first.headers['retry-after']]).toEqual([503, '2'])
    const second = await upload(server, user, photo, again)
    expect(second.statusCode).toBe(201)
    // Its job was committed with it: the clean-up is not needed.
    await server.work()
    expect(await photosOf(user)).toMatchObject([{ id: second.json<Photo>().id, processing_complete: true }])
    await runOverdueWork(server)
    await expectConsistent(server)
  })

  test('when the program is killed at that moment, and another one gets the repetition', async () => {
    const user = await makeUser(server)
    const killed = await startServerProcess(onTestFinished, {
      database: proxy.database,
      dir: server.dir,
      command: ['serve', '--no-work'],
    })
    const lost = proxy.loseCommitReply({
      async meanwhile() {
        killProcess(killed.pid)
        await killed.ended
      },
    })
    const form = multipartForm(photo)
    const sending = fetch(`${killed.address}/photos/upload`, {
      method: 'POST',
      headers: { ...form.headers, ...again.headers, authorization: `Bearer ${user.token}` },
      body: Uint8Array.from(form.body),
    })
    await expect(sending).rejects.toThrow()
    await lost
    expect(await photosOf(user)).toHaveLength(1)
    expect((await upload(server, user, photo, again)).statusCode).toBe(201)
    await runOverdueWork(server)
    expect(await photosOf(user)).toMatchObject([{ processing_complete: true }])
    await expectConsistent(server)
  })

  test('when the client disconnects after its last byte', async () => {
    const user = await makeUser(server)
    const address = await server.listen()
    const form = multipartForm(photo)
    const rounds = repetitions(1, 200)
    await grantPlan(server, user, 'pro_yearly')
    for (let n = 0; n < rounds; n++) {
      await server.app.deps.pool.query('delete from rate_hits')
      const key = { 'idempotency-key': `hang up ${n}` }
      const headers = { ...form.headers, ...key, authorization: `Bearer ${user.token}` }
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      const head = `POST /photos/upload HTTP/1.1\r\nHost: photos.test\r\n${lines.join('')}Content-Length: ${form.body.length}\r\n\r\n`
      const connection = await rawConnection(address)
      await connection.write(Buffer.concat([Buffer.from(head), form.body]))
      connection.close()
      await expect
        .poll(async () => (await upload(server, user, photo, { headers: key })).statusCode, {
          // Fewer than the uploads of a minute.
          interval: promisedMs(100),
          timeout: promisedMs(5_000),
        })
        .toBe(201)
    }
    await runOverdueWork(server)
    expect((await photosOf(user)).map(({ processing_complete: isDone }) => isDone)).toEqual(
      Array.from({ length: rounds }, () => true),
    )
    await expectConsistent(server)
  })
})

describe('an upload that is not accepted gives its Idempotency-Key back', () => {
  const repeatedUpload = async (user: TestUser) => (await upload(server, user, photo, again)).statusCode
  test('within three seconds of the end of an outage of the database', async () => {
    const user = await makeUser(server)
    let outage = Promise.resolve()
    const over = Promise.withResolvers<void>()
    const first = uploadInHalves(await server.listen(), user, {
      url: '/photos/upload',
      file: photo,
      headers: again.headers,
      async between() {
        const isReserved = async () =>
          (await server.app.deps.pool.query('select from photos where user_id = $1', [user.id])).rowCount
        await expect.poll(isReserved, { interval: 5 }).toBe(1)
        outage = proxy.dropConnectionsDuring(() => over.promise)
      },
    })
    expect(await first).toMatchObject([503, { code: 'unavailable' }])
    over.resolve()
    await outage
    await expect.poll(() => repeatedUpload(user), { interval: 50, timeout: promisedMs(3_000) }).toBe(201)
    await runOverdueWork(server)
    expect(await photosOf(user)).toMatchObject([{ processing_complete: true }])
    await expectConsistent(server)
  })

  test('also when only the reply to its reservation is lost', async () => {
    const user = await makeUser(server)
    const lost = proxy.loseCommitReply({ of: 'insert into photos' })
    expect((await upload(server, user, photo, again)).statusCode).toBe(503)
    await lost
    await expect.poll(() => repeatedUpload(user), { interval: 50, timeout: promisedMs(3_000) }).toBe(201)
    await runOverdueWork(server)
    await expectConsistent(server)
  })
})

test('an upload and a deletion whose commits fail add no job and remove no file', async () => {
  const { pool } = server.app.deps
  const user = await makeUser(server)
  await upload(server, user, photo)
  await server.work()
  const [made] = await photosOf(user)
  const jobs = async () => (await pool.query('select key from graphile_worker.jobs order by key')).rows
  const before = await jobs()
  await pool.query(`
    create function fail() returns trigger language plpgsql as
      $$ begin raise exception 'the disk is full' using errcode = 'disk_full'; end $$;
    create constraint trigger fail after update on photos deferrable initially deferred
      for each row execute function fail()`)
  const deletion = await server.request({ method: 'DELETE', url: `/photos/${made!.id}`, token: user.token })
  const refused = await upload(server, user, photo)
  await pool.query('drop function fail cascade')
  expect([deletion.statusCode, refused.statusCode]).toEqual([503, 503])
  expect(await jobs()).toEqual(before)
  expect(await photosOf(user)).toEqual([made])
  await expectConsistent(server)
})

test.each([
  ['its thumbnail', '"thumbhash" = '],
  ['the photo', '"full_type" = '],
])('a photo is processed once when the reply to the commit of %s is lost', async (_, of) => {
  const user = await makeUser(server)
  await upload(server, user, photo)
  const lost = proxy.loseCommitReply({ of })
  await server.work()
  await lost
  await runOverdueWork(server)
  expect(await photosOf(user)).toMatchObject([{ processing_complete: true }])
  await expectConsistent(server)
})

test('a database that crashes repeatedly under load causes 503 responses and nothing else', async () => {
  const user = await makeUser(server)
  await grantPlan(server, user, 'pro_yearly')
  const first = (await upload(server, user, photo)).json<Photo>()
  await server.work()
  const [made] = await photosOf(user)
  const acknowledged = new Set([first.id])
  const statuses = new Map<number, number>()
  const wrong: string[] = []
  const over = new AbortController()
  const ask = async (url: string): Promise<void> => {
    const answer = await (url === '/photos/upload'
      ? upload(server, user, photo)
      : server.request(
          url === '/token'
            ? signInRequest(`${newClientAddress()}@example.com`)
            : { method: 'GET', url, token: user.token },
        ))
    const { statusCode, headers } = answer
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    const fine = { '/token': 401, '/photos/upload': 201 }[url] ?? 200
    if (statusCode === 201) acknowledged.add(answer.json<Photo>().id)
    if (statusCode !== fine && !(statusCode === 503 && Number(headers['retry-after']) > 0))
      wrong.push(`${url}: ${statusCode} ${answer.body.slice(0, 300)}`)
  }
  const reads = [
    '/photos',
    '/photos/latest',
    `/photos/${first.id}`,
    pathOf(made!.thumbnail_url!),
    pathOf(made!.b2_url!),
  ]
  const lanes = [...reads, '/token', '/photos/upload'].map(async (url) => {
    while (!over.signal.aborted) {
      await ask(url)
      await delay(url === '/photos/upload' ? 100 : 20)
    }
  })
  const cycles = repetitions(2, 200)
  const random = seededRandom('database deaths')
  let slowest = 0
  const latest = async () =>
    (await server.request({ method: 'GET', url: '/photos/latest', token: user.token })).statusCode
  for (let n = 0; n < cycles; n++) {
    await proxy.dropConnectionsDuring(() => delay(random.integerBelow(300)))
    const began = performance.now()
    await expect.poll(latest, { timeout: promisedMs(30_000), interval: 20 }).toBe(200)
    slowest = Math.max(slowest, performance.now() - began)
    await server.app.deps.pool.query('delete from rate_hits')
    await delay(random.integerBelow(200))
  }
  over.abort()
  await Promise.all(lanes)
  const seen = [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ')
  logWithSeed(`${cycles} deaths of the database: ${seen}; back after ${Math.round(slowest)} ms at most`)
  expect(wrong.slice(0, 5)).toEqual([])
  expect(statuses.get(503)).toBeGreaterThan(0)
  expect(slowest).toBeLessThan(promisedMs(20_000))
  await runOverdueWork(server)
  const complete = (await photosOf(user)).filter(({ processing_complete: isDone }) => isDone).map(({ id }) => id)
  expect([...acknowledged].filter((id) => !complete.includes(id))).toEqual([])
  await expectConsistent(server)
}, 600_000)

test('when calls cannot be counted, nobody is let in, nothing is sent or changed, and reading goes on', async () => {
  const log: string[] = []
  const own = await serverForThisTest({}, { out: { write: (line) => log.push(line) }, ownImageProcesses: false })
  const { user, key } = await makeUserWithKey(own)
  const [operator, admin] = [await makeOperator(own), await createAdminKey(own.db, 'reports')]
  await own.app.deps.pool.query('alter function count_rate(text, integer, integer) rename to count_rate_gone')
  const post = (url: string, body?: object, token?: string): TestRequest => ({
    method: 'POST',
    url,
    token,
    ...(body && { body }),
  })
  const refused: TestRequest[] = [
    signInRequest(user.email),
    post('/register', { email: 'new@example.com', password: validPassword }),
    post('/request-password-reset', { email: user.email }),
    post('/reset-password', { token: 'x'.repeat(43), new_password: validPassword }),
    post('/user/test-email', undefined, user.token),
    post('/user/email', { email: user.email, password: validPassword }, user.token),
    post('/api/keys', { name: 'x' }, user.token),
    { method: 'POST', url: '/api/upload', headers: { 'api-key': key } },
    { method: 'GET', url: '/api/photos', headers: { 'api-key': newApiKey('customer') } },
    { method: 'GET', url: '/api/admin/users', headers: { 'api-key': admin!.key } },
    { method: 'GET', url: `/d/${'0'.repeat(22)}` },
  ]
  for (const request of refused) {
    const { statusCode, headers, json } = await own.request(request)
    expect([request.url, statusCode, headers['retry-after'], json()]).toMatchObject([
      request.url,
      503,
      '2',
      { code: 'unavailable' },
    ])
  }
  for (const url of ['/api/photos', '/user/me']) {
    const answer = await own.request({ method: 'GET', headers: { 'x-api-key': key }, url })
    expect([answer.statusCode, answer.headers['ratelimit']]).toEqual([200, undefined])
  }
  for (const [url, { token }] of [
    ['/photos', user],
    ['/api/operator/overview', operator],
  ] as const)
    expect((await own.request({ method: 'GET', url, token })).statusCode).toBe(200)
  const health = async () => (await own.request({ method: 'GET', url: '/health' })).json<unknown>()
  await expect.poll(health).toMatchObject({ status: 'ok' })
  expect(log.filter((line) => line.includes('calls cannot be counted'))).toHaveLength(1)
})

// As with a full disk, or after a failover to a copy that is only read.
test('while the database takes no writes, what changes something is refused with 503, and reading goes on', async () => {
  const { pool } = server.app.deps
  const { user, key } = await makeUserWithKey(server)
  const { id, qr_code_url: code } = (await upload(server, user, photo)).json<Photo>()
  await server.work()
  const other = await makeUser(server)
  const writes: TestRequest[] = [
    signInRequest(user.email),
    signInRequest('nobody@example.com'),
    { method: 'POST', url: '/register', body: { email: 'new@example.com', password: validPassword } },
    { method: 'POST', url: '/request-password-reset', body: { email: user.email } },
    { method: 'POST', url: `/photos/${id}/request-email`, body: { email: 'guest@example.com' } },
    { method: 'PUT', url: '/user/settings', token: user.token, body: { username: 'Sofie' } },
    { method: 'POST', url: '/user/test-email', token: other.token },
  ]
  const direct = pathOf(code).replace('.png', '')
  const reads: TestRequest[] = [
    ...['/photos', '/user/me'].map((url): TestRequest => ({ method: 'GET', url, token: user.token })),
    ...['/api/photos', '/user/me'].map((url): TestRequest => ({ method: 'GET', url, headers: { 'api-key': key } })),
    ...[direct, direct.replace('/qr', ''), `/request-photo/${id}`].map((url): TestRequest => ({ method: 'GET', url })),
  ]
  const statuses = async (calls: TestRequest[]): Promise<number[]> =>
    (await Promise.all(calls.map((call) => server.request(call)))).map(({ statusCode }) => statusCode)
  // Sessions and keys write the time of their last use.
  for (const table of ['sessions', 'api_keys'])
    await pool.query(`update ${table} set last_used_at = now() - interval '2 hours'`)
  const name = server.database.database!
  const setReadOnly = async (isReadOnly: boolean): Promise<void> => {
    await pool.query(
      `begin; set transaction read write; alter database ${name} set default_transaction_read_only = ${isReadOnly}; commit`,
    )
    await pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
      [name],
    )
    await pool.query(`set default_transaction_read_only = ${isReadOnly}`)
  }
  await setReadOnly(true)
  await expect.poll(() => statuses(writes)).toEqual(writes.map(() => 503))
  await expect.poll(() => statuses(reads)).toEqual(reads.map(() => 200))
  const refused = await server.request(writes[0]!)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2'])
  await setReadOnly(false)
  await expect.poll(async () => (await statuses(writes)).filter((status) => status >= 500)).toEqual([])
})
