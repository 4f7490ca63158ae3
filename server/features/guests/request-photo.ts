import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { emailLimits, retention } from '@keepsnap/contract/limits.ts'
import { emailProblem, emailProblemMessages } from '@keepsnap/contract/form-rules.ts'
import { isLanguage, type Language } from '@keepsnap/contract/languages.ts'
import {
  countVisit,
  publicPhoto,
  type PublicPhoto,
  requestAccepted,
  requestConsent,
  requestPage,
  requestPageForm,
  requestPhoto,
} from '@keepsnap/contract/guests.ts'
import type { Input } from '@keepsnap/contract/endpoint.ts'
import type { GuestPage, GuestPhoto } from '@keepsnap/contract/rendering.ts'
import { type Db, isDatabaseDown, isViolation } from '../../platform/db/connect.ts'
import type { ApiDependencies, Dependencies } from '../../dependencies.ts'
import { decideAccess, type SharedPhoto } from '../photos/photo-access.ts'
import { addRequestCreatedEvent } from '../integrations/webhook-deliveries.ts'
import { findDueTime, queueEmail } from '../emails/queue-email.ts'
import { Fault, invalidField } from '../../faults.ts'
import { mailboxKey, mailboxKeys, parseEmailAddress } from '../../lib/email-address.ts'
import { isId, newId } from '../../lib/ids.ts'
import { publish } from '../../platform/live/bus.ts'
import { isMailOff } from '../../ports/mail/mail-settings.ts'
import type { Urls } from '../photos/urls.ts'
import { addGalleryNotices } from '../events/notices.ts'
import { faultOf } from '../../platform/http/error-responses.ts'
import { sendGuestPage } from '../../platform/http/pages.ts'
import { languageOf } from '../../platform/http/request-headers.ts'
import { countRateHit } from '../../platform/http/rate-limits.ts'
import type { Call, Serve } from '../../platform/http/serve.ts'
import { isPreviewProgram } from '../../lib/headers.ts'
import { isMailboxBlocked } from './unsubscribe.ts'
import {
  galleryPathOf,
  guestFrame,
  guestLogo,
  guestPhoto,
  guestReport,
  keptPhoto,
  openingOf,
  photoPaths,
} from './page-props.ts'

type GuestPageCall = Pick<Call, 'req' | 'reply' | 'client'>

type RequestPage = Extract<GuestPage, { page: 'request' }>

export type RequestFormState = Pick<RequestPage, 'state' | 'email' | 'problem'>

/** What the page shows of a photo. */
export type ShownPhoto = Pick<
  RequestPage,
  'photo' | 'processing' | 'report' | 'logo' | 'galleryPath' | 'opensAt' | 'timeZone' | 'kept'
>

/** What guests call: a photo's public details, the page on which they request it by email, and requesting it. */
export function guestRequestRoutes(serve: Serve, deps: ApiDependencies): void {
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
    const { tell_me: tellMe = false, ...input } = body
    await requestPhotoByEmail(deps, params.id, { ...input, tellMe, client, language: body.language ?? languageOf(req) })
    return { detail: requestAccepted }
  })
  serve(requestPage, ({ params }, call) => showRequestPage(deps, params.id, call))
  serve(requestPageForm, ({ params: { id }, body }, call) => {
    const form: FormPhoto = {
      find: () => findPublicPhoto(deps, id, call.client),
      shown: (photo) => shownPhotoOf(photo, deps),
      unread: unreadPhotoOf(id),
      onStored: (photo) => deps.guestActivity.add(photo, 'scans', 'views'),
      sendNotFound: () => sendNotFoundPage(deps, call),
    }
    return submitRequestForm(deps, { form, ...formInputOf(body, call.req) }, call)
  })
}

const photoDetailsUnavailable = (): Fault =>
  new Fault('not_found', 'Unable to load photo details. The photo may not exist or may be private.')

/** The photo, if guests may see its page. Clients that try many ids are slowed down. */
async function findPublicPhoto({ db, mediaCache }: Dependencies, id: string, client: string): Promise<SharedPhoto> {
  const photo = isId(id) ? await mediaCache.find('id', id) : undefined
  if (!photo) await countRateHit(db, 'unknownCodes', client)
  if (!photo || decideAccess(photo, { via: 'guest page' }) === 'not found') throw photoDetailsUnavailable()
  return photo
}

/** The public details of a photo, as the API returns them. */
function publicPhotoView(photo: SharedPhoto, urls: Urls): PublicPhoto {
  const isReady = photo.state === 'ready'
  const { filename, thumbnailUrl, width, height, thumbhash } = guestPhoto(photo, urls)
  return {
    id: photo.photoId,
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

const isNotFound = (error: unknown): boolean => error instanceof Fault && error.code === 'not_found'

async function showRequestPage(deps: ApiDependencies, id: string, call: GuestPageCall): Promise<void> {
  const photo = await findPublicPhoto(deps, id, call.client).catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
  if (!photo) return sendNotFoundPage(deps, call)
  const form: RequestFormState = { state: 'form', email: '', problem: null }
  return sendRequestPage(deps, call, { shownPhoto: shownPhotoOf(photo, deps), form })
}

/** Of which photo a form is, and what its page shows. */
export interface FormPhoto {
  /** Throws `not_found` without it. */
  find(): Promise<SharedPhoto>
  shown(photo: SharedPhoto): ShownPhoto
  /** What the page shows while the database cannot be read; undefined for an error page. */
  unread: ShownPhoto | undefined
  /** Called when the request was stored. */
  onStored(photo: SharedPhoto): void
  sendNotFound(): Promise<void>
}

/** Requests a photo with the form that works without JavaScript. When that is refused, the page keeps the address. */
export async function submitRequestForm(
  deps: ApiDependencies,
  { form: of, ...input }: { form: FormPhoto } & Omit<PhotoRequestInput, 'client'>,
  call: GuestPageCall,
): Promise<void> {
  const { email } = input
  let shownPhoto: ShownPhoto | undefined
  try {
    const photo = await of.find()
    shownPhoto = of.shown(photo)
    const isStored = await requestPhotoByEmail(deps, photo.photoId, { ...input, client: call.client })
    // The script, which counts visits, sends requests in another way.
    if (isStored) of.onStored(photo)
    return await sendRequestPage(deps, call, { shownPhoto, form: { state: 'sent', email, problem: null } })
  } catch (error) {
    if (isNotFound(error)) return of.sendNotFound()
    const fault = faultOf(error)
    if (isDatabaseDown(error)) shownPhoto ??= of.unread
    if (!fault || !shownPhoto) throw error
    if (fault.retryAfter !== undefined) call.reply.header('retry-after', fault.retryAfter)
    const state = fault.code === 'invalid' ? 'bad' : 'failed'
    const form: RequestFormState = { state, email, problem: refusalMessageOf(fault) }
    return sendRequestPage(deps, call, { shownPhoto, form, status: fault.status })
  }
}

type FormBody = Omit<Input<typeof requestPageForm>['body'], 'tell_me'> & { tell_me?: boolean | string }

/** What was entered in the form; in the language of its page. */
export const formInputOf = (
  { email = '', website, language, tell_me }: FormBody,
  req: Call['req'],
): Omit<PhotoRequestInput, 'client'> => ({
  email: email.slice(0, 320),
  website,
  language: isLanguage(language) ? language : languageOf(req),
  tellMe: tell_me === true || tell_me === 'on',
})

/** The message of a refusal, for the page. */
export const refusalMessageOf = ({ detail }: Fault): string =>
  typeof detail === 'string' ? detail : (detail[0]?.msg ?? 'Failed to submit request. Please try again later.')

export async function sendRequestPage(
  { config, guestRenderer }: Dependencies,
  { req, reply }: GuestPageCall,
  { shownPhoto, form, status = 200 }: { shownPhoto: ShownPhoto; form: RequestFormState; status?: number },
): Promise<void> {
  const page: GuestPage = { page: 'request', ...form, state: isMailOff(config) ? 'off' : form.state, ...shownPhoto }
  const frame = guestFrame(config.publicUrl, req.url.split('?', 1)[0] ?? '/', shownPhoto.photo)
  await sendGuestPage(reply, guestRenderer, { page, frame, status })
}

const sendNotFoundPage = ({ config, guestRenderer }: Dependencies, { reply }: GuestPageCall): Promise<void> =>
  sendGuestPage(reply, guestRenderer, {
    page: { page: 'gone', why: 'photo' },
    frame: guestFrame(config.publicUrl, '/request-photo'),
    status: 404,
  })

const shownPhotoOf = (photo: SharedPhoto, { urls, tokens, config }: Dependencies): ShownPhoto => ({
  photo: guestPhoto(photo, urls),
  processing: photo.state !== 'ready',
  galleryPath: galleryPathOf(photo),
  opensAt: openingOf(photo),
  timeZone: photo.timeZone,
  kept: keptPhoto(photo, photo.photoId, { tokens, config }),
  report: guestReport(photo.photoId),
  logo: guestLogo(photo, urls),
})

/** While the database cannot be read. The page looks as for a photo that is being processed. */
function unreadPhotoOf(id: string): ShownPhoto {
  const size = { width: null, height: null, thumbhash: null }
  const photo: GuestPhoto = { ...photoPaths(id), filename: '', thumbnailUrl: null, ...size }
  return { photo, processing: true, report: guestReport(id), logo: null }
}

/** What a guest sent. */
export interface PhotoRequestInput {
  email: string
  /** The honeypot field, which only bots fill in. */
  website?: string | undefined
  client: string
  /** Of the page; the email is in this language. */
  language: Language
  /** Whether the guest wants to be told when the galleries of the events open. */
  tellMe?: boolean
}

/** What is requested together. */
export interface PhotoSet {
  /** Guests may see them. */
  photos: readonly SharedPhoto[]
  /** The code of an event: the email has a link to all of its photos, and the request is about the one photo. */
  archive?: string
  /** The events whose guests are told, without `tellMe`; otherwise those of the photos. */
  events?: readonly string[]
}

interface ValidRequest {
  /** All of one owner. */
  photos: [SharedPhoto, ...SharedPhoto[]]
  archive: string | undefined
  email: string
  /** Of the mailbox, for limits. */
  recipientKey: string
  language: Language
}

/**
 * Requests a photo by email: request and email are stored together, or not at all. The answer and its time say nothing
 * about other requests for an address: a repeated request, an address that has reached its limit, a blocked address and a
 * bot get the same answer, after the same least time. Returns whether the request was stored, which the answer must not say.
 * Throws `not_found` without such a photo, `invalid` for an invalid address, `unavailable` when emails cannot be sent.
 */
export async function requestPhotoByEmail(
  deps: Dependencies & { minAnswerMs: number },
  photoId: string,
  input: PhotoRequestInput,
  wait?: (ms: number) => Promise<void>,
): Promise<boolean> {
  const photo = await deps.mediaCache.find('id', photoId)
  if (!photo || decideAccess(photo, { via: 'guest page' }) === 'not found') throw photoDetailsUnavailable()
  return (await requestPhotosByEmail(deps, { photos: [photo] }, input, wait)).length === 1
}

/** The same for several photos: those of one owner are in one email. Returns those whose requests were stored. */
export async function requestPhotosByEmail(
  deps: Dependencies & { minAnswerMs: number },
  { photos, archive, events }: PhotoSet,
  { email: enteredEmail, website, client, language, tellMe }: PhotoRequestInput,
  wait: (ms: number) => Promise<void> = setTimeout,
): Promise<SharedPhoto[]> {
  const { guestActivity, minAnswerMs } = deps
  const email = parseEmailAddress(enteredEmail)
  if (email === undefined) throw invalidField('email', emailProblemMessages[emailProblem(enteredEmail) ?? 'form'])
  if (isMailOff(deps.config))
    throw new Fault('unavailable', "Email isn't set up here. Please ask the person who took the photo.")
  const request = { archive, email, recipientKey: mailboxKey(email), language }
  const toldOf = events ?? (tellMe ? photos.flatMap(({ eventId }) => eventId ?? []) : [])
  const process = async (): Promise<SharedPhoto[]> => {
    const stored: SharedPhoto[] = []
    // An email is its owner's: it has their name and logo, and counts for their limits.
    for (const [first, ...others] of Map.groupBy(photos, ({ userId }) => userId).values())
      if (first) stored.push(...(await processRequest(deps, { ...request, photos: [first, ...others] }, client)))
    if (toldOf.length > 0)
      await addGalleryNotices(deps, { events: toldOf, email, language, client, isAlone: photos.length === 0 })
    return stored
  }
  const requestProcessed = website ? Promise.resolve([]) : process()
  // Holds no database connection meanwhile.
  await Promise.allSettled([requestProcessed, wait(minAnswerMs)])
  const stored = await requestProcessed
  if (archive === undefined) for (const photo of stored) guestActivity.add(photo, 'requests')
  return stored
}

/**
 * Counts the request, and stores it unless the address has reached its limit, has asked for the photo a moment ago, or is
 * blocked. The photos whose requests were stored.
 */
async function processRequest(
  { db, tokens }: Dependencies,
  request: ValidRequest,
  client: string,
): Promise<SharedPhoto[]> {
  const ownerId = request.photos[0].userId
  const ids = request.photos.map(({ photoId }) => photoId)
  const photoId = request.archive === undefined && ids.length === 1 ? ids[0]! : null
  const requestStored = db.transaction().execute(async (tx) => {
    const emailDueTime = await findDueTime(tx, { photoId, ownerId, email: request.email })
    if (emailDueTime === 'photo' || emailDueTime === 'owner')
      throw new Fault('unavailable', 'Too many people are requesting photos right now. Please try again later.', 3600)
    if (!(await countRequestAttempts(tx, { ownerId, photoIds: ids, client: tokens.clientPseudonym(client) })))
      throw new Fault('rate_limited', 'Too many requests from your network today. Please try again later.', 3600)
    if (emailDueTime === 'address') return []
    const requesterKeys = mailboxKeys(request.email)
    if (
      await isMailboxBlocked(
        tx,
        requesterKeys.flatMap((key) => tokens.mailboxHashes(key)),
      )
    )
      return []
    const repeated = await repeatedPhotos(tx, { photoIds: ids, requesterKeys, archive: request.archive })
    const [first, ...others] = request.photos.filter((one) => !repeated.has(one.photoId))
    if (!first) return []
    await storeRequest(tx, { ...request, photos: [first, ...others] }, emailDueTime)
    return [first, ...others]
  })
  return requestStored.catch((error: unknown) => {
    // The photo or its owner's account has just been deleted.
    throw isViolation(error, 'foreign key') ? photoDetailsUnavailable() : error
  })
}

/**
 * Counts a request of a client, a pseudonym; false when the client has reached the daily limit for a photo or its owner. Every request
 * counts, also one that sends no email: what is left of the limit says nothing about an address. Each photo is an attempt, since its
 * owner gets a request and a webhook of each; but a request for one photo is refused only after so many requests, so that a few ones for
 * many photos take it from nobody who shares the network. Concurrent requests can exceed the limit, and the last one of several photos.
 */
async function countRequestAttempts(
  tx: Db,
  { client, photoIds, ownerId }: { client: string; photoIds: string[]; ownerId: string },
): Promise<boolean> {
  const { perClientPhotoDay, perClientOwnerDay } = emailLimits
  // The attempts of one request have the time of its transaction.
  const counted = photoIds.length === 1 ? sql`distinct attempted_at` : sql`*`
  const { numAffectedRows } = await sql`
    with earlier as materialized (
      select photo_id, attempted_at from photo_request_attempts
      where user_id = ${ownerId} and client = ${client} and attempted_at > now() - make_interval(days => ${retention.requestAttemptDays}))
    insert into photo_request_attempts (user_id, photo_id, client)
    select ${ownerId}, id, ${client} from unnest(${photoIds}::text[]) as id
    where (select count(${counted}) from earlier) < ${perClientOwnerDay} and not exists (
      select from earlier where photo_id = any(${photoIds}) group by photo_id having count(*) >= ${perClientPhotoDay})`.execute(
    tx,
  )
  return numAffectedRows === BigInt(photoIds.length)
}

/** Deletes attempts that no longer count. */
export async function deleteOldRequestAttempts(db: Db): Promise<void> {
  await db
    .deleteFrom('photo_request_attempts')
    .where('attempted_at', '<', sql<Date>`now() - make_interval(days => ${retention.requestAttemptDays})`)
    .execute()
}

/**
 * The photos that the same mailbox requested a moment ago, or with `archive`, in the same way. A request whose email has failed does
 * not count: its guest asks again.
 */
async function repeatedPhotos(
  db: Db,
  {
    photoIds,
    requesterKeys,
    archive = null,
  }: { photoIds: string[]; requesterKeys: string[]; archive?: string | undefined | null },
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select photo_requests.photo_id as id from photo_requests join emails on emails.id = photo_requests.email_id
    where photo_requests.photo_id = any(${photoIds}) and requester_key = any(${requesterKeys}) and emails.state <> 'failed'
      and requested_at > now() - make_interval(mins => ${emailLimits.repeatMinutes})
      and payload->>'archive' is not distinct from ${archive}::text`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Stores the requests, their email, the job that sends it, and the events for the owner. */
async function storeRequest(
  tx: Db,
  { photos, archive, email, recipientKey, language }: ValidRequest,
  dueAt: Date,
): Promise<void> {
  const emailId = newId()
  const { userId, photoId } = photos[0]
  const requests = photos.map((photo) => ({
    id: newId(),
    photo_id: photo.photoId,
    user_id: userId,
    email_id: emailId,
    requester_email: email,
    requester_key: recipientKey,
    consent_version: requestConsent.version,
    language,
  }))
  const isOne = archive === undefined && requests.length === 1
  const payload = isOne ? { requestId: requests[0]!.id } : archive === undefined ? {} : { archive }
  await queueEmail(tx, {
    userId,
    ...(isOne && { photoId }),
    id: emailId,
    kind: 'photo',
    recipient: email,
    recipientKey,
    payload,
    dueAt,
  })
  await tx.insertInto('photo_requests').values(requests).execute()
  for (const { id } of requests) {
    await addRequestCreatedEvent(tx, userId, id)
    await publish(tx, { kind: 'request', user: userId, request: id })
  }
}
