import { Type } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Access, endpoint } from '@keepsnap/contract/endpoint.ts'
import { rates } from '@keepsnap/contract/limits.ts'
import { touchSession } from '../../features/accounts/sessions.ts'
import { newApiKey } from '../../lib/api-keys.ts'
import { hashOf } from '../../lib/ids.ts'
import { newClientAddress, useServer } from '../../test/harness.ts'
import { makeUser, type TestUser } from '../../test/test-data.ts'
import { type Actor, createAuthenticator, type KeyStore } from './authenticator.ts'
import type { HttpServer } from './http-types.ts'
import { serveOn } from './serve.ts'
import { bareHeaders, createBareServer } from '../../test/bare-server.ts'

let app: HttpServer
let user: TestUser
let admin: TestUser
/** Who called last. */
let caller: Actor | undefined

const [customerKey, adminKey] = [newApiKey('customer'), newApiKey('admin')]
/** Keys of one kind in memory, by their hashes. */
function keyStoreOf<A extends Actor>(actors: [key: string, actor: A][]): KeyStore<A> {
  const byHash = new Map(actors.map(([key, actor]) => [hashOf(key).toString('hex'), actor]))
  return { find: async (hash) => byHash.get(hash.toString('hex')), isLive: async () => true }
}

/** An endpoint for each kind of caller. */
const accessByPath = {
  '/user': 'user',
  '/key': 'key',
  '/admin': 'admin',
  '/operator': 'operator',
  '/user-or-key': ['user', 'key'],
} as const satisfies Record<string, Access | readonly Access[]>
type Path = keyof typeof accessByPath
const paths = Object.keys(accessByPath) as Path[] // the type of the object above

const server = useServer()
beforeAll(async () => {
  ;[user, admin] = [await makeUser(server), await makeUser(server)]
  const { db, bus, pool } = server.app.deps
  await pool.query('update users set is_admin = true where id = $1', [admin.id])
  app = createBareServer()
  const keyStores = {
    customer: keyStoreOf([[customerKey, { by: 'key', userId: user.id, keyId: 'k1' }]]),
    admin: keyStoreOf([[adminKey, { by: 'admin key', keyId: 'a1', keyName: 'reports' }]]),
  }
  const authenticator = createAuthenticator({ db, bus, touchSession: (hash) => touchSession(db, hash), keyStores })
  const serve = serveOn(app, { authenticator, db })
  for (const path of paths) {
    const shape = { method: 'POST', path, access: accessByPath[path], summary: 'Says who calls.' } as const
    serve(
      endpoint({ ...shape, body: Type.Object({ text: Type.String() }), reply: Type.Object({}) }),
      async (_, { actor }) => {
        caller = actor
        return {}
      },
    )
  }
  const counted = { method: 'GET', summary: 'Counts.', reply: Type.Object({}), access: ['user', 'key'] } as const
  serve(endpoint({ ...counted, path: '/counted', rate: 'photos' }), async () => ({}))
})
afterAll(async () => {
  await app.close()
})

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const call = (url: Path, credentials: Record<string, string>) =>
  app.inject({ method: 'POST', url, headers: { ...bareHeaders, ...credentials }, payload: { text: 'x' } })

test('a handler learns who called, and how', async () => {
  const callerOf = async (url: Path, credentials: Record<string, string>): Promise<Actor | undefined> => {
    expect((await call(url, credentials)).statusCode).toBe(200)
    return caller
  }
  const session = { by: 'session', userId: user.id, sessionHash: hashOf(user.token) }
  const key = { by: 'key', userId: user.id, keyId: 'k1' }
  expect(await callerOf('/user', bearer(user.token))).toEqual(session)
  expect(await callerOf('/user-or-key', bearer(user.token))).toEqual(session)
  expect(await callerOf('/user-or-key', { 'api-key': customerKey })).toEqual(key)
  expect(await callerOf('/key', { 'x-api-key': customerKey })).toEqual(key)
  expect(await callerOf('/admin', { 'x-api-key': adminKey })).toEqual({
    by: 'admin key',
    keyId: 'a1',
    keyName: 'reports',
  })
  expect(await callerOf('/operator', bearer(admin.token))).toMatchObject({ by: 'session', userId: admin.id })
})

// Every kind of caller at every endpoint is tested in server/test/hostile.
test('one key in both headers is accepted, and two keys in one header are not; a refusal comes before the body is read', async () => {
  const answer = async (credentials: Record<string, string>): Promise<number> => {
    const headers = { ...bareHeaders, ...credentials, 'content-type': 'application/json' }
    return (await app.inject({ method: 'POST', url: '/key', headers, payload: '{"broken' })).statusCode
  }
  expect(await answer({ 'api-key': customerKey, 'x-api-key': customerKey })).toBe(400)
  expect(await answer({ 'x-api-key': `${customerKey}, ${customerKey}` })).toBe(401)
  expect((await call('/admin', bearer(adminKey))).statusCode).toBe(401)
})

test('a user who is no longer an admin, or is deactivated, is refused from the next call on', async () => {
  const { pool } = server.app.deps
  const other = await makeUser(server)
  const status = async () => (await call('/operator', bearer(other.token))).statusCode
  expect(await status()).toBe(404)
  await pool.query('update users set is_admin = true where id = $1', [other.id])
  expect(await status()).toBe(200)
  await pool.query('update users set is_admin = false where id = $1', [other.id])
  expect(await status()).toBe(404)
  await pool.query('update users set is_admin = true, is_active = false where id = $1', [other.id])
  expect(await status()).toBe(404)
})

test('calls are counted per key, not per address, and not those with a session', async () => {
  const get = async (credentials: Record<string, string>) =>
    (await app.inject({ url: '/counted', headers: { ...bareHeaders, ...credentials } })).statusCode
  for (let at = 0; at < rates.photos.perMinute; at += 1) expect(await get({ 'x-api-key': customerKey })).toBe(200)
  expect(await get({ 'api-key': customerKey })).toBe(429)
  expect(await get(bearer(user.token))).toBe(200)
})

test('a client that guesses keys is refused, and a good key still works for it', async () => {
  const remoteAddress = newClientAddress()
  const guess = async (key: string) =>
    (
      await app.inject({
        method: 'POST',
        url: '/admin',
        headers: { ...bareHeaders, 'x-api-key': key },
        remoteAddress,
        payload: { text: 'x' },
      })
    ).statusCode
  for (let at = 0; at < rates.unknownKeys.perMinute; at += 1)
    expect(await guess(at % 2 === 0 ? newApiKey('admin') : 'guess')).toBe(401)
  expect(await guess(newApiKey('admin'))).toBe(429)
  expect(await guess(adminKey)).toBe(200)
})
