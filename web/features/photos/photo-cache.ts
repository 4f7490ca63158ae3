import type { ServerMessage } from '@keepsnap/contract/live.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { replaceEqualDeep, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import { refetchQuery } from '../../lib/refetch-query.ts'
import { photoKeys, recentPhotoCount, type PhotoListPage } from './queries.ts'

type PhotoListPages = InfiniteData<PhotoListPage, string | null>

/** Newest first, as the server sorts. */
export const isNewer = (a: Photo, b: Photo): boolean =>
  a.created_at === b.created_at ? a.id > b.id : a.created_at > b.created_at

/** The list with the photo at its position; not added after the last photo unless the list is complete. */
function withInserted(photos: readonly Photo[], photo: Photo, isComplete: boolean): Photo[] {
  const others = photos.filter(({ id }) => id !== photo.id)
  const index = others.findIndex((other) => isNewer(photo, other))
  if (index < 0) return isComplete ? [...others, photo] : others
  return [...others.slice(0, index), photo, ...others.slice(index)]
}

const withReplaced = (photos: readonly Photo[], photo: Photo): Photo[] =>
  photos.map((other) => (other.id === photo.id ? photo : other))

const mapPages = (list: PhotoListPages, change: (page: PhotoListPage, index: number) => Photo[]): PhotoListPages => ({
  ...list,
  pages: list.pages.map((page, index) => ({ ...page, photos: change(page, index) })),
})

/** A request that is in flight may return data from before this change: its query is fetched again. */
function refetchInFlight(queryClient: QueryClient): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey: photoKeys.all, fetchStatus: 'fetching' }))
    refetchQuery(queryClient, query)
}

/** Adds a new photo to the lists, where it normally is the newest. */
export function addPhoto(queryClient: QueryClient, photo: Photo): void {
  queryClient.setQueryData<Photo>(photoKeys.one(photo.id), photo)
  queryClient.setQueryData<Photo | null>(photoKeys.latest, (latest) =>
    latest && latest.id !== photo.id && isNewer(latest, photo) ? latest : photo,
  )
  queryClient.setQueryData<Photo[]>(
    photoKeys.recent,
    (recent) => recent && withInserted(recent, photo, recent.length < recentPhotoCount).slice(0, recentPhotoCount),
  )
  queryClient.setQueryData<PhotoListPages>(photoKeys.list, (list) => {
    if (!list || list.pages.some(({ photos }) => photos.some(({ id }) => id === photo.id))) return list
    return mapPages(list, ({ photos, next }, index) =>
      index === 0 ? withInserted(photos, photo, next === null) : photos,
    )
  })
  refetchInFlight(queryClient)
}

/** Adds the response to an upload, unless the live connection has delivered this photo already. */
export function addUploadedPhoto(queryClient: QueryClient, photo: Photo): void {
  if (!queryClient.getQueryData(photoKeys.one(photo.id))) addPhoto(queryClient, photo)
}

/** The latest photo is the newest that is not hidden, as on the server. */
function replacePhoto(queryClient: QueryClient, photo: Photo): void {
  queryClient.setQueryData<Photo>(photoKeys.one(photo.id), photo)
  queryClient.setQueryData<Photo | null>(photoKeys.latest, (latest) => {
    const isShownAgain = latest !== undefined && !photo.hidden && (latest === null || isNewer(photo, latest))
    return isShownAgain || latest?.id === photo.id ? photo : latest
  })
  queryClient.setQueryData<Photo[]>(photoKeys.recent, (recent) => recent && withReplaced(recent, photo))
  queryClient.setQueryData<PhotoListPages>(
    photoKeys.list,
    (list) => list && mapPages(list, ({ photos }) => withReplaced(photos, photo)),
  )
}

/** Replaces a photo in all queries. */
export function updatePhoto(queryClient: QueryClient, photo: Photo): void {
  replacePhoto(queryClient, photo)
  refetchInFlight(queryClient)
  // The next one may be older than every photo known here.
  if (photo.hidden && queryClient.getQueryData<Photo | null>(photoKeys.latest)?.id === photo.id)
    void queryClient.invalidateQueries({ queryKey: photoKeys.latest, exact: true })
}

/** A photo in any of the queries; undefined when it was deleted, or is not known. */
export function cachedPhoto(queryClient: QueryClient, id: string): Photo | undefined {
  const latest = queryClient.getQueryData<Photo | null>(photoKeys.latest)
  return (
    queryClient.getQueryData<Photo>(photoKeys.one(id)) ??
    queryClient.getQueryData<Photo[]>(photoKeys.recent)?.find((photo) => photo.id === id) ??
    queryClient
      .getQueryData<PhotoListPages>(photoKeys.list)
      ?.pages.flatMap(({ photos }) => photos)
      .find((photo) => photo.id === id) ??
    (latest?.id === id ? latest : undefined)
  )
}

/** Marks a photo as hidden from guests or visible to them, in all queries. */
export function setCachedPhotoHidden(queryClient: QueryClient, id: string, hidden: boolean): void {
  const photo = cachedPhoto(queryClient, id)
  if (photo) updatePhoto(queryClient, { ...photo, hidden })
}

/** Applies the latest photo, which the server sends after every connect. Lists without it are fetched again. */
function applyLatestPhoto(queryClient: QueryClient, photo: Photo): void {
  const lists = [
    { queryKey: photoKeys.recent, photos: queryClient.getQueryData<Photo[]>(photoKeys.recent) },
    { queryKey: photoKeys.list, photos: queryClient.getQueryData<PhotoListPages>(photoKeys.list)?.pages[0]?.photos },
  ]
  const outdatedLists = lists.filter(({ photos }) => photos && photos[0]?.id !== photo.id)
  const knownPhoto = cachedPhoto(queryClient, photo.id)
  queryClient.setQueryData<Photo | null>(photoKeys.latest, photo)
  replacePhoto(queryClient, photo)
  // Nothing is new after most connects. The fetches that every connect causes are not restarted then.
  if (replaceEqualDeep(knownPhoto, photo) !== knownPhoto) refetchInFlight(queryClient)
  for (const { queryKey } of outdatedLists) void queryClient.invalidateQueries({ queryKey })
}

/** Removes a deleted photo from all queries. */
export function removePhoto(queryClient: QueryClient, id: string): void {
  const without = (photos: readonly Photo[]): Photo[] => photos.filter((photo) => photo.id !== id)
  queryClient.removeQueries({ queryKey: photoKeys.one(id), exact: true })
  const recent = queryClient.setQueryData<Photo[]>(photoKeys.recent, (before) => before && without(before))
  const list = queryClient.setQueryData<PhotoListPages>(
    photoKeys.list,
    (before) => before && mapPages(before, ({ photos }) => without(photos)),
  )
  if (queryClient.getQueryData<Photo | null>(photoKeys.latest)?.id === id) {
    const next = recent?.[0] ?? list?.pages[0]?.photos[0]
    if (next) queryClient.setQueryData<Photo | null>(photoKeys.latest, next)
    void queryClient.invalidateQueries({ queryKey: photoKeys.latest })
  }
  refetchInFlight(queryClient)
}

/** Applies a message of the live connection; components do not know whether data was fetched or pushed. */
export function applyPhotoMessage(queryClient: QueryClient, message: ServerMessage): void {
  switch (message.action) {
    case 'latest_photo':
      return applyLatestPhoto(queryClient, message.photo)
    case 'new_photo':
      return addPhoto(queryClient, message.photo)
    case 'photo_update':
      return updatePhoto(queryClient, message.photo)
    case 'photo_deleted':
      return removePhoto(queryClient, message.id)
    default:
      return undefined
  }
}

// Many photos at once: each query is written once, and not at all where nothing changes.

const keyOfOne = photoKeys.one('').slice(0, -1)

/** Removes deleted photos from all queries. */
export function removePhotos(queryClient: QueryClient, ids: ReadonlySet<string>): void {
  const isDeleted = ({ id }: Photo): boolean => ids.has(id)
  const without = (photos: readonly Photo[]): Photo[] => photos.filter((photo) => !isDeleted(photo))
  const queries = queryClient.getQueryCache()
  for (const query of queries.findAll({ queryKey: keyOfOne }))
    if (ids.has(String(query.queryKey.at(-1)))) queries.remove(query)
  queryClient.setQueryData<Photo[]>(photoKeys.recent, (recent) =>
    recent?.some(isDeleted) ? without(recent) : undefined,
  )
  queryClient.setQueryData<PhotoListPages>(photoKeys.list, (list) =>
    list?.pages.some(({ photos }) => photos.some(isDeleted))
      ? mapPages(list, ({ photos }) => without(photos))
      : undefined,
  )
  const latest = queryClient.getQueryData<Photo | null>(photoKeys.latest)
  if (latest && isDeleted(latest)) {
    const next =
      queryClient.getQueryData<Photo[]>(photoKeys.recent)?.[0] ??
      queryClient.getQueryData<PhotoListPages>(photoKeys.list)?.pages[0]?.photos[0]
    if (next) queryClient.setQueryData<Photo | null>(photoKeys.latest, next)
    void queryClient.invalidateQueries({ queryKey: photoKeys.latest })
  }
  refetchInFlight(queryClient)
}

/** Replaces photos in all queries that have them. */
export function updatePhotos(queryClient: QueryClient, changed: readonly Photo[]): void {
  const changedById = new Map(changed.map((photo) => [photo.id, photo]))
  const isChanged = ({ id }: Photo): boolean => changedById.has(id)
  const withChanged = (photos: readonly Photo[]): Photo[] => photos.map((photo) => changedById.get(photo.id) ?? photo)
  for (const photo of changed)
    queryClient.setQueryData<Photo>(photoKeys.one(photo.id), (known) => (known ? photo : undefined))
  queryClient.setQueryData<Photo[]>(photoKeys.recent, (recent) =>
    recent?.some(isChanged) ? withChanged(recent) : undefined,
  )
  queryClient.setQueryData<PhotoListPages>(photoKeys.list, (list) =>
    list?.pages.some(({ photos }) => photos.some(isChanged))
      ? mapPages(list, ({ photos }) => withChanged(photos))
      : undefined,
  )
  const latest = queryClient.setQueryData<Photo | null>(photoKeys.latest, (before) => {
    if (before === undefined) return undefined
    const shown = changed.filter((photo) => !photo.hidden && (before === null || isNewer(photo, before)))
    return shown.reduce(
      (newest, photo) => (newest && isNewer(newest, photo) ? newest : photo),
      before && (changedById.get(before.id) ?? before),
    )
  })
  // The next one may be older than every photo known here.
  if (latest?.hidden && isChanged(latest))
    void queryClient.invalidateQueries({ queryKey: photoKeys.latest, exact: true })
  refetchInFlight(queryClient)
}

/** Marks photos as hidden from guests or visible to them, in all queries. */
export function setCachedPhotosHidden(queryClient: QueryClient, ids: ReadonlySet<string>, hidden: boolean): void {
  const list = queryClient.getQueryData<PhotoListPages>(photoKeys.list)?.pages.flatMap(({ photos }) => photos) ?? []
  const others = [
    queryClient.getQueryData<Photo | null>(photoKeys.latest),
    ...(queryClient.getQueryData<Photo[]>(photoKeys.recent) ?? []),
    ...queryClient.getQueriesData<Photo>({ queryKey: keyOfOne }).map(([, photo]) => photo),
  ]
  const changed = [...list, ...others].filter((photo) => photo && ids.has(photo.id) && photo.hidden !== hidden)
  updatePhotos(
    queryClient,
    changed.map((photo) => ({ ...photo!, hidden })), // filtered above
  )
}

/** So long, messages about photos are collected after one that was applied at once. */
const messageBatchMs = 100

export interface PhotoMessages {
  receive(message: ServerMessage): void
  /** Forgets what is collected. */
  cancel(): void
}

/** Applies messages of the live connection. Of many in a row, such as after a call that changed 200 photos, few cause work. */
export function createPhotoMessages(queryClient: QueryClient): PhotoMessages {
  let timer: ReturnType<typeof setTimeout> | undefined
  const deleted = new Set<string>()
  const updated = new Map<string, Photo>()
  const applyCollected = (): void => {
    clearTimeout(timer)
    timer = deleted.size + updated.size > 0 ? setTimeout(applyCollected, messageBatchMs) : undefined
    if (updated.size > 0) updatePhotos(queryClient, Array.from(updated.values()))
    if (deleted.size > 0) removePhotos(queryClient, deleted)
    deleted.clear()
    updated.clear()
  }
  return {
    receive(message) {
      if (message.action === 'photo_deleted') deleted.add(message.id)
      else if (message.action === 'photo_update') updated.set(message.photo.id, message.photo)
      else {
        applyCollected()
        return applyPhotoMessage(queryClient, message)
      }
      if (timer === undefined) applyCollected()
    },
    cancel() {
      clearTimeout(timer)
      timer = undefined
      deleted.clear()
      updated.clear()
    },
  }
}
