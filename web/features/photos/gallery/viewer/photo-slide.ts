import { limits } from '@keepsnap/contract/limits.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { SlideImage } from 'yet-another-react-lightbox'
import { photoStateOf } from '../../photo-state.ts'

/** One slide of the viewer, with the image for screens; `src` is empty unless the photo is ready. */
export interface PhotoSlide extends SlideImage {
  photo: Photo
}

interface SlideOptions {
  alt: (photo: Photo) => string
  /** The URL under which this browser loads a media URL of the server. */
  media: (url: string) => string | null
}

export function slideOf(photo: Photo, { alt, media }: SlideOptions): PhotoSlide {
  const { width, height } = photo
  const isReady = photoStateOf(photo) === 'ready'
  const [full, screen] = [photo.b2_url, photo.screen_url].map((url) => (isReady && url !== null ? media(url) : null))
  return {
    photo,
    src: screen ?? '',
    alt: alt(photo),
    ...(width !== null && height !== null && { width, height }),
    ...(width !== null &&
      height !== null &&
      full &&
      screen &&
      full !== screen && {
        srcSet: sourcesOf({ full, screen, width, height }),
      }),
  }
}

/**
 * The image for screens, which is taken to be as large as the window, so that only zooming in loads the full one, which is then as
 * sharp as it can be.
 */
function sourcesOf({ full, screen, width, height }: { full: string; screen: string; width: number; height: number }) {
  const windowPx = Math.max(window.innerWidth, window.innerHeight) * window.devicePixelRatio
  const scale = Math.min(0.99, Math.max(windowPx, limits.screenSidePx) / Math.max(width, height))
  return [
    { src: screen, width: Math.floor(width * scale), height: Math.floor(height * scale) },
    { src: full, width, height },
  ]
}
