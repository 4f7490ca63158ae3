import type { FileHandle } from 'node:fs/promises'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { Fault } from '../faults.ts'
import type { ByteSpan, Storage } from '../ports/storage/storage.ts'
import { matchesTag } from './entity-tag.ts'
import type { HttpReply, HttpRequest } from './http-types.ts'
import type { ResponseCache } from './response-cache.ts'

/** A stored object, and the headers it is sent with. */
export interface StoredObject {
  key: string
  bytes: number
  type: string
  cacheControl: string
  /** A complete Content-Disposition value; inline when left out. */
  disposition?: string
}

/** The Content-Security-Policy of uploaded bytes: no script and no frame, whatever type a browser detects. */
const uploadedContentPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

const entityTagOf = ({ key }: StoredObject): string => `"${key.split('/')[1]}"`

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
  const entityTag = entityTagOf(object)
  reply.headers({
    'content-type': object.type,
    'cache-control': object.cacheControl,
    'content-security-policy': uploadedContentPolicy,
    'accept-ranges': 'bytes',
    etag: entityTag,
    ...(object.disposition && { 'content-disposition': object.disposition }),
  })
  if (matchesTag(req.headers['if-none-match'], entityTag)) return void (await reply.status(304).send())
  const ifRange = req.headers['if-range']
  const isRangeValid = ifRange === undefined || matchesTag(String(ifRange), entityTag)
  const range = req.method === 'GET' && isRangeValid ? parseRange(req.headers.range, object.bytes) : undefined
  if (range === null) return void (await reply.status(416).header('content-range', `bytes */${object.bytes}`).send())
  const length = range ? range.end - range.start + 1 : object.bytes
  if (range) reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${object.bytes}`)
  reply.header('content-length', length)
  // An empty stream: for an empty body Fastify would set Content-Length to 0.
  if (req.method === 'HEAD') return void (await reply.send(Readable.from([])))
  const cachedBytes = await responseCache?.get(object.key, object.bytes)
  if (cachedBytes)
    return void (await reply.send(range ? cachedBytes.subarray(range.start, range.end + 1) : cachedBytes))
  const storedFile =
    cachedBytes === null ? null : ((await storage.openFile?.(object.key)) ?? (await storage.open(object.key, range)))
  if (!storedFile) throw cannotBeRead()
  if (storedFile instanceof Readable) return void (await reply.send(storedFile))
  if (!(await hasSize(storedFile, object.bytes))) {
    await storedFile.close()
    throw cannotBeRead()
  }
  reply.hijack()
  // Fastify's headers are Node's, except for values that were never set.
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  await sendFile(reply.raw, storedFile, range ?? { start: 0, end: object.bytes - 1 })
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

const chunkBytes = 128 * 1024
const maxPooledBuffers = 64
const bufferPool: Buffer[] = []
const acquireBuffer = (): Buffer => bufferPool.pop() ?? Buffer.allocUnsafeSlow(chunkBytes)

/** Resolves when the bytes are no longer needed: they were passed to the kernel, or the connection has closed. */
const writeChunk = (res: ServerResponse, bytes: Buffer): Promise<void> =>
  new Promise((resolve) => {
    res.once('close', resolve)
    res.write(bytes, () => {
      res.off('close', resolve)
      resolve()
    })
  })

/**
 * Writes a range of a file and ends the response, whose headers have been sent; closes the file. Reads the next chunk
 * while one is being written. The two buffers come from a pool: allocating a buffer per chunk costs more than reading
 * it. When the file is shorter than expected, the connection is closed.
 */
export async function sendFile(res: ServerResponse, file: FileHandle, { start, end }: ByteSpan): Promise<void> {
  let [readBuffer, writeBuffer] = [acquireBuffer(), acquireBuffer()]
  let lastWrite = Promise.resolve()
  try {
    for (let at = start; at <= end && !res.destroyed;) {
      const { bytesRead } = await file.read(readBuffer, 0, Math.min(chunkBytes, end - at + 1), at)
      if (bytesRead === 0) throw new Error('a stored file is shorter than expected')
      await lastWrite
      lastWrite = writeChunk(res, readBuffer.subarray(0, bytesRead))
      at += bytesRead
      ;[readBuffer, writeBuffer] = [writeBuffer, readBuffer]
    }
    await lastWrite
    // After an aborted response Node may still refer to a buffer, so they are not reused.
    if (res.destroyed) return
    res.end()
    if (bufferPool.length < maxPooledBuffers) bufferPool.push(readBuffer, writeBuffer)
  } catch (error) {
    res.destroy(error instanceof Error ? error : undefined)
  } finally {
    await file.close()
  }
}
