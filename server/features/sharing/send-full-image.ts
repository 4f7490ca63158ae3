import type { Dependencies } from '../../dependencies.ts'
import { guestFilename, ownerFilename } from '../../domain/filenames.ts'
import { mayGoOn, sharedPhotoNotFound, type SharedPhoto } from '../../domain/photo-access.ts'
import type { ScreenImages } from '../../domain/screen-images.ts'
import { Fault } from '../../faults.ts'
import { endWhenWithdrawn } from '../../http/end-when-withdrawn.ts'
import type { HttpRequest } from '../../http/http-types.ts'
import { redirectOrSendObject, sendObject } from '../../http/send-object.ts'
import type { Call } from '../../http/serve.ts'
import { contentDisposition } from '../../lib/content-disposition.ts'

/** The answer to programs while a photo is being processed; people get a page that waits. */
export const photoStillProcessing = (): Fault =>
  new Fault('unavailable', 'This photo is still being processed. Please try again in a moment.', 2)

const imageMaxAgeSeconds = 24 * 60 * 60

/** Whether a request downloads a file from its start, as opposed to a later part, its headers, or a revalidation. */
export const startsDownload = ({ method, headers }: HttpRequest): boolean =>
  method === 'GET' &&
  headers['if-none-match'] === undefined &&
  (headers.range === undefined || headers.range.startsWith('bytes=0-'))

/** What the image is sent for. */
export interface ImagePurpose {
  for: 'owner' | 'guest'
  /** As a file to keep, rather than a picture on a page. */
  isAttachment: boolean
  /** The page reads the bytes, so they have to come from this origin. */
  isInline: boolean
}

/**
 * Sends the picture of a photo for screens, or the full image where there is none. The caller has checked access, which is looked at
 * again if the picture had to be made.
 */
export async function sendScreenImage(
  deps: Pick<Dependencies, 'storage' | 'mediaCache'> & { screenImages: ScreenImages },
  { req, reply }: Pick<Call, 'req' | 'reply'>,
  { photo, reader }: { photo: SharedPhoto; reader: ImagePurpose['for'] },
): Promise<void> {
  const screen = await deps.screenImages.find(photo)
  if (!mayGoOn(photo, await deps.mediaCache.find('id', photo.photoId))) throw sharedPhotoNotFound()
  const picture = screen && { ...photo, fullKey: screen.key, fullBytes: screen.bytes }
  const purpose = { for: reader, isAttachment: false, isInline: reader === 'guest' }
  await sendFullImage(deps, { req, reply }, { photo: picture ?? photo, purpose })
}

/**
 * Sends a full-size image, from the store itself where that is possible. The caller has checked access; when the photo is hidden
 * or deleted meanwhile, the answer ends.
 */
export async function sendFullImage(
  { storage, mediaCache }: Pick<Dependencies, 'storage' | 'mediaCache'>,
  { req, reply }: Pick<Call, 'req' | 'reply'>,
  { photo, purpose }: { photo: SharedPhoto; purpose: ImagePurpose },
): Promise<void> {
  const { fullKey: key, fullBytes: bytes, fullType: type } = photo
  if (key === null || bytes === null || type === null) throw sharedPhotoNotFound()
  const isForOwner = purpose.for === 'owner'
  const filename = isForOwner ? ownerFilename(photo.filename, type) : guestFilename(photo, type)
  const disposition = contentDisposition(purpose.isAttachment ? 'attachment' : 'inline', filename)
  // Browsers revalidate a guest's download each time, because access is decided at scan time; the entity tag saves the bytes.
  const cacheControl = isForOwner ? `private, max-age=${imageMaxAgeSeconds}` : 'private, no-cache'
  const object = { key, bytes, type, cacheControl, disposition }
  endWhenWithdrawn(reply, {
    watch: (listener) => mediaCache.watch(`photo ${photo.photoId}`, listener),
    isOpen: async () => mayGoOn(photo, await mediaCache.find('id', photo.photoId)),
  })
  await (purpose.isInline ? sendObject : redirectOrSendObject)(req, reply, { storage, object })
}
