/** Random bytes of a hostile client: complete HTTP/1.1 requests that are mostly valid and wrong in some respect. */
import { signOut } from '@keepsnap/contract/accounts.ts'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import type { SeededRandom } from './statistics.ts'
import { newClientAddress } from './harness.ts'

/** One connection's worth of bytes. */
export interface FuzzInput {
  /** Where it came from, for the report of a failure. */
  kind: string
  bytes: Buffer
  /** Of the requests that are certainly whole; the answer to HEAD has no body. */
  method: string
  /** Whether the server must respond, because the request is complete. */
  mustRespond: boolean
}

const oddText = [
  '',
  '\0',
  'a\0b',
  '%00',
  '\u{d800}',
  '💥'.repeat(40),
  '../../etc/passwd',
  '..%2f..%2f',
  "' or 1=1 --",
  '"; drop table photos; --',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '${jndi:ldap://x}',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  'NaN',
  '-1',
  '1e308',
  '9'.repeat(400),
  'A'.repeat(5000),
  '\r\nx-injected: 1',
  '%0d%0aset-cookie: a=b',
  '\u202egnp.exe',
  ' ',
  '\t',
  '\u00ff\u00fe',
]
const oddValues: unknown[] = [...oddText, null, true, 0, -1, 1e308, [], {}, [[]], { a: { b: {} } }, ['a@b.cc']]
const knownIds = ['0'.repeat(22), 'Z'.repeat(22), 'a'.repeat(21), 'a'.repeat(23), 'a'.repeat(127), 'latest', 'upload']

const latin = (text: string): Buffer => Buffer.from(text, 'latin1')
/** Text that may stand in a request line: what HTTP cannot carry is escaped or, now and then, left raw. */
const inPath = (random: SeededRandom, text: string): string =>
  random.oneIn(6)
    ? text.replace(/[\r\n\s]/g, '').slice(0, 9000)
    : encodeURIComponent(text.toWellFormed()).slice(0, 9000)

const pathFor = (random: SeededRandom, path: string): string =>
  path.replace(/:\w+/g, () =>
    random.oneIn(3) ? random.pick(knownIds) : inPath(random, random.pick([...oddText, ...knownIds])),
  )
const queryFor = (random: SeededRandom): string =>
  random.oneIn(2)
    ? ''
    : `?${Array.from({ length: 1 + random.integerBelow(4) }, () => `${random.pick(['limit', 'before', 's', 'download', 'token', 'x', '__proto__', 'limit[]', ''])}=${inPath(random, random.pick(oddText))}`).join('&')}`

const oddHeaders: ((random: SeededRandom) => string)[] = [
  (random) =>
    `Authorization: ${random.pick(['Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a b', `Bearer ${'x'.repeat(300)}`, 'bearer \xff'])}`,
  (random) =>
    `Range: ${random.pick(['bytes=0-', 'bytes=-1', 'bytes=9-1', 'bytes=0-0,2-3', 'bytes=99999999999999999999-', 'lines=1-2', `bytes=${'0-1,'.repeat(500)}`])}`,
  (random) => `If-None-Match: ${random.pick(['*', '"x"', 'W/"x"', '"'.repeat(3000), ','.repeat(3000)])}`,
  (random) =>
    `Content-Type: ${random.pick(['application/json; charset=x', 'multipart/form-data', 'multipart/form-data; boundary=', `multipart/form-data; boundary=${'b'.repeat(500)}`, 'text/plain', 'a/b;;;', 'application/json,', ';', '\xff/\xff'])}`,
  (random) => `Idempotency-Key: ${random.pick(['', 'k', 'k'.repeat(129), '\xff\xfe', "'--"])}`,
  (random) => `Origin: ${random.pick(['null', 'https://evil.example', 'http://photos.test', 'file://', '\xff', ''])}`,
  (random) => `Accept: ${random.pick(['text/html', '*/*;q=x', 'text/html,'.repeat(300), ''])}`,
  (random) =>
    `X-Forwarded-For: ${random.pick(['', ',', '::1', 'x'.repeat(3000), '1.2.3.4:80', '[::1]:9', '999.1.1.1', '\xff'])}`,
  (random) => `Expect: ${random.pick(['100-continue', 'a miracle'])}`,
  (random) => `Upgrade: ${random.pick(['h2c', 'websocket', 'TLS/1.0'])}\r\nConnection: Upgrade`,
  (random) => `Access-Control-Request-Method: ${random.pick(['PUT', 'x'.repeat(200)])}`,
  (random) => `Content-Encoding: ${random.pick(['gzip', 'br', 'x'])}`,
  (random) => `User-Agent: ${random.pick(['\xff\xfe\x80', 'x'.repeat(4000), 'sqlmap'])}`,
  (random) => `Sec-Fetch-Dest: ${random.pick(['document', '\xff'])}`,
  (random) => `Cookie: ${random.pick(['a=b', ';'.repeat(2000)])}`,
]

interface Request {
  method: string
  target: string
  headers: string[]
  body?: Buffer
}

/** The bytes of a request that is whole: its length is what it says. */
function encodeRequest({ method, target, headers, body }: Request): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(headers.some((line) => /^host:/i.test(line)) ? [] : ['Host: photos.test']),
    'Connection: close',
    ...(headers.some((line) => /^x-forwarded-for:/i.test(line)) ? [] : [`X-Forwarded-For: ${newClientAddress()}`]),
    ...headers,
    ...(body ? [`Content-Length: ${body.length}`] : []),
  ]
  return Buffer.concat([latin(`${lines.join('\r\n')}\r\n\r\n`), body ?? Buffer.alloc(0)])
}

const someHeaders = (random: SeededRandom): string[] =>
  Array.from({ length: random.integerBelow(3) }, () => random.pick(oddHeaders)(random))

/** A call of the contract with odd ids, queries and headers. */
export function oddCall(random: SeededRandom, token: string): FuzzInput {
  const shape = random.pick(endpoints.filter((one) => one !== signOut))
  const method = random.oneIn(5)
    ? random.pick(['HEAD', 'OPTIONS', 'PATCH', 'PUT', 'TRACE', 'QUERY', 'DELETE', 'POST'])
    : shape.method
  const target = random.oneIn(12)
    ? random.pick([
        '*',
        '//',
        '/%',
        '/%zz',
        '/..//..',
        '/\xff',
        'http://photos.test/health',
        'http://evil.example/',
        '/?'.repeat(900),
        '/#a',
        '/;',
        `/${'a/'.repeat(2000)}`,
      ])
    : pathFor(random, shape.path) + queryFor(random)
  const body =
    method === 'GET' || method === 'HEAD' || random.oneIn(2) ? undefined : random.bytes(random.integerBelow(200))
  const headers = [...someHeaders(random), ...(random.oneIn(3) ? [] : [`Authorization: Bearer ${token}`])]
  return {
    kind: 'call',
    method,
    mustRespond: true,
    bytes: encodeRequest({ method, target, headers, ...(body && { body }) }),
  }
}

function oddJson(random: SeededRandom): Buffer {
  const field = (): unknown => random.pick(oddValues)
  const text = JSON.stringify({
    email: field(),
    password: field(),
    ...(random.oneIn(2) && { [random.pick(oddText)]: field() }),
  })
  const made = random.pick([
    () => text,
    () => text.slice(0, random.integerBelow(text.length)),
    () => `${text}${random.pick([',', '}', '\0', '//'])}`,
    () => '['.repeat(1 + random.integerBelow(20_000)),
    () => `{"a":`.repeat(1 + random.integerBelow(8000)),
    () => text.replace(/"/g, random.pick(["'", '\\"', '\\u0022'])),
    () => `{"email":"a@b.cc","email":${JSON.stringify(field())},"password":"Aa1!aaaa"}`,
    () => `{"\\u005f_proto__":{"is_admin":true},"email":"x@y.zz","password":"short"}`,
    () => `\ufeff${text}`,
    () => '1e400',
    () => `"${'\\ud800'.repeat(random.integerBelow(500))}"`,
  ])()
  return random.oneIn(8) ? random.bytes(random.integerBelow(400)) : Buffer.from(made)
}

const oddForm = (random: SeededRandom): string =>
  Array.from(
    { length: random.integerBelow(6) },
    () =>
      `${random.pick(['username', 'password', 'grant_type', '__proto__', 'constructor', '', '%', '%zz', 'username[]'])}${random.pick(['=', '', '=='])}${random.oneIn(2) ? inPath(random, random.pick(oddText)) : '%00'}`,
  ).join(random.pick(['&', ';', '&&', '\r\n']))

/** A body for register or token that is wrong in some way. */
export function oddBody(random: SeededRandom): FuzzInput {
  const isJson = random.oneIn(2)
  const body = random.oneIn(40) ? Buffer.alloc(70_000, 'x') : isJson ? oddJson(random) : Buffer.from(oddForm(random))
  const type = random.oneIn(6)
    ? random.pick([
        '',
        'text/plain',
        'application/xml',
        'application/json; charset=utf-16',
        'multipart/form-data; boundary=x',
      ])
    : isJson
      ? 'application/json'
      : 'application/x-www-form-urlencoded'
  const target = random.oneIn(8) ? '/ws/ticket' : isJson ? '/register' : '/token'
  const bytes = encodeRequest({
    method: 'POST',
    target,
    headers: [
      `Content-Type: ${type}`,
      ...someHeaders(random).filter((line) => !/^(content|expect|upgrade)/i.test(line)),
    ],
    body,
  })
  return { kind: 'body', method: 'POST', mustRespond: true, bytes }
}

const partHeads = (random: SeededRandom): string =>
  random.pick([
    'Content-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg',
    'Content-Disposition: form-data; name="file"; filename=""',
    'Content-Disposition: form-data; name=file; filename=a.jpg',
    `Content-Disposition: form-data; name="file"; filename="${'x'.repeat(9000)}"`,
    'Content-Disposition: form-data; name="file"; filename="\\"; filename*=UTF-8\'\'%ff%fe%00',
    'Content-Disposition: form-data; name="\0"; filename="a\0b.jpg"',
    'Content-Disposition: form-data; name="field"',
    'Content-Disposition: attachment; name="file"; filename="a.jpg"',
    'Content-Disposition: form-data',
    'content-disposition:form-data;name="file";filename="..\\..\\a.php"\r\nContent-Type: text/html',
    'Content-Type: multipart/mixed; boundary=inner\r\nContent-Disposition: form-data; name="file"',
    'Content-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Transfer-Encoding: base64',
    'No colon at all',
    '',
    `${'X-Much: y\r\n'.repeat(60)}Content-Disposition: form-data; name="file"; filename="a.jpg"`,
  ])

/** A multipart body, broken in one place or another, around the given file or a part of it. */
export function oddUpload(random: SeededRandom, { token, file }: { token: string; file: Buffer }): FuzzInput {
  const boundary = random.pick(['b', '----x', "'()+_,-./:=?", 'b'.repeat(70)])
  const cut = random.oneIn(2) ? file : file.subarray(0, random.integerBelow(file.length))
  const content = random.oneIn(3) ? random.bytes(random.integerBelow(2000)) : cut
  const parts = Array.from({ length: 1 + random.integerBelow(3) }, () =>
    Buffer.concat([
      latin(`--${boundary}\r\n${partHeads(random)}\r\n${random.oneIn(12) ? '' : '\r\n'}`),
      content,
      latin(random.oneIn(10) ? '' : '\r\n'),
    ]),
  )
  const whole = Buffer.concat([
    latin(random.oneIn(10) ? 'preamble\r\n' : ''),
    ...parts,
    latin(
      random.pick([
        `--${boundary}--\r\n`,
        `--${boundary}--`,
        `--${boundary}`,
        '',
        `--${boundary}--\r\nepilogue`,
        `--${boundary}-`,
      ]),
    ),
  ])
  const body = random.oneIn(8) ? whole.subarray(0, random.integerBelow(whole.length)) : whole
  const headers = [
    `Authorization: Bearer ${token}`,
    `Content-Type: multipart/form-data; boundary=${random.oneIn(10) ? 'other' : boundary}`,
  ]
  return {
    kind: 'upload',
    method: 'POST',
    mustRespond: true,
    bytes: encodeRequest({ method: 'POST', target: '/photos/upload', headers, body }),
  }
}

const broken: ((random: SeededRandom) => Buffer)[] = [
  (random) => random.bytes(1 + random.integerBelow(300)),
  () => latin('GET /health HTTP/0.9\r\n\r\n'),
  () => latin('GET /health\r\n\r\n'),
  () => latin('GET /health HTTP/1.1\nHost: photos.test\n\n'),
  () => latin('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  () => Buffer.from('160301020001000\x01fc0303', 'latin1'),
  () => latin('GET /health HTTP/1.1\r\n\r\n'),
  () => latin('GET /health HTTP/1.1\r\nHost: photos.test\r\nHost: evil.example\r\n\r\n'),
  () => latin('POST /register HTTP/1.1\r\nHost: photos.test\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}'),
  () =>
    latin(
      'POST /register HTTP/1.1\r\nHost: photos.test\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ),
  () =>
    latin(
      'POST /register HTTP/1.1\r\nHost: photos.test\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
    ),
  () => latin('POST /register HTTP/1.1\r\nHost: photos.test\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n'),
  () => latin('POST /register HTTP/1.1\r\nHost: photos.test\r\nContent-Length: -5\r\n\r\n'),
  () => latin(`GET /health HTTP/1.1\r\nHost: photos.test\r\n${'X-A: b\r\n'.repeat(3000)}\r\n`),
  () => latin(`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: photos.test\r\n\r\n`),
  () => latin(`GET /${'a'.repeat(9_000)} HTTP/1.1\r\nHost: photos.test\r\nConnection: close\r\n\r\n`),
  () => latin('GET /health HTTP/1.1\r\nHost: photos.test\r\n X: folded\r\n\r\n'),
  () => latin('GET /health HTTP/1.1\r\nHost : photos.test\r\n\r\n'),
  () => latin('GET /health HTTP/1.1\r\nHost: photos.test\r\nX: a\0b\r\n\r\n'),
  () => latin('CONNECT photos.test:80 HTTP/1.1\r\nHost: photos.test\r\n\r\n'),
  (random) =>
    latin(
      `GET ${random.pick(['//', '/ws?token=x', '/%ff', '/ws/../ws', 'http://['])} HTTP/1.1\r\nHost: photos.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: ${random.pick(['13', '8', 'x'])}\r\nSec-WebSocket-Key: ${random.pick(['AAAAAAAAAAAAAAAAAAAAAA==', 'x', ''])}\r\n\r\n`,
    ),
]

/** Bytes that are no proper request; the server may answer or hang up. */
export function malformedRequest(random: SeededRandom): FuzzInput {
  return { kind: 'broken', method: 'GET', mustRespond: false, bytes: random.pick(broken)(random) }
}

const messages = [
  '{"action":"ping"}',
  '{"action":"identify"}',
  '{"action":"identify","user_id":{"$ne":1}}',
  '{"action":{"toString":"x"}}',
  '{"__proto__":{"action":"ping"}}',
  '[['.repeat(5000),
  '{"action":"test"}',
  '\ud800',
  'null',
  '',
]

/** A frame of RFC 6455: mostly right, sometimes unmasked, mislabelled, fragmented or of another length than it says. */
export function oddFrame(random: SeededRandom): Buffer {
  const content = random.oneIn(3) ? random.bytes(random.integerBelow(300)) : Buffer.from(random.pick(messages))
  const mask = random.bytes(4)
  const opcode = random.oneIn(3) ? random.integerBelow(16) : 1
  const declaredLength = random.oneIn(10) ? random.pick([0, 5, 2 ** 31, 2 ** 53]) : content.length
  const head = Buffer.alloc(declaredLength < 126 ? 2 : declaredLength < 65_536 ? 4 : 10)
  head[0] = (random.oneIn(5) ? 0 : 0x80) | (random.oneIn(10) ? random.integerBelow(8) << 4 : 0) | opcode
  head[1] =
    (random.oneIn(10) ? 0 : 0x80) | (declaredLength < 126 ? declaredLength : declaredLength < 65_536 ? 126 : 127)
  if (head.length === 4) head.writeUInt16BE(declaredLength, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(declaredLength), 2)
  return Buffer.concat([head, mask, content.map((byte, at) => byte ^ mask[at % 4]!)])
}

/** The request that opens a live connection. */
export const handshake = (token: string): string =>
  [
    `GET /ws?token=${token} HTTP/1.1`,
    'Host: photos.test',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    '\r\n',
  ].join('\r\n')
