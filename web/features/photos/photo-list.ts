import { listPhotos, type Photo, photoChanges } from '@keepsnap/contract/photos.ts'
import { isCancelledError, type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { ApiError } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import { useApi } from '../../lib/app-services.tsx'
import { timesOf } from './photo-state.ts'
import { hasFailed } from '../../ui/QueryView.tsx'
import {
  applyPhotoChanges,
  type PhotoDay,
  photoDaysKey,
  ofEvent,
  photoKeys,
  type ListPage,
  orderOf,
  type PhotoWindow,
  type Place,
  type ShownEvent,
} from './photo-cache.ts'

/** Photos on one page of the gallery's list. */
const pageSize = 200
/** On the first page of an evening, which is shown at once. */
const eveningPageSize = 120

type Page = Pick<PhotoWindow, 'photos' | 'newer' | 'older'>
/** Where a page is; the newest, when nothing is given. */
type PagePlace = { before: string } | { after: string } | { from: string } | { until: string } | Record<string, never>

/** What a list has: photos whose names contain `name`, of an event. */
interface Listed {
  name: string
  page: ListPage
  event: ShownEvent
}

async function fetchPage(
  api: Api,
  { name, page, event }: Listed,
  place: PagePlace,
  signal: AbortSignal,
): Promise<Page> {
  const limit = 'from' in place ? eveningPageSize : pageSize
  const order = orderOf(page)
  const query = { limit, ...place, ...(name && { name }), ...(order === 'taken' && { order }), ...ofEvent(event) }
  const { reply, headers } = await api.send(listPhotos, { query }, { signal })
  return { photos: reply, newer: headers.get('x-next-after'), older: headers.get('x-next-before') }
}

/**
 * Reads what has changed since it was last read, and applies it to all queries. Its data is the value for the next call. Fetching
 * it again is all that is needed when messages of the live connection may have been missed: the lists are never stale.
 */
const changesQuery = (api: Api) =>
  queryOptions({
    queryKey: photoKeys.changes,
    async queryFn({ client, signal }): Promise<string | null> {
      const since = client.getQueryData<string | null>(photoKeys.changes) ?? null
      const query = since === null ? {} : { since }
      const reply = await api.call(photoChanges, { query }, { signal }).catch((error: unknown) => {
        // An older node of the server does not have this call.
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      })
      if (!reply || since === null || reply.reset) readListsAgain(client)
      else applyPhotoChanges(client, reply.photos, reply.deleted)
      return reply && reply.next
    },
    // The list has just been read after it.
    staleTime: 2_000,
  })

function readListsAgain(queryClient: QueryClient): void {
  for (const [queryKey, window] of queryClient.getQueriesData<PhotoWindow>({ queryKey: photoKeys.lists })) {
    if (!window) continue
    queryClient.setQueryData<PhotoWindow>(queryKey, { ...window, isOutdated: true })
    void queryClient.invalidateQueries({ queryKey, exact: true })
  }
}

/**
 * The photos whose file names contain `name`, or all photos; at first those at `place`. When they are fetched again, only the
 * page in view is: the others follow when they are scrolled to.
 */
const listQuery = (api: Api, listed: Listed, place: Place | null) =>
  queryOptions({
    queryKey: photoKeys.list(listed.name, listed.page, listed.event),
    async queryFn({ client, signal, queryKey }): Promise<PhotoWindow> {
      const known = client.getQueryData<PhotoWindow>(queryKey)
      // Read before the photos are, so that no change is missed. Without it, they are read again after each connect.
      await client.ensureQueryData(changesQuery(api)).catch(() => {})
      const around = known ? known.place : place
      const page = await pageAround(api, listed, around, signal)
      const now = client.getQueryData<PhotoWindow>(queryKey)
      if (now && !now.isOutdated && haveSameUrls(now.photos, page.photos)) return now
      return { ...page, start: Date.now(), skipped: page.newer === null ? 0 : null, place: around }
    },
    staleTime: Infinity,
    // Photos that have not changed stay the same objects without it; comparing 20,000 photos takes long.
    structuralSharing: false,
  })

async function pageAround(api: Api, listed: Listed, place: Place | null, signal: AbortSignal): Promise<Page> {
  if (place?.before == null) return fetchPage(api, listed, {}, signal)
  try {
    const page = await fetchPage(api, listed, { before: place.before }, signal)
    if (page.photos.length > 0) return page
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
  }
  // The server does not know the place any more.
  return fetchPage(api, listed, {}, signal)
}

function haveSameUrls(before: readonly Photo[], now: readonly Photo[]): boolean {
  const urls = new Map(before.map(({ id, b2_url }) => [id, b2_url]))
  return now.every(({ id, b2_url }) => !urls.has(id) || urls.get(id) === b2_url)
}

type End = 'newer' | 'older'

function withPage(window: PhotoWindow, page: Page, end: End): PhotoWindow {
  const known = new Set(window.photos.map(({ id }) => id))
  const photos = page.photos.filter(({ id }) => !known.has(id))
  if (end === 'older') return { ...window, photos: [...window.photos, ...photos], older: page.older }
  const skipped = page.newer === null ? 0 : window.skipped === null ? null : window.skipped - photos.length
  return { ...window, photos: [...photos, ...window.photos], newer: page.newer, skipped }
}

export type PhotoList = ReturnType<typeof usePhotoList>

interface ListOptions {
  page?: ListPage
  /** Only photos of this event; null: of the account. */
  event?: ShownEvent
  /** Where to begin, when no photos are loaded. */
  place?: Place | null
  enabled?: boolean
  /** The polling interval while the live connection is down. */
  pollMs?: number | false
}

/** The photos whose file names contain `name`; all of them, when it is empty. */
export function usePhotoList(name: string, options: ListOptions = {}) {
  const { page: shownOn = 'gallery', event = null, place = null, enabled = true, pollMs = false } = options
  const api = useApi()
  const queryClient = useQueryClient()
  const list = useQuery({
    ...listQuery(api, { name, page: shownOn, event }, place),
    enabled,
    // Of another search; photos of another event are never shown.
    placeholderData: (before, query) => (query?.queryKey.at(-1) === event ? before : undefined),
  })
  // Fetched when the gallery is opened or returned to, and after a lost connection.
  useQuery({
    ...changesQuery(api),
    enabled: enabled && list.data !== undefined,
    refetchInterval: pollMs,
    refetchIntervalInBackground: true,
  })
  const [isLoading, setLoading] = useState(false)
  const [failed, setFailed] = useState<{ end: End; start: number } | null>(null)

  /** Loads the next page at one end. */
  const load = useCallback(
    (end: End): void => {
      const queryKey = photoKeys.list(name, shownOn, event)
      const window = queryClient.getQueryData<PhotoWindow>(queryKey)
      const cursor = window?.[end]
      // One page at a time: another may be on its way that the user asked for.
      if (!window || !cursor || queryClient.isFetching({ queryKey: photoKeys.pages }) > 0) return
      setLoading(true)
      setFailed(null)
      const next = end === 'older' ? { before: cursor } : { after: cursor }
      const page = queryClient.fetchQuery({
        queryKey: [...photoKeys.pages, shownOn, event, name, end, cursor],
        queryFn: ({ signal }) => fetchPage(api, { name, page: shownOn, event }, next, signal),
        gcTime: 0,
      })
      page
        .then(
          (received) =>
            queryClient.setQueryData<PhotoWindow>(queryKey, (now) =>
              now && now.start === window.start && now[end] === cursor ? withPage(now, received, end) : now,
            ),
          (error: unknown) => !isCancelledError(error) && setFailed({ end, start: window.start }),
        )
        .finally(() => setLoading(false))
    },
    [api, queryClient, name, shownOn, event],
  )

  /**
   * Shows the photos of an evening, or of the one before it that has any, or those before the moment `until`; null: the newest. False
   * when there are none.
   */
  const show = useCallback(
    async (evening: string | { until: string } | null, eveningOf: (iso: string) => string): Promise<boolean> => {
      const queryKey = photoKeys.list('', shownOn, event)
      const timeOf = timesOf[orderOf(shownOn)]
      const isHour = evening !== null && typeof evening === 'object'
      // The last one wins.
      await queryClient.cancelQueries({ queryKey: photoKeys.pages })
      const window = queryClient.getQueryData<PhotoWindow>(queryKey)
      const loaded = window && !isHour ? placeIn(window, evening, (photo) => eveningOf(timeOf(photo))) : undefined
      if (loaded !== undefined) {
        queryClient.setQueryData<PhotoWindow>(queryKey, { ...window!, place: loaded, start: Date.now() })
        return true
      }
      const page = await queryClient.fetchQuery({
        queryKey: [...photoKeys.pages, 'show', shownOn, event, evening],
        queryFn: ({ signal }) =>
          fetchPage(
            api,
            { name: '', page: shownOn, event },
            evening === null ? {} : isHour ? evening : { from: evening },
            signal,
          ),
        gcTime: 0,
      })
      const [first] = page.photos
      if (!first && evening !== null) return false
      await queryClient.cancelQueries({ queryKey, exact: true })
      const days = queryClient.getQueryData<PhotoDay[]>([...photoDaysKey, event, orderOf(shownOn)])
      const firstDay = first && !isHour && eveningOf(timeOf(first))
      const skipped = isHour
        ? null
        : (days?.reduce((sum, { day, count }) => (firstDay && day > firstDay ? sum + count : sum), 0) ?? null)
      queryClient.setQueryData<PhotoWindow>(queryKey, {
        ...page,
        start: Date.now(),
        skipped: page.newer === null ? 0 : skipped,
        place: first && evening !== null ? headingOf(first, page.newer, timeOf) : null,
      })
      return true
    },
    [api, queryClient, shownOn, event],
  )

  const setPlace = useCallback(
    (next: Place | null): void =>
      void queryClient.setQueryData<PhotoWindow>(
        photoKeys.list('', shownOn, event),
        (window) => window && { ...window, place: next },
      ),
    [queryClient, shownOn, event],
  )
  return {
    window: list.data,
    /** Why the last request failed. */
    error: list.error,
    /** The photos could not be loaded, also during another attempt. */
    failed: hasFailed(list),
    isFetching: list.isFetching,
    /** The photos are those of an earlier search. */
    isPrevious: list.isPlaceholderData,
    retry: (): void => void list.refetch(),
    load,
    /** The end at which the last page could not be loaded. */
    failedEnd: failed && failed.start === list.data?.start ? failed.end : null,
    isLoading,
    show,
    setPlace,
  }
}

/** The place of an evening whose first photo is loaded, null for the top; undefined when it is not loaded. */
function placeIn(
  { photos, newer }: PhotoWindow,
  evening: string | null,
  eveningOf: (photo: Photo) => string,
): Place | null | undefined {
  if (evening === null) return newer === null ? null : undefined
  const index = photos.findIndex((photo) => eveningOf(photo) === evening)
  const first = photos[index]
  if (!first || (index === 0 && newer !== null)) return undefined
  return headingOf(first, index === 0 ? null : photos[index - 1]!.id)
}

const headingOf = (photo: Photo, before: string | null, timeOf = timesOf.added): Place => ({
  id: photo.id,
  created_at: timeOf(photo),
  offset: null,
  before,
})
