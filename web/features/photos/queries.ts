import { getPhoto, latestPhoto, listPhotos, photoDays, type Photo } from '@keepsnap/contract/photos.ts'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'

/** Photos that follow each other in the gallery, newest first: a part of all photos, which grows at both ends. */
export interface PhotoWindow {
  photos: Photo[]
  /** The value of `after` that continues the window; null when it begins with the newest photo. */
  newer: string | null
  /** The value of `before` that continues it; null when it ends with the oldest. */
  older: string | null
  /** Another one whenever other photos are shown than before, such as those of another evening. */
  start: number
  /** Number of photos that are newer than these; null when it is not known. */
  skipped: number | null
  /** Where the user has scrolled to; null at the top. */
  place: Place | null
  /** Changes may have been missed: it is to be read again. */
  isOutdated?: boolean
}

/** A place in the gallery, which can be found again later. */
export interface Place {
  /** The first photo in view. */
  id: string
  /** Of that photo, which may be deleted later. */
  created_at: string
  /** From the top of the viewport to the photo, in CSS pixels; null: its evening's heading is shown at the top. */
  offset: number | null
  /** A photo some rows above, after which to read photos; null: read the newest. */
  before: string | null
}

/** Number of recent photos: the latest, and enough others to include four that are ready. */
export const recentPhotoCount = 12

const allKey = ['photos'] as const

export const photoKeys = {
  all: allKey,
  latest: [...allKey, 'latest'] as const,
  recent: [...allKey, 'recent'] as const,
  /** The windows of all photos and of searches. */
  lists: [...allKey, 'list'] as const,
  /** `name`: what the file names contain; empty for all photos. The big screen has a list that always begins with the newest. */
  list: (name = '', page: 'gallery' | 'screen' = 'gallery') => [...allKey, 'list', name, page] as const,
  /** Pages on their way into a window. */
  pages: [...allKey, 'page'] as const,
  changes: [...allKey, 'changes'] as const,
  singles: [...allKey, 'one'] as const,
  one: (id: string) => [...allKey, 'one', id] as const,
}

/** The newest photo, null when there is none. */
export const latestQuery = (api: Api) =>
  queryOptions({
    queryKey: photoKeys.latest,
    async queryFn({ signal }): Promise<Photo | null> {
      try {
        return await api.call(latestPhoto, {}, { signal })
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
  })

/** The newest few photos. */
export const recentQuery = (api: Api) =>
  queryOptions({
    queryKey: photoKeys.recent,
    queryFn: ({ signal }) => api.call(listPhotos, { query: { limit: recentPhotoCount } }, { signal }),
  })

export const photoQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: photoKeys.one(id),
    queryFn: ({ signal }) => api.call(getPhoto, { params: { id } }, { signal }),
  })

export type PhotoDay = Reply<typeof photoDays>['days'][number]
export const photoDaysKey = ['photo-days'] as const

/** The evenings that have photos, newest first. */
export const photoDaysQuery = (api: Api) =>
  queryOptions({
    queryKey: photoDaysKey,
    async queryFn({ signal }): Promise<PhotoDay[]> {
      const all: PhotoDay[] = []
      let before: string | null = null
      do {
        const query: { before?: string } = before === null ? {} : { before }
        const { days, next } = await api.call(photoDays, { query }, { signal })
        all.push(...days)
        before = next
      } while (before !== null)
      return all
    },
    staleTime: 60_000,
  })
