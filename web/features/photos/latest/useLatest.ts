import type { Photo } from '@keepsnap/contract/photos.ts'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useApi } from '../../../lib/app-services.tsx'
import { hasFailed } from '../../../lib/query-failure.ts'
import { latestQuery, recentQuery } from '../queries.ts'
import { latestVisiblePhoto, photoToShow } from './latest-view-model.ts'

export interface Latest {
  /** The newest photo that guests may see. Undefined while it is not known, null when there is none. */
  newest: Photo | null | undefined
  /** The photo to show: the newest, or in a burst the newest that is ready. */
  photo: Photo | null | undefined
  /** There are photos, but the newest are all hidden from guests. */
  allHidden: boolean
  recent: readonly Photo[]
  /** The first request for `recent` has succeeded or failed. Showing a photo before that could cause a layout shift. */
  isRecentKnown: boolean
  /** The last request failed; `photo` may still be there from an earlier one. */
  failed: boolean
  fetching: boolean
  /** Milliseconds; 0 before the first answer. */
  fetchedAt: number
  /** Fetches again; false when that failed. */
  refresh: () => Promise<boolean>
}

/** The newest photo and the recent ones. `pollMs`: the polling interval while the live connection is down. */
export function useLatest(pollMs: number | false): Latest {
  const api = useApi()
  const options = { refetchInterval: pollMs, refetchIntervalInBackground: true }
  const latest = useQuery({ ...latestQuery(api), ...options })
  const recent = useQuery({ ...recentQuery(api), ...options })
  const { refetch } = latest
  const { refetch: refetchRecent } = recent
  const refresh = useCallback(async () => {
    const [result] = await Promise.all([refetch(), refetchRecent()])
    return result.isSuccess
  }, [refetch, refetchRecent])
  const newest = latestVisiblePhoto(latest.data, recent.data)
  return {
    newest,
    photo: newest && photoToShow(newest, recent.data ?? []),
    allHidden: latest.data?.hidden === true || (latest.data === null && (recent.data ?? []).length > 0),
    recent: recent.data ?? [],
    isRecentKnown: !recent.isPending || recent.failureCount > 0 || hasFailed(recent),
    failed: hasFailed(latest),
    fetching: latest.isFetching,
    fetchedAt: latest.dataUpdatedAt,
    refresh,
  }
}
