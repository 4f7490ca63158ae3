/** Who is let in by every endpoint, what belongs to others, and what shared caches may keep, from the examples of the contract. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Access, accessOf, type Endpoint } from '@keepsnap/contract/endpoint.ts'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { exampleValues } from '@keepsnap/contract/examples.ts'
import { changeAccount } from '../../features/accounts/operator-changes.ts'
import { createAdminKey, revokeAdminKey } from '../../features/operators/admin-keys.ts'
import type { InjectedResponse } from '../../platform/http/http-types.ts'
import { newApiKey } from '../../lib/api-keys.ts'
import {
  createKey,
  grantPlan,
  makeApiUser,
  makeOperator,
  makeUser,
  makeUserWithKey,
  validPassword,
} from '../test-data.ts'
import {
  allows,
  bearer,
  called,
  type ExampleServer,
  type ExampleValues,
  filled,
  namedIn,
  requestOf,
  shown,
  startExampleServer,
} from '../example-server.ts'
import { publicUrl, type TestRequest } from '../harness.ts'
import { refusalOf } from '../contract-answers.ts'
import { hashTables } from '../consistency-check.ts'

let example: ExampleServer
/** Of the account whose things all calls name. */
let values: ExampleValues

type Answer = [status: number, body: unknown]
const answerOf = ({ statusCode, body, headers }: InjectedResponse): Answer => [
  statusCode,
  String(headers['content-type']).startsWith('application/json') ? JSON.parse(body) : body,
]

/** What a call gets that has been let in, instead of its handler, while `isAdmitting`. */
const admitted: Answer = [299, '']
let isAdmitting = false

const wrongKey: Answer = [401, { code: 'unauthorized', detail: 'Invalid or missing API key' }]
const noPlan: Answer = [403, { code: 'forbidden', detail: 'API access not available with your current subscription' }]

/** Who calls: the headers, and what they are good for. */
interface Caller {
  headers: Record<string, string>
  /** The kinds of access that the caller has by a session or a key. */
  kinds: Access[]
  /** What endpoints that accept keys answer to the key, when it is no good one. */
  keyRefusal?: Answer
}
/** By what they are. */
let callers: Record<string, Caller>

/** Users and keys in every state. */
async function makeCallers({ server, operator, adminKey }: ExampleServer): Promise<typeof callers> {
  const { db, app } = server
  const { pool } = app.deps
  const [user, signedOut, former] = [await makeUser(server), await makeUser(server), await makeOperator(server)]
  // Its session is known as that of an operator.
  await server.request({ method: 'GET', url: '/api/operator/overview', token: former.token })
  await pool.query('update users set is_admin = false where id = $1', [former.id])
  await server.request({ method: 'POST', url: '/logout', token: signedOut.token })
  const [holder, downgraded, gone] = [
    await makeUserWithKey(server),
    await makeUserWithKey(server),
    await makeUserWithKey(server),
  ]
  const [deleted, expired] = [
    await createKey(server, holder.user),
    await createKey(server, holder.user, { expires_in_days: 1 }),
  ]
  await server.request({ method: 'DELETE', url: `/api/keys/${deleted.id}`, token: holder.user.token })
  await pool.query("update api_keys set expires_at = now() - interval '1 second' where id = $1", [expired.id])
  await grantPlan(server, downgraded.user, 'pro_monthly')
  await pool.query('update users set is_admin = true where id = $1', [gone.user.id])
  await changeAccount(db, gone.user.email, { is_active: false })
  await grantPlan(server, operator, 'pro_yearly')
  const operatorKey = await createKey(server, operator)
  const revoked = await createAdminKey(db, 'old')
  await revokeAdminKey(db, revoked!.id)
  const byKey = (key: string) => ({ 'x-api-key': key })
  const refused = (headers: Record<string, string>): Caller => ({ headers, kinds: [], keyRefusal: wrongKey })
  return {
    nobody: { headers: {}, kinds: [] },
    'a user': { headers: bearer(user.token), kinds: ['user'] },
    'a user who has signed out': { headers: bearer(signedOut.token), kinds: [] },
    'an admin who is deactivated': { headers: bearer(gone.user.token), kinds: [] },
    'an operator': { headers: bearer(operator.token), kinds: ['user', 'operator'] },
    'an operator who is one no more': { headers: bearer(former.token), kinds: ['user'] },
    'a key, in both headers': { headers: { 'api-key': holder.key, ...byKey(holder.key) }, kinds: ['key'] },
    'the key of an operator': { headers: byKey(operatorKey.key), kinds: ['key'] },
    'a key whose plan has no API access': { headers: byKey(downgraded.key), kinds: [], keyRefusal: noPlan },
    'a key that was deleted': refused(byKey(deleted.key)),
    'a key that has expired': refused(byKey(expired.key)),
    'the key of an admin who is deactivated': refused(byKey(gone.key)),
    'a key that nobody has': refused(byKey(newApiKey('customer'))),
    'an admin key': { headers: { 'api-key': adminKey }, kinds: ['admin'] },
    'an admin key that was revoked': refused(byKey(revoked!.key)),
    'a key as bearer token': { headers: bearer(holder.key), kinds: [] },
    'an admin key as bearer token': { headers: bearer(adminKey), kinds: [] },
    'a session token as key': refused(byKey(user.token)),
    'two keys at once': refused({ 'api-key': holder.key, ...byKey(operatorKey.key) }),
    'a user with a key that nobody has': {
      ...refused({ ...bearer(user.token), ...byKey(newApiKey('customer')) }),
      kinds: ['user'],
    },
    'an operator with an admin key': {
      headers: { ...bearer(operator.token), 'api-key': adminKey },
      kinds: ['user', 'operator', 'admin'],
    },
  }
}

beforeAll(async () => {
  example = await startExampleServer(({ app }) =>
    app.http!.addHook('preParsing', async (_, reply) => {
      if (isAdmitting) await reply.status(299).send()
    }),
  )
  ;({ values } = example.owner)
  callers = await makeCallers(example)
})
afterAll(() => example.server.close())

const send = (request: TestRequest) => example.send(request)
const requestFor = (endpoint: Endpoint, headers: Record<string, string> = {}, named = values) =>
  requestOf(endpoint, filled(endpoint, named), headers)
const isPublic = (endpoint: Endpoint): boolean => allows(endpoint, 'public')
const isRead = ({ method }: Endpoint): boolean => method === 'GET'

/** What the contract says about a caller at an endpoint. */
function expectedAnswer(endpoint: Endpoint, { kinds, keyRefusal, headers }: Caller): Answer {
  const access = accessOf(endpoint)
  if (isPublic(endpoint)) return admitted
  // A key decides where keys are accepted, whatever session is beside it.
  const hasKey = 'api-key' in headers || 'x-api-key' in headers
  if (hasKey && (access.includes('key') || access.includes('admin'))) {
    if (kinds.some((kind) => (kind === 'key' || kind === 'admin') && access.includes(kind))) return admitted
    // The plan counts where customers' keys are accepted.
    return keyRefusal === noPlan && access.includes('key') ? noPlan : wrongKey
  }
  return kinds.some((kind) => access.includes(kind)) ? admitted : refusalOf(endpoint)
}

describe('who is let in', () => {
  const closed = endpoints.filter((one) => !isPublic(one))
  /** Whom public endpoints are tried with; they never look at keys. */
  const publicCallers = ['nobody', 'an admin who is deactivated', 'a key that nobody has']

  test('each endpoint lets in and refuses every kind of caller as the contract says, and refusals change nothing', async () => {
    const ask = async (list: readonly Endpoint[], headers: Record<string, string>) => {
      const answers: unknown[] = []
      for (const one of list) answers.push([called(one), ...answerOf(await send(requestFor(one, headers)))])
      return answers
    }
    for (const [name, caller] of Object.entries(callers)) {
      const expected = (one: Endpoint): Answer => expectedAnswer(one, caller)
      const isRefused = (one: Endpoint): boolean => expected(one) !== admitted
      const tried = publicCallers.includes(name) ? endpoints : closed
      const [refused, others] = [tried.filter(isRefused), tried.filter((one) => !isRefused(one))]
      const before = await hashTables(example.server)
      const refusals = refused.map((one) => [called(one), ...expected(one)])
      expect([name, await ask(refused, caller.headers)]).toEqual([name, refusals])
      expect([name, await hashTables(example.server)]).toEqual([name, before])
      isAdmitting = true
      const answers = await ask(others, caller.headers).finally(() => (isAdmitting = false))
      expect([name, answers]).toEqual([name, others.map((one) => [called(one), ...admitted])])
    }
    expect(publicCallers.filter((name) => !(name in callers))).toEqual([])
  })

  test('customers’ keys are accepted by these calls alone', () => {
    expect(endpoints.filter((one) => allows(one, 'key')).map(called)).toEqual([
      'GET /user/me',
      'POST /api/upload',
      'GET /api/photos',
      'GET /api/photos/latest',
    ])
  })

  test('a session counts as one bearer token and in no other form', async () => {
    const { token } = example.owner
    const withHeaders =
      (headers: Record<string, string>) =>
      (request: TestRequest): TestRequest => ({ ...request, headers: { ...request.headers, ...headers } })
    const forms = [
      withHeaders({ cookie: `access_token=${token}; token=${token}` }),
      withHeaders(bearer(`${token} ${token}`)),
      withHeaders(bearer(`${token}x`)),
      withHeaders(bearer(values.user)),
      withHeaders({ authorization: `Basic ${btoa(`${values.email}:${validPassword}`)}` }),
      (request: TestRequest): TestRequest => ({
        ...request,
        url: `${request.url}${request.url.includes('?') ? '&' : '?'}token=${token}`,
      }),
    ]
    const before = await hashTables(example.server)
    for (const [at, one] of closed.entries()) {
      const answer = await send(forms[at % forms.length]!(requestFor(one)))
      expect([called(one), ...answerOf(answer)]).toEqual([called(one), ...refusalOf(one)])
    }
    expect(await hashTables(example.server)).toEqual(before)
  })

  test('strangers are refused before their body is read, and caches keep no refusal; HEAD is refused as GET is', async () => {
    for (const one of closed) {
      const { url, method } = requestFor(one)
      const answer = await send({ method, url, headers: { 'content-type': 'application/json' }, body: '{"broken' })
      expect([called(one), ...answerOf(answer)]).toEqual([called(one), ...refusalOf(one)])
      expect(answer.headers['cache-control']).toBe('no-store')
      if (!isRead(one)) continue
      const head = await send({ method: 'HEAD', url })
      expect([called(one), head.statusCode, head.body]).toEqual([called(one), refusalOf(one)[0], ''])
    }
  })
})

describe('what belongs to somebody', () => {
  const things: readonly (keyof ExampleValues)[] = [
    'photo',
    'failedPhoto',
    'request',
    'session',
    'apiKey',
    'webhook',
    'delivery',
    'paidCheckout',
    'event',
    'deletedEvent',
    'galleryEvent',
    'tableCode',
    'eventGrant',
    'helper',
  ]
  const owned = endpoints.filter(
    (one) => allows(one, 'user') && !isPublic(one) && namedIn(one).some((name) => things.includes(name)),
  )

  test.each(shown(owned))('%s answers others as if it did not exist, and changes nothing', async (_, endpoint) => {
    const { server, operator } = example
    const other = await makeApiUser(server)
    const { origin, price } = values
    const before = await hashTables(server)
    for (const { token } of [other, operator]) {
      const ask = async (request: TestRequest) => {
        const { statusCode, body, headers } = await send(request)
        const { date: _date, 'x-request-id': _id, ratelimit: _left, ...kept } = headers
        return { statusCode, body, headers: kept }
      }
      const unknown = await ask(requestFor(endpoint, bearer(token), { ...exampleValues, origin, price }))
      expect(endpoint.params ? [404] : [200, 204, 404, 422]).toContain(unknown.statusCode)
      const request = requestFor(endpoint, bearer(token))
      const id = values[namedIn(endpoint)[0]!]
      // Answers about several things name those that were asked for.
      const refused = { ...unknown, body: unknown.body.replaceAll(exampleValues[namedIn(endpoint)[0]!], id) }
      const encoded = `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`
      for (const url of [request.url, request.url.replace(id, encoded)])
        expect(await ask({ ...request, url })).toEqual(refused)
    }
    expect(await hashTables(server)).toEqual(before)
  })

  test('no read of another user shows anything of it', async () => {
    const { token } = await makeApiUser(example.server)
    const { origin: _origin, price: _price, ...secrets } = values
    for (const one of endpoints.filter(isRead).filter((each) => allows(each, 'user'))) {
      const { body } = await send(requestFor(one, bearer(token)))
      expect([called(one), Object.values(secrets).filter((value) => body.includes(value))]).toEqual([called(one), []])
    }
  })
})

describe('what anyone who has its secret may use', () => {
  /** Photos of a contributor need the cookie of the device as well: features/events/guest-photos.test.ts. */
  const needsCookie = ({ method, path }: Endpoint): boolean =>
    path.startsWith('/e/:code/mine') && (method !== 'GET' || path.includes(':token'))
  const held = endpoints.filter(
    (one) => isPublic(one) && one.path.includes(':') && namedIn(one).length > 0 && !needsCookie(one),
  )
  /** No secrets, or things of the same kind. */
  const others = new Set([
    'origin',
    'price',
    'email',
    'user',
    'signature',
    'screenSignature',
    'failedPhoto',
    'paidCheckout',
    'tableCode',
    'archiveCode',
  ])
  const swapCase = (text: string): string =>
    text.replace(/[a-z]/gi, (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase()))

  test.each(shown(held))('%s gives all of them the same, and nothing by any other secret', async (_, endpoint) => {
    const { server, owner, operator } = example
    const answers: InjectedResponse[] = []
    for (const headers of [{}, bearer(owner.token), bearer(operator.token), bearer('x'.repeat(43))])
      answers.push(await send(requestFor(endpoint, headers)))
    const status = endpoint.status ?? 200
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([status, status, status, status])
    for (const { rawPayload } of answers) expect(rawPayload.equals(answers[0]!.rawPayload)).toBe(true)

    await server.app.deps.guestActivity.flush()
    const before = await hashTables(server)
    const name = namedIn(endpoint)[0]!
    const right = values[name]
    const byName = (value: string, headers = {}) => requestFor(endpoint, headers, { ...values, [name]: value })
    const unknown = await send(byName('0'.repeat(22)))
    expect([unknown.statusCode, unknown.headers['cache-control']]).toEqual([404, 'no-store'])
    const near = [right.slice(1), `${right}0`, `${right} `, swapCase(right), `../${right}`]
    const wrong = Object.entries(values).flatMap(([other, value]) =>
      others.has(other) || value === right ? [] : value,
    )
    for (const [at, value] of [...near, ...wrong].entries()) {
      const { statusCode, body } = await send(byName(value, at % 2 ? bearer(owner.token) : {}))
      expect([value, statusCode, body]).toEqual([value, 404, unknown.body])
    }
    expect(await hashTables(server)).toEqual(before)
  })
})

describe('shared caches', () => {
  const sharedPaths = new Set([
    '/openapi.json',
    '/site',
    '/sample/:name',
    '/qr/s/:name',
    '/manifest/:name',
    '/robots.txt',
    '/sitemap.xml',
  ])
  const shared = endpoints.filter((one) => isRead(one) && sharedPaths.has(one.path))
  // Preview pictures: server/features/web-pages.
  const own = endpoints.filter((one) => isRead(one) && !shared.includes(one) && one.path !== '/preview/:name')
  const get = (url: string, headers: Record<string, string> = {}) =>
    send({ method: 'GET', url, headers: { ...bearer(example.owner.token), ...headers } })

  test.each(shown(own))('do not store %s, whatever the request', async (_, endpoint) => {
    const request = requestFor(endpoint, example.headersFor(endpoint))
    const tag = (await send(request)).headers.etag
    const ways: Record<string, string>[] = [{}, { accept: 'text/html' }, { 'if-none-match': tag ?? '"none"' }]
    if (endpoint.reply === 'bytes')
      ways.push({ range: 'bytes=0-9' }, { range: 'bytes=99999999-' }, { origin: publicUrl })
    for (const more of ways) {
      const { statusCode, headers } = await send({ ...request, headers: { ...request.headers, ...more } })
      const isTagged = endpoint.reply === 'bytes' || endpoint.path === '/e/:code/photos'
      const expected = isTagged ? /^(no-store|private, (no-cache|max-age=86400|max-age=600))$/ : /^no-store$/
      expect([more, statusCode, headers['cache-control']]).toEqual([more, statusCode, expect.stringMatching(expected)])
      expect(headers.vary).toMatch(/\borigin\b/)
    }
    const head = await send({ ...request, method: 'HEAD' })
    expect(head.headers['cache-control']).toMatch(/no-store|^private/)
  })

  test.each(shown(shared))('may keep %s, which is the same with and without an account', async (_, endpoint) => {
    const [mine, anonymous] = [await get(requestFor(endpoint).url), await send(requestFor(endpoint))]
    expect(mine.headers['cache-control']).toMatch(/^public, max-age=\d+$/)
    expect(mine.headers.vary).toMatch(/\borigin\b/)
    expect(mine.rawPayload.equals(anonymous.rawPayload)).toBe(true)
    if (!endpoint.params) return
    const unknown = await get(endpoint.path.replace(/:\w+/, '0'.repeat(22)))
    expect([unknown.statusCode, unknown.headers['cache-control']]).toEqual([404, 'no-store'])
  })

  test('do not take data for a public file (web cache deception)', async () => {
    const tails = '/x/..%2f.css /latest/.css /latest%2f.css /latest;.css /latest/x.js /latest%00.css /latest%0a.png'
    const photos = `${tails} /latest%3f.css /latest%23.css /latest.css .css`.split(' ').map((tail) => `/photos${tail}`)
    const user = [
      '/user/me/.css',
      '/user/me%2f.jpg',
      '/user/me/..%2f..%2findex.html',
      '/assets/..%2fuser/me',
      '//user/me',
    ]
    for (const url of [...photos, ...user]) {
      for (const accept of ['*/*', 'text/css', 'text/html']) {
        const answer = await get(url, { accept })
        expect([url, [400, 404].includes(answer.statusCode)]).toEqual([url, true])
        expect(answer.body).not.toContain(values.email)
        expect(answer.headers['cache-control']).toMatch(/^no-(store|cache)$/)
        expect(answer.headers['content-type']).toMatch(/^(application\/json|text\/html)/)
        expect(answer.headers.vary).toMatch(/\borigin\b/)
      }
    }
  })

  test('distinguish a page from data at the same URL', async () => {
    for (const [accept, vary] of [
      ['*/*', 'origin, accept'],
      ['text/html', 'origin, accept, accept-encoding, accept-language, cookie'],
    ] as const) {
      const nothing = await get('/nothing', { accept })
      expect([nothing.statusCode, nothing.headers.vary]).toEqual([404, vary])
    }
    const page = await get('/photos', { accept: 'text/html' })
    expect([page.statusCode, page.headers['cache-control']]).toEqual([302, 'no-store'])
    expect((await get('/photos', { accept: 'application/json' })).headers['cache-control']).toBe('no-store')
  })
})

test('and no call logged an error', () => {
  expect(example.log).toEqual([])
})
