import { type QueryClient, type QueryKey, queryOptions, replaceEqualDeep } from '@tanstack/react-query'
import type { User } from '@keepsnap/contract/accounts.ts'
import {
  type EventOrder,
  getPhoto,
  latestPhoto,
  listPhotos,
  type Photo,
  photoDays,
  photoHours,
} from '@keepsnap/contract/photos.ts'
import type { Input, Reply } from '@keepsnap/contract/endpoint.ts'
import type { ServerMessage } from '@keepsnap/contract/live.ts'
import { ApiError } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import { userKey } from '../../lib/app-services.tsx'
import { refetchQuery } from '../../lib/refetch-query.ts'
import { isNewer, type TimeOf, timesOf } from './photo-state.ts'

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

/** Whose photos a query has: those of an event, of none (`none`), or all (null). */
export type ShownEvent = string | null
/** Its part of a query of a call. */
export const ofEvent = (event: ShownEvent): { event?: string } => (event === null ? {} : { event })

const isIn = ({ event_id: id = null }: Photo, event: ShownEvent): boolean =>
  event === null || (event === 'none' ? id === null : id === event)

/** `screen`: always begins with the newest photo. `taken`: the gallery of an event, by when its photos were taken. */
export type ListPage = 'gallery' | 'screen' | 'taken'
export const orderOf = (page: unknown): EventOrder => (page === 'taken' ? 'taken' : 'added')

export const photoKeys = {
  all: allKey,
  /** Of every event that was the current one, and of all photos. */
  latests: [...allKey, 'latest'] as const,
  latest: (event: ShownEvent = null) => [...allKey, 'latest', event] as const,
  recents: [...allKey, 'recent'] as const,
  recent: (event: ShownEvent = null) => [...allKey, 'recent', event] as const,
  /** The windows of all photos and of searches. */
  lists: [...allKey, 'list'] as const,
  /** `name`: what the file names contain; empty for all photos. */
  list: (name = '', page: ListPage = 'gallery', event: ShownEvent = null) =>
    [...allKey, 'list', name, page, event] as const,
  /** Pages on their way into a window. */
  pages: [...allKey, 'page'] as const,
  changes: [...allKey, 'changes'] as const,
  singles: [...allKey, 'one'] as const,
  one: (id: string) => [...allKey, 'one', id] as const,
}

/** The newest photo, null when there is none. */
export const latestQuery = (api: Api, event: ShownEvent = null) =>
  queryOptions({
    queryKey: photoKeys.latest(event),
    async queryFn({ signal }): Promise<Photo | null> {
      try {
        return await api.call(latestPhoto, { query: ofEvent(event) }, { signal })
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
  })

export const recentQuery = (api: Api, event: ShownEvent = null) =>
  queryOptions({
    queryKey: photoKeys.recent(event),
    queryFn: ({ signal }) =>
      api.call(listPhotos, { query: { limit: recentPhotoCount, ...ofEvent(event) } }, { signal }),
  })

export const photoQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: photoKeys.one(id),
    queryFn: ({ signal }) => api.call(getPhoto, { params: { id } }, { signal }),
  })

export type PhotoDay = Reply<typeof photoDays>['days'][number]
export const photoDaysKey = ['photo-days'] as const

/** The evenings that have photos, newest first. */
export const photoDaysQuery = (api: Api, event: ShownEvent = null, order: EventOrder = 'added') =>
  queryOptions({
    queryKey: [...photoDaysKey, event, order] as const,
    async queryFn({ signal }): Promise<PhotoDay[]> {
      const all: PhotoDay[] = []
      let before: string | null = null
      do {
        const query: Input<typeof photoDays>['query'] = {
          ...(before !== null && { before }),
          ...(order === 'taken' && { order }),
          ...ofEvent(event),
        }
        const { days, next } = await api.call(photoDays, { query }, { signal })
        all.push(...days)
        before = next
      } while (before !== null)
      return all
    },
    staleTime: 60_000,
  })

/** The hours that have photos of an event, the newest first. */
export const photoHoursQuery = (api: Api, event: string, order: EventOrder) =>
  queryOptions({
    queryKey: [...photoDaysKey, 'hours', event, order] as const,
    queryFn: ({ signal }) => api.call(photoHours, { query: { event, order } }, { signal }),
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
function withChanges(
  photos: Photo[],
  changes: Changes,
  fits: (photo: Photo) => boolean,
  timeOf = timesOf.added,
): Photo[] {
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
  // When a photo was taken can be known later.
  const isMoved = (photo: Photo, at: number): boolean => at > 0 && isNewer(photo, next[at - 1]!, timeOf)
  if (missing.length > 0 || (differs && timeOf !== timesOf.added && next.some(isMoved)))
    return [...next, ...missing].sort((a, b) => (isNewer(a, b, timeOf) ? -1 : 1))
  return differs ? next : photos
}

function windowAfter(
  window: PhotoWindow,
  changes: Changes,
  { name, timeOf }: { name: string; timeOf: TimeOf },
): PhotoWindow {
  const [first, last] = [window.photos[0], window.photos.at(-1)]
  const photos = withChanges(
    window.photos,
    changes,
    (photo) =>
      photo.filename.toLowerCase().includes(name.toLowerCase()) &&
      (window.newer === null || (first !== undefined && !isNewer(photo, first, timeOf))) &&
      (window.older === null || (last !== undefined && isNewer(photo, last, timeOf))),
    timeOf,
  )
  return photos === window.photos ? window : { ...window, photos }
}

/** What the changes mean for the photos of an event: one of another event is not among them. */
const changesIn = (event: ShownEvent, changes: Changes): Changes =>
  event === null
    ? changes
    : new Map(
        [...changes].map(([id, change]) =>
          change.kind === 'deleted' || isIn(change.photo, event) ? [id, change] : [id, { kind: 'deleted' }],
        ),
      )

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
  for (const [queryKey, photos] of queryClient.getQueriesData<Photo[]>({ queryKey: photoKeys.recents })) {
    if (!photos) continue
    const last = photos.length < recentPhotoCount ? undefined : photos.at(-1)
    const next = withChanges(photos, changesIn(eventOf(queryKey), changes), (photo) => !last || isNewer(photo, last))
    queryClient.setQueryData<Photo[]>(queryKey, next.slice(0, recentPhotoCount))
  }
  for (const [queryKey, window] of windowsIn(queryClient)) {
    if (!window) continue
    const [, , name, page] = queryKey
    const next = windowAfter(window, changesIn(eventOf(queryKey), changes), {
      name: typeof name === 'string' ? name : '',
      timeOf: timesOf[orderOf(page)],
    })
    if (next !== window) queryClient.setQueryData<PhotoWindow>(queryKey, next)
  }
  for (const event of new Set([currentEvent(queryClient), ...latestsIn(queryClient).map(([key]) => eventOf(key))]))
    applyToLatest(queryClient, event, changesIn(event, changes))
  refetchInFlight(queryClient)
}

const latestsIn = (queryClient: QueryClient) =>
  queryClient.getQueriesData<Photo | null>({ queryKey: photoKeys.latests })

/** The last part of a key. */
const eventOf = (queryKey: QueryKey): ShownEvent => queryKey.at(-1) as ShownEvent // of photoKeys

/** The event that Latest shows; null: all photos. */
const currentEvent = (queryClient: QueryClient): ShownEvent =>
  queryClient.getQueryData<User>(userKey)?.current_event_id ?? null

function applyToLatest(queryClient: QueryClient, event: ShownEvent, changes: Changes): void {
  const queryKey = photoKeys.latest(event)
  const before = queryClient.getQueryData<Photo | null>(queryKey)
  let latest = before
  for (const change of changes.values()) latest = latestAfter(latest, change)
  const isDeleted = latest && changes.get(latest.id)?.kind === 'deleted'
  if (isDeleted) {
    const recent = queryClient.getQueryData<Photo[]>(photoKeys.recent(event))
    const list = queryClient.getQueryData<PhotoWindow>(photoKeys.list('', 'gallery', event))
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
  const lists = [...recentsIn(queryClient), ...windowsIn(queryClient).map(([, list]) => list?.photos)]
  return (
    queryClient.getQueryData<Photo>(photoKeys.one(id)) ??
    lists.flatMap((photos) => photos?.find(hasId) ?? [])[0] ??
    latestsIn(queryClient).find(([, latest]) => latest?.id === id)?.[1] ??
    undefined
  )
}

const recentsIn = (queryClient: QueryClient): Photo[][] =>
  queryClient.getQueriesData<Photo[]>({ queryKey: photoKeys.recents }).flatMap(([, photos]) => (photos ? [photos] : []))

/** The photos that any of the queries has; one of them can be there several times. */
const knownPhotos = (queryClient: QueryClient): Photo[] => [
  ...windowsIn(queryClient).flatMap(([, list]) => list?.photos ?? []),
  ...recentsIn(queryClient).flat(),
  ...latestsIn(queryClient).flatMap(([, latest]) => latest ?? []),
  ...queryClient.getQueriesData<Photo>({ queryKey: photoKeys.singles }).flatMap(([, photo]) => photo ?? []),
]

/** Photos have been moved to an event, or out of theirs (null): lists of other events lose them, its own lists get them. */
export function setCachedPhotosEvent(queryClient: QueryClient, ids: ReadonlySet<string>, event: string | null): void {
  const moved = knownPhotos(queryClient).filter(({ id }) => ids.has(id))
  applyChanges(
    queryClient,
    new Map(moved.map((photo) => [photo.id, { kind: 'found', photo: { ...photo, event_id: event } }])),
  )
}

/** Marks photos as hidden from guests or visible to them, in all queries. */
export function setCachedPhotosHidden(queryClient: QueryClient, ids: ReadonlySet<string>, hidden: boolean): void {
  const changed = knownPhotos(queryClient).filter((photo) => ids.has(photo.id) && photo.hidden !== hidden)
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
  const event = currentEvent(queryClient)
  // Of an event that has just become the current one: the user is being read again, and the photo is then.
  if (!isIn(photo, event)) return
  const queryKey = photoKeys.recent(event)
  const recent = queryClient.getQueryData<Photo[]>(queryKey)
  const isOutdated = recent && recent[0]?.id !== photo.id
  const knownPhoto = cachedPhoto(queryClient, photo.id)
  queryClient.setQueryData<Photo | null>(photoKeys.latest(event), photo)
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
