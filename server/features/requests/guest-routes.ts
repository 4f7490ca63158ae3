import type { GuestPage } from '@keepsnap/contract/guest.ts'
import {
  publicPhoto,
  requestAccepted,
  requestPage,
  requestPageForm,
  requestPhoto,
} from '@keepsnap/contract/requests.ts'
import type { Deps } from '../../deps.ts'
import { guestFrame, guestLogo, guestPhoto, guestReport, publicView } from '../../domain/guests.ts'
import { isId } from '../../domain/ids.ts'
import { mayRead, type Media } from '../../domain/media.ts'
import { Fault } from '../../faults.ts'
import { sendGuestPage } from '../../http/pages.ts'
import { countCall } from '../../http/rates.ts'
import type { Call, Serve } from '../../http/serve.ts'
import { askByEmail } from './ask.ts'

type Parts = Pick<Deps, 'db' | 'media' | 'addresses' | 'counts' | 'guest' | 'config'> & {
  mail: { isOff: boolean }
  /** Milliseconds that asking takes at least. */
  leastAskMs: number
}

const nothingThere = (): Fault =>
  new Fault('not_found', 'Unable to load photo details. The photo may not exist or may be private.')

/** What a refusal says on the page. */
const sentenceOf = ({ detail }: Fault): string =>
  typeof detail === 'string' ? detail : (detail[0]?.msg ?? 'Failed to submit request. Please try again later.')

/** The guest's side: what may be known of a photo, the page that asks for an address, and asking. */
export function guestRequests(serve: Serve, parts: Parts): void {
  const { db, media: facts, addresses, counts, guest, config, mail } = parts

  const find = async (id: string, client: string): Promise<Media> => {
    const media = isId(id) ? await facts.by('id', id) : undefined
    if (!media) await countCall(db, 'unknownCodes', client)
    if (!media || mayRead(media, { by: 'guest page' }) === 'nothing there') throw nothingThere()
    return media
  }

  serve(publicPhoto, async ({ params }, { client }) => publicView(await find(params.id, client), addresses))

  serve(requestPhoto, async ({ params, body }, { client }) => {
    await askByEmail(parts, params.id, { ...body, client })
    return { detail: requestAccepted }
  })

  const sendPage = async (
    { req, reply }: Pick<Call, 'req' | 'reply'>,
    media: Media,
    said: { state: 'form' | 'bad' | 'failed' | 'sent'; email: string; problem: string | null; status?: number },
  ): Promise<void> => {
    const photo = guestPhoto(media, addresses)
    const processing = media.state !== 'ready'
    const page: GuestPage = {
      page: 'request',
      state: mail.isOff ? 'off' : said.state,
      photo,
      processing,
      email: said.email,
      problem: said.problem,
      report: guestReport(media.photoId),
      logo: guestLogo(media, addresses),
    }
    const frame = guestFrame(config.publicUrl, req.url.split('?', 1)[0] ?? '/', photo)
    await sendGuestPage(reply, guest, { page, frame, ...(said.status !== undefined && { status: said.status }) })
  }
  const sendGone = (reply: Call['reply']): Promise<void> =>
    sendGuestPage(reply, guest, {
      page: { page: 'gone', why: 'photo' },
      frame: guestFrame(config.publicUrl, '/request-photo'),
      status: 404,
    })

  serve(requestPage, async ({ params }, { req, reply, client }) => {
    const media = await find(params.id, client).catch((error: unknown) => {
      if (error instanceof Fault && error.code === 'not_found') return undefined
      throw error
    })
    if (!media) await sendGone(reply)
    else {
      if (req.method === 'GET') counts.add(media, 'scans', 'views')
      await sendPage({ req, reply }, media, { state: 'form', email: '', problem: null })
    }
    return undefined
  })

  serve(requestPageForm, async ({ params, body }, { req, reply, client }) => {
    const email = (body.email ?? '').slice(0, 320)
    try {
      const media = await find(params.id, client)
      await askByEmail(parts, params.id, { email, website: body.website, client })
      await sendPage({ req, reply }, media, { state: 'sent', email, problem: null })
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      if (error.code === 'not_found') await sendGone(reply)
      else {
        const state = error.code === 'invalid' ? 'bad' : 'failed'
        const media = await find(params.id, client)
        await sendPage({ req, reply }, media, { state, email, problem: sentenceOf(error), status: error.status })
      }
    }
    return undefined
  })
}
