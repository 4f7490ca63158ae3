import type { GuestPage, GuestPhoto } from '@keepsnap/contract/guest.ts'
import { isLanguage } from '@keepsnap/contract/languages.ts'
import {
  countVisit,
  publicPhoto,
  type PublicPhoto,
  requestAccepted,
  requestPage,
  requestPageForm,
  requestPhoto,
} from '@keepsnap/contract/requests.ts'
import { isDatabaseDown } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { guestFrame, guestLogo, guestPhoto, guestReport } from '../../domain/guest-page-props.ts'
import { decideAccess, type SharedPhoto } from '../../domain/photo-access.ts'
import type { Urls } from '../../domain/urls.ts'
import { Fault } from '../../faults.ts'
import { faultOf } from '../../http/error-responses.ts'
import { sendGuestPage } from '../../http/guest-pages.ts'
import { languageOf } from '../../http/language.ts'
import { countRateHit } from '../../http/rate-limits.ts'
import type { Call, Serve } from '../../http/serve.ts'
import { isId } from '../../lib/ids.ts'
import { isPreviewProgram } from '../../lib/user-agent.ts'
import {
  photoDetailsUnavailable,
  type PhotoRequestInput,
  type RequestDependencies,
  requestPhotoByEmail,
} from './request-photo.ts'

type GuestRequestDependencies = RequestDependencies & Pick<Dependencies, 'urls' | 'guestRenderer' | 'config'>
type GuestPageCall = Pick<Call, 'req' | 'reply' | 'client'>
type RequestPage = Extract<GuestPage, { page: 'request' }>
type RequestFormState = Pick<RequestPage, 'state' | 'email' | 'problem'>
/** What the page shows of a photo. */
type ShownPhoto = Pick<RequestPage, 'photo' | 'processing' | 'report' | 'logo'>

/** What guests call: a photo's public details, the page on which they request it by email, and requesting it. */
export function guestRequestRoutes(serve: Serve, deps: GuestRequestDependencies): void {
  serve(publicPhoto, async ({ params }, { client }) =>
    publicPhotoView(await findPublicPhoto(deps, params.id, client), deps.urls),
  )
  serve(countVisit, async ({ params, query: { by } }, { req, client }) => {
    const photo = await findPublicPhoto(deps, params.id, client)
    const activities = by === 'code' ? (['scans', 'views'] as const) : (['views'] as const)
    // Some crawlers run scripts.
    if (!isPreviewProgram(req.headers)) deps.guestActivity.add(photo, ...activities)
    return null
  })
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
  const form: RequestFormState = { state: 'form', email: '', problem: null }
  return sendRequestPage(deps, call, { shownPhoto: shownPhotoOf(photo, deps), form })
}

const shownPhotoOf = (photo: SharedPhoto, { urls }: GuestRequestDependencies): ShownPhoto => ({
  photo: guestPhoto(photo, urls),
  processing: photo.state !== 'ready',
  report: guestReport(photo.photoId),
  logo: guestLogo(photo, urls),
})

/** While the database cannot be read. The page looks as for a photo that is being processed. */
function unreadPhotoOf(id: string): ShownPhoto {
  const photo: GuestPhoto = { id, filename: '', thumbnailUrl: null, width: null, height: null, thumbhash: null }
  return { photo, processing: true, report: guestReport(id), logo: null }
}

/** The message of a refusal, for the page. */
const refusalMessageOf = ({ detail }: Fault): string =>
  typeof detail === 'string' ? detail : (detail[0]?.msg ?? 'Failed to submit request. Please try again later.')

/** Requests a photo with the form that works without JavaScript. When that is refused, the page keeps the address. */
async function submitRequestForm(
  deps: GuestRequestDependencies,
  { id, email, website, language }: { id: string } & Omit<PhotoRequestInput, 'client'>,
  call: GuestPageCall,
): Promise<void> {
  let shownPhoto: ShownPhoto | undefined
  try {
    const photo = await findPublicPhoto(deps, id, call.client)
    shownPhoto = shownPhotoOf(photo, deps)
    const isStored = await requestPhotoByEmail(deps, id, { email, website, client: call.client, language })
    // The script, which counts visits, sends requests in another way.
    if (isStored) deps.guestActivity.add(photo, 'scans', 'views')
    return await sendRequestPage(deps, call, { shownPhoto, form: { state: 'sent', email, problem: null } })
  } catch (error) {
    if (isNotFound(error)) return sendNotFoundPage(deps, call)
    const fault = faultOf(error)
    if (isDatabaseDown(error)) shownPhoto ??= unreadPhotoOf(id)
    if (!fault || !shownPhoto) throw error
    if (fault.retryAfter !== undefined) call.reply.header('retry-after', fault.retryAfter)
    const state = fault.code === 'invalid' ? 'bad' : 'failed'
    const form: RequestFormState = { state, email, problem: refusalMessageOf(fault) }
    return sendRequestPage(deps, call, { shownPhoto, form, status: fault.status })
  }
}

async function sendRequestPage(
  { config, guestRenderer, isMailOff }: GuestRequestDependencies,
  { req, reply }: GuestPageCall,
  { shownPhoto, form, status = 200 }: { shownPhoto: ShownPhoto; form: RequestFormState; status?: number },
): Promise<void> {
  const page: GuestPage = { page: 'request', ...form, state: isMailOff ? 'off' : form.state, ...shownPhoto }
  const frame = guestFrame(config.publicUrl, req.url.split('?', 1)[0] ?? '/', shownPhoto.photo)
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

/** The public details of a photo, as the API returns them. */
function publicPhotoView(photo: SharedPhoto, urls: Urls): PublicPhoto {
  const isReady = photo.state === 'ready'
  const { id, filename, thumbnailUrl, width, height, thumbhash } = guestPhoto(photo, urls)
  return {
    id,
    filename,
    thumbnail_url: isReady ? thumbnailUrl : null,
    width,
    height,
    thumbhash,
    ask_email_to_receive_photo: photo.emailRequired,
    processing: !isReady,
    processing_complete: isReady,
    processing_failed: false,
    created_at: photo.createdAt.toISOString(),
  }
}
