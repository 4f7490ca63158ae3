import { type QueryClient, queryOptions, replaceEqualDeep } from '@tanstack/react-query'
import { getPhoto, latestPhoto, listPhotos, type Photo, photoDays } from '@keepsnap/contract/photos.ts'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import type { ServerMessage } from '@keepsnap/contract/live.ts'
import { ApiError } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import { refetchQuery } from '../../lib/refetch-query.ts'
import { isNewer } from './photo-state.ts'

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
        return await api.call(latestPhoto, { query: {} }, { signal })
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
  })

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

/**
 * `added`: it is new. `found`: it may be new, or have changed. `changed`: lists without it stay as they are, because a late
 * response must not bring back a photo that was deleted.
 */
type Change = { kind: 'added' | 'found' | 'changed'; photo: Photo } | { kind: 'deleted' }
/** By the id of the photo. */
type Changes = Map<string, Change>

/** The photos after the changes; the same object when none of them matters. `fits`: whether the list reaches to a new photo. */
function withChanges(photos: Photo[], changes: Changes, fits: (photo: Photo) => boolean): Photo[] {
  const isListed = new Set<string>()
  let differs = false
  const next: Photo[] = []
  for (const photo of photos) {
    const change = changes.get(photo.id)
    if (change) isListed.add(photo.id)
    const now = !change ? photo : change.kind === 'deleted' ? null : replaceEqualDeep(photo, change.photo)
    if (now !== photo) differs = true
    if (now) next.push(now)
  }
  const missing = [...changes].flatMap(([id, change]) =>
    (change.kind === 'added' || change.kind === 'found') && !isListed.has(id) && fits(change.photo) ? change.photo : [],
  )
  if (missing.length > 0) return [...next, ...missing].sort((a, b) => (isNewer(a, b) ? -1 : 1))
  return differs ? next : photos
}

function windowAfter(window: PhotoWindow, changes: Changes, name: string): PhotoWindow {
  const [first, last] = [window.photos[0], window.photos.at(-1)]
  const photos = withChanges(
    window.photos,
    changes,
    (photo) =>
      photo.filename.toLowerCase().includes(name.toLowerCase()) &&
      (window.newer === null || (first !== undefined && !isNewer(photo, first))) &&
      (window.older === null || (last !== undefined && isNewer(photo, last))),
  )
  return photos === window.photos ? window : { ...window, photos }
}

/** The latest photo is the newest that is not hidden, as on the server. */
function latestAfter(latest: Photo | null | undefined, change: Change): Photo | null | undefined {
  if (change.kind === 'deleted') return latest
  const { kind, photo } = change
  if (kind === 'added') return latest && latest.id !== photo.id && isNewer(latest, photo) ? latest : photo
  const isShownAgain = latest !== undefined && !photo.hidden && (latest === null || isNewer(photo, latest))
  return isShownAgain || latest?.id === photo.id ? photo : latest
}

const windowsIn = (queryClient: QueryClient) => queryClient.getQueriesData<PhotoWindow>({ queryKey: photoKeys.lists })

/** Applies changes to all queries: each of them is written once. */
function applyChanges(queryClient: QueryClient, changes: Changes): void {
  if (changes.size === 0) return
  for (const [id, change] of changes) {
    const queryKey = photoKeys.one(id)
    if (change.kind === 'deleted') queryClient.removeQueries({ queryKey, exact: true })
    else if (change.kind !== 'found' || queryClient.getQueryData(queryKey))
      queryClient.setQueryData<Photo>(queryKey, change.photo)
  }
  const recent = queryClient.setQueryData<Photo[]>(photoKeys.recent, (photos) => {
    if (!photos) return photos
    const last = photos.length < recentPhotoCount ? undefined : photos.at(-1)
    return withChanges(photos, changes, (photo) => !last || isNewer(photo, last)).slice(0, recentPhotoCount)
  })
  for (const [queryKey, window] of windowsIn(queryClient)) {
    if (!window) continue
    const name = queryKey[2]
    const next = windowAfter(window, changes, typeof name === 'string' ? name : '')
    if (next !== window) queryClient.setQueryData<PhotoWindow>(queryKey, next)
  }
  applyToLatest(queryClient, changes, recent)
  refetchInFlight(queryClient)
}

function applyToLatest(queryClient: QueryClient, changes: Changes, recent: readonly Photo[] | undefined): void {
  const { latest: queryKey } = photoKeys
  const before = queryClient.getQueryData<Photo | null>(queryKey)
  let latest = before
  for (const change of changes.values()) latest = latestAfter(latest, change)
  const isDeleted = latest && changes.get(latest.id)?.kind === 'deleted'
  if (isDeleted) {
    const list = queryClient.getQueryData<PhotoWindow>(photoKeys.list())
    latest = recent?.[0] ?? (list?.newer === null ? list.photos[0] : undefined) ?? latest
  }
  if (latest !== before) queryClient.setQueryData<Photo | null>(queryKey, latest)
  // The next one may be older than every photo known here.
  const isHidden = latest?.hidden && changes.has(latest.id)
  if (isDeleted || isHidden) void queryClient.invalidateQueries({ queryKey, exact: true })
}

const listParts: ReadonlySet<unknown> = new Set(['list', 'page', 'changes'])

/** A request that is in flight may return data from before this change: its query is fetched again. */
function refetchInFlight(queryClient: QueryClient): void {
  const { all: queryKey } = photoKeys
  for (const query of queryClient.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })) {
    // What lists missed is among the changes since they were read.
    if (listParts.has(query.queryKey[1])) readChangesSoon(queryClient)
    else refetchQuery(queryClient, query)
  }
}

const changesDelayMs = 500
const plannedReads = new WeakSet<QueryClient>()

/** Reads what has changed once requests in flight have probably ended; many calls in a row cause one read. */
function readChangesSoon(queryClient: QueryClient): void {
  if (plannedReads.has(queryClient)) return
  plannedReads.add(queryClient)
  setTimeout(() => {
    plannedReads.delete(queryClient)
    const isInFlight = [photoKeys.lists, photoKeys.pages, photoKeys.changes].some(
      (queryKey) => queryClient.isFetching({ queryKey }) > 0,
    )
    if (isInFlight) readChangesSoon(queryClient)
    else void queryClient.invalidateQueries({ queryKey: photoKeys.changes })
  }, changesDelayMs)
}

const ofPhoto = (kind: 'added' | 'changed', photo: Photo): Changes => new Map([[photo.id, { kind, photo }]])

/** Applies what the server says has changed since it was last asked. */
export const applyPhotoChanges = (
  queryClient: QueryClient,
  photos: readonly Photo[],
  deleted: readonly string[],
): void =>
  applyChanges(
    queryClient,
    new Map<string, Change>([
      ...photos.map((photo) => [photo.id, { kind: 'found', photo }] as const),
      ...deleted.map((id) => [id, { kind: 'deleted' }] as const),
    ]),
  )

/** Adds the response to an upload, unless the live connection has delivered this photo already. */
export function addUploadedPhoto(queryClient: QueryClient, photo: Photo): void {
  if (!queryClient.getQueryData(photoKeys.one(photo.id))) applyChanges(queryClient, ofPhoto('added', photo))
}

export const updatePhoto = (queryClient: QueryClient, photo: Photo): void =>
  applyChanges(queryClient, ofPhoto('changed', photo))

export const removePhotos = (queryClient: QueryClient, ids: Iterable<string>): void =>
  applyChanges(queryClient, new Map(Array.from(ids, (id) => [id, { kind: 'deleted' }])))

/** A photo in any of the queries; undefined when it was deleted, or is not known. */
export function cachedPhoto(queryClient: QueryClient, id: string): Photo | undefined {
  const hasId = (photo: Photo): boolean => photo.id === id
  const latest = queryClient.getQueryData<Photo | null>(photoKeys.latest)
  const lists = [
    queryClient.getQueryData<Photo[]>(photoKeys.recent),
    ...windowsIn(queryClient).map(([, list]) => list?.photos),
  ]
  return (
    queryClient.getQueryData<Photo>(photoKeys.one(id)) ??
    lists.flatMap((photos) => photos?.find(hasId) ?? [])[0] ??
    (latest?.id === id ? latest : undefined)
  )
}

/** Marks photos as hidden from guests or visible to them, in all queries. */
export function setCachedPhotosHidden(queryClient: QueryClient, ids: ReadonlySet<string>, hidden: boolean): void {
  const latest = queryClient.getQueryData<Photo | null>(photoKeys.latest)
  const known = [
    ...windowsIn(queryClient).flatMap(([, list]) => list?.photos ?? []),
    ...(queryClient.getQueryData<Photo[]>(photoKeys.recent) ?? []),
    ...(latest ? [latest] : []),
    ...queryClient.getQueriesData<Photo>({ queryKey: photoKeys.singles }).flatMap(([, photo]) => photo ?? []),
  ]
  const changed = known.filter((photo) => ids.has(photo.id) && photo.hidden !== hidden)
  applyChanges(
    queryClient,
    new Map(changed.map((photo) => [photo.id, { kind: 'changed', photo: { ...photo, hidden } }])),
  )
}

/** Marks a photo as hidden from guests or visible to them, in all queries. */
export const setCachedPhotoHidden = (queryClient: QueryClient, id: string, hidden: boolean): void =>
  setCachedPhotosHidden(queryClient, new Set([id]), hidden)

/** Applies the latest photo, which the server sends after every connect. What else is new is read after a connect, too. */
function applyLatestPhoto(queryClient: QueryClient, photo: Photo): void {
  const { recent: queryKey } = photoKeys
  const recent = queryClient.getQueryData<Photo[]>(queryKey)
  const isOutdated = recent && recent[0]?.id !== photo.id
  const knownPhoto = cachedPhoto(queryClient, photo.id)
  queryClient.setQueryData<Photo | null>(photoKeys.latest, photo)
  // Nothing is new after most connects. The fetches that every connect causes are not restarted then.
  if (replaceEqualDeep(knownPhoto, photo) !== knownPhoto) updatePhoto(queryClient, photo)
  if (isOutdated) void queryClient.invalidateQueries({ queryKey })
}

/**
 * Applies messages of the live connection, in their order; components do not know whether data was fetched or pushed.
 * Messages that came together change each query once.
 */
export function applyPhotoMessages(queryClient: QueryClient, messages: readonly ServerMessage[]): void {
  let changes: Changes = new Map()
  const add = (id: string, change: Change): void => {
    const before = changes.get(id)?.kind
    // A late message about a deleted photo does not bring it back; one that was added and has changed since is still new.
    if (change.kind === 'changed' && before === 'deleted') return
    changes.set(id, change.kind === 'changed' && before === 'added' ? { ...change, kind: 'added' } : change)
  }
  for (const message of messages) {
    if (message.action === 'new_photo') add(message.photo.id, { kind: 'added', photo: message.photo })
    else if (message.action === 'photo_update') add(message.photo.id, { kind: 'changed', photo: message.photo })
    else if (message.action === 'photo_deleted') add(message.id, { kind: 'deleted' })
    else if (message.action === 'latest_photo') {
      applyChanges(queryClient, changes)
      changes = new Map()
      applyLatestPhoto(queryClient, message.photo)
    }
  }
  applyChanges(queryClient, changes)
}
