import { Lightbox, type Slide, type SlideImage } from 'yet-another-react-lightbox'
import { ShieldAlert, TriangleAlert } from 'lucide-react'
import { useMemo, useState } from 'react'
import Inline from 'yet-another-react-lightbox/plugins/inline'
import Zoom from 'yet-another-react-lightbox/plugins/zoom'
import { limits } from '@keepsnap/contract/limits.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { useMediaUrl } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { useServerSentence } from '../../lib/server-sentences.ts'
import { gallery } from '../../messages/en/photos.ts'
import { isHiddenByOperator, photoStateOf, placeholderOf } from './photo-state.ts'
import 'yet-another-react-lightbox/styles.css'

/** One slide of the viewer, with the image for screens; `src` is empty unless the photo is ready. */
interface PhotoSlide extends SlideImage {
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
  const size = width !== null && height !== null && { width, height }
  const srcSet = size && full && screen && full !== screen && sourcesOf({ full, screen, ...size })
  return { photo, src: screen ?? '', alt: alt(photo), ...size, ...(srcSet && { srcSet }) }
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

interface Props {
  photos: readonly Photo[]
  index: number
  /** Which of all photos it is, for screen readers. */
  position: string
  onMove: (index: number) => void
  onZoom: (isZoomed: boolean) => void
}

/** Of thousands of photos, only those near the one that is shown become slides: so many, beginning at a multiple of them. */
const slidesInBlock = 50

/** The photos with swipe, pinch and zoom; the previous and the next one are preloaded. Has no buttons of its own. */
export function Slides({ photos, index, position, onMove, onZoom: onZoomed }: Props) {
  const text = useText({ gallery })
  const format = useFormat()
  const media = useMediaUrl()
  const start = Math.max(0, (Math.floor(index / slidesInBlock) - 0.5) * slidesInBlock)
  const current = useMemo(
    () =>
      photos.slice(start, start + 2 * slidesInBlock).map((photo) =>
        slideOf(photo, {
          media,
          alt: ({ filename, created_at }) => text.tile(filename, format.dateTime(created_at)),
        }),
      ),
    [photos, start, text, format, media],
  )
  const { slides, index: shownIndex, onZoom } = useSteadySlides({ slides: current, index: index - start })
  const onView = (next: number): void => {
    const id = slides[next]?.photo.id
    if (next !== shownIndex) onMove(photos.findIndex((photo) => photo.id === id))
  }
  return (
    <Lightbox
      plugins={[Inline, Zoom]}
      slides={slides}
      index={shownIndex}
      on={{
        view: ({ index: next }) => onView(next),
        zoom({ zoom }) {
          onZoom(zoom)
          onZoomed(zoom > 1)
        },
      }}
      carousel={{
        finite: true,
        preload: 1,
        padding: 0,
        spacing: '12%',
        imageProps: (slide) => imageProps(slide, media),
      }}
      animation={{ fade: 0, swipe: 240, navigation: 180 }}
      controller={{ touchAction: 'none', closeOnBackdropClick: false }}
      zoom={{ maxZoomPixelRatio: 2, pinchZoomV4: true }}
      toolbar={{ buttons: [] }}
      labels={{
        'Photo gallery': text.viewer.slides.all,
        '{index} of {total}': position,
        Carousel: text.viewer.slides.kind,
        Slide: text.viewer.slides.one,
      }}
      render={{
        buttonPrev: () => null,
        buttonNext: () => null,
        buttonZoom: () => null,
        iconLoading: () => null,
        iconError: () => <span className="viewer__state">{text.viewer.unreadable}</span>,
        slide: ({ slide }) => {
          const { photo } = slide as PhotoSlide // all slides are made by slideOf
          if (isHiddenByOperator(photo)) return <ClosedPhoto photo={photo} />
          return photoStateOf(photo) === 'ready' ? undefined : <UnreadyPhoto photo={photo} />
        },
      }}
    />
  )
}

/** The thumbnail is visible behind the photo while that is loading. */
function imageProps(slide: Slide, media: (url: string) => string | null) {
  const { photo } = slide as PhotoSlide // all slides are made by slideOf
  const thumbnailUrl = photo.thumbnail_url && media(photo.thumbnail_url)
  return { draggable: false, ...(thumbnailUrl && { style: { backgroundImage: `url(${thumbnailUrl})` } }) }
}

/** Shown instead of a photo that an operator hid, also from its owner; beside it stands why. */
function ClosedPhoto({ photo: { thumbhash } }: { photo: Photo }) {
  const text = useText({ gallery })
  const placeholder = placeholderOf(thumbhash)
  return (
    <div className="viewer__unready" style={placeholder ? { backgroundImage: `url(${placeholder})` } : undefined}>
      <ShieldAlert className="icon" />
      <b>{text.hiddenByOperator}</b>
    </div>
  )
}

/** Shown instead of a photo that is in processing or has failed. */
function UnreadyPhoto({ photo }: { photo: Photo }) {
  const text = useText({ gallery }).viewer
  const translate = useServerSentence()
  const media = useMediaUrl()
  const thumbnailUrl = photo.thumbnail_url && media(photo.thumbnail_url)
  const placeholder = thumbnailUrl ?? placeholderOf(photo.thumbhash)
  if (photoStateOf(photo) === 'failed') {
    return (
      <div className="viewer__unready viewer__unready--bad">
        <TriangleAlert className="icon" />
        <b>{text.failed}</b>
        {photo.error_message && <span translate="no">{translate(photo.error_message)}</span>}
        {(photo.can_retry || !photo.error_message) && <span>{text.failedHint}</span>}
      </div>
    )
  }
  return (
    <div className="viewer__unready" style={placeholder ? { backgroundImage: `url(${placeholder})` } : undefined}>
      <span className="spin" aria-hidden="true" />
      <b>{text.processing}</b>
      <span>{text.processingHint}</span>
    </div>
  )
}

interface ShownSlides {
  slides: readonly PhotoSlide[]
  index: number
}

/**
 * The slides to pass to the lightbox, which ends a zoom when the index of its slide changes, as with each new photo:
 * while a photo is zoomed in, they stay as they were.
 */
export function useSteadySlides(current: ShownSlides): ShownSlides & { onZoom: (zoom: number) => void } {
  const [zoomed, setZoomed] = useState<ShownSlides | null>(null)
  const idOf = ({ slides, index }: ShownSlides): string | undefined => slides[index]?.photo.id
  const isSamePhoto = zoomed !== null && idOf(zoomed) === idOf(current)
  return {
    ...(isSamePhoto ? zoomed : current),
    onZoom: (zoom) => setZoomed(zoom <= 1 ? null : isSamePhoto ? zoomed : current),
  }
}
