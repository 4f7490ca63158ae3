import type { GuestLogo, GuestPageContext, GuestPhoto, GuestReport, KeptPhoto } from '@keepsnap/contract/rendering.ts'
import { eventPath } from '@keepsnap/contract/event-guests.ts'
import { reportReasons } from '@keepsnap/contract/guests.ts'
import type { Dependencies } from '../../dependencies.ts'
import { isMailOff } from '../../ports/mail/mail-settings.ts'
import { guestFilename } from '../photos/filenames.ts'
import { chooseLogoGrounds } from '../branding/brands.ts'
import { galleryStateOf } from '../events/guest-gallery.ts'
import type { SharedPhoto } from '../photos/photo-access.ts'
import type { Urls } from '../photos/urls.ts'

/** Where the pages of a photo send what guests ask for. */
export function photoPaths(id: string): Pick<GuestPhoto, 'callsPath' | 'pagePath' | 'formPath'> {
  const pagePath = `/request-photo/${id}`
  return { callsPath: `/photos/${id}`, pagePath, formPath: pagePath }
}

/** Path of the gallery that the own pages of a photo link to while it is open; null for none. */
export const galleryPathOf = ({ galleryCode, ...photo }: SharedPhoto): string | null =>
  galleryCode !== null && galleryStateOf({ ...photo, gallery: 'link', guestPhotos: 'off' }) === 'open'
    ? eventPath(galleryCode)
    : null

/** When that gallery opens; null when it is open, or there is none. */
export const openingOf = ({ galleryCode, ...photo }: SharedPhoto): string | null =>
  galleryCode !== null && galleryStateOf({ ...photo, gallery: 'link', guestPhotos: 'off' }) === 'coming'
    ? (photo.galleryOpensAt?.toISOString() ?? null)
    : null

/** What the phone keeps of a photo of an event, by the code or id with which it was opened. */
export const keptPhoto = (
  { eventId }: SharedPhoto,
  code: string,
  { tokens, config }: Pick<Dependencies, 'tokens' | 'config'>,
): KeptPhoto | null =>
  eventId === null ? null : { code, event: tokens.eventMark(eventId), canEmail: !isMailOff(config) }

/** A photo as guests may see it: nothing about its owner or the uploaded file. */
export const guestPhoto = (photo: SharedPhoto, urls: Urls): GuestPhoto => ({
  ...photoPaths(photo.photoId),
  filename: guestFilename(photo, photo.fullType ?? 'image/jpeg'),
  thumbnailUrl: photo.thumbKey === null ? null : urls.thumbnail(photo.thumbKey),
  width: photo.width,
  height: photo.height,
  thumbhash: photo.thumbhash,
})

/** The owner's logo at the top of a page. */
export function guestLogo({ logo }: Pick<SharedPhoto, 'logo'>, urls: Urls): GuestLogo | null {
  if (!logo) return null
  const { light, dark } = chooseLogoGrounds(logo.lowContrast, { hasBackground: false })
  return { url: urls.brandImage(logo.key), width: logo.width, height: logo.height, grounds: { light, dark } }
}

/** The form with which a guest reports a photo. */
export const guestReport = (photoId: string): GuestReport => ({
  action: `/report-photo/${photoId}`,
  reasons: reportReasons,
})

/** What `sendGuestPage` does not know of a guest page. */
type PhotoFrame = Omit<GuestPageContext, 'language' | 'hasLanguageLinks'>

/** The frame of a guest page. Link previews in chats show the thumbnail, which anyone with the URL may see. */
export const guestFrame = (publicUrl: string, path: string, photo?: GuestPhoto): PhotoFrame => ({
  publicUrl,
  path,
  previewUrl: photo?.thumbnailUrl ?? null,
})
