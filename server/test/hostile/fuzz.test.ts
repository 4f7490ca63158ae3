/** Random bytes of a hostile client, over the wire: requests that are mostly valid and wrong in some respect, and frames. */
import { beforeAll, describe, expect, test } from 'vitest'
import { signOut } from '@keepsnap/contract/accounts.ts'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { makeApiUser } from '../test-data.ts'
import { expectConsistent, runOverdueWork } from '../consistency-check.ts'
import { newClientAddress, useServer } from '../harness.ts'
import { connectLive } from '../live-client.ts'
import { answersIn, type RawAnswer, rawConnection } from '../raw-connection.ts'
import { logWithSeed, repetitions, seededRandom, type SeededRandom } from '../statistics.ts'

let address: string
const log: string[] = []
const file = await jpeg({ width: 64, height: 48 })
const atOnce = 8

const server = useServer({ LOG_LEVEL: 'error' }, { out: { write: (line) => log.push(line) }, ownImageProcesses: false })
beforeAll(async () => {
  address = await server.listen()
})

/** One connection's worth of bytes. */
interface FuzzInput {
  bytes: Buffer
  /** Of the first request; the answer to HEAD has no body. */
  method: string
  /** Whether the request is complete, so that the server must respond. */
  mustRespond: boolean
}
type Maker = (random: SeededRandom, token: string) => FuzzInput

const latin = (text: string): Buffer => Buffer.from(text, 'latin1')
const oddText = [
  '',
  'a\0b',
  '%00',
  '\u{d800}',
  '💥'.repeat(40),
  '../../etc/passwd',
  '..%2f..%2f',
  "'; drop table photos; --",
  '${jndi:ldap://x}',
  '__proto__',
  '-1',
  '9'.repeat(400),
  'A'.repeat(5000),
  '\r\nx-injected: 1',
  '%0d%0aset-cookie: a=b',
  '\u00ff\u00fe',
  '0'.repeat(22),
  'a'.repeat(127),
  'latest',
]
/** Text that may stand in a request line: what HTTP cannot carry is escaped or, now and then, left raw. */
const inPath = (random: SeededRandom): string => {
  const text = random.pick(oddText)
  return random.oneIn(6)
    ? text.replace(/[\r\n\s]/g, '').slice(0, 9000)
    : encodeURIComponent(text.toWellFormed()).slice(0, 9000)
}

/** Values of headers, by name. */
const oddHeaders: Record<string, string[]> = {
  Authorization: ['Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a b', `Bearer ${'x'.repeat(300)}`, 'bearer \xff'],
  Range: [
    'bytes=0-',
    'bytes=9-1',
    'bytes=0-0,2-3',
    'bytes=99999999999999999999-',
    'lines=1-2',
    `bytes=${'0-1,'.repeat(500)}`,
  ],
  'If-None-Match': ['*', '"x"', 'W/"x"', '"'.repeat(3000), ','.repeat(3000)],
  'Content-Type': [
    'application/json; charset=x',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    `multipart/form-data; boundary=${'b'.repeat(500)}`,
    'text/plain',
    'a/b;;;',
    '\xff/\xff',
  ],
  'Idempotency-Key': ['', 'k', 'k'.repeat(129), '\xff\xfe', "'--"],
  Origin: ['null', 'https://evil.example', 'http://photos.test', 'file://', '\xff', ''],
  Accept: ['text/html', '*/*;q=x', 'text/html,'.repeat(300), ''],
  'X-Forwarded-For': ['', ',', '::1', 'x'.repeat(3000), '1.2.3.4:80', '[::1]:9', '999.1.1.1', '\xff'],
  Expect: ['100-continue', 'a miracle'],
  Upgrade: ['h2c', 'websocket', 'TLS/1.0'].map((protocol) => `${protocol}\r\nConnection: Upgrade`),
  'Access-Control-Request-Method': ['PUT', 'x'.repeat(200)],
  'Content-Encoding': ['gzip', 'br', 'x'],
  'User-Agent': ['\xff\xfe\x80', 'x'.repeat(4000), 'sqlmap'],
  Cookie: ['a=b', ';'.repeat(2000)],
}
const someHeaders = (random: SeededRandom): string[] =>
  Array.from({ length: random.integerBelow(3) }, () => {
    const [name, values] = random.pick(Object.entries(oddHeaders))
    return `${name}: ${random.pick(values)}`
  })

/** The bytes of a request that is whole: its length is what it says. */
function wholeRequest(
  method: string,
  target: string,
  { headers, body }: { headers: string[]; body?: Buffer | undefined },
): FuzzInput {
  const isForwarded = headers.some((line) => line.startsWith('X-Forwarded-For:'))
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: photos.test',
    'Connection: close',
    ...(isForwarded ? [] : [`X-Forwarded-For: ${newClientAddress()}`]),
    ...headers,
    ...(body ? [`Content-Length: ${body.length}`] : []),
  ]
  const bytes = Buffer.concat([latin(`${lines.join('\r\n')}\r\n\r\n`), body ?? Buffer.alloc(0)])
  return { method, mustRespond: true, bytes }
}

const oddTargets = '* // /% /%zz /..//.. /\xff http://photos.test/health http://evil.example/ /#a /;'
  .split(' ')
  .concat('/?'.repeat(900), `/${'a/'.repeat(2000)}`)
const oddForm = (random: SeededRandom): string =>
  Array.from({ length: random.integerBelow(6) }, () => {
    const name = random.pick(['username', 'password', '__proto__', 'constructor', '', '%', '%zz', 'username[]'])
    return `${name}${random.pick(['=', '', '=='])}${random.oneIn(2) ? inPath(random) : '%00'}`
  }).join(random.pick(['&', ';', '&&', '\r\n']))

/** A call of the contract with odd ids, queries, headers and bodies. */
const oddCall: Maker = (random, token) => {
  const endpoint = random.pick(endpoints.filter((one) => one !== signOut))
  const otherMethods = ['HEAD', 'OPTIONS', 'PATCH', 'PUT', 'TRACE', 'QUERY', 'DELETE', 'POST']
  const method = random.oneIn(5) ? random.pick(otherMethods) : endpoint.method
  const names = ['limit', 'before', 's', 'download', 'token', 'x', '__proto__', 'limit[]', '']
  const query = Array.from({ length: random.integerBelow(4) }, () => `${random.pick(names)}=${inPath(random)}`).join(
    '&',
  )
  const target = random.oneIn(12)
    ? random.pick(oddTargets)
    : `${endpoint.path.replace(/:\w+/g, () => inPath(random))}${query && `?${query}`}`
  const content = random.oneIn(2) ? random.bytes(random.integerBelow(200)) : Buffer.from(oddForm(random))
  const body = method === 'GET' || method === 'HEAD' || random.oneIn(3) ? undefined : content
  const headers = [...someHeaders(random), ...(random.oneIn(3) ? [] : [`Authorization: Bearer ${token}`])]
  return wholeRequest(method, target, { headers, body })
}

const partHeads = [
  'Content-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg',
  'Content-Disposition: form-data; name="file"; filename=""',
  'Content-Disposition: form-data; name=file; filename=a.jpg',
  `Content-Disposition: form-data; name="file"; filename="${'x'.repeat(9000)}"`,
  'Content-Disposition: form-data; name="file"; filename="\\"; filename*=UTF-8\'\'%ff%fe%00',
  'Content-Disposition: form-data; name="\0"; filename="a\0b.jpg"',
  'Content-Disposition: form-data; name="field"',
  'Content-Disposition: attachment; name="file"; filename="a.jpg"',
  'content-disposition:form-data;name="file";filename="..\\..\\a.php"\r\nContent-Type: text/html',
  'Content-Type: multipart/mixed; boundary=inner\r\nContent-Disposition: form-data; name="file"',
  'Content-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Transfer-Encoding: base64',
  'No colon at all',
  '',
  `${'X-Much: y\r\n'.repeat(60)}Content-Disposition: form-data; name="file"; filename="a.jpg"`,
]

/** A multipart body, broken in one place or another, around a photo, a part of it or other bytes. */
const oddUpload: Maker = (random, token) => {
  const boundary = random.pick(['b', '----x', "'()+_,-./:=?", 'b'.repeat(70)])
  const cut = random.oneIn(2) ? file : file.subarray(0, random.integerBelow(file.length))
  const content = random.oneIn(3) ? random.bytes(random.integerBelow(2000)) : cut
  const part = (): Buffer =>
    Buffer.concat([
      latin(`--${boundary}\r\n${random.pick(partHeads)}\r\n${random.oneIn(12) ? '' : '\r\n'}`),
      content,
      latin(random.oneIn(10) ? '' : '\r\n'),
    ])
  const whole = Buffer.concat([
    latin(random.oneIn(10) ? 'preamble\r\n' : ''),
    ...Array.from({ length: 1 + random.integerBelow(3) }, part),
    latin(`--${boundary}${random.pick(['--\r\n', '--', '', '--\r\nepilogue', '-'])}`),
  ])
  const body = random.oneIn(8) ? whole.subarray(0, random.integerBelow(whole.length)) : whole
  const type = `multipart/form-data; boundary=${random.oneIn(10) ? 'other' : boundary}`
  const headers = [`Authorization: Bearer ${token}`, `Content-Type: ${type}`]
  return wholeRequest('POST', '/photos/upload', { headers, body })
}

const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key:'
/** Requests that HTTP/1.1 does not allow. The first line is followed by others, each ended by CR LF. */
const brokenRequests = [
  'GET /health HTTP/0.9\r\n\r\n',
  'GET /health\r\n\r\n',
  'GET /health HTTP/1.1\nHost: photos.test\n\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '160301020001000\x01fc0303',
  'GET /health HTTP/1.1\r\n\r\n',
  'GET /health HTTP/1.1\r\nHost: photos.test\r\nHost: evil.example\r\n\r\n',
  'POST /register HTTP/1.1\r\nHost: photos.test\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}',
  'POST /register HTTP/1.1\r\nHost: photos.test\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /register HTTP/1.1\r\nHost: photos.test\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
  'POST /register HTTP/1.1\r\nHost: photos.test\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n',
  'POST /register HTTP/1.1\r\nHost: photos.test\r\nContent-Length: -5\r\n\r\n',
  `GET /health HTTP/1.1\r\nHost: photos.test\r\n${'X-A: b\r\n'.repeat(3000)}\r\n`,
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: photos.test\r\n\r\n`,
  `GET /${'a'.repeat(9_000)} HTTP/1.1\r\nHost: photos.test\r\nConnection: close\r\n\r\n`,
  'GET /health HTTP/1.1\r\nHost: photos.test\r\n X: folded\r\n\r\n',
  'GET /health HTTP/1.1\r\nHost : photos.test\r\n\r\n',
  'GET /health HTTP/1.1\r\nHost: photos.test\r\nX: a\0b\r\n\r\n',
  'CONNECT photos.test:80 HTTP/1.1\r\nHost: photos.test\r\n\r\n',
  ...['//', '/ws?token=x', '/%ff', '/ws/../ws', 'http://['].map(
    (target) =>
      `GET ${target} HTTP/1.1\r\nHost: photos.test\r\n${upgrade} ${target === '//' ? 'x' : 'AAAAAAAAAAAAAAAAAAAAAA=='}\r\n\r\n`,
  ),
]
/** The server may answer or hang up. */
const malformedRequest: Maker = (random) => {
  const bytes = random.oneIn(20) ? random.bytes(1 + random.integerBelow(300)) : latin(random.pick(brokenRequests))
  return { method: 'GET', mustRespond: false, bytes }
}

const messages = [
  '{"action":"ping"}',
  '{"action":"identify","user_id":{"$ne":1}}',
  '{"action":{"toString":"x"}}',
  '{"__proto__":{"action":"ping"}}',
  '[['.repeat(5000),
  '\ud800',
  'null',
  '',
]
/** A frame of RFC 6455: mostly right, sometimes unmasked, mislabelled, fragmented or of another length than it says. */
function oddFrame(random: SeededRandom): Buffer {
  const content = random.oneIn(3) ? random.bytes(random.integerBelow(300)) : Buffer.from(random.pick(messages))
  const mask = random.bytes(4)
  const opcode = random.oneIn(3) ? random.integerBelow(16) : 1
  const length = random.oneIn(10) ? random.pick([0, 5, 2 ** 31, 2 ** 53]) : content.length
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  head[0] = (random.oneIn(5) ? 0 : 0x80) | (random.oneIn(10) ? random.integerBelow(8) << 4 : 0) | opcode
  head[1] = (random.oneIn(10) ? 0 : 0x80) | (length < 126 ? length : length < 65_536 ? 126 : 127)
  if (head.length === 4) head.writeUInt16BE(length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, mask, content.map((byte, at) => byte ^ mask[at % 4]!)])
}

/** What is wrong with an answer; undefined when it is in the server's own format. */
function problemOf({ status, headers, body }: RawAnswer, method: string): string | undefined {
  const type = String(headers['content-type'])
  if (status >= 500) return `answered ${status}: ${body.toString()}`
  if (headers['x-content-type-options'] !== 'nosniff') return `${status} without the constant headers`
  if (headers['x-injected'] !== undefined || headers['set-cookie'] !== undefined) return 'an injected header'
  if (method === 'HEAD' || status === 304 || status === 416) return undefined
  // Guests are told by a page, programs by JSON.
  if (type.startsWith('text/html'))
    return body.toString().startsWith('<!doctype html>') ? undefined : `${status} with half a page`
  if (status < 400) return undefined
  const { code, detail } = JSON.parse(body.toString()) as Record<string, unknown> // looked at next
  return typeof code === 'string' && detail !== undefined ? undefined : `${status} without a reason`
}

/** How the server answered an input: the status, 0 for none, or what is wrong with that. */
async function judge({ bytes, method, mustRespond }: FuzzInput): Promise<number | string> {
  const connection = await rawConnection(address)
  try {
    void connection.write(bytes)
    if (!mustRespond) connection.socket.end()
    const isOver = await connection.ended(30_000)
    const received = connection.received()
    const answer = answersIn(received, [method]).find(({ status }) => status >= 200)
    if (!answer) return mustRespond ? `no answer: ${received.toString('latin1').slice(0, 200)}` : 0
    return isOver ? (problemOf(answer, method) ?? answer.status) : `answered ${answer.status}, then left open`
  } catch (error) {
    return String(error)
  } finally {
    connection.close()
  }
}

const isWell = async (): Promise<boolean> =>
  (await server.request({ method: 'GET', url: '/health' })).json<{ status: string }>().status === 'ok'

describe('whatever bytes arrive, the server answers in its own format and keeps running', () => {
  test.each([
    ['odd calls', repetitions(80, 40_000), oddCall] as [string, number, Maker],
    ['odd uploads', repetitions(40, 24_000), oddUpload],
    ['broken requests', repetitions(40, 12_000), malformedRequest],
  ])(
    '%s, %i',
    async (name, count, make) => {
      const random = seededRandom(name)
      const wrong: string[] = []
      const seen = new Map<number, number>()
      let sent = 0
      let { token } = await makeApiUser(server)
      const lane = async (): Promise<void> => {
        while (sent < count) {
          sent += 1
          // The limits are proved elsewhere; here they would hide what lies behind them.
          if (sent % 50 === 0) await server.app.deps.pool.query('delete from rate_hits')
          if (sent % 300 === 0) ({ token } = await makeApiUser(server))
          const input = make(random, token)
          const verdict = await judge(input)
          if (typeof verdict === 'number') seen.set(verdict, (seen.get(verdict) ?? 0) + 1)
          else wrong.push(`${verdict}\n  after ${JSON.stringify(input.bytes.toString('latin1').slice(0, 600))}`)
        }
      }
      await Promise.all(Array.from({ length: atOnce }, lane))
      const statuses = [...seen]
        .toSorted(([a], [b]) => a - b)
        .map(([status, times]) => `${times} x ${status || 'closed'}`)
      logWithSeed(`fuzz: ${count} ${name}: ${statuses.join(', ')}`)
      expect(wrong.slice(0, 10)).toEqual([])
      await expect.poll(isWell).toBe(true)
    },
    600_000,
  )

  test('malformed frames on live connections do not disturb a valid one', async () => {
    const [{ token }, other] = [await makeApiUser(server), await makeApiUser(server)]
    const beside = await connectLive(address, other.token)
    const count = repetitions(20, 10_000)
    const random = seededRandom('odd frames')
    for (let n = 0; n < count; n++) {
      const connection = await rawConnection(address)
      void connection.write(
        `GET /ws?token=${token} HTTP/1.1\r\nHost: photos.test\r\n${upgrade} AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
      )
      await connection.first()
      await connection.write(Buffer.concat(Array.from({ length: 1 + random.integerBelow(8) }, () => oddFrame(random))))
      if (random.oneIn(2)) connection.socket.end()
      else connection.close()
      if (n % Math.ceil(count / 50) === 0) beside.socket.send('{"action":"pong"}')
    }
    logWithSeed(`fuzz: ${count} bunches of odd frames`)
    beside.socket.send('{"action":"ping"}')
    await beside.next(({ action }) => action === 'pong')
    beside.socket.close()
    await beside.closed
    await expect.poll(isWell).toBe(true)
  }, 600_000)

  test('and the stored data is consistent', async () => {
    await runOverdueWork(server)
    await expectConsistent(server)
    expect(log).toEqual([])
  }, 600_000)
})
