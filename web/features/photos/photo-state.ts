import { thumbHashToDataURL } from 'thumbhash'
import type { EventOrder, Photo } from '@keepsnap/contract/photos.ts'
import type { User } from '@keepsnap/contract/accounts.ts'

/** Whether an operator has hidden the photo, so that its owner cannot show it to guests. */
export const isHiddenByOperator = ({ operator_decision }: Pick<Photo, 'operator_decision'>): boolean =>
  operator_decision?.decision === 'hide'

export type PhotoState = 'ready' | 'processing' | 'failed'

export const photoStateOf = (photo: Photo): PhotoState =>
  photo.processing_failed ? 'failed' : photo.processing_complete ? 'ready' : 'processing'

/** The time by which a list of photos is ordered. */
export type TimeOf = (photo: Photo) => string
export const timesOf: Record<EventOrder, TimeOf> = {
  added: (photo) => photo.created_at,
  taken: (photo) => photo.taken_at ?? photo.created_at,
}

/** Newest first, as the server sorts. */
export const isNewer = (a: Photo, b: Photo, timeOf: TimeOf = timesOf.added): boolean =>
  timeOf(a) === timeOf(b) ? a.id > b.id : timeOf(a) > timeOf(b)

/** A blurred preview of a photo from its ThumbHash, as a data URL; null without a hash or with an invalid one. */
export function placeholderOf(thumbhash: string | null): string | null {
  if (thumbhash === null || thumbhash === '') return null
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (character) => character.charCodeAt(0)))
  } catch {
    return null
  }
}

/** URL of the QR code that guests scan for a photo; null unless it is ready and not hidden. */
export function qrCodeUrlOf(photo: Photo, user: Pick<User, 'ask_email_to_receive_photo'>): string | null {
  if (photoStateOf(photo) !== 'ready' || photo.hidden) return null
  return user.ask_email_to_receive_photo ? photo.email_qr_code_url : photo.qr_code_url
}

/** The same code as SVG, which is sharp at every size. */
export const svgUrlOf = (qrCodeUrl: string): string => qrCodeUrl.replace(/(?:\.png)?(?=$|[?#])/, '.svg')

/** The link that the code contains, which opens the photo for guests. */
export const linkOfCode = (qrCodeUrl: string): string =>
  qrCodeUrl.replace(/\/qr\/([dr])\/(?=[^/]+$)/, (_, kind) => (kind === 'd' ? '/d/' : '/request-photo/'))

/** A name for the saved file of the code: `IMG_4374-code.png`. */
export const qrCodeFilename = (photoName: string): string => `${photoName.replace(/\.[A-Za-z0-9]{1,7}$/, '')}-code.png`
