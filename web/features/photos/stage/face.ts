import type { User } from '@keepsnap/contract/accounts.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { codeOf, drawingOf, stateOf } from '../codes.ts'

/** Everything that the stage shows of one photo, and that changes as one. Addresses load here. */
export interface Face {
  /** Another key: something else is to be shown. */
  key: string
  photo: Photo
  kind: 'ready' | 'processing' | 'failed'
  /** Width and height; three by two until they are known. */
  width: number
  height: number
  full: string | null
  thumb: string | null
  /** Drawing of the code. */
  code: string | null
  byEmail: boolean
}

type Reader = Pick<User, 'ask_email_to_receive_photo'>
type Media = (address: string) => string | null

export function faceOf(photo: Photo, user: Reader, media: Media): Face {
  const kind = stateOf(photo)
  const code = codeOf(photo, user)
  const face = {
    kind,
    width: photo.width ?? 3,
    height: photo.height ?? 2,
    full: kind === 'ready' && photo.b2_url !== null ? media(photo.b2_url) : null,
    thumb: photo.thumbnail_url === null ? null : media(photo.thumbnail_url),
    code: code === null ? null : media(drawingOf(code)),
    byEmail: user.ask_email_to_receive_photo,
  }
  return { ...face, photo, key: JSON.stringify([photo.id, photo.error_message, face]) }
}

/** The photo for the stage: the newest, or the newest one that is not hidden from guests. */
export function stagePhotoOf(
  latest: Photo | null | undefined,
  recent: readonly Photo[] | undefined,
): Photo | null | undefined {
  if (!latest?.hidden) return latest
  return recent && (recent.find(({ hidden }) => !hidden) ?? null)
}

/** The photos shown small beside a face: the ones taken before it that have a code, newest first. */
export function photosBefore(face: Photo, recent: readonly Photo[], most: number): Photo[] {
  return recent
    .filter(
      (photo) =>
        photo.id !== face.id && photo.created_at <= face.created_at && stateOf(photo) === 'ready' && !photo.hidden,
    )
    .slice(0, most)
}
