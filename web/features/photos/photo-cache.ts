import type { ServerMessage } from '@keepsnap/contract/live.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { photoKeys, recentPhotoCount, type PhotoPage } from './queries.ts'

type PhotoPages = InfiniteData<PhotoPage, string | null>

/** Newest first, as the server sorts. */
const isNewer = (a: Photo, b: Photo): boolean =>
  a.created_at === b.created_at ? a.id > b.id : a.created_at > b.created_at

/** The list with the photo at its position; not added after the last photo unless the list is complete. */
function withInserted(photos: readonly Photo[], photo: Photo, isComplete: boolean): Photo[] {
  const others = photos.filter(({ id }) => id !== photo.id)
  const index = others.findIndex((other) => isNewer(photo, other))
  if (index < 0) return isComplete ? [...others, photo] : others
  return others.toSpliced(index, 0, photo)
}

const withReplaced = (photos: readonly Photo[], photo: Photo): Photo[] =>
  photos.map((other) => (other.id === photo.id ? photo : other))

const mapPages = (list: PhotoPages, change: (page: PhotoPage, index: number) => Photo[]): PhotoPages => ({
  ...list,
  pages: list.pages.map((page, index) => ({ ...page, photos: change(page, index) })),
})

/** A request that is in flight may return data from before this change: its query is fetched again. */
function refetchInFlight(queries: QueryClient): void {
  for (const query of queries.getQueryCache().findAll({ queryKey: photoKeys.all, fetchStatus: 'fetching' })) {
    const refetch = (): void => void queries.invalidateQueries({ queryKey: query.queryKey, exact: true })
    // A first fetch is not restarted by an invalidation; it has to end before.
    if (query.state.data === undefined) query.promise?.then(refetch, () => {})
    else refetch()
  }
}

/** Adds a new photo to the lists, where it normally is the newest. */
export function addPhoto(queries: QueryClient, photo: Photo): void {
  queries.setQueryData<Photo>(photoKeys.one(photo.id), photo)
  queries.setQueryData<Photo | null>(photoKeys.latest, (latest) =>
    latest && latest.id !== photo.id && isNewer(latest, photo) ? latest : photo,
  )
  queries.setQueryData<Photo[]>(
    photoKeys.recent,
    (recent) => recent && withInserted(recent, photo, recent.length < recentPhotoCount).slice(0, recentPhotoCount),
  )
  queries.setQueryData<PhotoPages>(photoKeys.list, (list) => {
    if (!list || list.pages.some(({ photos }) => photos.some(({ id }) => id === photo.id))) return list
    return mapPages(list, ({ photos, next }, index) =>
      index === 0 ? withInserted(photos, photo, next === null) : photos,
    )
  })
  refetchInFlight(queries)
}

/** Adds the response to an upload, unless the live connection has delivered this photo already. */
export function addUploadedPhoto(queries: QueryClient, photo: Photo): void {
  if (!queries.getQueryData(photoKeys.one(photo.id))) addPhoto(queries, photo)
}

/** Replaces a photo in all queries. */
export function updatePhoto(queries: QueryClient, photo: Photo): void {
  queries.setQueryData<Photo>(photoKeys.one(photo.id), photo)
  queries.setQueryData<Photo | null>(photoKeys.latest, (latest) => (latest?.id === photo.id ? photo : latest))
  queries.setQueryData<Photo[]>(photoKeys.recent, (recent) => recent && withReplaced(recent, photo))
  queries.setQueryData<PhotoPages>(
    photoKeys.list,
    (list) => list && mapPages(list, ({ photos }) => withReplaced(photos, photo)),
  )
  refetchInFlight(queries)
}

/** Marks a photo as hidden from guests or visible to them, in all queries. */
export function setPhotoHidden(queries: QueryClient, id: string, hidden: boolean): void {
  const known =
    queries.getQueryData<Photo>(photoKeys.one(id)) ??
    queries.getQueryData<Photo[]>(photoKeys.recent)?.find((photo) => photo.id === id) ??
    queries
      .getQueryData<PhotoPages>(photoKeys.list)
      ?.pages.flatMap(({ photos }) => photos)
      .find((photo) => photo.id === id)
  const latest = queries.getQueryData<Photo | null>(photoKeys.latest)
  const photo = known ?? (latest?.id === id ? latest : undefined)
  if (photo) updatePhoto(queries, { ...photo, hidden })
}

/** Applies the latest photo, which the server sends after every connect. Lists without it are fetched again. */
export function applyLatestPhoto(queries: QueryClient, photo: Photo): void {
  const lists = [
    { queryKey: photoKeys.recent, photos: queries.getQueryData<Photo[]>(photoKeys.recent) },
    { queryKey: photoKeys.list, photos: queries.getQueryData<PhotoPages>(photoKeys.list)?.pages[0]?.photos },
  ]
  const outdated = lists.filter(({ photos }) => photos?.[0] && photos[0].id !== photo.id)
  queries.setQueryData<Photo | null>(photoKeys.latest, photo)
  updatePhoto(queries, photo)
  for (const { queryKey } of outdated) void queries.invalidateQueries({ queryKey })
}

/** Removes a deleted photo from all queries. */
export function removePhoto(queries: QueryClient, id: string): void {
  const without = (photos: readonly Photo[]): Photo[] => photos.filter((photo) => photo.id !== id)
  queries.removeQueries({ queryKey: photoKeys.one(id), exact: true })
  const recent = queries.setQueryData<Photo[]>(photoKeys.recent, (before) => before && without(before))
  const list = queries.setQueryData<PhotoPages>(
    photoKeys.list,
    (before) => before && mapPages(before, ({ photos }) => without(photos)),
  )
  if (queries.getQueryData<Photo | null>(photoKeys.latest)?.id === id) {
    const next = recent?.[0] ?? list?.pages[0]?.photos[0]
    if (next) queries.setQueryData<Photo | null>(photoKeys.latest, next)
    void queries.invalidateQueries({ queryKey: photoKeys.latest })
  }
  refetchInFlight(queries)
}

/** Applies a message of the live connection; components do not know whether data was fetched or pushed. */
export function applyPhotoMessage(queries: QueryClient, message: ServerMessage): void {
  switch (message.action) {
    case 'latest_photo':
      return applyLatestPhoto(queries, message.photo)
    case 'new_photo':
      return addPhoto(queries, message.photo)
    case 'photo_update':
      return updatePhoto(queries, message.photo)
    case 'photo_deleted':
      return removePhoto(queries, message.id)
    default:
      return undefined
  }
}
