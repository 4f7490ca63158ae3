import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { buffer } from 'node:stream/consumers'
import { writeSync } from 'node:fs'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FileHandle } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ByteSpan, Storage } from '../../ports/storage/storage.ts'
import { Fault } from '../../faults.ts'
import type { HttpReply, HttpRequest } from './http-types.ts'
import { descriptorOf } from './connections.ts'
import { matchesTag } from './request-headers.ts'

/** A stored object, and the headers it is sent with. */
interface StoredObject {
  key: string
  bytes: number
  type: string
  cacheControl: string
  /** A complete Content-Disposition value; inline when left out. */
  disposition?: string
  /** In quotation marks; the name in the key when left out, which then must not open anything by itself. */
  entityTag?: string
}

/** The Content-Security-Policy of uploaded bytes: no script and no frame, whatever type a browser detects. */
const uploadedContentPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

const entityTagOf = ({ key, entityTag }: StoredObject): string => entityTag ?? `"${key.split('/')[1]}"`

const cannotBeRead = (): Fault => new Fault('unavailable', 'This file cannot be read right now. Please try again.', 30)

/** A truncated file must not be sent with a success status. */
const hasSize = async (file: FileHandle, bytes: number): Promise<boolean> =>
  (await file.stat().catch(() => undefined))?.size === bytes

/**
 * Sends a stored object: HEAD, single ranges, entity tags. An object is never overwritten, so its key is its tag. The
 * caller has checked access.
 */
export async function sendObject(
  req: HttpRequest,
  reply: HttpReply,
  { storage, responseCache, object }: { storage: Storage; responseCache?: ResponseCache; object: StoredObject },
): Promise<void> {
  const span = await beginAnswer(req, reply, { ...object, entityTag: entityTagOf(object) })
  if (!span) return
  const isWhole = span.end - span.start + 1 === object.bytes
  const cachedBytes = await responseCache?.get(object.key, object.bytes)
  if (cachedBytes)
    return void (await reply.send(isWhole ? cachedBytes : cachedBytes.subarray(span.start, span.end + 1)))
  const storedFile =
    cachedBytes === null
      ? null
      : ((await storage.openFile?.(object.key)) ?? (await storage.open(object.key, isWhole ? undefined : span)))
  if (!storedFile) throw cannotBeRead()
  if (!(storedFile instanceof Readable) && !(await hasSize(storedFile, object.bytes))) {
    await storedFile.close()
    throw cannotBeRead()
  }
  const { start, end } = span
  const open = async (at: number): Promise<Readable> => {
    const stream = await storage.open(object.key, { start: at, end })
    if (!stream) throw cannotBeRead()
    return stream
  }
  const source = storedFile instanceof Readable ? streamSource(storedFile, { start, open }) : storedFile
  await sendSpan(reply, source, span)
}

/**
 * Sets status and headers of an answer with bytes that never change. The span to send; undefined when the answer is complete: to
 * HEAD, to who has the bytes, and to a range that cannot be satisfied.
 */
export async function beginAnswer(
  req: HttpRequest,
  reply: HttpReply,
  { entityTag, bytes, ...object }: Omit<StoredObject, 'key'> & { entityTag: string },
): Promise<ByteSpan | undefined> {
  reply.headers({
    'content-type': object.type,
    'cache-control': object.cacheControl,
    'content-security-policy': uploadedContentPolicy,
    'accept-ranges': 'bytes',
    etag: entityTag,
    ...(object.disposition && { 'content-disposition': object.disposition }),
  })
  if (matchesTag(req.headers['if-none-match'], entityTag)) return void (await reply.status(304).send())
  // Firefox goes on with If-Match; when the bytes are others by now, it gets all of them.
  const isRangeValid = [req.headers['if-range'], req.headers['if-match']].every(
    (tag) => tag === undefined || matchesTag(String(tag), entityTag),
  )
  const range = req.method === 'GET' && isRangeValid ? parseRange(req.headers.range, bytes) : undefined
  if (range === null) return void (await reply.status(416).header('content-range', `bytes */${bytes}`).send())
  if (range) reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${bytes}`)
  const span = range ?? { start: 0, end: bytes - 1 }
  reply.header('content-length', span.end - span.start + 1)
  // An empty stream: for an empty body Fastify would set Content-Length to 0.
  if (req.method === 'HEAD') return void (await reply.send(Readable.from([])))
  return span
}

/** Sends the bytes of an answer that has begun, and closes their source. */
export async function sendSpan(reply: HttpReply, source: ByteSource, span: ByteSpan): Promise<void> {
  reply.hijack()
  // Fastify's headers are Node's, except for values that were never set.
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  await sendFile(reply.raw, source, span)
}

/**
 * Redirects to a presigned URL if the store has one, so that the bytes do not pass through this server; otherwise sends
 * the object. The URL is valid for a minute, so the redirect must not be cached. The caller has checked access.
 */
export async function redirectOrSendObject(
  req: HttpRequest,
  reply: HttpReply,
  { storage, object }: { storage: Storage; object: StoredObject & { disposition: string } },
): Promise<void> {
  const isKnown = matchesTag(req.headers['if-none-match'], entityTagOf(object))
  const url = req.method === 'GET' && !isKnown ? await storage.presign(object.key, object) : null
  if (url === null) return sendObject(req, reply, { storage, object })
  await reply.header('cache-control', 'no-store').redirect(url, 302)
}

/**
 * The range that a Range header (RFC 9110) asks for of an object with this many bytes. Undefined when the whole object
 * is to be sent: no header, another unit, or several ranges. Null when the range cannot be satisfied.
 */
export function parseRange(header: string | undefined, bytes: number): ByteSpan | null | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return undefined
  if (from === '') return Number(to) === 0 ? null : { start: Math.max(0, bytes - Number(to)), end: bytes - 1 }
  const start = Number(from)
  const end = to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)
  if (to !== '' && Number(to) < start) return undefined
  return start < bytes ? { start, end } : null
}

/** How an answer learns that its bytes were withdrawn. */
interface AccessWatch {
  /** Calls the listener when access may have changed, until the returned function is called. */
  watch(listener: () => void): () => void
  /** Whether the bytes may still be sent. */
  isOpen(): Promise<boolean>
}

const retryMs = 1_000

/**
 * Ends an answer under way when its bytes are withdrawn: its connection is reset, so that what waits in this program and its
 * kernel is dropped. Call it before the first byte is sent; it also looks at once, for what changed since access was decided.
 */
export function endWhenWithdrawn({ raw }: Pick<HttpReply, 'raw'>, { watch, isOpen }: AccessWatch): void {
  const ended = new AbortController()
  const check = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      try {
        if ((await isOpen()) || ended.signal.aborted) return
        if (raw.socket instanceof Socket) raw.socket.resetAndDestroy()
        else raw.destroy()
        return
      } catch {
        // The database is away, and what it says next counts.
        await delay(retryMs, undefined, { ref: false })
      }
    }
  }
  const stop = watch(() => void check())
  raw.once('close', () => {
    ended.abort()
    stop()
  })
  void check()
}

/** The bytes of small stored objects that were sent recently. */
export interface ResponseCache {
  /** The bytes of an object; undefined when it is too large for the cache, null when it does not exist. */
  get(key: string, bytes: number): Promise<Buffer | undefined | null>
}

const maxCacheBytes = 16 * 1024 * 1024
const maxCachedObjectBytes = 128 * 1024

/**
 * Reads a small object once for all screens that show it. Objects are never overwritten, so cached bytes cannot be out
 * of date; the caller decides beforehand who may have them.
 */
export function createResponseCache(storage: Storage): ResponseCache {
  const objectCache = new LRUCache<string, Buffer>({
    maxSize: maxCacheBytes,
    // The library refuses a size of 0.
    sizeCalculation: ({ length }) => Math.max(length, 1),
    // A read is not aborted when its entry is evicted: its callers need the result.
    ignoreFetchAbort: true,
    async fetchMethod(key) {
      const stream = await storage.open(key)
      return stream ? buffer(stream) : undefined
    },
  })
  return {
    async get(key, bytes) {
      if (bytes > maxCachedObjectBytes) return undefined
      return (await objectCache.fetch(key)) ?? null
    },
  }
}

/** Where the bytes of an answer come from; a `FileHandle` is one. */
export interface ByteSource {
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>
  /** Resolves when there is something to read at a position. */
  prepare?(position: number): Promise<void>
  /** Called when the client does not take bytes at present. */
  wait?(): void
  close(): Promise<void> | void
}

/** What one answer holds while it waits for its client. */
const waitingBytes = 4 * 1024
const smallestRead = 16 * 1024
const largestRead = 256 * 1024
/** All buffers for reading; each is in use for one read. Thousands of answers may begin at the same moment. */
const buffers = { free: [] as Buffer[], notAllocated: 32, waiting: [] as ((buffer: Buffer) => void)[] }

async function takeBuffer(): Promise<Buffer> {
  const buffer = buffers.free.pop()
  if (buffer) return buffer
  if (buffers.notAllocated === 0) return new Promise((resolve) => void buffers.waiting.push(resolve))
  buffers.notAllocated -= 1
  return Buffer.allocUnsafeSlow(largestRead)
}

function giveBack(buffer: Buffer): void {
  const next = buffers.waiting.shift()
  if (next) next(buffer)
  else buffers.free.push(buffer)
}

/**
 * Hands bytes to the kernel and returns how many it took now. With `write` of Node all others would stay in memory until the
 * client reads; and a call for each 16 KB costs more than the copying.
 */
function writeNow({ socket }: ServerResponse, bytes: Buffer): number {
  const descriptor = socket && !socket.destroyed && socket.writableLength === 0 ? descriptorOf(socket) : undefined
  if (descriptor === undefined) return 0
  try {
    return writeSync(descriptor, bytes)
  } catch {
    // Nothing fits, or the connection is broken, which the next `write` finds out.
    return 0
  }
}

/** Resolves when the bytes were passed to the kernel, or the connection has closed. */
const writeChunk = (res: ServerResponse, bytes: Buffer): Promise<void> =>
  new Promise((resolve) => {
    res.once('close', resolve)
    res.write(bytes, () => {
      res.off('close', resolve)
      resolve()
    })
  })

/**
 * Writes a range of a file and ends the response, whose headers have been prepared; closes the file. Bytes are read when they
 * can be sent: as many as the kernel takes at once, and otherwise a few, which wait. When the file is shorter than expected,
 * the connection is closed.
 */
export async function sendFile(res: ServerResponse, file: ByteSource, { start, end }: ByteSpan): Promise<void> {
  // What the kernel takes between two waits is about the same each time.
  let [nextRead, takenSinceWait] = [largestRead, 0]
  /** Sends bytes from a position on, and returns how many. Those that wait are a copy, so that others can use the buffer. */
  const sendSome = async (at: number): Promise<number> => {
    await file.prepare?.(at)
    const buffer = await takeBuffer()
    let taken = 0
    let rest: Buffer
    try {
      const { bytesRead } = await file.read(buffer, 0, Math.min(nextRead, end - at + 1), at)
      if (bytesRead === 0) throw new Error('a stored file is shorter than expected')
      taken = writeNow(res, buffer.subarray(0, bytesRead))
      rest = Buffer.from(buffer.subarray(taken, Math.min(bytesRead, taken + waitingBytes)))
    } finally {
      giveBack(buffer)
    }
    takenSinceWait += taken
    nextRead = Math.min(largestRead, 2 * nextRead)
    if (rest.length > 0) {
      nextRead = Math.min(largestRead, Math.max(smallestRead, takenSinceWait))
      takenSinceWait = 0
      file.wait?.()
      await writeChunk(res, rest)
    }
    return taken + rest.length
  }
  try {
    res.flushHeaders()
    for (let at = start; at <= end && !res.destroyed;) at += await sendSome(at)
    if (!res.destroyed) res.end()
  } catch (error) {
    res.destroy(error instanceof Error ? error : undefined)
  } finally {
    await file.close()
  }
}

/** Streams of stores whose answers wait for their clients, the longest waiting first: what closes each of them. */
const waitingStreams = new Set<() => void>()
/** Half of the connections to the store: the others stay for those who read. */
const maxWaitingStreams = 64

/**
 * The bytes of a stream that begins at `start`. While many answers wait for their clients, the streams of the longest waiting
 * are closed; `open` opens one again at the place where it is read next. The same when the store has closed it.
 */
export function streamSource(
  first: Readable,
  { start, open }: { start: number; open(start: number): Promise<Readable> },
): ByteSource {
  let stream: Readable | undefined
  let chunks: AsyncIterator<Buffer> | undefined
  let chunk = Buffer.alloc(0)
  let chunkStart = start
  let isReading = false
  const close = (): void => {
    waitingStreams.delete(close)
    stream?.destroy()
    stream = undefined
    chunk = Buffer.alloc(0)
  }
  const use = (opened: Readable): void => {
    stream = opened
    chunks = opened[Symbol.asyncIterator]() as AsyncIterator<Buffer> // a stream of bytes
    opened.on('error', () => !isReading && stream === opened && close())
  }
  use(first)
  async function prepare(position: number): Promise<void> {
    waitingStreams.delete(close)
    if (position - chunkStart < chunk.length) return
    isReading = true
    try {
      if (!stream) use(await open(position))
      const next = await chunks?.next()
      chunk = next?.value ?? Buffer.alloc(0)
      chunkStart = position
    } finally {
      isReading = false
    }
  }
  return {
    prepare,
    async read(buffer, offset, length, position) {
      const from = position - chunkStart
      return { bytesRead: chunk.copy(buffer, offset, from, from + length) }
    },
    wait() {
      waitingStreams.add(close)
      const [longest] = waitingStreams
      if (waitingStreams.size > maxWaitingStreams) longest?.()
    },
    close,
  }
}

interface SharedFile {
  /** Content type. */
  type: string
  body: string | Buffer
  cacheControl: string
}

/** Sends a file that is the same for everybody, or 304 when the client has it. */
export async function sendSharedFile(
  { req, reply }: { req: HttpRequest; reply: HttpReply },
  { type, body, cacheControl }: SharedFile,
): Promise<void> {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  const entityTag = `"${hash}"`
  reply.headers({ 'cache-control': cacheControl, etag: entityTag })
  if (matchesTag(req.headers['if-none-match'], entityTag)) return void (await reply.status(304).send())
  await reply.type(type).send(body)
}
