import { useEffect, useRef, useState } from 'react'
import { limits } from '@keepsnap/contract/limits.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { User } from '@keepsnap/contract/accounts.ts'
import { isNewer, type PhotoState, photoStateOf, qrCodeUrlOf, svgUrlOf } from '../photos/photo-state.ts'
import { loadImage } from '../../lib/images.ts'
import { useMediaUrl } from '../../lib/app-services.tsx'
import { wait } from '../../lib/time.ts'

const hourMs = 3_600_000

/** Whether guests may see the photo now. */
export const isShowable = (photo: Photo): boolean => photoStateOf(photo) === 'ready' && !photo.hidden

/** The start of tonight, in the format of `created_at`. */
export const tonightSince = (now: number): string => new Date(now - limits.slideshowHours * hourMs).toISOString()

/** The photos of tonight that guests may see, oldest first. */
export const tonightPhotos = (photos: readonly Photo[], now: number): Photo[] =>
  photos
    .filter((photo) => isShowable(photo) && photo.created_at >= tonightSince(now))
    .sort((a, b) => (isNewer(b, a) ? -1 : 1))

/** The photo after `shown`, which may be deleted; after the newest, the oldest. Undefined without photos. */
export const nextSlide = (tonight: readonly Photo[], shown: Photo | null): Photo | undefined =>
  tonight.find((photo) => shown !== null && isNewer(photo, shown)) ?? tonight[0]

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
type EmailGateSetting = Pick<User, 'ask_email_to_receive_photo'>
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

/** A photo in processing does not take the screen from one that is ready and at most this much older: they are one burst. */
const burstMs = 15_000

/** The photo to show when `newest` is the newest one: in a burst, the newest that is ready. */
export function photoToShow(newest: Photo, recent: readonly Photo[]): Photo {
  if (photoStateOf(newest) !== 'processing') return newest
  const ready = recent.find((photo) => photo.id !== newest.id && isShowable(photo))
  return ready && Date.parse(newest.created_at) - Date.parse(ready.created_at) < burstMs ? ready : newest
}

const maxOthers = 4

/** The photos of tonight besides `shown` that have a QR code, newest first: guests of another day are not shown. */
export const otherPhotos = (shown: Photo | undefined, recent: readonly Photo[], now: number): Photo[] =>
  recent
    .filter((photo) => photo.id !== shown?.id && isShowable(photo) && photo.created_at >= tonightSince(now))
    .slice(0, maxOthers)

/** A view model whose images are decoded. */
export interface LoadedView {
  model: LatestViewModel
  /** URL of the full image or of the thumbnail; null when neither can be shown. */
  picture: string | null
  /** `picture` is the full image. */
  isFull: boolean
  /** Kept so that the browser does not discard the decoded images. */
  images: readonly HTMLImageElement[]
}

/** Timeout of the full image, after which the thumbnail is shown first, so that guests see the code soon. */
const fullImagePatienceMs = 600
const imageTimeoutMs = 20_000

/** Decodes the images of a view model. Null when the photo or its code cannot be loaded. */
export async function loadView(model: LatestViewModel): Promise<LoadedView | null> {
  if (model.kind !== 'ready') {
    const thumbnail = model.thumb === null ? null : await loadImage(model.thumb, imageTimeoutMs)
    return { model, picture: thumbnail && model.thumb, isFull: false, images: thumbnail ? [thumbnail] : [] }
  }
  if (model.qrCode === null || model.full === null) return null
  const qrCodeLoading = loadImage(model.qrCode, imageTimeoutMs)
  const fullImage = await loadImage(model.full, model.thumb === null ? imageTimeoutMs : fullImagePatienceMs)
  const thumbnail = fullImage || model.thumb === null ? null : await loadImage(model.thumb, imageTimeoutMs)
  const picture = fullImage ? model.full : thumbnail && model.thumb
  const qrCode = await qrCodeLoading
  if (!qrCode || picture === null) return null
  return {
    model,
    picture,
    isFull: fullImage !== null,
    images: [qrCode, fullImage ?? thumbnail].filter((image) => image !== null),
  }
}

/** The same view with the full image; null when it is shown already or cannot be loaded. */
export async function loadFullImage(view: LoadedView): Promise<LoadedView | null> {
  const { full } = view.model
  if (view.isFull || full === null) return null
  const image = await loadImage(full, 6 * imageTimeoutMs)
  return image && { ...view, picture: full, isFull: true, images: [...view.images, image] }
}

/** Duration of the fade-out; the same as --duration-mid. */
const fadeMs = 180
const retryDelayMs = 5_000
/** Afterwards `gaveUp`, and longer delays. */
const quickAttempts = 24
const slowRetryDelayMs = 60_000

const prefersReducedMotion = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * What the Latest page shows: photo, code and texts change together, after the images have decoded. A photo that cannot
 * be loaded never replaces the one that is visible; it is tried again until it is loaded. `gaveUp`: it could not be
 * loaded for two minutes; `retry` then loads it again.
 */
export function useLatestViewModel(photo: Photo, user: EmailGateSetting) {
  const [model, retry] = useStableModel(latestViewModelOf(photo, user, useMediaUrl()))
  const [shown, setShown] = useState<LoadedView | null>(null)
  const [fadingOutFor, setFadingOutFor] = useState<LatestViewModel | null>(null)
  const [gaveUpOn, setGaveUpOn] = useState<LatestViewModel | null>(null)
  const isFirst = useRef(true)

  useEffect(() => {
    let cancelled = false
    async function showViewModel(next: LatestViewModel): Promise<void> {
      const loadedView = await loadWithRetries(next, {
        isCancelled: () => cancelled,
        onGaveUp: () => setGaveUpOn(next),
      })
      if (!loadedView || cancelled) return
      if (!isFirst.current && !prefersReducedMotion()) {
        setFadingOutFor(next)
        await wait(fadeMs)
        if (cancelled) return
      }
      isFirst.current = false
      setShown(loadedView)
      setFadingOutFor(null)
      const withFullImage = await loadFullImage(loadedView)
      if (withFullImage && !cancelled) setShown(withFullImage)
    }
    void showViewModel(model)
    return () => {
      cancelled = true
    }
  }, [model])

  return { shown, isFadingOut: fadingOutFor === model, gaveUp: gaveUpOn === model, retry }
}

/** The same object for as long as its key is the same, and a function that replaces it by a copy. */
function useStableModel(model: LatestViewModel): [LatestViewModel, () => void] {
  const [stable, setStable] = useState(model)
  const replace = (): void => setStable((latest) => ({ ...latest }))
  if (stable.key === model.key) return [stable, replace]
  setStable(model)
  return [model, replace]
}

/** Null when it is cancelled. */
async function loadWithRetries(
  model: LatestViewModel,
  { isCancelled, onGaveUp }: { isCancelled: () => boolean; onGaveUp: () => void },
): Promise<LoadedView | null> {
  for (let attempt = 1; !isCancelled(); attempt++) {
    const loadedView = await loadView(model)
    if (loadedView) return loadedView
    if (attempt === quickAttempts) onGaveUp()
    await wait(attempt < quickAttempts ? retryDelayMs : slowRetryDelayMs)
  }
  return null
}
