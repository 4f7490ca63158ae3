import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serverForThisTest, startServer, type TestServer } from '../test/harness.ts'
import { makeUser } from '../test/test-data.ts'
import { rawConnection } from '../test/raw-connection.ts'
import { codeOf, exchange, rawRequest } from './test/raw-requests.ts'
import { promisedMs } from '../test/statistics.ts'

let server: TestServer
let address: string
beforeAll(async () => {
  server = await startServer()
  address = await server.listen()
})
afterAll(() => server.close())

describe('a malformed request is answered 400, with the usual body and the constant headers', () => {
  test.each([
    ['two Content-Length headers', rawRequest('POST /register HTTP/1.1', 'Content-Length: 5', 'Content-Length: 6')],
    [
      'Content-Length and Transfer-Encoding',
      rawRequest('POST /register HTTP/1.1', 'Content-Length: 5', 'Transfer-Encoding: chunked'),
    ],
    ['a header without a name', rawRequest('GET /health HTTP/1.1', ': x')],
    ['headers of 20 KB', rawRequest('GET /health HTTP/1.1', `X: ${'y'.repeat(20_000)}`)],
    ['two Host headers', rawRequest('GET /photos/x/public HTTP/1.1', 'Host: evil.example')],
    ['the same Host header twice', rawRequest('GET /health HTTP/1.1', 'hOST: photos.test')],
    [
      'a WebSocket upgrade with two Host headers',
      rawRequest('GET /ws?token=x HTTP/1.1', 'Host: evil.example', 'Connection: Upgrade', 'Upgrade: websocket'),
    ],
    ['no Host', 'GET /user/me HTTP/1.1\r\n\r\n'],
    ['a URL that cannot be decoded', rawRequest('GET /photos/%ff%fe HTTP/1.1')],
    ['a URL with a NUL character', rawRequest('GET /d/%00 HTTP/1.1')],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('%s', async (_, bytes) => {
    const answer = await exchange(address, bytes)
    expect(answer.status).toBe(400)
    expect(codeOf(answer)).toBe('bad_request')
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    })
  })

  test('a request whose headers never end is answered 400 and closed', async () => {
    const own = await serverForThisTest()
    // Node reads these limits when it begins to listen.
    Object.assign(own.app.http!.server, { headersTimeout: 300, connectionsCheckingInterval: 50 })
    const connection = await rawConnection(await own.listen())
    await connection.write('GET /health HTTP/1.1\r\nHost: photos.test\r\nX-Slow: ')
    const slowHeader = setInterval(() => void connection.write('x'), 50)
    const [answer] = await connection.next(1).finally(() => clearInterval(slowHeader))
    expect([answer!.status, codeOf(answer!)]).toEqual([400, 'bad_request'])
    expect(await connection.ended(60_000)).toBe(true)
  })
})

test('a connection that a browser has opened before it needs it is closed without an answer, which would be that of its first request', async () => {
  const own = await serverForThisTest()
  Object.assign(own.app.http!.server, { headersTimeout: 300, connectionsCheckingInterval: 50 })
  const connection = await rawConnection(await own.listen())
  const answers = connection.next(1)
  expect(await connection.ended(60_000)).toBe(true)
  await expect(answers).rejects.toThrow()
})

describe('unsupported upgrades and expectations are ignored', () => {
  test.each([
    [
      'an upgrade to HTTP/2 over plain text, as Java offers it',
      ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'],
    ],
    ['an upgrade to TLS', ['Connection: Upgrade', 'Upgrade: TLS/1.0']],
    ['a WebSocket upgrade on another path', ['Connection: Upgrade', 'Upgrade: websocket']],
    ['an unknown Expect header', ['Expect: a-miracle']],
  ])('%s', async (_, headers) => {
    const answer = await exchange(address, rawRequest('GET /health HTTP/1.1', ...headers))
    expect(answer.status).toBe(200)
  })
})

describe('a NUL character, which PostgreSQL cannot store', () => {
  test.each([
    ['GET', '/photos/a%00b', 400],
    ['GET', '/photos?before=%00', 400],
    ['POST', '/token', 422],
  ] as const)('in %s %s is refused and is not a server error', async (method, url, status) => {
    const { token } = await makeUser(server)
    const answer = await server.request({
      method,
      url,
      token,
      ...(method === 'POST' && {
        body: 'username=a%00b&password=x',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    })
    expect(answer.statusCode).toBe(status)
  })
})

test('a connection that a browser has opened before it needs it does not delay the shutdown', async () => {
  const own = await serverForThisTest()
  const connection = await rawConnection(await own.listen())
  const startedAt = performance.now()
  await own.app.http!.close()
  expect(await connection.ended(promisedMs(1_000))).toBe(true)
  // Node waits for as long as it stays open.
  expect(performance.now() - startedAt).toBeLessThan(promisedMs(5_000))
})
