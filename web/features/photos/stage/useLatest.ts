import type { Photo } from '@keepsnap/contract/photos.ts'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useApi } from '../../../lib/parts.tsx'
import { stagePhotoOf } from './face.ts'
import { latestQuery, recentQuery } from '../queries.ts'

export interface Latest {
  /** The newest that guests may see. Undefined while it is not known, null when there is none. */
  photo: Photo | null | undefined
  /** There are photos, but the newest are all hidden from guests. */
  allHidden: boolean
  recent: readonly Photo[]
  /** The last question failed; `photo` may still be there from before. */
  failed: boolean
  fetching: boolean
  /** Milliseconds; 0 when nothing has been heard yet. */
  heardAt: number
  /** Asks anew; says whether an answer came. */
  refresh: () => Promise<boolean>
}

/** The newest photo and the few before it. `pollMs`: how often to ask while nothing is pushed. */
export function useLatest(pollMs: number | false): Latest {
  const api = useApi()
  const options = { refetchInterval: pollMs, refetchIntervalInBackground: true }
  const latest = useQuery({ ...latestQuery(api), ...options })
  const recent = useQuery({ ...recentQuery(api), ...options })
  const { refetch } = latest
  const { refetch: refetchRecent } = recent
  const refresh = useCallback(async () => {
    const [answer] = await Promise.all([refetch(), refetchRecent()])
    return answer.isSuccess
  }, [refetch, refetchRecent])
  return {
    photo: stagePhotoOf(latest.data, recent.data),
    allHidden: latest.data?.hidden === true,
    recent: recent.data ?? [],
    failed: latest.isError,
    fetching: latest.isFetching,
    heardAt: latest.dataUpdatedAt,
    refresh,
  }
}
