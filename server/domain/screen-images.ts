import type { SharedPhoto } from './photo-access.ts'

/** The pictures of photos for screens; `createScreenImages` in the feature `photos` makes them. */
export interface ScreenImages {
  /**
   * The stored picture of a photo, made now if there is none yet. Null when a photo has none, and when it cannot be made soon: the
   * full image is sent instead.
   */
  find(photo: SharedPhoto): Promise<StoredScreenImage | null>
}

/** A stored picture for screens: a JPEG. */
export interface StoredScreenImage {
  key: string
  bytes: number
}
