import type { FastifyReply, FastifyRequest } from 'fastify'
import { directCode, directDownload, fullImage, requestCode, thumbnailImage } from '@keepsnap/contract/sharing.ts'
import { disposition, neutralName, ownName } from '../../domain/filenames.ts'
import { isId } from '../../domain/ids.ts'
import { mayRead, type Media } from '../../domain/media.ts'
import type { Deps } from '../../deps.ts'
import { Fault } from '../../faults.ts'
import { sendObject } from '../../http/files.ts'
import { countCall } from '../../http/rates.ts'
import { createShelf } from '../../http/shelf.ts'
import type { Call, Serve } from '../../http/serve.ts'
import { modulesOf, pngOf, svgOf } from './codes.ts'
import { waitingPage } from './waiting-page.ts'

const nothingThere = (): Fault => new Fault('not_found', 'This photo does not exist, or is no longer shared.')
const day = 24 * 60 * 60

/** Every public path to a photo's bytes and codes. Each asks the policy, with facts read now. */
export function sharing(
  serve: Serve,
  { db, storage, addresses, media: facts }: Pick<Deps, 'db' | 'storage' | 'addresses' | 'media'>,
): void {
  const shelf = createShelf(storage)
  /** Refuses an unknown name; whoever tries many of them is slowed down, whoever scans a real code never is. */
  const unknown = async (client: string): Promise<never> => {
    await countCall(db, 'unknownCodes', client)
    throw nothingThere()
  }
  const find = async (
    column: 'id' | 'code' | 'full_key' | 'thumb_key',
    name: string,
    client: string,
  ): Promise<Media> => {
    const kind = column === 'full_key' ? 'full/' : column === 'thumb_key' ? 'thumb/' : ''
    return (isId(name) ? await facts.by(column, `${kind}${name}`) : undefined) ?? unknown(client)
  }

  serve(directDownload, async ({ params }, { req, reply, client }) => {
    const media = await find('code', params.code, client)
    const verdict = mayRead(media, { by: 'direct code' })
    reply.header('vary', 'origin, accept, user-agent, sec-fetch-dest')
    if (verdict === 'ask for e-mail') {
      reply.header('cache-control', 'no-store')
      await reply.redirect(addresses.requestPage(media.photoId), 302)
    } else if (verdict === 'not yet') await sendWaiting(req, reply)
    else if (verdict === 'give') await sendFull({ req, reply }, media, 'download')
    else throw nothingThere()
    return undefined
  })

  serve(fullImage, async ({ params, query }, { req, reply, client }) => {
    const media = await find('full_key', params.code, client)
    const valid =
      media.fullKey !== null &&
      addresses.isSigned({ photoId: media.photoId, fullKey: media.fullKey, epoch: media.epoch }, query.s ?? '')
    if (mayRead(media, { by: 'signed address', valid }) !== 'give') throw nothingThere()
    await sendFull({ req, reply }, media, 'view')
    return undefined
  })

  serve(thumbnailImage, async ({ params }, { req, reply, client }) => {
    const media = await find('thumb_key', params.code, client)
    if (mayRead(media, { by: 'thumbnail' }) !== 'give' || media.thumbKey === null || media.thumbBytes === null)
      throw nothingThere()
    const object = {
      key: media.thumbKey,
      bytes: media.thumbBytes,
      type: 'image/webp',
      cacheControl: `private, max-age=${day}`,
    }
    await sendObject(req, reply, { storage, shelf, object })
    return undefined
  })

  const sendFull = async (
    { req, reply }: Pick<Call, 'req' | 'reply'>,
    media: Media,
    as: 'download' | 'view',
  ): Promise<void> => {
    const { fullKey: key, fullBytes: bytes, fullType: type } = media
    if (key === null || bytes === null || type === null) throw nothingThere()
    const named =
      as === 'download'
        ? disposition('attachment', neutralName(media.createdAt, type))
        : disposition('inline', ownName(media.filename, type))
    // Scanned downloads are asked for again each time: the setting is read at scan time, and a tag answers the rest.
    const cacheControl = as === 'download' ? 'private, no-cache' : `private, max-age=${day}`
    const address = req.method === 'GET' ? await storage.presign(key, { type, disposition: named }) : null
    if (address) return void (await reply.header('cache-control', 'no-store').redirect(address, 302))
    await sendObject(req, reply, { storage, object: { key, bytes, type, cacheControl, disposition: named } })
  }

  const sendCode = async (reply: FastifyReply, text: string, form: 'png' | 'svg'): Promise<void> => {
    const modules = modulesOf(text)
    reply.header('cache-control', `private, max-age=${day}`)
    if (form === 'svg')
      await reply
        .type('image/svg+xml')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .send(svgOf(modules))
    else await reply.type('image/png').send(pngOf(modules))
  }
  const formOf = (name: string): [string, 'png' | 'svg'] =>
    name.endsWith('.svg') ? [name.slice(0, -4), 'svg'] : [name.replace(/\.png$/, ''), 'png']

  serve(directCode, async ({ params }, { reply, client }) => {
    const [code, form] = formOf(params.code)
    const media = await find('code', code, client)
    if (mayRead(media, { by: 'code image' }) !== 'give') throw nothingThere()
    await sendCode(reply, addresses.direct(code), form)
    return undefined
  })

  serve(requestCode, async ({ params }, { reply, client }) => {
    const [id, form] = formOf(params.code)
    const media = await find('id', id, client)
    if (mayRead(media, { by: 'code image' }) !== 'give') throw nothingThere()
    await sendCode(reply, addresses.requestPage(id), form)
    return undefined
  })
}

/** A photo that is still being processed: people get a page that waits with them, programs a 503 with the time to wait. */
async function sendWaiting(req: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('cache-control', 'no-store')
  if (!(req.headers.accept ?? '').includes('text/html'))
    throw new Fault('unavailable', 'This photo is still being processed. Please try again in a moment.', 2)
  await reply
    .type('text/html; charset=utf-8')
    .header('refresh', '2')
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    .send(waitingPage)
}
