import { sql } from 'kysely'
import type { GuestFile } from '@keepsnap/contract/rendering.ts'
import {
  directCode,
  directDownload,
  fullImage,
  requestCode,
  screenImage,
  thumbnailImage,
  grantDownload,
  grantPage,
} from '@keepsnap/contract/guests.ts'
import type { Input } from '@keepsnap/contract/endpoint.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import type { Dependencies } from '../../dependencies.ts'
import { guestFilename, ownerFilename } from '../photos/filenames.ts'
import {
  decideAccess,
  mayGoOn,
  type PhotoColumn,
  type SharedPhoto,
  sharedPhotoNotFound,
} from '../photos/photo-access.ts'
import { Fault } from '../../faults.ts'
import {
  endWhenWithdrawn,
  redirectOrSendObject,
  sendObject,
  createResponseCache,
} from '../../platform/http/send-object.ts'
import type { HttpRequest } from '../../platform/http/http-types.ts'
import type { Call, Serve } from '../../platform/http/serve.ts'
import { contentDisposition, isAppleDevice, isMobileDevice, isNavigation, isPreviewProgram } from '../../lib/headers.ts'
import { sendGuestPage, sendKeptGuestPage } from '../../platform/http/pages.ts'
import { matchesTag } from '../../platform/http/request-headers.ts'
import { createQrCodeCache, type QrCodeFormat, type QrCodePicture } from '../../lib/qr-codes.ts'
import type { SignedImage } from '../photos/urls.ts'
import { countRateHit } from '../../platform/http/rate-limits.ts'
import { hashOf, isId, isSecret } from '../../lib/ids.ts'
import type { Db } from '../../platform/db/connect.ts'
import { galleryPathOf, guestFrame, guestLogo, guestPhoto, guestReport, keptPhoto } from './page-props.ts'

const imageMaxAgeSeconds = 24 * 60 * 60
/** Browsers ask again each time, so that the code of a photo that is no longer shared disappears; the tag saves the bytes. */
const qrCodeCacheControl = 'private, no-cache'

/** Every public path to the bytes of a photo and its QR codes, except grants. Each asks the access policy. */
export function sharingRoutes(serve: Serve, deps: Dependencies): void {
  const responseCache = createResponseCache(deps.storage)
  const drawQrCode = createQrCodeCache()

  serve(directDownload, ({ params, query }, call) =>
    openDirectCode(deps, { code: params.code, ...query }, call).catch((error: unknown) =>
      sendNotFound(deps, call, error),
    ),
  )
  serve(fullImage, async ({ params, query }, call) => {
    const { s: signature = '', download, inline } = query
    const photo = await findPhotoByUrlName(deps, { column: 'full_key', name: params.code }, call.client)
    requireSignedImage(photo, (image) => deps.urls.isFullImageSignature(image, signature))
    const purpose = { for: 'owner', isAttachment: download !== undefined, isInline: inline !== undefined } as const
    await sendFullImage(deps, call, { photo, purpose })
  })
  serve(screenImage, async ({ params, query: { s: signature = '' } }, call) => {
    const photo = await findPhotoByUrlName(deps, { column: 'full_key', name: params.code }, call.client)
    const { urls } = deps
    const { fullKey } = photo
    const isOwner = fullKey !== null && urls.isScreenImageSignature({ ...photo, fullKey }, signature)
    const isReview = !isOwner && urls.isReviewSignature('screen', photo, signature)
    if (isReview && decideAccess(photo, { via: 'review', isValid: true }) !== 'allow') throw sharedPhotoNotFound()
    if (!isReview) requireSignedImage(photo, () => isOwner || urls.isHelperSignature(photo, signature))
    await sendScreenImage(deps, call, { photo, reader: isOwner ? 'owner' : 'reviewer' })
  })
  serve(thumbnailImage, async ({ params, query }, call) => {
    const photo = await findPhotoByUrlName(deps, { column: 'thumb_key', name: params.code }, call.client)
    const { thumbKey: key, thumbBytes: bytes, hiddenAt } = photo
    const isSignedFor = (reader: 'owner' | 'operator'): boolean =>
      key !== null &&
      hiddenAt !== null &&
      deps.urls.isThumbnailSignature({ thumbKey: key, hiddenAt, reader }, query.s ?? '')
    const signedFor = (['owner', 'operator'] as const).find(isSignedFor) ?? null
    const isReview = deps.urls.isReviewSignature('thumb', photo, query.s ?? '')
    const path = isReview ? ({ via: 'review', isValid: true } as const) : ({ via: 'thumbnail', signedFor } as const)
    if (decideAccess(photo, path) !== 'allow' || key === null || bytes === null) throw sharedPhotoNotFound()
    const object = { key, bytes, type: 'image/webp', cacheControl: `private, max-age=${imageMaxAgeSeconds}` }
    await sendObject(call.req, call.reply, { storage: deps.storage, responseCache, object })
  })
  const sendCode = async (call: Pick<Call, 'req' | 'reply' | 'client'>, { column, name }: PhotoName): Promise<void> => {
    const [text, format] = splitQrCodeName(name)
    const photo = await findPhotoByUrlName(deps, { column, name: text }, call.client)
    if (decideAccess(photo, { via: 'QR code image' }) !== 'allow') throw sharedPhotoNotFound()
    const url = column === 'code' ? deps.urls.directDownload(photo.code) : deps.urls.requestPage(photo.photoId)
    await sendQrCode(call, { format, cacheControl: qrCodeCacheControl, ...drawQrCode(url, format) })
  }
  serve(directCode, ({ params }, call) => sendCode(call, { column: 'code', name: params.code }))
  serve(requestCode, ({ params }, call) => sendCode(call, { column: 'id', name: params.code }))
}

/**
 * What a scanned direct code leads to: the file, a page with the photo where the device saves photos from a page or the
 * photo is still being processed, or the page on which it is requested by email.
 */
async function openDirectCode(
  deps: Dependencies,
  { code, download, inline, screen, visit }: Input<typeof directDownload>['query'] & { code: string },
  { req, reply, client }: Pick<Call, 'req' | 'reply' | 'client'>,
): Promise<void> {
  const photo = await findPhotoByUrlName(deps, { column: 'code', name: code }, client)
  const accessDecision = decideAccess(photo, { via: 'direct code' })
  const isBrowserNavigation = isNavigation(req.headers)
  const wantsFile = [download, inline, screen].some((one) => one !== undefined)
  const sendScannedPhotoPage = (): Promise<void> =>
    sendPhotoPage(deps, { req, reply }, { photo, access: { by: 'code' } })
  reply.header('vary', 'origin, accept, user-agent, sec-fetch-dest')
  if (accessDecision === 'not found') throw sharedPhotoNotFound()
  if (accessDecision === 'email required')
    return void (await reply.header('cache-control', 'no-store').redirect(deps.urls.requestPage(photo.photoId), 302))
  if (isPreviewProgram(req.headers)) return sendScannedPhotoPage()
  if (accessDecision === 'processing') {
    if (!isBrowserNavigation) throw photoStillProcessing()
    return sendScannedPhotoPage()
  }
  if (isBrowserNavigation && !wantsFile && isMobileDevice(req.headers)) return sendScannedPhotoPage()
  if (screen !== undefined) return sendScreenImage(deps, { req, reply }, { photo, reader: 'guest' })
  if (startsDownload(req) && inline === undefined) {
    deps.guestActivity.add(photo, 'downloads')
    // With `download`, the guest comes from the page, whose script has counted the scan unless there is `visit`.
    if (download === undefined) deps.guestActivity.add(photo, 'scans')
    else if (visit !== undefined) deps.guestActivity.add(photo, 'scans', 'views')
  }
  const purpose = { for: 'guest', isAttachment: true, isInline: inline !== undefined } as const
  return sendFullImage(deps, { req, reply }, { photo, purpose })
}

/** Answers browsers with a page, and programs with the error. */
async function sendNotFound(
  { guestRenderer, config }: Dependencies,
  { req, reply }: Pick<Call, 'req' | 'reply'>,
  error: unknown,
): Promise<void> {
  if (!(error instanceof Fault) || error.code !== 'not_found' || !isNavigation(req.headers)) throw error
  const page = { page: 'gone', why: 'photo' } as const
  await sendGuestPage(reply, guestRenderer, { page, frame: guestFrame(config.publicUrl, '/d'), status: 404 })
}

/** Throws 404 unless the policy allows a URL of a photo whose signature is checked by `isSignature`. */
function requireSignedImage(photo: SharedPhoto, isSignature: (image: SignedImage) => boolean): void {
  const { photoId, fullKey, mediaEpoch, hiddenAt } = photo
  const isValid = fullKey !== null && isSignature({ photoId, fullKey, mediaEpoch, hiddenAt })
  if (decideAccess(photo, { via: 'signed URL', isValid }) !== 'allow') throw sharedPhotoNotFound()
}

interface PhotoName {
  column: PhotoColumn
  name: string
}

const keyPrefix: Record<PhotoColumn, string> = { id: '', code: '', full_key: 'full/', thumb_key: 'thumb/' }

/** The photo behind a name in a URL. Clients that try many unknown names are slowed down. */
async function findPhotoByUrlName(
  { db, mediaCache }: Dependencies,
  { column, name }: PhotoName,
  client: string,
): Promise<SharedPhoto> {
  const photo = isId(name) ? await mediaCache.find(column, keyPrefix[column] + name) : undefined
  if (photo) return photo
  await countRateHit(db, 'unknownCodes', client)
  throw sharedPhotoNotFound()
}

/** The link in a photo email: a page with the photo, and its download. Any number of times; opening it changes nothing. */
export function grantRoutes(serve: Serve, deps: Dependencies): void {
  serve(grantPage, ({ params }, call) => showGrantPage(deps, params.grant, call))
  serve(grantDownload, ({ params, query }, call) => {
    const purpose = query.screen !== undefined ? 'screen' : query.inline !== undefined ? 'inline' : 'file'
    return sendGrantDownload(deps, { token: params.grant, purpose, isVisit: query.visit !== undefined }, call)
  })
}

async function showGrantPage(deps: Dependencies, token: string, { req, reply, client }: Call): Promise<void> {
  const grantedPhoto = await findGrantedPhoto(deps, token, client)
  if (typeof grantedPhoto === 'string') return sendGonePage(deps, reply, grantedPhoto)
  const { photo, expiresAt, language } = grantedPhoto
  return sendPhotoPage(deps, { req, reply }, { photo, access: { by: 'grant', token, expiresAt, language } })
}

/** Sends the file. Where there is none, browsers get a page, and programs the error. */
async function sendGrantDownload(
  deps: Dependencies,
  { token, purpose, isVisit }: { token: string; purpose: 'file' | 'inline' | 'screen'; isVisit: boolean },
  { req, reply, client }: Call,
): Promise<void> {
  const grantedPhoto = await findGrantedPhoto(deps, token, client)
  const isBrowserNavigation = isNavigation(req.headers)
  if (typeof grantedPhoto === 'string') {
    if (isBrowserNavigation) return sendGonePage(deps, reply, grantedPhoto)
    throw new Fault(
      'not_found',
      'This link has expired or the photo is no longer shared. Scan the code again for a new one.',
    )
  }
  const { photo } = grantedPhoto
  const isPreview = isPreviewProgram(req.headers)
  const isWaiting = decideAccess(photo, { via: 'grant', isValid: true }) !== 'allow'
  if (isWaiting || isPreview) {
    if (!isBrowserNavigation && !isPreview) throw photoStillProcessing()
    // That page waits for the photo, and has what a preview shows.
    return void (await reply.header('cache-control', 'no-store').redirect(deps.urls.grantPage(token), 302))
  }
  if (purpose === 'screen') return sendScreenImage(deps, { req, reply }, { photo, reader: 'guest' })
  const isInline = purpose === 'inline'
  const guestActivities = isVisit ? (['views', 'downloads'] as const) : (['downloads'] as const)
  if (startsDownload(req) && !isInline) deps.guestActivity.add(photo, ...guestActivities)
  await sendFullImage(deps, { req, reply }, { photo, purpose: { for: 'guest', isAttachment: true, isInline } })
}

/** `language`: of the email with the link. */
const grantByToken = (db: Db, token: string) =>
  db
    .selectFrom('grants')
    .innerJoin('photo_requests', 'photo_requests.id', 'grants.request_id')
    .select(['grants.photo_id', 'expires_at', sql<boolean>`expires_at <= now()`.as('expired'), 'language'])
    .where('grant_hash', '=', hashOf(token))
    .executeTakeFirst()

/** The photo of a token, or why there is none: `expired`, also for an unknown token, or `photo`. */
async function findGrantedPhoto(
  { db, mediaCache }: Dependencies,
  token: string,
  client: string,
): Promise<{ photo: SharedPhoto; expiresAt: Date; language: string | null } | 'expired' | 'photo'> {
  const grant = isSecret(token) ? await grantByToken(db, token) : undefined
  // Only clients that try many unknown tokens are slowed down, not those with an expired one.
  if (!grant) await countRateHit(db, 'unknownCodes', client)
  if (!grant || grant.expired) return 'expired'
  const photo = await mediaCache.find('id', grant.photo_id)
  const isShared = photo && decideAccess(photo, { via: 'grant', isValid: true }) !== 'not found'
  return isShared ? { photo, expiresAt: grant.expires_at, language: grant.language } : 'photo'
}

/** The page that says why there is no photo. */
function sendGonePage(
  { guestRenderer, config }: Dependencies,
  reply: Call['reply'],
  why: 'expired' | 'photo',
): Promise<void> {
  const page = { page: 'gone', why } as const
  return sendGuestPage(reply, guestRenderer, { page, frame: guestFrame(config.publicUrl, '/g'), status: 404 })
}

/** The answer to programs while a photo is being processed; people get a page that waits. */
const photoStillProcessing = (): Fault =>
  new Fault('unavailable', 'This photo is still being processed. Please try again in a moment.', 2)

/** Whether a request downloads a file from its start, as opposed to a later part, its headers, or a revalidation. */
export const startsDownload = ({ method, headers }: HttpRequest): boolean =>
  method === 'GET' &&
  headers['if-none-match'] === undefined &&
  (headers.range === undefined || headers.range.startsWith('bytes=0-'))

/** What the image is sent for. */
interface ImagePurpose {
  /** `reviewer`: of an event, perhaps a helper, who never gets more than the picture for screens, nor the name of the file. */
  for: 'owner' | 'guest' | 'reviewer'
  /** As a file to keep, rather than a picture on a page. */
  isAttachment: boolean
  /** The page reads the bytes, so they have to come from this origin. */
  isInline: boolean
}

/** How an image is reached that is not open by itself: what ends that ends its answer too. */
export interface ImageAccess {
  watch(listener: () => void): () => void
  isOpen(): Promise<boolean>
  /** The entity tag of an image: its key would open it elsewhere. */
  tagOf(key: string): string
}

/**
 * Sends the picture of a photo for screens, or the full image where there is none; to a reviewer, the thumbnail in place of one that is
 * larger. The caller has checked access, which is looked at again if the picture had to be made.
 */
export async function sendScreenImage(
  deps: Dependencies,
  { req, reply }: Pick<Call, 'req' | 'reply'>,
  { photo, reader, through }: { photo: SharedPhoto; reader: ImagePurpose['for']; through?: ImageAccess },
): Promise<void> {
  const screen = await deps.screenImages.find(photo)
  const now = await deps.mediaCache.find('id', photo.photoId)
  if (!mayGoOn(photo, now) || (await through?.isOpen()) === false) throw sharedPhotoNotFound()
  const { width, height, thumbKey, thumbBytes } = photo
  const isLarger = Math.max(width ?? Infinity, height ?? Infinity) > limits.screenSidePx
  const isSmaller = reader === 'reviewer' && !screen && isLarger
  const picture = isSmaller
    ? { ...photo, fullKey: thumbKey, fullBytes: thumbBytes, fullType: 'image/webp' }
    : screen && { ...photo, fullKey: screen.key, fullBytes: screen.bytes }
  // A thumbnail is asked about again: the picture may be there then.
  const isInline = reader === 'guest' || isSmaller
  const purpose = { for: isSmaller ? 'guest' : reader, isAttachment: false, isInline } as const
  await sendFullImage(deps, { req, reply }, { photo: picture ?? photo, purpose, ...(through && { through }) })
}

/**
 * Sends a full-size image, from the store itself where that is possible. The caller has checked access; when the photo is hidden
 * or deleted meanwhile, the answer ends.
 */
export async function sendFullImage(
  { storage, mediaCache }: Dependencies,
  { req, reply }: Pick<Call, 'req' | 'reply'>,
  { photo, purpose, through }: { photo: SharedPhoto; purpose: ImagePurpose; through?: ImageAccess },
): Promise<void> {
  const { fullKey: key, fullBytes: bytes, fullType: type } = photo
  if (key === null || bytes === null || type === null) throw sharedPhotoNotFound()
  const filename = purpose.for === 'owner' ? ownerFilename(photo.filename, type) : guestFilename(photo, type)
  const disposition = contentDisposition(purpose.isAttachment ? 'attachment' : 'inline', filename)
  // Browsers revalidate a guest's download each time, because access is decided at scan time; the entity tag saves the bytes.
  const cacheControl = purpose.for === 'guest' ? 'private, no-cache' : `private, max-age=${imageMaxAgeSeconds}`
  const object = { key, bytes, type, cacheControl, disposition, ...(through && { entityTag: through.tagOf(key) }) }
  endWhenWithdrawn(reply, {
    watch(listener) {
      const stops = [mediaCache.watch(`photo ${photo.photoId}`, listener), through?.watch(listener)]
      return () => stops.forEach((stop) => stop?.())
    },
    isOpen: async () =>
      mayGoOn(photo, await mediaCache.find('id', photo.photoId)) && (await through?.isOpen()) !== false,
  })
  await (purpose.isInline ? sendObject : redirectOrSendObject)(req, reply, { storage, object })
}

/** What a guest opened to get to a photo's page: the direct QR code, or a link in an email. */
type AccessVia = { by: 'code' } | { by: 'grant'; token: string; expiresAt: Date; language: string | null }

/** Sends the page with a photo and a button that saves it. While the photo is being processed, the page waits for it. */
async function sendPhotoPage(
  { urls, guestRenderer, tokens, config }: Dependencies,
  { req, reply }: Pick<Call, 'req' | 'reply'>,
  { photo, access }: { photo: SharedPhoto; access: AccessVia },
): Promise<void> {
  const path = req.url.split('?', 1)[0] ?? '/'
  const ios = isAppleDevice(req.headers)
  await sendKeptGuestPage(reply, guestRenderer, {
    ...(access.by === 'grant' && { linkLanguage: access.language }),
    // Of the row that the cache of photos returns: it is another one after an event about the photo or its owner, and after a second.
    source: access.by === 'code' && path === `/d/${photo.code}` ? photo : undefined,
    name: `${path} ${ios}`,
    publicUrl: config.publicUrl,
    make() {
      const photoProps = guestPhoto(photo, urls)
      return {
        page: {
          page: 'photo',
          by: access.by,
          photo: photoProps,
          file: guestFileOf(photo, access),
          expiresAt: access.by === 'grant' ? access.expiresAt.toISOString() : null,
          ios,
          timeZone: photo.timeZone,
          kept: access.by === 'code' ? keptPhoto(photo, photo.code, { tokens, config }) : null,
          galleryPath: access.by === 'code' ? galleryPathOf(photo) : null,
          report: guestReport(photo.photoId),
          logo: guestLogo(photo, urls),
        },
        frame: guestFrame(config.publicUrl, path, photoProps),
      }
    },
  })
}

function guestFileOf({ state, fullBytes, fullType, code }: SharedPhoto, access: AccessVia): GuestFile | null {
  if (state !== 'ready' || fullBytes === null || fullType === null) return null
  const { downloadUrl, pictureUrl } =
    access.by === 'grant'
      ? { downloadUrl: `/g/${access.token}/download?visit=1`, pictureUrl: `/g/${access.token}/download` }
      : { downloadUrl: `/d/${code}?download=1&visit=1`, pictureUrl: `/d/${code}` }
  const shownUrls = { screenUrl: `${pictureUrl}?screen=1`, inlineUrl: `${pictureUrl}?inline=1` }
  return { downloadUrl, ...shownUrls, bytes: fullBytes, type: fullType }
}

/** The format is an extension of the name; PNG without one. */
export const splitQrCodeName = (name: string): [string, QrCodeFormat] =>
  name.endsWith('.svg') ? [name.slice(0, -4), 'svg'] : [name.replace(/\.png$/, ''), 'png']

/** Sends the picture of a QR code, or 304 when the browser has it. */
export async function sendQrCode(
  { req, reply }: Pick<Call, 'req' | 'reply'>,
  { format, bytes, entityTag, cacheControl }: QrCodePicture & { format: QrCodeFormat; cacheControl: string },
): Promise<void> {
  reply.headers({ 'cache-control': cacheControl, etag: entityTag })
  if (format === 'svg') reply.header('content-security-policy', "default-src 'none'; sandbox")
  if (matchesTag(req.headers['if-none-match'], entityTag)) return void (await reply.status(304).send())
  await reply.type(format === 'svg' ? 'image/svg+xml' : 'image/png').send(bytes)
}
