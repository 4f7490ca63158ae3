import type { GuestPage } from '@keepsnap/contract/guest.ts'
import { isLanguage } from '@keepsnap/contract/languages.ts'
import {
  publicPhoto,
  requestAccepted,
  requestPage,
  requestPageForm,
  requestPhoto,
} from '@keepsnap/contract/requests.ts'
import type { Dependencies } from '../../dependencies.ts'
import { guestFrame, guestLogo, guestPhoto, guestReport } from '../../domain/guest-page-props.ts'
import { decideAccess, type SharedPhoto } from '../../domain/photo-access.ts'
import { Fault } from '../../faults.ts'
import { languageOf, requestedLanguage } from '../../http/language.ts'
import { sendGuestPage } from '../../http/guest-pages.ts'
import { countRateHit } from '../../http/rate-limits.ts'
import type { Call, Serve } from '../../http/serve.ts'
import { isId } from '../../lib/ids.ts'
import { publicPhotoView } from './public-photo-view.ts'
import {
  photoDetailsUnavailable,
  requestPhotoByEmail,
  type PhotoRequestInput,
  type RequestDependencies,
} from './request-photo.ts'

type GuestRequestDependencies = RequestDependencies & Pick<Dependencies, 'urls' | 'guestRenderer' | 'config'>
type GuestPageCall = Pick<Call, 'req' | 'reply' | 'client'>
type RequestFormState = Pick<Extract<GuestPage, { page: 'request' }>, 'state' | 'email' | 'problem'>

/** What guests call: a photo's public details, the page on which they request it by email, and requesting it. */
export function guestRequestRoutes(serve: Serve, deps: GuestRequestDependencies): void {
  serve(publicPhoto, async ({ params }, { client }) =>
    publicPhotoView(await findPublicPhoto(deps, params.id, client), deps.urls),
  )
  serve(requestPhoto, async ({ params, body }, { req, client }) => {
    await requestPhotoByEmail(deps, params.id, { ...body, client, language: body.language ?? languageOf(req) })
    return { detail: requestAccepted }
  })
  serve(requestPage, async ({ params }, call) => {
    await showRequestPage(deps, params.id, call)
    return undefined
  })
  serve(requestPageForm, async ({ params, body }, call) => {
    const { email = '', website, language } = body
    await submitRequestForm(
      deps,
      {
        id: params.id,
        email: email.slice(0, 320),
        website,
        language: isLanguage(language) ? language : languageOf(call.req),
      },
      call,
    )
    return undefined
  })
}

/** The photo, if guests may see its page. Clients that try many ids are slowed down. */
async function findPublicPhoto(
  { db, mediaCache }: GuestRequestDependencies,
  id: string,
  client: string,
): Promise<SharedPhoto> {
  const photo = isId(id) ? await mediaCache.find('id', id) : undefined
  if (!photo) await countRateHit(db, 'unknownCodes', client)
  if (!photo || decideAccess(photo, { via: 'guest page' }) === 'not found') throw photoDetailsUnavailable()
  return photo
}

const isNotFound = (error: unknown): boolean => error instanceof Fault && error.code === 'not_found'

async function showRequestPage(deps: GuestRequestDependencies, id: string, call: GuestPageCall): Promise<void> {
  const photo = await findPublicPhoto(deps, id, call.client).catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
  if (!photo) return sendNotFoundPage(deps, call)
  if (call.req.method === 'GET' && !requestedLanguage(call.req)) deps.guestActivity.add(photo, 'scans', 'views')
  return sendRequestPage(deps, call, { photo, form: { state: 'form', email: '', problem: null } })
}

/** The message of a refusal, for the page. */
const refusalMessageOf = ({ detail }: Fault): string =>
  typeof detail === 'string' ? detail : (detail[0]?.msg ?? 'Failed to submit request. Please try again later.')

/** Requests a photo with the form that works without JavaScript. */
async function submitRequestForm(
  deps: GuestRequestDependencies,
  { id, email, website, language }: { id: string } & Omit<PhotoRequestInput, 'client'>,
  call: GuestPageCall,
): Promise<void> {
  try {
    const photo = await findPublicPhoto(deps, id, call.client)
    await requestPhotoByEmail(deps, id, { email, website, client: call.client, language })
    return await sendRequestPage(deps, call, { photo, form: { state: 'sent', email, problem: null } })
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    if (isNotFound(error)) return sendNotFoundPage(deps, call)
    const state = error.code === 'invalid' ? 'bad' : 'failed'
    const photo = await findPublicPhoto(deps, id, call.client)
    const form: RequestFormState = { state, email, problem: refusalMessageOf(error) }
    return sendRequestPage(deps, call, { photo, form, status: error.status })
  }
}

async function sendRequestPage(
  { urls, config, guestRenderer, isMailOff }: GuestRequestDependencies,
  { req, reply }: GuestPageCall,
  { photo, form, status = 200 }: { photo: SharedPhoto; form: RequestFormState; status?: number },
): Promise<void> {
  const photoProps = guestPhoto(photo, urls)
  const page: GuestPage = {
    page: 'request',
    ...form,
    state: isMailOff ? 'off' : form.state,
    photo: photoProps,
    processing: photo.state !== 'ready',
    report: guestReport(photo.photoId),
    logo: guestLogo(photo, urls),
  }
  const frame = guestFrame(config.publicUrl, req.url.split('?', 1)[0] ?? '/', photoProps)
  await sendGuestPage(reply, guestRenderer, { page, frame, status })
}

const sendNotFoundPage = (
  { config, guestRenderer }: GuestRequestDependencies,
  { reply }: GuestPageCall,
): Promise<void> =>
  sendGuestPage(reply, guestRenderer, {
    page: { page: 'gone', why: 'photo' },
    frame: guestFrame(config.publicUrl, '/request-photo'),
    status: 404,
  })
