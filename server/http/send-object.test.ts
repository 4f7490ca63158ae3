import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import type { ByteSpan, Storage } from '../ports/storage/storage.ts'
import type { ResponseCache } from './response-cache.ts'
import { sendObject } from './send-object.ts'
import { bareHeaders, createBareServer } from './test/bare-server.ts'

const bytes = Buffer.from('0123456789')
const object = { key: 'full/abc', bytes: bytes.length, type: 'image/jpeg', cacheControl: 'private, no-cache' }
/** The ranges in which the store has been read. */
const reads: (ByteSpan | undefined)[] = []
const storage: Pick<Storage, 'open'> = {
  async open(key, range) {
    reads.push(range)
    if (key !== object.key) return null
    return Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes])
  },
}
const responseCache: ResponseCache = { get: async (key) => (key === object.key ? bytes : null) }

const app = createBareServer()
// `sendObject` opens objects and uses the store for nothing else.
const options = { storage: storage as Storage, object }
app.get('/object', async (req, reply) => (await sendObject(req, reply, options), reply))
app.get('/download', async (req, reply) => {
  await sendObject(req, reply, { ...options, object: { ...object, disposition: 'attachment; filename="a.jpg"' } })
  return reply
})
app.get('/cached', async (req, reply) => (await sendObject(req, reply, { ...options, responseCache }), reply))
app.get('/missing', async (req, reply) => {
  const missing = { ...object, key: 'full/other', disposition: 'attachment; filename="a.jpg"' }
  await sendObject(req, reply, { ...options, responseCache, object: missing })
  return reply
})
afterAll(() => app.close())

const request = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers: { ...bareHeaders, ...headers } })

test('an object is sent with its type, its length and a policy against scripts', async () => {
  const answer = await request('/object')
  expect([answer.statusCode, answer.body]).toEqual([200, '0123456789'])
  expect(answer.headers).toMatchObject({
    'content-type': 'image/jpeg',
    'content-length': '10',
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox/),
    etag: '"abc"',
  })
  expect(answer.headers['content-disposition']).toBeUndefined()
  expect((await request('/download')).headers['content-disposition']).toBe('attachment; filename="a.jpg"')
})

test('HEAD is answered with the length, and reads nothing', async () => {
  const readsBefore = reads.length
  const answer = await request('/object', {}, 'HEAD')
  expect([answer.statusCode, answer.headers['content-length'], answer.body]).toEqual([200, '10', ''])
  expect(reads).toHaveLength(readsBefore)
})

describe.each(['/object', '/cached'])('a range of %s', (url) => {
  test('is sent alone', async () => {
    const answer = await request(url, { range: 'bytes=2-4' })
    expect([answer.statusCode, answer.body]).toEqual([206, '234'])
    expect(answer.headers).toMatchObject({ 'content-range': 'bytes 2-4/10', 'content-length': '3' })
  })
  test('past the end is refused with the length', async () => {
    const answer = await request(url, { range: 'bytes=10-' })
    expect([answer.statusCode, answer.headers['content-range']]).toEqual([416, 'bytes */10'])
  })
  test('is ignored when If-Range names another version', async () => {
    expect((await request(url, { range: 'bytes=2-4', 'if-range': '"other"' })).statusCode).toBe(200)
    expect((await request(url, { range: 'bytes=2-4', 'if-range': '"abc"' })).statusCode).toBe(206)
  })
})

test('only the range is read from the store', async () => {
  reads.length = 0
  await request('/object', { range: 'bytes=-3' })
  expect(reads).toEqual([{ start: 7, end: 9 }])
})

test.each(['"abc"', 'W/"abc"', '"x", "abc"', '*'])('If-None-Match: %s is answered 304', async (tag) => {
  const answer = await request('/object', { 'if-none-match': tag })
  expect([answer.statusCode, answer.body]).toEqual([304, ''])
})

test.each([{ accept: '*/*' }, { accept: 'text/html', range: 'bytes=2-4' }])(
  'an object that is not in the store is answered 503, without the headers of the file, to %j',
  async (headers) => {
    const answer = await request('/missing', headers)
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '30'])
    expect(answer.headers['cache-control']).toBe('no-store')
    const isPage = headers.accept === 'text/html'
    expect(answer.headers['content-type']).toMatch(isPage ? /^text\/html/ : /^application\/json/)
    expect(answer.body).toContain(isPage ? '<h1>One moment, please</h1>' : '"code":"unavailable"')
    for (const name of ['content-disposition', 'content-range', 'accept-ranges', 'etag'])
      expect([name, answer.headers[name]]).toEqual([name, undefined])
  },
)
