import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import {
  countEventPhotoVisit,
  countEventVisit,
  eventPage,
  eventPath,
  eventPhotoDownload,
  eventPhotoPage,
  eventPhotos,
  eventPhotoScreen,
  eventPhotoThumbnail,
  type GalleryPhoto,
  reportEventPhoto,
  requestEventPhoto,
} from '@keepsnap/contract/event-guests.ts'
import { requestFromEvent } from '@keepsnap/contract/event-requests.ts'
import { reportReasons, requestAccepted } from '@keepsnap/contract/guests.ts'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import type { Input } from '@keepsnap/contract/endpoint.ts'
import type { EventOrder, PhotoHour } from '@keepsnap/contract/photos.ts'
import type { EventEmails, GuestFile, GuestPhoto } from '@keepsnap/contract/rendering.ts'
import type { ApiDependencies, Dependencies } from '../../dependencies.ts'
import { Fault, invalidField } from '../../faults.ts'
import { faultOf } from '../../platform/http/error-responses.ts'
import { isMailOff } from '../../ports/mail/mail-settings.ts'
import { isAppleDevice, isMobileDevice, isNavigation, isPreviewProgram } from '../../lib/headers.ts'
import { isId } from '../../lib/ids.ts'
import type { HttpRequest } from '../../platform/http/http-types.ts'
import { sendGuestPage, sendKeptGuestPage } from '../../platform/http/pages.ts'
import { countRateHit } from '../../platform/http/rate-limits.ts'
import { matchesTag } from '../../platform/http/request-headers.ts'
import { createResponseCache, sendObject } from '../../platform/http/send-object.ts'
import type { Call, Serve } from '../../platform/http/serve.ts'
import type { BusEvent } from '../../platform/live/bus.ts'
import { createRowCache } from '../../platform/live/row-cache.ts'
import { guestFrame, guestLogo, guestPhoto } from '../guests/page-props.ts'
import { isReason, storeReport } from '../guests/reports.ts'
import {
  type FormPhoto,
  formInputOf,
  type RequestFormState,
  refusalMessageOf,
  requestPhotoByEmail,
  sendRequestPage,
  type ShownPhoto,
  submitRequestForm,
} from '../guests/request-photo.ts'
import { type ImageAccess, sendFullImage, sendScreenImage, startsDownload } from '../guests/sharing.ts'
import { decideAccess, type SharedPhoto, sharedPhotoNotFound } from '../photos/photo-access.ts'
import { hoursOfPhotos, parseUntil, timeInOrder } from '../photos/event-order.ts'
import { timeZoneOf } from '../photos/gallery.ts'
import { shownAt, takenAt } from '../photos/photo-view.ts'
import { guestArchiveOffer, isArchiveGrant } from './archives.ts'
import { requestFromGallery } from './event-requests.ts'
import { galleryClosed, type GuestGallery, galleryStateOf, imageTag } from './guest-gallery.ts'

/** A code and the token of a photo in its gallery. */
interface PhotoParams {
  code: string
  token: string
}

/** What a photo's calls need: it is in the gallery, which is open. */
interface FoundPhoto {
  gallery: GuestGallery
  photo: SharedPhoto
  path: string
}

type PageCall = Pick<Call, 'req' | 'reply' | 'client'>

const revalidate = 'private, no-cache'
/** Scrolling back and forth asks for few again; what a phone has shown, it may show for so long. */
const thumbnailMaxAgeSeconds = 600

/** The guest gallery of an event. Nothing here hands out what opens a photo elsewhere, and each read decides anew. */
export function eventGuestRoutes(serve: Serve, deps: ApiDependencies): void {
  const { guestActivity } = deps
  const responseCache = createResponseCache(deps.storage)
  const galleries = createGalleryPages(deps)
  const find = (params: PhotoParams, client: string) => findPhoto(deps, params, client)

  serve(eventPage, ({ params, query }, call) => showEventPage(deps, galleries, { ...params, ...query }, call))
  serve(eventPhotos, async ({ params, query }, { req, reply, client }) => {
    const gallery = await galleryOfCode(deps, params.code, client)
    if (galleryStateOf(gallery) !== 'open') throw galleryClosed()
    const { photos, next, entityTag } = await galleries.findPage(gallery, placeOf(query))
    reply.headers({ 'cache-control': revalidate, etag: `W/${entityTag}` })
    if (matchesTag(req.headers['if-none-match'], entityTag)) await reply.status(304).send()
    else await reply.send({ photos, next })
    return { photos: [], next: null }
  })
  serve(countEventVisit, async ({ params }, { req, client }) => {
    const gallery = await galleryOfCode(deps, params.code, client)
    if (!isPreviewProgram(req.headers)) guestActivity.addToEvent(gallery, 'scans')
    return null
  })

  serve(eventPhotoPage, async ({ params }, call) => {
    const found = await find(params, call.client).catch((error: unknown) => sendNotFound(deps, call, error))
    if (found) await sendPhotoPage(deps, call, found)
  })
  serve(countEventPhotoVisit, async ({ params }, { req, client }) => {
    const { gallery, photo } = await find(params, client)
    if (!isPreviewProgram(req.headers)) countActivity(deps, { gallery, photo }, 'views')
    return null
  })
  serve(eventPhotoThumbnail, async ({ params }, { req, reply, client }) => {
    const { photo, gallery } = await find(params, client)
    const { thumbKey: key, thumbBytes: bytes } = photo
    if (key === null || bytes === null) throw sharedPhotoNotFound()
    const cacheControl = `private, max-age=${thumbnailMaxAgeSeconds}`
    const object = { key, bytes, type: 'image/webp', cacheControl, entityTag: imageTag(gallery.code, key) }
    await sendObject(req, reply, { storage: deps.storage, responseCache, object })
  })
  serve(eventPhotoScreen, async ({ params }, call) => {
    const file = await findFile(deps, call, await find(params, call.client))
    if (file) await sendScreenImage(deps, call, { ...file, reader: 'guest' })
  })
  serve(eventPhotoDownload, async ({ params, query: { inline, visit } }, call) => {
    const found = await find(params, call.client).catch((error: unknown) => sendNotFound(deps, call, error))
    const file = found && (await findFile(deps, call, found))
    if (!found || !file) return
    const isInline = inline !== undefined
    if (startsDownload(call.req) && !isInline)
      countActivity(deps, found, 'saves', ...(visit === undefined ? [] : (['views'] as const)))
    await sendFullImage(deps, call, { ...file, purpose: { for: 'guest', isAttachment: true, isInline } })
  })

  serve(requestFromEvent, async ({ params: { code }, body }, call) => {
    const { req, reply, client } = call
    const gallery = await galleryOfCode(deps, code, client).catch((error: unknown) => sendNotFound(deps, call, error))
    if (!gallery) return { detail: '' }
    if (isJson(req)) return { detail: await requestFromGallery(deps, gallery, body, call) }
    let fault: Fault | undefined
    try {
      await requestFromGallery(deps, gallery, body, call)
    } catch (error) {
      fault = faultOf(error)
      if (!fault) throw error
    }
    if (fault?.retryAfter !== undefined) reply.header('retry-after', fault.retryAfter)
    const answer: EventEmails['answer'] = {
      to: body.archive ? 'archive' : 'tell_me',
      email: body.email ?? '',
      state: fault ? (fault.code === 'invalid' ? 'bad' : 'failed') : 'sent',
      problem: fault ? refusalMessageOf(fault) : null,
    }
    await showEventPage(deps, galleries, { code, answer, status: fault?.status }, call)
    return { detail: '' }
  })
  serve(requestEventPhoto, async ({ params, body }, call) => {
    const { req, client } = call
    const countRequest = ({ gallery }: FoundPhoto): void => guestActivity.addToEvent(gallery, 'requests')
    if (isJson(req)) {
      const found = await find(params, client)
      const input = { ...formInputOf(body, req), client }
      if (await requestPhotoByEmail(deps, found.photo.photoId, input)) countRequest(found)
      return { detail: requestAccepted }
    }
    let found: FoundPhoto | undefined
    const form: FormPhoto = {
      find: async () => (found = await find(params, client)).photo,
      shown: (photo) => shownPhotoOf(deps, { ...found!, photo }), // found before
      unread: undefined,
      onStored(photo) {
        countRequest(found!)
        countActivity(deps, { ...found!, photo }, 'views')
      },
      sendNotFound: async () => void (await sendNotFound(deps, call, sharedPhotoNotFound())),
    }
    await submitRequestForm(deps, { form, ...formInputOf(body, req) }, call)
    return { detail: '' }
  })
  serve(reportEventPhoto, async ({ params, body: { reason, note } }, call) => {
    const found = await find(params, call.client).catch((error: unknown) => sendNotFound(deps, call, error))
    const detail = 'Thank you. The person who shared this photo has been notified.'
    if (!found) return { detail: '' }
    if (isReason(reason)) await storeReport(deps, found.photo, { reason, note })
    else if (isJson(call.req)) throw invalidField('reason', `Please choose one of: ${reportReasons.join(', ')}`)
    if (isJson(call.req)) return { detail }
    const { photo, report, logo } = shownPhotoOf(deps, found)
    await sendGuestPage(call.reply, deps.guestRenderer, {
      page: { page: 'reported', ok: isReason(reason), note: note ?? '', photo, report, logo: logo ?? null },
      frame: guestFrame(deps.config.publicUrl, found.path),
      status: isReason(reason) ? 200 : 422,
    })
    return { detail }
  })
}

const isJson = ({ headers }: HttpRequest): boolean =>
  (headers['content-type'] ?? '').toLowerCase().startsWith('application/json')

const codeUnknown = (): Fault => new Fault('not_found', 'This code does not work, or no longer.')

/** What a code leads to. Clients that try many unknown codes are slowed down. */
export async function galleryOfCode(
  { db, mediaCache }: Dependencies,
  code: string,
  client: string,
): Promise<GuestGallery> {
  const gallery = isId(code) ? await mediaCache.findGallery(code) : undefined
  if (gallery) return gallery
  await countRateHit(db, 'unknownCodes', client)
  throw codeUnknown()
}

/** The photo of a token, if guests may see it in this gallery now. Clients that try many tokens are slowed down. */
async function findPhoto(deps: Dependencies, { code, token }: PhotoParams, client: string): Promise<FoundPhoto> {
  const gallery = await galleryOfCode(deps, code, client)
  const id = deps.tokens.galleryPhotos(code).decrypt(token)
  if (id === undefined) await countRateHit(deps.db, 'unknownCodes', client)
  const photo = id === undefined ? undefined : await deps.mediaCache.find('id', id)
  if (!photo || decideAccess(photo, { via: 'event gallery', gallery, wants: 'preview' }) === 'not found')
    throw sharedPhotoNotFound()
  return { gallery, photo, path: eventPath(code, token) }
}

/** How the file of a photo may be sent; undefined after an answer that leads to its page, because of the gate or for a preview. */
async function findFile(
  { mediaCache, config }: Dependencies,
  { req, reply }: PageCall,
  { gallery, photo, path }: FoundPhoto,
): Promise<{ photo: SharedPhoto; through: ImageAccess } | undefined> {
  if (
    decideAccess(photo, { via: 'event gallery', gallery, wants: 'file' }) !== 'allow' ||
    isPreviewProgram(req.headers)
  ) {
    await reply.header('cache-control', 'no-store').redirect(config.publicUrl + path, 302)
    return undefined
  }
  let notify: (() => void) | undefined
  let timer: NodeJS.Timeout | undefined
  const awaitClosing = ({ galleryClosesAt }: GuestGallery): void => {
    clearTimeout(timer)
    const msLeft = (galleryClosesAt?.getTime() ?? Infinity) - Date.now()
    // No answer takes as long as the longest timer.
    if (notify && msLeft >= 0 && msLeft < maxTimerMs) timer = setTimeout(notify, msLeft + 1)
  }
  const through: ImageAccess = {
    watch(listener) {
      notify = listener
      const stop = mediaCache.watch(`user ${gallery.userId}`, listener)
      awaitClosing(gallery)
      return () => {
        stop()
        notify = undefined
        clearTimeout(timer)
      }
    },
    async isOpen() {
      const [now, photoNow] = [await mediaCache.findGallery(gallery.code), await mediaCache.find('id', photo.photoId)]
      // It may be another time by now.
      if (now) awaitClosing(now)
      // As with other answers under way, the gate of before counts.
      return (
        now !== undefined &&
        decideAccess(photoNow, { via: 'event gallery', gallery: now, wants: 'preview' }) === 'allow'
      )
    },
    tagOf: (key) => imageTag(gallery.code, key),
  }
  return { photo, through }
}

const maxTimerMs = 2 ** 31 - 1

/** Counts for the event and for the photo. */
function countActivity(
  { guestActivity }: Dependencies,
  { gallery, photo }: Pick<FoundPhoto, 'gallery' | 'photo'>,
  ...activities: ('views' | 'saves')[]
): void {
  guestActivity.addToEvent(gallery, ...activities)
  guestActivity.add(photo, ...activities.map((activity) => (activity === 'saves' ? 'downloads' : activity)))
}

// Pages

/** A page of a gallery, as it was read. */
interface GalleryPage {
  photos: GalleryPhoto[]
  next: string | null
  /** Of the list as JSON, in quotation marks. */
  entityTag: string
  /** All photos as one file; null where that is not offered. */
  archive: Awaited<ReturnType<typeof guestArchiveOffer>>
}

interface CachedPage extends GalleryPage {
  userId: string
  photoIds: string[]
}

/** Which page of a gallery is read: that before a photo, or before a moment, or the first. */
interface Place {
  order: EventOrder
  before?: string | undefined
  until?: Date | undefined
}

const minuteMs = 60_000

/** To the minute, as guests see when a photo was taken. */
function placeOf({ before, until, order = 'added' }: Input<typeof eventPhotos>['query']): Place {
  const moment = parseUntil(until)?.getTime()
  return { order, before, until: moment === undefined ? undefined : new Date(moment - (moment % minuteMs)) }
}

const changesPages = (event: BusEvent) =>
  event.kind === 'photo' || event.kind === 'user' || event.kind === 'plan' || event.kind === 'events'

const galleryCache = { maxRows: 500, ttlMs: 1_000 }

/** The photos of an event that guests see in its gallery. */
const inGallery = (
  eventId: string,
) => sql`photos.event_id = ${eventId} and deleted_at is null and is_listed and state = 'ready'
  and hidden_at is null and thumb_key is not null and operator_decision is distinct from 'hide'`

const nameOf = ({ order, before, until }: Place): string => `${order} ${before ?? ''} ${until?.toISOString() ?? ''}`

/** Reads pages of galleries, and the hours that have photos. Each is at most a second old, and never older than an event about a photo of the account. */
function createGalleryPages({ db, bus, tokens, pool, mediaCache }: Dependencies) {
  const options = {
    bus,
    ...galleryCache,
    maxWaitMs: pool.options.connectionTimeoutMillis,
    tagsOf: ({ userId }: { userId: string }) => [`user ${userId}` as const],
    // Photos too are looked for by their account.
    tagOf: (event: BusEvent) => (changesPages(event) ? (`user ${event.user}` as const) : undefined),
  }
  const pages = createRowCache<CachedPage>({
    ...options,
    tagsOf: ({ userId, photoIds }) => [`user ${userId}`, ...photoIds.map((id) => `photo ${id}` as const)],
  })
  const hours = createRowCache<{ userId: string; hours: PhotoHour[] }>(options)
  // A photo that was deleted or hidden is in no list once that has been answered.
  mediaCache.join(pages)
  mediaCache.join(hours)
  const read = async (gallery: GuestGallery, { order, before, until }: Place): Promise<CachedPage> => {
    const { eventId, userId, code } = gallery
    const encryption = tokens.galleryPhotos(code)
    const time = timeInOrder(order)
    const anchor = before === undefined ? undefined : (encryption.decrypt(before) ?? '')
    const { rows } = await sql<{
      id: string
      width: number | null
      height: number | null
      shown: Date
      taken: Date | null
    }>`
      select id, width, height, ${shownAt} as shown, ${order === 'taken' ? sql`date_trunc('minute', ${takenAt})` : sql`null`} as taken from photos
      where ${inGallery(eventId)} and ${
        anchor === undefined
          ? until
            ? sql`${time} < ${until}`
            : sql`true`
          : sql`(${time}, id) < (select ${time}, id from photos where id = ${anchor} and user_id = ${userId})`
      }
      order by ${time} desc, id desc limit ${eventLimits.galleryPage + 1}`.execute(db)
    const photos = rows.slice(0, eventLimits.galleryPage).map(({ id, width, height, shown, taken }) => ({
      token: encryption.encrypt(id),
      width,
      height,
      shown_at: shown.toISOString(),
      ...(taken && { taken_at: taken.toISOString() }),
    }))
    const next = rows.length > photos.length ? (photos.at(-1)?.token ?? null) : null
    const hash = createHash('sha256')
      .update(JSON.stringify([photos, next]))
      .digest('base64url')
      .slice(0, 22)
    const archive = before === undefined && !until ? await guestArchiveOffer(db, gallery) : null
    const photoIds = rows.slice(0, photos.length).map(({ id }) => id)
    return { photos, next, entityTag: `"${hash}"`, archive, userId, photoIds }
  }
  return {
    async findPage(gallery: GuestGallery, place: Place): Promise<GalleryPage> {
      const page = await pages.find(`${gallery.code} ${nameOf(place)}`, () => read(gallery, place))
      return page ?? { photos: [], next: null, entityTag: '""', archive: null }
    },
    async findHours({ code, eventId, userId }: GuestGallery, order: EventOrder): Promise<PhotoHour[]> {
      const found = await hours.find(`${code} ${order}`, async () => ({
        userId,
        hours: await hoursOfPhotos(db, { order, timeZone: await timeZoneOf(db, userId), photos: inGallery(eventId) }),
      }))
      return found?.hours ?? []
    },
  }
}

/** `grant`: of the link of an email. */
type ShownGallery = Input<typeof eventPage>['query'] & {
  code: string
  answer?: EventEmails['answer']
  status?: number | undefined
}

async function showEventPage(
  deps: Dependencies,
  { findPage, findHours }: ReturnType<typeof createGalleryPages>,
  { code, grant, answer = null, status = 200, ...query }: ShownGallery,
  call: PageCall,
): Promise<void> {
  const { config, guestRenderer, urls } = deps
  const gallery = await galleryOfCode(deps, code, call.client).catch((error: unknown) =>
    sendNotFound(deps, call, error),
  )
  if (!gallery) return
  const state = galleryStateOf(gallery)
  const isOpen = state === 'open'
  const place = placeOf(query)
  const { order, before, until } = place
  const [list, hours] = isOpen
    ? await Promise.all([findPage(gallery, place), findHours(gallery, order)])
    : [undefined, []]
  const path = eventPath(code)
  const adding =
    state === 'ended' || gallery.guestPhotos === 'off' ? null : { reviewed: gallery.guestPhotos === 'review' }
  const isNamed = isOpen || state === 'coming' || adding !== null
  const emails = isMailOff(config) ? null : { required: gallery.emailRequired, answer }
  const isGranted = grant !== undefined && isArchiveGrant(deps.tokens, code, grant)
  // Phones cannot open it well. Who was sent a link has asked for it.
  const isOffered = isGranted || !isMobileDevice(call.req.headers)
  const grantUrl = isGranted ? `${path}/archive?grant=${encodeURIComponent(grant)}` : undefined
  const archive = list?.archive ? { ...list.archive, url: grantUrl ?? list.archive.url } : null
  call.reply.header('vary', 'origin, user-agent')
  await sendKeptGuestPage(call.reply, guestRenderer, {
    // A change of the event or its owner makes this another object, too.
    source: isGranted || answer ? undefined : list,
    name: `${path} ${nameOf(place)} ${isOffered}`,
    publicUrl: config.publicUrl,
    cacheControl: answer ? 'no-store' : revalidate,
    status,
    make: () => ({
      page: {
        page: 'event',
        state,
        path,
        name: isNamed ? gallery.name : null,
        owner: isNamed ? gallery.brandName : null,
        photos: list?.photos ?? [],
        next: list?.next ?? null,
        isNewest: before === undefined && !until,
        order,
        hours,
        until: before === undefined && until ? until.toISOString() : null,
        opensAt: state === 'coming' ? (gallery.galleryOpensAt?.toISOString() ?? null) : null,
        timeZone: gallery.timeZone,
        archive: isOffered && (archive?.url || emails) ? archive : null,
        emails,
        adding,
        mark: deps.tokens.eventMark(gallery.eventId),
        logo: isNamed ? guestLogo(gallery, urls) : null,
      },
      frame: {
        ...guestFrame(config.publicUrl, path),
        previewUrl: list?.photos[0] ? `${eventPath(code, list.photos[0].token)}/thumbnail` : null,
      },
    }),
  })
}

/** A photo of a gallery, with nothing that opens it elsewhere. */
const galleryPhoto = ({ photo, path }: FoundPhoto, { urls }: Dependencies): GuestPhoto => ({
  ...guestPhoto(photo, urls),
  callsPath: path,
  pagePath: path,
  formPath: `${path}/request-email`,
  thumbnailUrl: `${path}/thumbnail`,
})

const shownPhotoOf = (deps: Dependencies, found: FoundPhoto): ShownPhoto => ({
  photo: galleryPhoto(found, deps),
  processing: false,
  galleryPath: eventPath(found.gallery.code),
  report: { action: `${found.path}/report`, reasons: reportReasons },
  logo: guestLogo(found.photo, deps.urls),
})

/** The page of a photo: with Save, or the form where guests give an email address. */
async function sendPhotoPage(deps: ApiDependencies, call: PageCall, found: FoundPhoto): Promise<void> {
  const { config, guestRenderer } = deps
  const { gallery, photo, path } = found
  const shownPhoto = shownPhotoOf(deps, found)
  if (decideAccess(photo, { via: 'event gallery', gallery, wants: 'file' }) !== 'allow') {
    const form: RequestFormState = { state: 'form', email: '', problem: null }
    return sendRequestPage(deps, call, { shownPhoto, form })
  }
  const ios = isAppleDevice(call.req.headers)
  call.reply.header('vary', 'origin, user-agent')
  const file: GuestFile = {
    downloadUrl: `${path}/download?visit=1`,
    screenUrl: `${path}/screen`,
    inlineUrl: `${path}/download?inline=1`,
    bytes: photo.fullBytes ?? 0,
    type: photo.fullType ?? 'image/jpeg',
  }
  const { processing: _, ...shown } = shownPhoto
  await sendGuestPage(call.reply, guestRenderer, {
    page: { page: 'photo', by: 'gallery', ...shown, file, expiresAt: null, ios, timeZone: photo.timeZone },
    frame: guestFrame(config.publicUrl, path, shownPhoto.photo),
  })
}

/** Answers people with a page, and programs with the error: what does not exist, and what is closed, hidden or revoked, look the same. */
async function sendNotFound(
  { guestRenderer, config }: Dependencies,
  { req, reply }: PageCall,
  error: unknown,
): Promise<undefined> {
  const isPage = req.method === 'POST' ? !isJson(req) : isNavigation(req.headers)
  if (!(error instanceof Fault) || error.code !== 'not_found' || !isPage) throw error
  const why = error.detail === sharedPhotoNotFound().detail ? 'photo' : 'event'
  await sendGuestPage(reply, guestRenderer, {
    page: { page: 'gone', why },
    frame: guestFrame(config.publicUrl, '/e'),
    status: 404,
  })
  return undefined
}
