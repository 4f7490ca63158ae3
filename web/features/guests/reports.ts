import type { Photo } from '@keepsnap/contract/photos.ts'
import { decideReport, listReports, type PhotoReport, undoDecision } from '@keepsnap/contract/guests.ts'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../lib/api.ts'
import { useApi } from '../../lib/app-services.tsx'
import { setCachedPhotoHidden } from '../photos/photo-cache.ts'
import { type Decision, reportsKey } from './open-reports.ts'

/** Photos of the user that guests reported. */
export const reportsQuery = (api: Api) =>
  queryOptions({
    queryKey: reportsKey,
    queryFn: async ({ signal }) => (await api.call(listReports, { query: {} }, { signal })).reports,
    staleTime: 60_000,
  })

const refetchDelayMs = 150

interface ReportRefetch {
  /** Fetches the reports again, also when no page shows them. */
  refetchSoon(): void
  /** The photo was hidden or shown again: its report has that state too. */
  photoChanged(photo: Pick<Photo, 'id' | 'hidden'>): void
  cancel(): void
}

export function createReportRefetch(queryClient: QueryClient, api: Api): ReportRefetch {
  let refetchTimer: ReturnType<typeof setTimeout> | undefined
  const refetchSoon = (): void => {
    refetchTimer ??= setTimeout(() => {
      refetchTimer = undefined
      // A request in flight may return data from before the change: it has to end first.
      if (queryClient.isFetching({ queryKey: reportsKey }) > 0) refetchSoon()
      else void queryClient.prefetchQuery({ ...reportsQuery(api), staleTime: 0 })
    }, refetchDelayMs)
  }
  return {
    refetchSoon,
    photoChanged({ id, hidden }) {
      const reports = queryClient.getQueryData<PhotoReport[]>(reportsKey)
      if (reports?.some((report) => report.photo.id === id && report.hidden !== hidden)) refetchSoon()
    },
    cancel() {
      clearTimeout(refetchTimer)
      refetchTimer = undefined
    },
  }
}

interface DecideInput {
  /** Id of the photo. */
  id: string
  decision: Decision
}

/** Hides a reported photo from guests or keeps it visible. */
export function useDecideReport() {
  const api = useApi()
  return useMutation({
    mutationFn: ({ id, decision }: DecideInput) => api.call(decideReport, { params: { id }, body: { decision } }),
    ...useUpdatedReport(),
  })
}

/** Takes a decision to hide back: the report is open again. */
export function useUndoDecision() {
  const api = useApi()
  return useMutation({
    mutationFn: ({ photo: { id }, decided_at }: PhotoReport) =>
      api.call(undoDecision, { params: { id }, query: { decided_at: decided_at ?? '' } }),
    ...useUpdatedReport(),
  })
}

/** Mutation callbacks that put the returned report into the cache, and its photo's state into all queries. */
function useUpdatedReport() {
  const queryClient = useQueryClient()
  return {
    async onSuccess(report: PhotoReport) {
      await queryClient.cancelQueries({ queryKey: reportsKey })
      queryClient.setQueryData<PhotoReport[]>(reportsKey, (reports) =>
        reports?.map((other) => (other.photo.id === report.photo.id ? report : other)),
      )
      setCachedPhotoHidden(queryClient, report.photo.id, report.hidden)
    },
    onError: () => void queryClient.invalidateQueries({ queryKey: reportsKey }),
  }
}
