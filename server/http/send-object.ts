import type { FileHandle } from 'node:fs/promises'
import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { Fault } from '../faults.ts'
import type { ByteSpan, Storage } from '../ports/storage/storage.ts'
import { matchesTag } from './entity-tag.ts'
import type { HttpReply, HttpRequest } from './http-types.ts'
import type { ResponseCache } from './response-cache.ts'
import { type ByteSource, sendFile, streamSource } from './send-file.ts'

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
  const ifRange = req.headers['if-range']
  const isRangeValid = ifRange === undefined || matchesTag(String(ifRange), entityTag)
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
