import type { User } from '@keepsnap/contract/accounts.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'

/** The code that a photo is shown with: none before it is complete, when it has failed (spec section 2), or is hidden. */
export function codeOf(photo: Photo, user: Pick<User, 'ask_email_to_receive_photo'>): string | null {
  if (!photo.processing_complete || photo.processing_failed || photo.hidden) return null
  return user.ask_email_to_receive_photo ? photo.email_qr_code_url : photo.qr_code_url
}

/** The same code as a drawing, which is sharp at every size. */
export const drawingOf = (codeAddress: string): string => codeAddress.replace(/(?:\.png)?(?=$|[?#])/, '.svg')

/** A name for the code's file beside its photo's: `IMG_4374-code.png`. */
export const codeFilename = (photoName: string): string => `${photoName.replace(/\.[A-Za-z0-9]{1,7}$/, '')}-code.png`

/** What is known of a photo's making. */
export const stateOf = (photo: Photo): 'ready' | 'processing' | 'failed' =>
  photo.processing_failed ? 'failed' : photo.processing_complete ? 'ready' : 'processing'
