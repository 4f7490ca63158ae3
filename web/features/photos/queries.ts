import { getPhoto, latestPhoto, listPhotos, type Photo } from '@keepsnap/contract/photos.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'

/** One page of the list. `next`: id after which the next page starts, null on the last page. */
export interface PhotoListPage {
  photos: Photo[]
  next: string | null
}

/** Photos on one page of the gallery's list. */
const galleryPageSize = 200
/** Number of recent photos: the latest, and enough others to include four that are ready. */
export const recentPhotoCount = 12

const nextHeader = 'x-next-before'

export const photoKeys = {
  all: ['photos'] as const,
  latest: ['photos', 'latest'] as const,
  recent: ['photos', 'recent'] as const,
  list: ['photos', 'list'] as const,
  one: (id: string) => ['photos', 'one', id] as const,
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

/** All photos, newest first, page by page. */
export const listQuery = (api: Api) =>
  infiniteQueryOptions({
    queryKey: photoKeys.list,
    async queryFn({ pageParam, signal }): Promise<PhotoListPage> {
      const query = { limit: galleryPageSize, ...(pageParam !== null && { before: pageParam }) }
      const { reply, headers } = await api.send(listPhotos, { query }, { signal })
      return { photos: reply, next: headers.get(nextHeader) }
    },
    initialPageParam: null as string | null, // widens the type of the first page's parameter
    getNextPageParam: ({ next }) => next,
  })

export const photoQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: photoKeys.one(id),
    queryFn: ({ signal }) => api.call(getPhoto, { params: { id } }, { signal }),
  })
