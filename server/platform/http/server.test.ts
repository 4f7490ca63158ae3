import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { createLog } from '../process/log.ts'
import { bareHeaders, createBareServer } from '../../test/bare-server.ts'
import { publicUrl, serverForThisTest, useServer } from '../../test/harness.ts'
import { type RawAnswer, rawConnection } from '../../test/raw-connection.ts'
import { promisedMs } from '../../test/statistics.ts'
import { makeUser, type TestUser } from '../../test/test-data.ts'
import { jsonPolicy } from './connections.ts'

describe('request ids', () => {
  interface LogLine {
    level: number
    time: number
    msg: string
    reqId?: string
  }

  /** A server whose routes log and fail, and the lines of its log. */
  function loggingServer(env: Record<string, string> = {}) {
    const lines: string[] = []
    const log = createLog('info', { write: (line) => lines.push(line) })
    const server = createBareServer(env, log)
    server.post('/work', async () => {
      await nextTurn()
      log.info('in the handler')
      return {}
    })
    server.post('/bug', async () => {
      throw new Error('a bug')
    })
    return { server, log, lines: () => lines.map((line) => JSON.parse(line) as LogLine) } // pino's lines
  }

  test('lines of concurrent requests have the id that each response has', async () => {
    const { server, log, lines } = loggingServer()
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const answer = await server.inject({
          method: 'POST',
          url: '/work',
          headers: { ...bareHeaders, 'content-type': 'application/json' },
          payload: Readable.from(['{"a":', '1}']),
        })
        expect(answer.statusCode).toBe(200)
        return answer.headers['x-request-id']
      }),
    )
    expect(new Set(ids).size).toBe(20)
    expect(lines().map(({ reqId }) => reqId)).toEqual(expect.arrayContaining(ids))
    for (const { level, time } of lines()) expect([level, typeof time]).toEqual([30, 'number'])
    log.info('outside')
    expect(lines().at(-1)).not.toHaveProperty('reqId')
  })

  test('an unexpected error is answered with the id under which it is logged', async () => {
    const { server, lines } = loggingServer()
    const answer = await server.inject({ method: 'POST', url: '/bug', headers: bareHeaders })
    const id = String(answer.headers['x-request-id'])
    expect(answer.statusCode).toBe(500)
    expect(answer.json<{ detail: string }>().detail).toContain(id)
    expect(lines()).toEqual([expect.objectContaining({ reqId: id, level: 50 })])
    expect(JSON.stringify(lines()[0]).match(/"reqId"/g)).toHaveLength(1)
  })

  const proxyId = '7f000001-0000-4000-8000-0000abcdef01'
  const idOf = async (trusted: string, remoteAddress: string, header: string | undefined): Promise<unknown> => {
    const { server } = loggingServer({ TRUSTED_PROXIES: trusted })
    const headers = { ...bareHeaders, ...(header !== undefined && { 'x-request-id': header }) }
    const answer = await server.inject({ method: 'GET', url: '/nothing', remoteAddress, headers })
    return answer.headers['x-request-id']
  }
  const ownId = expect.stringMatching(/^[0-9A-Za-z]{12}$/)

  test('the id of a trusted proxy is kept when it has the form of one, and nobody else chooses one', async () => {
    expect(await idOf('10.0.0.0/8', '10.1.2.3', proxyId)).toBe(proxyId)
    expect(await idOf('10.0.0.0/8', '::ffff:10.1.2.3', proxyId)).toBe(proxyId)
    expect(await idOf('10.0.0.0/8', '10.1.2.3', undefined)).toEqual(ownId)
    expect(await idOf('10.0.0.0/8', '192.0.2.1', proxyId)).toEqual(ownId)
    expect(await idOf('10.0.0.0/8', '127.0.0.1', proxyId)).toEqual(ownId)
    expect(await idOf('', '127.0.0.1', proxyId)).toEqual(ownId)
    // What could break lines or fill the log is replaced.
    for (const bad of ['short', 'x'.repeat(65), 'with space in it', '{"json":"injected"}', 'ünïcödé-id'])
      expect(await idOf('10.0.0.0/8', '10.1.2.3', bad)).toEqual(ownId)
  })
})

describe('server', () => {
  let address: string
  let user: TestUser
  const server = useServer()
  beforeAll(async () => {
    address = await server.listen()
    user = await makeUser(server)
  })

  const samplePath = (path: string): string => path.replace(/:\w+/g, '0000000000000000000000')

  /** A raw HTTP request with the Host that test servers accept; `first` is the request line. */
  const rawRequest = (first: string, ...headers: string[]): string =>
    [first, 'Host: photos.test', ...headers, '\r\n'].join('\r\n')

  /** Sends bytes to the server, and resolves with its first answer. */
  async function exchange(bytes: string): Promise<RawAnswer> {
    const connection = await rawConnection(address)
    await connection.write(bytes)
    const [answer] = await connection.next(1)
    connection.close()
    return answer! // next(1) resolves with one answer
  }

  /** The code of a refusal. */
  const codeOf = ({ body }: RawAnswer): unknown => (JSON.parse(body.toString()) as { code?: unknown }).code // one field is read

  test.each([
    ['http://photos.test', '1', undefined],
    ['https://photos.test', '0', 'max-age=31536000'],
    ['https://photos.test', '1', 'max-age=31536000; includeSubDomains'],
  ])(
    'with %s and HSTS_SUBDOMAINS=%s browsers are told to use https: %s',
    async (PUBLIC_URL, HSTS_SUBDOMAINS, expected) => {
      const app = createBareServer({ PUBLIC_URL, HSTS_SUBDOMAINS })
      const { headers } = await app.inject({ url: '/', headers: { host: 'photos.test' } })
      expect(headers['strict-transport-security']).toBe(expected)
    },
  )

  describe('every response', () => {
    test('has the constant headers and reveals nothing about the implementation, and a page of another origin may call nothing', async () => {
      for (const { method, path } of endpoints) {
        const answer = await server.request({ method, url: samplePath(path) })
        expect([path, answer.headers]).toMatchObject([
          path,
          { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' },
        ])
        const isJson = String(answer.headers['content-type']).startsWith('application/json')
        expect([path, isJson ? answer.headers['content-security-policy'] : jsonPolicy]).toEqual([path, jsonPolicy])
        expect([path, answer.headers['set-cookie'], answer.headers['x-powered-by']]).toEqual([
          path,
          undefined,
          undefined,
        ])
        expect(answer.body).not.toMatch(/node_modules|select |at .*\.ts:|postgres/i)
        if (method === 'GET') continue
        const preflight = await server.request({
          method: 'OPTIONS',
          url: samplePath(path),
          headers: { origin: 'https://evil.example', 'access-control-request-method': method },
        })
        expect([path, preflight.headers['access-control-allow-origin']]).toEqual([path, undefined])
      }
    })

    test('of /health contains status and time, and nothing else', async () => {
      const answer = await server.request({ method: 'GET', url: '/health' })
      expect(answer.json()).toEqual({ status: 'ok', timestamp: expect.stringMatching(/Z$/) })
    })
  })

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
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': publicUrl,
      'access-control-allow-headers': 'authorization, api-key, x-api-key, content-type, idempotency-key',
      'access-control-expose-headers':
        'x-next-before, x-request-id, idempotent-replayed, retry-after, ratelimit, ratelimit-policy, content-disposition',
    })
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
  })

  describe('a URL', () => {
    test.each([
      ['POST', '/health', 'GET'],
      ['GET', '/register', 'POST'],
      ['POST', '/photos/0000000000000000000000', 'GET, PUT, DELETE'],
    ] as const)(
      'with another method is answered 405 and lists the allowed methods: %s %s',
      async (method, url, allow) => {
        const answer = await server.request({ method, url })
        expect([answer.statusCode, answer.headers.allow, answer.json().code]).toEqual([
          405,
          allow,
          'method_not_allowed',
        ])
      },
    )

    test.each(['/nothing', '/photos/x/..%2f.css', '/%', '/user/me/', `/${'x'.repeat(5000)}`])(
      'without a route is refused: %s',
      async (url) => {
        const answer = await server.request({ method: 'GET', url })
        expect([400, 401, 404]).toContain(answer.statusCode)
        expect(answer.json()).toMatchObject({ code: expect.any(String), detail: expect.any(String) })
      },
    )

    test('with another Host is refused, except for the health check', async () => {
      for (const [host, url, status] of [
        ['photos.test.evil.example', '/user/me', 421],
        ['photos.test.evil.example', '/health', 200],
        ['localhost:3000', '/user/me', 401],
      ] as const)
        expect((await server.request({ method: 'GET', url, headers: { host } })).statusCode).toBe(status)
    })

    test.each([
      ['GET', '/photos/a%00b', 400],
      ['GET', '/photos?before=%00', 400],
      ['POST', '/token', 422],
    ] as const)(
      'or form with a NUL character, which PostgreSQL cannot store, is refused: %s %s',
      async (method, url, status) => {
        const form = {
          body: 'username=a%00b&password=x',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        }
        const answer = await server.request({ method, url, token: user.token, ...(method === 'POST' && form) })
        expect(answer.statusCode).toBe(status)
      },
    )
  })

  describe('a malformed request is answered 400, with the usual body and the constant headers', () => {
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket']
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
        rawRequest('GET /ws?token=x HTTP/1.1', 'Host: evil.example', ...upgrade),
      ],
      ['no Host', 'GET /user/me HTTP/1.1\r\n\r\n'],
      ['a URL that cannot be decoded', rawRequest('GET /photos/%ff%fe HTTP/1.1')],
      ['a URL with a NUL character', rawRequest('GET /d/%00 HTTP/1.1')],
      ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ])('%s', async (_, bytes) => {
      const answer = await exchange(bytes)
      expect([answer.status, codeOf(answer)]).toEqual([400, 'bad_request'])
      expect(answer.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'content-security-policy': jsonPolicy,
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
      })
    })
  })

  test('a request whose headers never end is answered 400; a connection that a browser opens before it needs it is closed without an answer, and does not delay the shutdown', async () => {
    const own = await serverForThisTest()
    // Node reads these limits when it begins to listen.
    Object.assign(own.app.http!.server, { headersTimeout: 300, connectionsCheckingInterval: 50 })
    const ownAddress = await own.listen()
    const [slow, unused] = [await rawConnection(ownAddress), await rawConnection(ownAddress)]
    // An answer would be that of its first request.
    const unusedAnswer = unused.next(1).then(
      () => 'an answer',
      () => 'none',
    )
    await slow.write('GET /health HTTP/1.1\r\nHost: photos.test\r\nX-Slow: ')
    const slowHeader = setInterval(() => void slow.write('x'), 50)
    const [answer] = await slow.next(1).finally(() => clearInterval(slowHeader))
    expect([answer!.status, codeOf(answer!)]).toEqual([400, 'bad_request'])
    expect(await slow.ended(60_000)).toBe(true)
    expect(await unused.ended(60_000)).toBe(true)
    expect(await unusedAnswer).toBe('none')
    const last = await rawConnection(ownAddress)
    const startedAt = performance.now()
    await own.app.http!.close()
    expect(await last.ended(promisedMs(1_000))).toBe(true)
    // Node waits for as long as it stays open.
    expect(performance.now() - startedAt).toBeLessThan(promisedMs(5_000))
  })

  describe('an upgrade', () => {
    test.each([
      [
        'to HTTP/2 over plain text',
        ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'],
      ],
      ['to TLS', ['Connection: Upgrade', 'Upgrade: TLS/1.0']],
      ['to a WebSocket on another path', ['Connection: Upgrade', 'Upgrade: websocket']],
      ['by an unknown Expect header', ['Expect: a-miracle']],
    ])('%s is ignored', async (_, headers) => {
      expect((await exchange(rawRequest('GET /health HTTP/1.1', ...headers))).status).toBe(200)
    })

    const handshake = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==']
    test.each([
      ['without a token', () => '/ws', handshake, 401, 'unauthorized'],
      [
        'from a page of another origin',
        () => '/ws?token=x',
        ['Origin: https://evil.example', ...handshake],
        403,
        'forbidden',
      ],
      ['on another path', () => '//', handshake, 404, 'not_found'],
      [
        'with an invalid handshake',
        () => `/ws?token=${user.token}`,
        ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: short'],
        400,
        'bad_request',
      ],
    ])('to a WebSocket %s is refused with the reason', async (_, path, headers, status, code) => {
      const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', ...headers]
      const answer = await exchange(rawRequest(`GET ${path()} HTTP/1.1`, ...upgrade))
      expect([answer.status, codeOf(answer)]).toEqual([status, code])
    })
  })

  describe('an incomplete form is refused, and the server goes on', () => {
    const part = (name: string, content: string): string =>
      `--b\r\nContent-Disposition: form-data; name="${name}"; filename="a.jpg"\r\n\r\n${content}`
    // The parser may emit more than one error, also for parts that have no listener any more.
    test.each([
      ['cut off in a file that is not a photo', part('file', 'x'.repeat(500)), 400],
      ['cut off in a file of another field', part('photo', 'x'.repeat(500)), 400],
      ['cut off in a second file', `${part('file', 'x')}\r\n${part('file', 'x')}`, 422],
      ['cut off in another field, after a file', `${part('file', 'x'.repeat(500))}\r\n${part('photo', 'x')}`, 400],
      ['cut off in the headers of a part', '--b\r\nContent-Disposition: form-da', 400],
      ['cut off before the first part', '--', 400],
      ['without the boundary of its parts', part('file', 'x'), 400, 'multipart/form-data'],
    ])('%s', async (_, body, status, type = 'multipart/form-data; boundary=b') => {
      const headers = { 'content-type': type }
      const answer = await server.request({ method: 'POST', url: '/photos/upload', token: user.token, headers, body })
      expect(answer.statusCode).toBe(status)
      // Vitest reports an error that is thrown after the response as a failure of the run.
      await new Promise((resolve) => setImmediate(resolve))
      expect((await server.request({ method: 'GET', url: '/user/me', token: user.token })).statusCode).toBe(200)
    })
  })

  describe('forms', () => {
    const forms = ['/support', '/token', '/request-photo/unknown', '/report-photo/unknown']
    const sendForm = (url: string, headers: Record<string, string>) =>
      server.request({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: 'x=1',
      })
    const detail = 'This form was sent from another website. Please open the page here and send it again.'

    test.each([
      { origin: 'https://evil.example' },
      { origin: `${publicUrl}.evil.example` },
      { origin: 'x' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ])('from pages of other sites are refused and not counted: %j', async (headers) => {
      for (const url of forms) {
        const answer = await sendForm(url, headers)
        expect([url, answer.statusCode, answer.json()]).toEqual([url, 403, { code: 'forbidden', detail }])
        expect(answer.headers['ratelimit']).toBeUndefined()
      }
    })

    test.each([
      {},
      { origin: publicUrl, 'sec-fetch-site': 'same-origin' },
      // By http where PUBLIC_URL is https, or the other way round.
      { origin: publicUrl.replace('http:', 'https:') },
      // Our pages say `no-referrer`, so their forms have no origin.
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
      { origin: 'null' },
    ])('of our pages and of programs are read: %j', async (headers: Record<string, string>) => {
      for (const url of forms) expect((await sendForm(url, headers)).statusCode).not.toBe(403)
    })
  })

  describe('a cached session', () => {
    const status = async ({ token }: TestUser): Promise<number> =>
      (await server.request({ method: 'GET', url: '/user/me', token })).statusCode

    test('ends by an event of the bus about its user, not of another one', async () => {
      const [one, other] = [await makeUser(server), await makeUser(server)]
      expect(await status(one)).toBe(200)
      // Without an event of the bus, so that only the cache still knows it.
      await server.app.deps.pool.query('delete from sessions where user_id = $1', [one.id])
      const signOut = await server.request({ method: 'DELETE', url: '/user/sessions', token: other.token })
      expect([signOut.statusCode, await status(other), await status(one)]).toEqual([204, 401, 200])
      await server.app.deps.pool.query("select pg_notify('keepsnap', $1)", [
        JSON.stringify({ kind: 'user', user: one.id }),
      ])
      // Without the event it would end after 30 s.
      await expect.poll(() => status(one), { timeout: 20_000 }).toBe(401)
    })
  })
})
