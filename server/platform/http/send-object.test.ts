import { Readable } from 'node:stream'
import { mkdtemp, open, realpath, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../lib/ids.ts'
import type { ByteSpan, Storage } from '../../ports/storage/storage.ts'
import { timesOpen } from '../../test/consistency-check.ts'
import { bareHeaders, createBareServer } from '../../test/bare-server.ts'
import {
  type ByteSource,
  createResponseCache,
  parseRange,
  type ResponseCache,
  sendFile,
  sendObject,
  streamSource,
} from './send-object.ts'

describe('byte range', () => {
  test.each([
    [undefined, undefined],
    ['bytes=0-99', { start: 0, end: 99 }],
    ['bytes=500-', { start: 500, end: 999 }],
    ['bytes=-100', { start: 900, end: 999 }],
    ['bytes=-5000', { start: 0, end: 999 }],
    ['bytes=900-5000', { start: 900, end: 999 }],
    ['bytes=1000-', null],
    ['bytes=-0', null],
    ['bytes=5-1', undefined],
    ['bytes=0-1,5-9', undefined],
    ['bytes=-', undefined],
    ['bytes=a-b', undefined],
    ['items=0-5', undefined],
    [`bytes=${'9'.repeat(40)}-`, undefined],
  ])('of 1,000 bytes, the header %j selects %j', (header, range) => {
    expect(parseRange(header, 1000)).toEqual(range)
  })
})

describe('response cache', () => {
  /** A store in memory that counts reads, and may fail. */
  let objects: Map<string, Buffer>
  let reads: number
  let fails: boolean
  let cache: ResponseCache
  beforeEach(() => {
    ;[objects, reads, fails] = [new Map(), 0, false]
    const storage: Pick<Storage, 'open'> = {
      async open(key) {
        reads += 1
        if (fails) throw new Error('the store is down')
        const bytes = objects.get(key)
        return bytes ? Readable.from([bytes]) : null
      },
    }
    // It uses the store for nothing else.
    cache = createResponseCache(storage as Storage)
  })

  function store(bytes: Buffer): string {
    const key = `thumb/${newId()}`
    objects.set(key, bytes)
    return key
  }

  test('reads a small object from the store once, also for concurrent requests', async () => {
    const key = store(Buffer.from('a thumbnail'))
    const results = await Promise.all(Array.from({ length: 50 }, () => cache.get(key, 11)))
    expect(results.map(String)).toEqual(results.map(() => 'a thumbnail'))
    objects.clear()
    expect(String(await cache.get(key, 11))).toBe('a thumbnail')
    expect(reads).toBe(1)
  })

  test('returns undefined for a large object, and null for a missing one', async () => {
    expect(await cache.get(store(Buffer.alloc(200_000)), 200_000)).toBeUndefined()
    expect(await cache.get(`thumb/${newId()}`, 10)).toBeNull()
  })

  test('rejects when the store fails, and reads again afterwards', async () => {
    const key = store(Buffer.from('a thumbnail'))
    fails = true
    await expect(cache.get(key, 11)).rejects.toThrow('the store is down')
    fails = false
    expect(String(await cache.get(key, 11))).toBe('a thumbnail')
  })

  test('holds at most 16 MB and evicts the object that was used least recently', async () => {
    const bytes = 128 * 1024
    const [first = '', second = '', ...others] = Array.from({ length: 129 }, () => store(Buffer.alloc(bytes)))
    for (const key of [first, second, first, ...others]) await cache.get(key, bytes)
    expect(reads).toBe(129)
    for (const key of [first, ...others]) await cache.get(key, bytes)
    expect(reads).toBe(129)
    await cache.get(second, bytes)
    expect(reads).toBe(130)
  })
})

describe('send file', () => {
  const bytes = Buffer.from(Array.from({ length: 1_000_000 }, (_, at) => at % 251))
  let dir: string
  let server: Server
  /** The size that the response announces. */
  let announcedBytes: number
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'keepsnap-send-'))
    await writeFile(join(dir, 'file'), bytes)
    announcedBytes = bytes.length
    server = createServer((req, res) => {
      const [start = 0, end = announcedBytes - 1] = req.url!.slice(1).split('-').filter(Boolean).map(Number)
      res.writeHead(200, { 'content-length': end - start + 1 })
      void open(join(dir, 'file')).then((file) => sendFile(res, file, { start, end }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterEach(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await rm(dir, { recursive: true })
  })
  const download = (path: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get({ port: (server.address() as AddressInfo).port, path, agent: false }, resolve).on('error', reject)
    })

  test.each(['/', '/0-0', '/5-999999', '/131071-131072', '/999999-999999'])(
    'ten concurrent downloads of %s receive the right bytes, although they share buffers',
    async (path) => {
      const [start = 0, end = bytes.length - 1] = path.slice(1).split('-').filter(Boolean).map(Number)
      const answers = await Promise.all(Array.from({ length: 10 }, async () => buffer(await download(path))))
      for (const answer of answers) expect(answer.equals(bytes.subarray(start, end + 1))).toBe(true)
    },
  )

  test('the connection is closed when the file is shorter than announced', async () => {
    announcedBytes = bytes.length + 1
    await expect(buffer(await download('/'))).rejects.toThrow('aborted')
  })

  test('the file is closed when the client disconnects', async () => {
    const path = join(await realpath(dir), 'file')
    // More than the buffers of the connections can take.
    announcedBytes = 100 * 1024 * 1024
    await truncate(path, announcedBytes)
    const answers = await Promise.all(Array.from({ length: 10 }, async () => download('/')))
    expect(timesOpen(path)).toBe(10)
    for (const answer of answers) answer.destroy()
    await expect.poll(() => timesOpen(path)).toBe(0)
  })

  test('an answer that waits holds at most 16 KB, and larger pieces are read as long as the kernel takes them', async () => {
    const size = 64 * 1024 * 1024
    const reads: number[] = []
    let readUntil = 0
    const source: ByteSource = {
      async read(buffer, _offset, length, position) {
        reads.push(length)
        // Bytes that the kernel has not taken are read again.
        readUntil = position + Math.min(length, buffer.length)
        return { bytesRead: Math.min(length, buffer.length) }
      },
      close() {},
    }
    let answer: ServerResponse | undefined
    server.removeAllListeners('request')
    server.on('request', (_req, res: ServerResponse) => {
      answer = res
      res.writeHead(200, { 'content-length': size })
      void sendFile(res, source, { start: 0, end: size - 1 })
    })
    const incoming = await download('/')
    let before = -1
    await expect.poll(() => before === (before = reads.length)).toBe(true)
    expect(readUntil).toBeLessThan(size)
    expect(answer?.socket?.writableLength).toBeLessThanOrEqual(16 * 1024)
    expect(Math.max(...reads)).toBe(256 * 1024)
    incoming.destroy()
  })

  test('when many streams wait for their clients, the longest waiting is closed, and opened again where it is read next', async () => {
    const opened: number[] = []
    const source = () => {
      const stream = Readable.from([bytes.subarray(0, 10), bytes.subarray(10, 20)])
      const open = async (start: number): Promise<Readable> => {
        opened.push(start)
        return Readable.from([bytes.subarray(start, start + 10)])
      }
      return { stream, ...streamSource(stream, { start: 0, open }) }
    }
    const sources = Array.from({ length: 66 }, source)
    const taken = Buffer.alloc(4)
    for (const one of sources) {
      await one.prepare?.(0)
      await one.read(taken, 0, 4, 0)
      one.wait?.()
    }
    expect(sources.map(({ stream }) => stream.destroyed)).toEqual(sources.map((_, n) => n < 2))
    // The kernel took two bytes of the four.
    for (const one of sources.slice(1, 3)) {
      await one.prepare?.(2)
      expect(await one.read(taken, 0, 4, 2)).toEqual({ bytesRead: 4 })
      expect(taken).toEqual(bytes.subarray(2, 6))
    }
    expect(opened).toEqual([2])
    // The store closes one that waits.
    const [, , , one] = sources
    one?.stream.destroy(new Error('reset by the store'))
    await new Promise((resolve) => one?.stream.once('close', resolve))
    await one?.prepare?.(6)
    await one?.read(taken, 0, 4, 6)
    expect([taken, opened]).toEqual([bytes.subarray(6, 10), [2, 6]])
    for (const one of sources) await one.close()
  })
})

describe('send object', () => {
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
})
