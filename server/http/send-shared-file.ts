import { createHash } from 'node:crypto'
import { matchesTag } from './entity-tag.ts'
import type { HttpReply, HttpRequest } from './http-types.ts'

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
