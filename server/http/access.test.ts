import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { all } from '@keepsnap/contract/all.ts'
import { accessOf, type Shape } from '@keepsnap/contract/endpoint.ts'
import { publicUrl, startServer, type TestServer } from '../test/harness.ts'
import { makeUser } from '../test/makers.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const locked = all.filter((shape) => !accessOf(shape).includes('public'))
const fill = (path: string): string => path.replace(/:\w+/g, '0000000000000000000000')
const named = (shapes: readonly Shape[]): [string, Shape][] =>
  shapes.map((shape) => [`${shape.method} ${shape.path}`, shape])

describe('a stranger', () => {
  test.each(named(locked))('is refused by %s, before the body is read', async (_, { method, path }) => {
    // A body that could never be parsed: had it been read, the answer would be another one.
    const answer = await server.request({
      method,
      url: fill(path),
      headers: { 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body: '{"broken' }),
    })
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toEqual({ code: 'unauthorized', detail: 'Please sign in.' })
  })

  test.each(named(locked))('with a dead token is refused by %s', async (_, { method, path }) => {
    const user = await makeUser(server)
    await server.request({ method: 'POST', url: '/logout', token: user.token })
    expect((await server.request({ method, url: fill(path), token: user.token })).statusCode).toBe(401)
  })

  test.each(named(all.filter(({ method }) => method !== 'GET')))(
    'cannot make a browser of another origin call %s',
    async (_, { method, path }) => {
      const preflight = await server.request({
        method: 'OPTIONS',
        url: fill(path),
        headers: { origin: 'https://evil.example', 'access-control-request-method': method },
      })
      expect(preflight.headers['access-control-allow-origin']).toBeUndefined()
    },
  )
})

describe('addresses', () => {
  test.each([
    ['POST', '/health', 'GET'],
    ['GET', '/register', 'POST'],
    ['PUT', '/photos/0000000000000000000000', 'GET, DELETE'],
  ] as const)('%s %s is the wrong method and says the right ones', async (method, url, allow) => {
    const answer = await server.request({ method, url })
    expect(answer.statusCode).toBe(405)
    expect(answer.headers.allow).toBe(allow)
    expect(answer.json().code).toBe('method_not_allowed')
  })

  test.each(['/nothing', '/photos/x/..%2f.css', '/%', '/user/me/', `/${'x'.repeat(5000)}`, '/photos/%00'])(
    '%s leads nowhere',
    async (url) => {
      const answer = await server.request({ method: 'GET', url })
      expect([400, 401, 404]).toContain(answer.statusCode)
      expect(answer.json()).toMatchObject({ code: expect.any(String), detail: expect.any(String) })
    },
  )

  test.each(['evil.example', 'photos.test.evil.example', 'photos.test:1'])('the Host %j is not ours', async (host) => {
    const answer = await server.request({ method: 'GET', url: '/user/me', headers: { host } })
    expect(answer.statusCode).toBe(421)
    expect((await server.request({ method: 'GET', url: '/health', headers: { host } })).statusCode).toBe(200)
  })

  test.each(['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'PHOTOS.TEST'])(
    'the Host %j is ours',
    async (host) => {
      expect((await server.request({ method: 'GET', url: '/user/me', headers: { host } })).statusCode).toBe(401)
    },
  )

  test('the public origin may call, and is told what it may read', async () => {
    const answer = await server.request({
      method: 'OPTIONS',
      url: '/photos/upload',
      headers: {
        origin: publicUrl,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    })
    expect(answer.statusCode).toBe(204)
    expect(answer.headers['access-control-allow-origin']).toBe(publicUrl)
    expect(answer.headers['access-control-allow-headers']).toContain('authorization')
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
  })
})

describe('every answer', () => {
  test.each(named(all))(
    'of %s carries the constant headers and no trace of the inside',
    async (_, { method, path }) => {
      const answer = await server.request({ method, url: fill(path) })
      expect(answer.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      })
      expect(answer.headers['set-cookie']).toBeUndefined()
      expect(answer.headers['x-powered-by']).toBeUndefined()
      expect(answer.body).not.toMatch(/node_modules|select |at .*\.ts:|postgres/i)
    },
  )

  test('health says status and time, and nothing else', async () => {
    const answer = await server.request({ method: 'GET', url: '/health' })
    expect(answer.json()).toEqual({ status: 'ok', timestamp: expect.stringMatching(/Z$/) })
  })
})
