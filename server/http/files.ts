import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Span, Storage } from '../ports/storage/storage.ts'
import { Fault } from '../faults.ts'
import { sendFile } from './send-file.ts'
import type { Shelf } from './shelf.ts'

/** One stored object on its way to a browser. */
export interface Sendable {
  key: string
  bytes: number
  type: string
  cacheControl: string
  /** A complete Content-Disposition value; inline when left out. */
  disposition?: string
}

/** A single satisfiable range; undefined when the whole is to be sent; null when it cannot be satisfied. */
export function spanOf(header: string | undefined, bytes: number): Span | null | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return undefined
  if (from === '') return Number(to) === 0 ? null : { start: Math.max(0, bytes - Number(to)), end: bytes - 1 }
  const start = Number(from)
  const end = to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)
  if (to !== '' && Number(to) < start) return undefined
  return start < bytes ? { start, end } : null
}

/** Whether an If-None-Match or If-Range header names the tag. */
const names = (header: string | undefined, tag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag))

/** Nothing in user bytes may run or embed, whatever a browser takes them for. */
const sandbox = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/**
 * Answers with stored bytes: HEAD, one range, entity tags. Keys are written once, so the key is the tag. Whether the
 * caller may read them was decided before.
 */
export async function sendObject(
  req: FastifyRequest,
  reply: FastifyReply,
  { storage, shelf, object }: { storage: Storage; shelf?: Shelf; object: Sendable },
): Promise<void> {
  const tag = `"${object.key.split('/')[1]}"`
  reply.headers({
    'content-type': object.type,
    'cache-control': object.cacheControl,
    'content-security-policy': sandbox,
    'accept-ranges': 'bytes',
    etag: tag,
    ...(object.disposition && { 'content-disposition': object.disposition }),
  })
  if (names(req.headers['if-none-match'], tag)) return void (await reply.status(304).send())
  const ifRange = req.headers['if-range']
  const ranged = ifRange === undefined || names(String(ifRange), tag)
  const span = req.method === 'GET' && ranged ? spanOf(req.headers.range, object.bytes) : undefined
  if (span === null) return void (await reply.status(416).header('content-range', `bytes */${object.bytes}`).send())
  const length = span ? span.end - span.start + 1 : object.bytes
  if (span) reply.status(206).header('content-range', `bytes ${span.start}-${span.end}/${object.bytes}`)
  reply.header('content-length', length)
  // An empty stream, because Fastify would count an empty body and say that the file is.
  if (req.method === 'HEAD') return void (await reply.send(Readable.from([])))
  const atHand = await shelf?.take(object.key, object.bytes)
  if (atHand) return void (await reply.send(span ? atHand.subarray(span.start, span.end + 1) : atHand))
  const found = atHand === null ? null : await (storage.openFile?.(object.key) ?? storage.open(object.key, span))
  if (!found) throw new Fault('unavailable', 'This file cannot be read at the moment. Please try again.', 30)
  if (found instanceof Readable) return void (await reply.send(found))
  reply.hijack()
  // Fastify's headers are Node's, but for values that were never set.
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  await sendFile(reply.raw, found, span ?? { start: 0, end: object.bytes - 1 })
}
