import type { User } from '@keepsnap/contract/accounts.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { photoStateOf, type PhotoState } from '../photo-state.ts'
import { qrCodeUrlOf, svgUrlOf } from '../qr-codes.ts'
import { tonightSince } from './slideshow.ts'

/** Everything that the Latest page shows of one photo; all of it changes at the same time. */
export interface LatestViewModel {
  /** Changes whenever something visible changes. */
  key: string
  photo: Photo
  kind: PhotoState
  /** Width and height; 3 by 2 until they are known. */
  width: number
  height: number
  /** URL of the full image for screens. */
  full: string | null
  /** URL of the thumbnail. */
  thumb: string | null
  /** URL of the QR code as SVG. */
  qrCode: string | null
  byEmail: boolean
}

/** The setting that decides which code is shown. */
export type EmailGateSetting = Pick<User, 'ask_email_to_receive_photo'>
/** The URL under which this browser loads a media URL of the server. */
type MediaUrl = (url: string) => string | null

export function latestViewModelOf(photo: Photo, user: EmailGateSetting, media: MediaUrl): LatestViewModel {
  const kind = photoStateOf(photo)
  const qrCodeUrl = qrCodeUrlOf(photo, user)
  const visible = {
    kind,
    width: photo.width ?? 3,
    height: photo.height ?? 2,
    full: kind === 'ready' && photo.screen_url !== null ? media(photo.screen_url) : null,
    thumb: photo.thumbnail_url === null ? null : media(photo.thumbnail_url),
    qrCode: qrCodeUrl === null ? null : media(svgUrlOf(qrCodeUrl)),
    byEmail: user.ask_email_to_receive_photo,
  }
  return { ...visible, photo, key: JSON.stringify([photo.id, photo.error_message, visible]) }
}

/** The newest photo that is not hidden from guests. Undefined while it is not known, null when there is none. */
export function latestVisiblePhoto(
  latest: Photo | null | undefined,
  recent: readonly Photo[] | undefined,
): Photo | null | undefined {
  if (!latest?.hidden) return latest
  return recent && (recent.find(({ hidden }) => !hidden) ?? null)
}

const hasCode = (photo: Photo): boolean => photoStateOf(photo) === 'ready' && !photo.hidden

/** A photo in processing does not take the screen from one that is ready and at most this much older: they are one burst. */
const burstMs = 15_000

/** The photo to show when `newest` is the newest one: in a burst, the newest that is ready. */
export function photoToShow(newest: Photo, recent: readonly Photo[]): Photo {
  if (photoStateOf(newest) !== 'processing') return newest
  const ready = recent.find((photo) => photo.id !== newest.id && hasCode(photo))
  return ready && Date.parse(newest.created_at) - Date.parse(ready.created_at) < burstMs ? ready : newest
}

/** The photos of tonight besides `shown` that have a QR code, newest first: guests of another day are not shown. */
export const otherPhotos = (
  shown: Photo | undefined,
  recent: readonly Photo[],
  { max, now }: { max: number; now: number },
): Photo[] =>
  recent
    .filter((photo) => photo.id !== shown?.id && hasCode(photo) && photo.created_at >= tonightSince(now))
    .slice(0, max)
