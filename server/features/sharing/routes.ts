import type { FastifyReply } from 'fastify'
import { directCode, directDownload, fullImage, requestCode, thumbnailImage } from '@keepsnap/contract/sharing.ts'
import { isApple, isNavigation } from '../../domain/apple.ts'
import { guestFrame } from '../../domain/guests.ts'
import { isId } from '../../domain/ids.ts'
import { mayRead, type Media } from '../../domain/media.ts'
import type { Deps } from '../../deps.ts'
import { Fault } from '../../faults.ts'
import { sendObject } from '../../http/files.ts'
import { countCall } from '../../http/rates.ts'
import { createShelf } from '../../http/shelf.ts'
import { sendGuestPage } from '../../http/pages.ts'
import type { Call, Serve } from '../../http/serve.ts'
import { modulesOf, pngOf, svgOf } from './codes.ts'
import { createFullImages, isFirstByte, notYet, nothingThere } from './full-images.ts'
import { createPhotoPages, isReturning } from './photo-pages.ts'

const day = 24 * 60 * 60

/** Every public path to a photo's bytes and codes. Each asks the policy, with facts read now. */
export function sharing(
  serve: Serve,
  deps: Pick<Deps, 'db' | 'storage' | 'addresses' | 'media' | 'counts' | 'guest' | 'config'>,
): void {
  const { db, storage, addresses, media: facts, counts } = deps
  const shelf = createShelf(storage)
  const sendFull = createFullImages(storage)
  const sendPhotoPage = createPhotoPages(deps)
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

  /** Programs get a failure they can read, people a page that says kindly what to do. */
  const sayGone = async ({ req, reply }: Pick<Call, 'req' | 'reply'>, error: unknown): Promise<void> => {
    if (!(error instanceof Fault) || error.code !== 'not_found' || !isNavigation(req.headers)) throw error
    const page = { page: 'gone', why: 'photo' } as const
    await sendGuestPage(reply, deps.guest, { page, frame: guestFrame(deps.config.publicUrl, '/d'), status: 404 })
  }

  serve(directDownload, async ({ params, query }, call) => {
    await sendByCode(params.code, query, call).catch((error: unknown) => sayGone(call, error))
    return undefined
  })

  const sendByCode = async (
    code: string,
    query: { download?: string; inline?: string },
    { req, reply, client }: Pick<Call, 'req' | 'reply' | 'client'>,
  ): Promise<void> => {
    const media = await find('code', code, client)
    const verdict = mayRead(media, { by: 'direct code' })
    const isPerson = isNavigation(req.headers)
    const wantsFile = query.download !== undefined || query.inline !== undefined
    reply.header('vary', 'origin, accept, user-agent, sec-fetch-dest')
    if (verdict === 'ask for e-mail') {
      reply.header('cache-control', 'no-store')
      await reply.redirect(addresses.requestPage(media.photoId), 302)
    } else if (verdict === 'not yet') {
      if (!isPerson) throw notYet()
      if (req.method === 'GET' && !isReturning(req)) counts.add(media, 'scans', 'views')
      await sendPhotoPage({ req, reply }, media, { by: 'code' })
    } else if (verdict !== 'give') throw nothingThere()
    else if (isPerson && !wantsFile && isApple(req.headers)) {
      if (req.method === 'GET' && !isReturning(req)) counts.add(media, 'scans', 'views')
      await sendPhotoPage({ req, reply }, media, { by: 'code' })
    } else {
      const what = query.download === undefined ? (['scans', 'downloads'] as const) : (['downloads'] as const)
      if (isFirstByte(req) && query.inline === undefined) counts.add(media, ...what)
      await sendFull({ req, reply }, media, query.inline === undefined ? 'download' : 'inline')
    }
  }

  serve(fullImage, async ({ params, query }, { req, reply, client }) => {
    const media = await find('full_key', params.code, client)
    const valid =
      media.fullKey !== null &&
      addresses.isSigned({ photoId: media.photoId, fullKey: media.fullKey, epoch: media.epoch }, query.s ?? '')
    if (mayRead(media, { by: 'signed address', valid }) !== 'give') throw nothingThere()
    await sendFull({ req, reply }, media, 'view')
    return undefined
  })

  serve(thumbnailImage, async ({ params, query }, { req, reply, client }) => {
    const media = await find('thumb_key', params.code, client)
    const valid = media.thumbKey !== null && addresses.isSignedThumbnail(media.thumbKey, query.s ?? '')
    if (mayRead(media, { by: 'thumbnail', valid }) !== 'give' || media.thumbKey === null || media.thumbBytes === null)
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
