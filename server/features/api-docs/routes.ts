import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { apiDocument } from '@keepsnap/contract/api-docs.ts'
import type { Dependencies } from '../../dependencies.ts'
import { isGzipAccepted } from '../../http/accepted-encoding.ts'
import { jsonPolicy } from '../../http/connections.ts'
import { matchesTag } from '../../http/entity-tag.ts'
import type { Serve } from '../../http/serve.ts'
import { createApiDocument } from './document.ts'

/** Short: an update of the program can change the document. */
const cacheControl = 'public, max-age=300'

function encodeDocument(publicUrl: string) {
  const json = JSON.stringify(createApiDocument(publicUrl))
  const hash = createHash('sha256').update(json).digest('base64url').slice(0, 22)
  // Weak: the same for the compressed document.
  return { json, gzipped: gzipSync(json), entityTag: `"${hash}"` }
}

/** Serves the OpenAPI document. It is the same for everybody, and is created at the first request. */
export function apiDocsRoutes(serve: Serve, { config }: Pick<Dependencies, 'config'>): void {
  let cached: ReturnType<typeof encodeDocument> | undefined
  serve(apiDocument, async (_, { req, reply }) => {
    const { json, gzipped, entityTag } = (cached ??= encodeDocument(config.publicUrl))
    reply.headers({ 'cache-control': cacheControl, etag: `W/${entityTag}`, vary: 'origin, accept-encoding' })
    if (matchesTag(req.headers['if-none-match'], entityTag)) {
      await reply.status(304).send()
      return undefined
    }
    reply.type('application/json; charset=utf-8').header('content-security-policy', jsonPolicy)
    await (isGzipAccepted(req.headers['accept-encoding'])
      ? reply.header('content-encoding', 'gzip').send(gzipped)
      : reply.send(json))
    return undefined
  })
}
