import type { PublicPhoto } from '@keepsnap/contract/requests.ts'
import { guestPhoto } from '../../domain/guest-page-props.ts'
import type { SharedPhoto } from '../../domain/photo-access.ts'
import type { Urls } from '../../domain/urls.ts'

/** The public details of a photo, as the API returns them. */
export function publicPhotoView(photo: SharedPhoto, urls: Urls): PublicPhoto {
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
