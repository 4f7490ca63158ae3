import type { User } from '@keepsnap/contract/accounts.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { photoStateOf } from './photo-state.ts'

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
