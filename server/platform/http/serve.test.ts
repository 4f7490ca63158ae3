import { gunzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { endpoint } from '@keepsnap/contract/endpoint.ts'
import type { Db } from '../db/connect.ts'
import { unauthorized } from '../../faults.ts'
import type { Authenticator, SessionActor } from './authenticator.ts'
import { serveOn } from './serve.ts'
import { bareHeaders, createBareServer } from '../../test/bare-server.ts'

const actor: SessionActor = { by: 'session', userId: 'anna', sessionHash: Buffer.alloc(32) }
/** Whether the session of the token `valid`, which is accepted, has ended meanwhile. */
let isLive: () => Promise<boolean>
beforeEach(() => void (isLive = async () => true))
const authenticator: Pick<Authenticator, 'authenticate' | 'isLive'> = {
  async authenticate({ access }, req) {
    if (access === 'public') return undefined
    if (req.headers.authorization !== 'Bearer valid') throw unauthorized()
    return actor
  },
  isLive: () => isLive(),
}

const app = createBareServer()
// `serveOn` uses these two functions, and the database only for rate limits, which no endpoint here has.
const serve = serveOn(app, { authenticator: authenticator as Authenticator, db: {} as Db })
afterAll(() => app.close())

const handled: unknown[] = []
const rename = endpoint({
  method: 'POST',
  path: '/things/:id',
  access: 'user',
  summary: 'Renames a thing.',
  params: Type.Object({ id: Type.String() }),
  body: Type.Object({ name: Type.String({ maxLength: 5 }) }, { additionalProperties: false }),
  status: 201,
  reply: Type.Object({ name: Type.String() }),
})
serve(rename, async ({ params, body }, call) => {
  handled.push([params, body, call.actor])
  const row = { name: body.name, password_hash: 'secret' }
  return row
})
serve(
  endpoint({
    method: 'GET',
    path: '/count',
    access: 'public',
    summary: 'Counts.',
    query: Type.Object({ n: Type.Integer() }),
    reply: Type.Object({ n: Type.Integer() }),
  }),
  async ({ query }, call) => ({ n: call.actor === undefined ? query.n : -1 }),
)
serve(
  endpoint({
    method: 'GET',
    path: '/list',
    access: 'public',
    summary: 'Lists.',
    query: Type.Object({ n: Type.Integer() }),
    reply: Type.Array(Type.String()),
  }),
  async ({ query }) => Array.from({ length: query.n }, () => 'photo ü'),
)
serve(
  endpoint({
    method: 'DELETE',
    path: '/things',
    access: 'user',
    summary: 'Deletes.',
    ignoreBody: true,
    status: 204,
    reply: Type.Null(),
  }),
  async () => null,
)
serve(endpoint({ method: 'GET', path: '/orphan', access: 'user', summary: 'Fails.', reply: Type.Null() }), async () =>
  Promise.reject(Object.assign(new Error('violates'), { code: '23503', constraint: 'photos_user_id_fkey' })),
)

const headers = { ...bareHeaders, authorization: 'Bearer valid' }
const post = (body: unknown, more: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url: '/things/7', headers: { ...headers, ...more }, payload: JSON.stringify(body) })
const json = { 'content-type': 'application/json' }

test('a handler receives validated input and the caller; the reply has the declared fields only', async () => {
  const answer = await post({ name: 'lamp' }, json)
  expect([answer.statusCode, answer.json()]).toEqual([201, { name: 'lamp' }])
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(handled).toEqual([[{ id: '7' }, { name: 'lamp' }, actor]])
  for (const body of [{}, { name: 'too long' }, { name: 'lamp', more: 1 }, { name: 5 }]) {
    const invalid = await post(body, json)
    expect([invalid.statusCode, invalid.json().code]).toEqual([422, 'invalid'])
  }
  expect(handled).toHaveLength(1)
})

test('a stranger is refused before the body is read', async () => {
  const answer = await app.inject({
    method: 'POST',
    url: '/things/7',
    headers: { ...bareHeaders, 'content-type': 'application/json' },
    payload: '{ this is not JSON',
  })
  expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([401, 'Bearer'])
})

test('numbers in a query are converted, and a public endpoint has no caller', async () => {
  expect((await app.inject({ url: '/count?n=5', headers })).json()).toEqual({ n: 5 })
  expect((await app.inject({ url: '/count?n=x', headers })).statusCode).toBe(422)
})

test('a long list is compressed for those who accept it', async () => {
  const list = async (n: number, encoding?: string) => {
    const answer = await app.inject({ url: `/list?n=${n}`, headers: { ...headers, 'accept-encoding': encoding } })
    const { 'content-encoding': coding, vary, 'content-length': length } = answer.headers
    expect(Number(length)).toBe(answer.rawPayload.length)
    const bytes = coding === 'gzip' ? gunzipSync(answer.rawPayload) : answer.rawPayload
    return [coding, vary, (JSON.parse(bytes.toString()) as string[]).length]
  }
  expect(await list(1_000, 'gzip, br')).toEqual(['gzip', expect.stringContaining('accept-encoding'), 1_000])
  expect(await list(1_000, 'gzip;q=0')).toEqual([undefined, expect.stringContaining('accept-encoding'), 1_000])
  expect((await list(3, 'gzip'))[0]).toBeUndefined()
})

test('a body is ignored where the endpoint says so, and 204 has none', async () => {
  const answer = await app.inject({
    method: 'DELETE',
    url: '/things',
    headers: { ...headers, 'content-type': 'text/xml' },
    payload: '<x/>',
  })
  expect([answer.statusCode, answer.body]).toEqual([204, ''])
})

test('a foreign-key error about the caller is 401 when the session has just ended, otherwise a bug, or 503', async () => {
  const status = async (): Promise<number> => (await app.inject({ url: '/orphan', headers })).statusCode
  expect(await status()).toBe(500)
  isLive = async () => false
  expect(await status()).toBe(401)
  isLive = () => Promise.reject(Object.assign(new Error('starting up'), { code: '57P03', severity: 'FATAL' }))
  expect(await status()).toBe(503)
})
