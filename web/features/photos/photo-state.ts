import type { Photo } from '@keepsnap/contract/photos.ts'

export type PhotoState = 'ready' | 'processing' | 'failed'

/** The processing state of a photo. */
export const photoStateOf = (photo: Photo): PhotoState =>
  photo.processing_failed ? 'failed' : photo.processing_complete ? 'ready' : 'processing'

/** Newest first, as the server sorts. */
export const isNewer = (a: Photo, b: Photo): boolean =>
  a.created_at === b.created_at ? a.id > b.id : a.created_at > b.created_at
