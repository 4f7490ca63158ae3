import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessOf, type Endpoint } from '@keepsnap/contract/endpoint.ts'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { startServer, type TestServer } from '../test/harness.ts'
import { refusalOf } from '../test/refusals.ts'
import { makeUser, type TestUser } from '../test/test-data.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const samplePath = (path: string): string => path.replace(/:\w+/g, '0000000000000000000000')
const nonPublic: [string, Endpoint][] = endpoints
  .filter((endpoint) => !accessOf(endpoint).includes('public'))
  .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint])

describe('endpoints that are not public', () => {
  test.each(nonPublic)('%s refuses a call without a credential, before it reads the body', async (_, shape) => {
    const { method, path } = shape
    const answer = await server.request({
      method,
      url: samplePath(path),
      headers: { 'content-type': 'application/json' },
      // Not valid JSON: reading it would lead to another answer.
      ...(method === 'GET' ? {} : { body: '{"broken' }),
    })
    expect([answer.statusCode, answer.json()]).toEqual(refusalOf(shape))
  })

  test('refuse the token of a session that has ended', async () => {
    const user = await makeUser(server)
    await server.request({ method: 'POST', url: '/logout', token: user.token })
    for (const [title, shape] of nonPublic) {
      const url = samplePath(shape.path)
      const { statusCode } = await server.request({ method: shape.method, url, token: user.token })
      expect([title, statusCode]).toEqual([title, refusalOf(shape)[0]])
    }
  })
})

describe('a cached session', () => {
  const status = async ({ token }: TestUser): Promise<number> =>
    (await server.request({ method: 'GET', url: '/user/me', token })).statusCode
  /** Deletes the sessions of a user without an event of the bus, so that only the cache still knows them. */
  const deleteUnannounced = (user: TestUser) =>
    server.app.deps.pool.query('delete from sessions where user_id = $1', [user.id])

  test('stays cached when another user signs out everywhere', async () => {
    const [user, other] = [await makeUser(server), await makeUser(server)]
    expect(await status(user)).toBe(200)
    await deleteUnannounced(user)
    const signOut = await server.request({ method: 'DELETE', url: '/user/sessions', token: other.token })
    expect(signOut.statusCode).toBe(204)
    expect(await status(other)).toBe(401)
    expect(await status(user)).toBe(200)
  })

  test('is removed by an event of the bus about its user', async () => {
    const user = await makeUser(server)
    expect(await status(user)).toBe(200)
    await deleteUnannounced(user)
    expect(await status(user)).toBe(200)
    await server.app.deps.pool.query("select pg_notify('keepsnap', $1)", [
      JSON.stringify({ kind: 'user', user: user.id }),
    ])
    // Without the event it would end after 30 s.
    await expect.poll(() => status(user), { timeout: 20_000 }).toBe(401)
  })
})
