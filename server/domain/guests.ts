import type { GuestFrame, GuestLogo, GuestPhoto, GuestReport } from '@keepsnap/contract/guest.ts'
import { reportReasons } from '@keepsnap/contract/reports.ts'
import type { PublicPhoto } from '@keepsnap/contract/requests.ts'
import type { Addresses } from './addresses.ts'
import { neutralName } from './filenames.ts'
import type { Media } from './media.ts'

const nameFor = ({ createdAt, fullType }: Media): string => neutralName(createdAt, fullType ?? 'image/jpeg')
const thumbnailFor = ({ thumbKey }: Media, addresses: Addresses): string | null =>
  thumbKey === null ? null : addresses.thumbnail(thumbKey)

/** A photo as strangers may see it: nothing of its owner, nothing of the file it came from. */
export const guestPhoto = (media: Media, addresses: Addresses): GuestPhoto => ({
  id: media.photoId,
  filename: nameFor(media),
  thumbnailUrl: thumbnailFor(media, addresses),
  width: media.width,
  height: media.height,
  thumbhash: media.thumbhash,
})

/** The owner's brand above a page. */
export const guestLogo = ({ logo }: Media, addresses: Addresses): GuestLogo | null =>
  logo && { url: addresses.brand(logo.key), width: logo.width, height: logo.height }

/** A photo as strangers may see it, on the wire. */
export function publicView(media: Media, addresses: Addresses): PublicPhoto {
  const isReady = media.state === 'ready'
  return {
    id: media.photoId,
    filename: nameFor(media),
    thumbnail_url: isReady ? thumbnailFor(media, addresses) : null,
    width: media.width,
    height: media.height,
    thumbhash: media.thumbhash,
    ask_email_to_receive_photo: media.asksEmail,
    processing: !isReady,
    processing_complete: isReady,
    processing_failed: false,
    created_at: media.createdAt.toISOString(),
  }
}

/** Where a photo is reported from a page. */
export const guestReport = (photoId: string): GuestReport => ({
  action: `/report-photo/${photoId}`,
  reasons: reportReasons,
})

/** What surrounds a guest page: chat apps show the thumbnail, which everybody with the address may see anyway. */
export const guestFrame = (publicUrl: string, path: string, photo?: GuestPhoto): GuestFrame => ({
  publicUrl,
  path,
  previewUrl: photo?.thumbnailUrl ?? null,
})
