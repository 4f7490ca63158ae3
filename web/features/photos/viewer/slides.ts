import type { Photo } from '@keepsnap/contract/photos.ts'
import type { SlideImage } from 'yet-another-react-lightbox'
import { stateOf } from '../codes.ts'

/** One slide of the viewer; only photos that are ready have a picture of their own. */
export interface PhotoSlide extends SlideImage {
  photo: Photo
}

interface Words {
  alt: (photo: Photo) => string
  media: (address: string) => string | null
}

export function slideOf(photo: Photo, { alt, media }: Words): PhotoSlide {
  const full = stateOf(photo) === 'ready' && photo.b2_url !== null ? media(photo.b2_url) : null
  return {
    photo,
    src: full ?? '',
    alt: alt(photo),
    ...(photo.width !== null && photo.height !== null && { width: photo.width, height: photo.height }),
  }
}

/** What a key does in the viewer: the index to go to, or null for keys that are not ours. */
export function indexAfterKey(key: string, index: number, count: number): number | null {
  const last = count - 1
  if (key === 'ArrowLeft') return Math.max(0, index - 1)
  if (key === 'ArrowRight') return Math.min(last, index + 1)
  if (key === 'Home') return 0
  return key === 'End' ? last : null
}

/** The photo to show when this one is deleted: the next, else the one before, else none. */
export const neighbourOf = (photos: readonly Photo[], index: number): Photo | null =>
  photos[index + 1] ?? photos[index - 1] ?? null
