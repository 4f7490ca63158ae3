import type { Photo } from '@keepsnap/contract/photos.ts'
import type { SlideImage } from 'yet-another-react-lightbox'
import { photoStateOf } from '../../photo-state.ts'

/** One slide of the viewer; `src` is empty unless the photo is ready. */
export interface PhotoSlide extends SlideImage {
  photo: Photo
}

interface SlideOptions {
  alt: (photo: Photo) => string
  /** The URL under which this browser loads a media URL of the server. */
  media: (url: string) => string | null
}

export function slideOf(photo: Photo, { alt, media }: SlideOptions): PhotoSlide {
  const fullImageUrl = photoStateOf(photo) === 'ready' && photo.b2_url !== null ? media(photo.b2_url) : null
  return {
    photo,
    src: fullImageUrl ?? '',
    alt: alt(photo),
    ...(photo.width !== null && photo.height !== null && { width: photo.width, height: photo.height }),
  }
}
