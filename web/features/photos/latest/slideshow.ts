import { limits } from '@keepsnap/contract/limits.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { isNewer, photoStateOf } from '../photo-state.ts'

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
