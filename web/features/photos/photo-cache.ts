import type { ServerMessage } from '@keepsnap/contract/live.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { photoKeys, recentSize, type PhotoPage } from './queries.ts'

type List = InfiniteData<PhotoPage, string | null>

/** Newest first, as the server sorts. */
const isNewer = (a: Photo, b: Photo): boolean =>
  a.created_at === b.created_at ? a.id > b.id : a.created_at > b.created_at

/** The photo in its place; photos older than the last one stay away while there is more to load. */
function inserted(photos: readonly Photo[], photo: Photo, isWhole: boolean): Photo[] {
  const others = photos.filter(({ id }) => id !== photo.id)
  const at = others.findIndex((other) => isNewer(photo, other))
  if (at < 0) return isWhole ? [...others, photo] : others
  return others.toSpliced(at, 0, photo)
}

const replaced = (photos: readonly Photo[], photo: Photo): Photo[] =>
  photos.map((other) => (other.id === photo.id ? photo : other))

const inPages = (list: List, change: (page: PhotoPage, at: number) => Photo[]): List => ({
  ...list,
  pages: list.pages.map((page, at) => ({ ...page, photos: change(page, at) })),
})

/** A question on its way may bring an answer from before this news: it is asked again. */
function askAgain(queries: QueryClient): void {
  for (const query of queries.getQueryCache().findAll({ queryKey: photoKeys.all, fetchStatus: 'fetching' })) {
    const again = (): void => void queries.invalidateQueries({ queryKey: query.queryKey, exact: true })
    // Without data a question cannot be cut short.
    if (query.state.data === undefined) query.promise?.then(again, () => {})
    else again()
  }
}

/** A new photo: it is the newest, and it stands first in the lists. */
export function addPhoto(queries: QueryClient, photo: Photo): void {
  queries.setQueryData<Photo>(photoKeys.one(photo.id), photo)
  queries.setQueryData<Photo | null>(photoKeys.latest, (latest) =>
    latest && latest.id !== photo.id && isNewer(latest, photo) ? latest : photo,
  )
  queries.setQueryData<Photo[]>(
    photoKeys.recent,
    (recent) => recent && inserted(recent, photo, recent.length < recentSize).slice(0, recentSize),
  )
  queries.setQueryData<List>(photoKeys.list, (list) => {
    if (!list || list.pages.some(({ photos }) => photos.some(({ id }) => id === photo.id))) return list
    return inPages(list, ({ photos, next }, at) => (at === 0 ? inserted(photos, photo, next === null) : photos))
  })
  askAgain(queries)
}

/** The answer to an upload. The live channel may have told of the photo already, and of more. */
export function storePhoto(queries: QueryClient, photo: Photo): void {
  if (!queries.getQueryData(photoKeys.one(photo.id))) addPhoto(queries, photo)
}

/** A photo has changed: wherever it is shown. */
export function updatePhoto(queries: QueryClient, photo: Photo): void {
  queries.setQueryData<Photo>(photoKeys.one(photo.id), photo)
  queries.setQueryData<Photo | null>(photoKeys.latest, (latest) => (latest?.id === photo.id ? photo : latest))
  queries.setQueryData<Photo[]>(photoKeys.recent, (recent) => recent && replaced(recent, photo))
  queries.setQueryData<List>(photoKeys.list, (list) => list && inPages(list, ({ photos }) => replaced(photos, photo)))
  askAgain(queries)
}

/** A photo was hidden from guests, or is shown again: wherever it is known. */
export function markHidden(queries: QueryClient, id: string, hidden: boolean): void {
  const known =
    queries.getQueryData<Photo>(photoKeys.one(id)) ??
    queries.getQueryData<Photo[]>(photoKeys.recent)?.find((photo) => photo.id === id) ??
    queries
      .getQueryData<List>(photoKeys.list)
      ?.pages.flatMap(({ photos }) => photos)
      .find((photo) => photo.id === id)
  const latest = queries.getQueryData<Photo | null>(photoKeys.latest)
  const photo = known ?? (latest?.id === id ? latest : undefined)
  if (photo) updatePhoto(queries, { ...photo, hidden })
}

/** The server says what is newest now, after every connect. Lists that do not know it have missed something. */
export function settleLatest(queries: QueryClient, photo: Photo): void {
  const lists = [photoKeys.recent, photoKeys.list]
  const seen = queries.getQueryData<Photo[]>(photoKeys.recent) ?? []
  const listed = queries.getQueryData<List>(photoKeys.list)?.pages[0]?.photos ?? []
  const missed = [seen, listed].map((photos) => photos.length > 0 && photos[0]?.id !== photo.id)
  queries.setQueryData<Photo | null>(photoKeys.latest, photo)
  updatePhoto(queries, photo)
  for (const [at, queryKey] of lists.entries()) if (missed[at]) void queries.invalidateQueries({ queryKey })
}

/** A photo is gone from everywhere. */
export function forgetPhoto(queries: QueryClient, id: string): void {
  const without = (photos: readonly Photo[]): Photo[] => photos.filter((photo) => photo.id !== id)
  queries.removeQueries({ queryKey: photoKeys.one(id), exact: true })
  const recent = queries.setQueryData<Photo[]>(photoKeys.recent, (before) => before && without(before))
  const list = queries.setQueryData<List>(
    photoKeys.list,
    (before) => before && inPages(before, ({ photos }) => without(photos)),
  )
  if (queries.getQueryData<Photo | null>(photoKeys.latest)?.id === id) {
    const next = recent?.[0] ?? list?.pages[0]?.photos[0]
    if (next) queries.setQueryData<Photo | null>(photoKeys.latest, next)
    void queries.invalidateQueries({ queryKey: photoKeys.latest })
  }
  askAgain(queries)
}

/** One function for each message about photos; components do not know whether data was fetched or pushed. */
export function receiveMessage(queries: QueryClient, message: ServerMessage): void {
  switch (message.action) {
    case 'latest_photo':
      return settleLatest(queries, message.photo)
    case 'new_photo':
      return addPhoto(queries, message.photo)
    case 'photo_update':
      return updatePhoto(queries, message.photo)
    case 'photo_deleted':
      return forgetPhoto(queries, message.id)
    default:
      return undefined
  }
}
