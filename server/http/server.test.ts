import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '@keepsnap/contract/endpoint.ts'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { publicUrl, startServer, type TestServer } from '../test/harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const samplePath = (path: string): string => path.replace(/:\w+/g, '0000000000000000000000')
const withTitle = (listed: readonly Endpoint[]): [string, Endpoint][] =>
  listed.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint])

describe('paths and methods', () => {
  test.each([
    ['POST', '/health', 'GET'],
    ['GET', '/register', 'POST'],
    ['POST', '/photos/0000000000000000000000', 'GET, PUT, DELETE'],
  ] as const)('%s %s answers 405 and lists the allowed methods', async (method, url, allow) => {
    const answer = await server.request({ method, url })
    expect(answer.statusCode).toBe(405)
    expect(answer.headers.allow).toBe(allow)
    expect(answer.json().code).toBe('method_not_allowed')
  })

  test.each(['/nothing', '/photos/x/..%2f.css', '/%', '/user/me/', `/${'x'.repeat(5000)}`, '/photos/%00'])(
    '%s matches no route',
    async (url) => {
      const answer = await server.request({ method: 'GET', url })
      expect([400, 401, 404]).toContain(answer.statusCode)
      expect(answer.json()).toMatchObject({ code: expect.any(String), detail: expect.any(String) })
    },
  )
})

describe('the Host header', () => {
  test.each(['evil.example', 'photos.test.evil.example', 'photos.test:1'])(
    '%j is refused, except for the health check',
    async (host) => {
      const answer = await server.request({ method: 'GET', url: '/user/me', headers: { host } })
      expect(answer.statusCode).toBe(421)
      expect((await server.request({ method: 'GET', url: '/health', headers: { host } })).statusCode).toBe(200)
    },
  )

  test.each(['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'PHOTOS.TEST'])(
    '%j is accepted',
    async (host) => {
      expect((await server.request({ method: 'GET', url: '/user/me', headers: { host } })).statusCode).toBe(401)
    },
  )
})

describe('CORS', () => {
  test.each(withTitle(endpoints.filter(({ method }) => method !== 'GET')))(
    'a page of another origin may not call %s',
    async (_, { method, path }) => {
      const preflight = await server.request({
        method: 'OPTIONS',
        url: samplePath(path),
        headers: { origin: 'https://evil.example', 'access-control-request-method': method },
      })
      expect(preflight.headers['access-control-allow-origin']).toBeUndefined()
    },
  )

  test('pages of the public origin may call, with the listed headers and without cookies', async () => {
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
    expect(answer.headers['access-control-allow-headers']).toBe(
      'authorization, api-key, x-api-key, content-type, idempotency-key',
    )
    expect(answer.headers['access-control-expose-headers']).toBe(
      'x-next-before, x-request-id, retry-after, ratelimit, ratelimit-policy, content-disposition',
    )
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
  })
})

describe('every response', () => {
  test.each(withTitle(endpoints))(
    'of %s has the constant headers and reveals nothing about the implementation',
    async (_, { method, path }) => {
      const answer = await server.request({ method, url: samplePath(path) })
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

  test('of /health contains status and time, and nothing else', async () => {
    const answer = await server.request({ method: 'GET', url: '/health' })
    expect(answer.json()).toEqual({ status: 'ok', timestamp: expect.stringMatching(/Z$/) })
  })
})
