import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { currentUserQuery, useApi, useMediaUrl } from '../../lib/app-services.tsx'
import { hasFailed } from '../../ui/QueryView.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { useCurrentEventId } from '../events/events.ts'
import { latestQuery, recentQuery } from '../photos/photo-cache.ts'
import { photoStateOf } from '../photos/photo-state.ts'
import { latestVisiblePhoto, photoToShow } from './latest-view-model.ts'

export type Latest = ReturnType<typeof useLatest>

/**
 * The newest photo and the recent ones, of the current event when there is one. `pollMs`: the polling interval while the live connection
 * is down.
 */
export function useLatest(pollMs: number | false) {
  const api = useApi()
  const options = { refetchInterval: pollMs, refetchIntervalInBackground: true }
  const event = useCurrentEventId()
  // Another event may have become the current one.
  useQuery({ ...currentUserQuery(api), ...options, enabled: event !== null && pollMs !== false })
  const latest = useQuery({ ...latestQuery(api, event), ...options })
  const recent = useQuery({ ...recentQuery(api, event), ...options })
  const { refetch } = latest
  const { refetch: refetchRecent } = recent
  const refresh = useCallback(async () => {
    const [result] = await Promise.all([refetch(), refetchRecent()])
    return result.isSuccess
  }, [refetch, refetchRecent])
  const newest = latestVisiblePhoto(latest.data, recent.data)
  return {
    /** The newest photo that guests may see. Undefined while it is not known, null when there is none. */
    newest,
    /** The photo to show: the newest, or in a burst the newest that is ready. */
    photo: newest && photoToShow(newest, recent.data ?? []),
    /** There are photos, but the newest are all hidden from guests. */
    allHidden: latest.data?.hidden === true || (latest.data === null && (recent.data ?? []).length > 0),
    recent: recent.data ?? [],
    /** The first request for `recent` has succeeded or failed. Showing a photo before that could cause a layout shift. */
    isRecentKnown: !recent.isPending || recent.failureCount > 0 || hasFailed(recent),
    /** The last request failed; `photo` may still be there from an earlier one. */
    failed: hasFailed(latest),
    fetching: latest.isFetching,
    /** Milliseconds; 0 before the first answer. */
    fetchedAt: latest.dataUpdatedAt,
    /** Fetches again; false when that failed. */
    refresh,
  }
}

/** What changed when the latest photo was `before` and is `now`; null: nothing that is announced. */
export function latestChange(before: Photo | null, now: Photo | null): 'received' | 'changed' | null {
  if (!now) return null
  if (before?.id === now.id) {
    const [stateBefore, state] = [photoStateOf(before), photoStateOf(now)]
    if (stateBefore === state) return null
    return stateBefore === 'processing' && state === 'ready' ? 'received' : 'changed'
  }
  const isNewer = !before || now.created_at > before.created_at
  // A photo in processing is announced when it can be seen.
  return isNewer && photoStateOf(now) === 'ready' ? 'received' : null
}

/** Shows a toast when another photo is the latest, or the state of the latest changed; not for the first photo. */
export function useLatestToasts(
  photo: Photo | null | undefined,
  { received, changed }: { received: string; changed?: string },
): void {
  const toast = useToast()
  const media = useMediaUrl()
  const lastPhoto = useRef(photo)
  const newestCreatedAt = useRef('')
  useEffect(() => {
    const before = lastPhoto.current
    lastPhoto.current = photo
    // A hidden photo that is shown again is newer than the latest, but not new.
    const isKnown = before?.id !== photo?.id && (photo?.created_at ?? '') <= newestCreatedAt.current
    if (photo && photo.created_at > newestCreatedAt.current) newestCreatedAt.current = photo.created_at
    if (before === undefined || !photo || isKnown) return
    const change = latestChange(before, photo)
    const text = change === 'received' ? received : change && changed
    const picture = photo.thumbnail_url && media(photo.thumbnail_url)
    if (text) toast({ text, ...(picture && { picture }) })
  }, [photo, received, changed, toast, media])
}
