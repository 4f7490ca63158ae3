import type { Photo } from '@keepsnap/contract/photos.ts'
import { photoView, type PhotoRow } from '../../domain/photos.ts'
import type { Urls } from '../../domain/urls.ts'
import { Fault } from '../../faults.ts'

/** A 404: there is no such photo, or it belongs to somebody else. */
export const photoNotFound = (): Fault => new Fault('not_found', 'This photo does not exist.')

/** The photo on the wire; 404 when there is none. */
export function photoOrNotFound(urls: Urls, row: PhotoRow | undefined): Photo {
  if (!row) throw photoNotFound()
  return photoView(urls)(row)
}

/** The newest photo on the wire; 404 when there is none. */
export function latestOrNotFound(urls: Urls, row: PhotoRow | undefined): Photo {
  if (!row) throw new Fault('not_found', 'No photos found. Upload your first photo!')
  return photoView(urls)(row)
}
