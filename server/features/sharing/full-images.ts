import type { FastifyRequest } from 'fastify'
import { disposition, neutralName, ownName } from '../../domain/filenames.ts'
import type { Media } from '../../domain/media.ts'
import { Fault } from '../../faults.ts'
import { sendObject } from '../../http/files.ts'
import type { Call } from '../../http/serve.ts'
import type { Storage } from '../../ports/storage/storage.ts'

export const nothingThere = (): Fault => new Fault('not_found', 'This photo does not exist, or is no longer shared.')
/** What a program hears of a photo that is still being processed; people get a page that waits with them. */
export const notYet = (): Fault =>
  new Fault('unavailable', 'This photo is still being processed. Please try again in a moment.', 2)

const day = 24 * 60 * 60

/** Whether this asks for a file from its beginning, as opposed to its later parts or its headers. */
export const isFirstByte = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  headers['if-none-match'] === undefined &&
  (headers.range === undefined || headers.range.startsWith('bytes=0-'))

/** `view`: for the owner. `download`: for strangers. `inline`: the same bytes, from this origin, for a page's own script. */
type SendFull = (call: Pick<Call, 'req' | 'reply'>, media: Media, as: 'download' | 'view' | 'inline') => Promise<void>

/** Sends full-size images to those whom the policy has let through: strangers a download with a neutral name. */
export function createFullImages(storage: Storage): SendFull {
  return async ({ req, reply }, media, as) => {
    const { fullKey: key, fullBytes: bytes, fullType: type } = media
    if (key === null || bytes === null || type === null) throw nothingThere()
    const named =
      as === 'view'
        ? disposition('inline', ownName(media.filename, type))
        : disposition('attachment', neutralName(media.createdAt, type))
    // Scanned downloads are asked for again each time: the setting is read at scan time, and a tag answers the rest.
    const cacheControl = as === 'view' ? `private, max-age=${day}` : 'private, no-cache'
    const address =
      req.method === 'GET' && as !== 'inline' ? await storage.presign(key, { type, disposition: named }) : null
    if (address) return void (await reply.header('cache-control', 'no-store').redirect(address, 302))
    await sendObject(req, reply, { storage, object: { key, bytes, type, cacheControl, disposition: named } })
  }
}
