import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../test/harness.ts'
import { makeUser } from '../test/makers.ts'
import { rawConnection, type RawAnswer } from '../test/raw.ts'

let server: TestServer
let address: string
beforeAll(async () => {
  server = await startServer()
  // Node looks at its limits when it begins to listen.
  Object.assign(server.app.http!.server, { headersTimeout: 300, connectionsCheckingInterval: 50 })
  address = await server.listen()
})
afterAll(() => server.close())

const request = (first: string, ...headers: string[]): string =>
  [first, 'Host: photos.test', ...headers, '\r\n'].join('\r\n')
const exchange = async (bytes: string): Promise<RawAnswer> => {
  const connection = await rawConnection(address)
  await connection.write(bytes)
  const [answer] = await connection.next(1)
  connection.close()
  return answer!
}
const codeOf = ({ body }: RawAnswer): unknown => (JSON.parse(body.toString()) as { code?: unknown }).code // one field is read

describe('what is no proper request is refused like everything else, with code, sentence and the constant headers', () => {
  test.each([
    ['two lengths', request('POST /register HTTP/1.1', 'Content-Length: 5', 'Content-Length: 6')],
    ['a length and chunks', request('POST /register HTTP/1.1', 'Content-Length: 5', 'Transfer-Encoding: chunked')],
    ['a header without a name', request('GET /health HTTP/1.1', ': x')],
    ['headers of 20 KB', request('GET /health HTTP/1.1', `X: ${'y'.repeat(20_000)}`)],
    ['no Host', 'GET /user/me HTTP/1.1\r\n\r\n'],
    ['an address that cannot be decoded', request('GET /photos/%ff%fe HTTP/1.1')],
    ['an address with a character that the database has not', request('GET /d/%00 HTTP/1.1')],
    ['the handshake of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('%s', async (_, bytes) => {
    const answer = await exchange(bytes)
    expect(answer.status).toBe(400)
    expect(codeOf(answer)).toBe('bad_request')
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    })
  })

  test('headers that never end are not waited for', async () => {
    const connection = await rawConnection(address)
    await connection.write('GET /health HTTP/1.1\r\nHost: photos.test\r\nX-Slow: ')
    const dribble = setInterval(() => void connection.write('x'), 50)
    const [answer] = await connection.next(1, 3_000).finally(() => clearInterval(dribble))
    expect([answer!.status, codeOf(answer!)]).toEqual([400, 'bad_request'])
    expect(await connection.ended(3_000)).toBe(true)
  })
})

describe('offers and expectations that we do not know do not keep a call from being answered', () => {
  test.each([
    [
      'HTTP/2 over plain text, as Java offers it',
      ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'],
    ],
    ['TLS', ['Connection: Upgrade', 'Upgrade: TLS/1.0']],
    ['a live channel where there is none', ['Connection: Upgrade', 'Upgrade: websocket']],
    ['an expectation', ['Expect: a-miracle']],
  ])('%s', async (_, headers) => {
    const answer = await exchange(request('GET /health HTTP/1.1', ...headers))
    expect(answer.status).toBe(200)
  })
})

describe('a live connection that is refused', () => {
  const upgrade = (path: string, ...more: string[]): string =>
    request(`GET ${path} HTTP/1.1`, 'Connection: Upgrade', 'Upgrade: websocket', ...more)
  const proper = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==']

  test.each([
    ['without a token', upgrade('/ws', ...proper), 401, 'unauthorized'],
    ['of a foreign page', upgrade('/ws?token=x', 'Origin: https://evil.example', ...proper), 403, 'forbidden'],
    ['elsewhere', upgrade('//', ...proper), 404, 'not_found'],
  ])('%s hears why', async (_, bytes, status, code) => {
    const answer = await exchange(bytes)
    expect([answer.status, codeOf(answer)]).toEqual([status, code])
  })

  test('for a bad handshake hears why', async () => {
    const { token } = await makeUser(server)
    const answer = await exchange(
      upgrade(`/ws?token=${token}`, 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: short'),
    )
    expect([answer.status, codeOf(answer)]).toEqual([400, 'bad_request'])
  })
})

describe('characters that the database has not', () => {
  test.each([
    ['GET', '/photos/a%00b', 400],
    ['GET', '/photos?before=%00', 400],
    ['POST', '/token', 422],
  ] as const)('%s %s is refused, not a bug', async (method, url, status) => {
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
