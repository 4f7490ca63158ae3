import { mkdtemp, open, realpath, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { timesOpen } from '../test/consistency-check.ts'
import { sendFile, streamSource, type ByteSource } from './send-file.ts'

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
