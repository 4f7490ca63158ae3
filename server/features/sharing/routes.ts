import {
  directCode,
  directDownload,
  fullImage,
  requestCode,
  screenImage,
  thumbnailImage,
} from '@keepsnap/contract/sharing.ts'
import type { Input } from '@keepsnap/contract/endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
import { guestFrame } from '../../domain/guest-page-props.ts'
import { decideAccess, sharedPhotoNotFound, type PhotoColumn, type SharedPhoto } from '../../domain/photo-access.ts'
import type { ScreenImages } from '../../domain/screen-images.ts'
import type { SignedImage } from '../../domain/urls.ts'
import { Fault } from '../../faults.ts'
import { sendGuestPage } from '../../http/guest-pages.ts'
import { countRateHit } from '../../http/rate-limits.ts'
import { createResponseCache, type ResponseCache } from '../../http/response-cache.ts'
import { sendObject } from '../../http/send-object.ts'
import type { Call, Serve } from '../../http/serve.ts'
import { isId } from '../../lib/ids.ts'
import { isMobileDevice, isNavigation, isPreviewProgram } from '../../lib/user-agent.ts'
import { createQrCodeCache } from '../../lib/qr-codes.ts'
import {
  sendFullImage,
  sendScreenImage,
  startsDownload,
  photoStillProcessing,
  type ImagePurpose,
} from './send-full-image.ts'
import { sendPhotoPage } from './send-photo-page.ts'
import { sendQrCode, splitQrCodeName } from './send-qr-code.ts'

type SharingDependencies = Pick<
  Dependencies,
  'db' | 'storage' | 'urls' | 'mediaCache' | 'guestActivity' | 'guestRenderer' | 'config'
> & { screenImages: ScreenImages }

const imageMaxAgeSeconds = 24 * 60 * 60
/** Browsers ask again each time, so that the code of a photo that is no longer shared disappears; the tag saves the bytes. */
const qrCodeCacheControl = 'private, no-cache'

/** Every public path to the bytes of a photo and its QR codes, except grants. Each asks the access policy. */
export function sharingRoutes(serve: Serve, deps: SharingDependencies): void {
  const responseCache = createResponseCache(deps.storage)
  const drawQrCode = createQrCodeCache()

  serve(directDownload, async ({ params, query }, call) => {
    await openDirectCode(deps, { code: params.code, ...query }, call).catch((error: unknown) =>
      sendNotFound(deps, call, error),
    )
    return undefined
  })
  serve(fullImage, async ({ params, query }, call) => {
    const { s: signature = '', download, inline } = query
    const purpose = { isAttachment: download !== undefined, isInline: inline !== undefined }
    await sendSignedImage(deps, { name: params.code, signature, purpose }, call)
    return undefined
  })
  serve(screenImage, async ({ params, query: { s: signature = '' } }, call) => {
    const photo = await findPhotoByUrlName(deps, { column: 'full_key', name: params.code }, call.client)
    requireSignedImage(photo, (image) => deps.urls.isScreenImageSignature(image, signature))
    await sendScreenImage(deps, call, { photo, reader: 'owner' })
    return undefined
  })
  serve(thumbnailImage, async ({ params, query }, call) => {
    const thumbnail = { name: params.code, signature: query.s ?? '', responseCache }
    await sendThumbnail(deps, thumbnail, call)
    return undefined
  })
  serve(directCode, async ({ params }, call) => {
    const [code, format] = splitQrCodeName(params.code)
    const photo = await findPhotoOfQrCode(deps, { column: 'code', name: code }, call.client)
    await sendQrCode(call, {
      format,
      cacheControl: qrCodeCacheControl,
      ...drawQrCode(deps.urls.directDownload(photo.code), format),
    })
    return undefined
  })
  serve(requestCode, async ({ params }, call) => {
    const [id, format] = splitQrCodeName(params.code)
    const { photoId } = await findPhotoOfQrCode(deps, { column: 'id', name: id }, call.client)
    await sendQrCode(call, {
      format,
      cacheControl: qrCodeCacheControl,
      ...drawQrCode(deps.urls.requestPage(photoId), format),
    })
    return undefined
  })
}

interface PhotoName {
  column: PhotoColumn
  name: string
}

const keyPrefix: Record<PhotoColumn, string> = { id: '', code: '', full_key: 'full/', thumb_key: 'thumb/' }

/** The photo behind a name in a URL. Clients that try many unknown names are slowed down. */
async function findPhotoByUrlName(
  { db, mediaCache }: SharingDependencies,
  { column, name }: PhotoName,
  client: string,
): Promise<SharedPhoto> {
  const photo = isId(name) ? await mediaCache.find(column, keyPrefix[column] + name) : undefined
  if (photo) return photo
  await countRateHit(db, 'unknownCodes', client)
  throw sharedPhotoNotFound()
}

/** Answers browsers with a page, and programs with the error. */
async function sendNotFound(
  { guestRenderer, config }: SharingDependencies,
  { req, reply }: Pick<Call, 'req' | 'reply'>,
  error: unknown,
): Promise<void> {
  if (!(error instanceof Fault) || error.code !== 'not_found' || !isNavigation(req.headers)) throw error
  const page = { page: 'gone', why: 'photo' } as const
  await sendGuestPage(reply, guestRenderer, { page, frame: guestFrame(config.publicUrl, '/d'), status: 404 })
}

/**
 * What a scanned direct code leads to: the file, a page with the photo where the device saves photos from a page or the
 * photo is still being processed, or the page on which it is requested by email.
 */
async function openDirectCode(
  deps: SharingDependencies,
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

async function sendSignedImage(
  deps: SharingDependencies,
  { name, signature, purpose }: { name: string; signature: string; purpose: Omit<ImagePurpose, 'for'> },
  { req, reply, client }: Pick<Call, 'req' | 'reply' | 'client'>,
): Promise<void> {
  const photo = await findPhotoByUrlName(deps, { column: 'full_key', name }, client)
  requireSignedImage(photo, (image) => deps.urls.isFullImageSignature(image, signature))
  await sendFullImage(deps, { req, reply }, { photo, purpose: { for: 'owner', ...purpose } })
}

/** Throws 404 unless the policy allows a URL of a photo whose signature is checked by `isSignature`. */
function requireSignedImage(photo: SharedPhoto, isSignature: (image: SignedImage) => boolean): void {
  const { photoId, fullKey, mediaEpoch, hiddenAt } = photo
  const isValid = fullKey !== null && isSignature({ photoId, fullKey, mediaEpoch, hiddenAt })
  if (decideAccess(photo, { via: 'signed URL', isValid }) !== 'allow') throw sharedPhotoNotFound()
}

async function sendThumbnail(
  deps: SharingDependencies,
  { name, signature, responseCache }: { name: string; signature: string; responseCache: ResponseCache },
  { req, reply, client }: Pick<Call, 'req' | 'reply' | 'client'>,
): Promise<void> {
  const photo = await findPhotoByUrlName(deps, { column: 'thumb_key', name }, client)
  const { thumbKey: key, thumbBytes: bytes, hiddenAt } = photo
  const isSignedFor = (reader: 'owner' | 'operator'): boolean =>
    key !== null && hiddenAt !== null && deps.urls.isThumbnailSignature({ thumbKey: key, hiddenAt, reader }, signature)
  const signedFor = (['owner', 'operator'] as const).find(isSignedFor) ?? null
  if (decideAccess(photo, { via: 'thumbnail', signedFor }) !== 'allow' || key === null || bytes === null)
    throw sharedPhotoNotFound()
  const thumbnailObject = { key, bytes, type: 'image/webp', cacheControl: `private, max-age=${imageMaxAgeSeconds}` }
  await sendObject(req, reply, { storage: deps.storage, responseCache, object: thumbnailObject })
}

async function findPhotoOfQrCode(deps: SharingDependencies, name: PhotoName, client: string): Promise<SharedPhoto> {
  const photo = await findPhotoByUrlName(deps, name, client)
  if (decideAccess(photo, { via: 'QR code image' }) !== 'allow') throw sharedPhotoNotFound()
  return photo
}
