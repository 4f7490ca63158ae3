import { decideReport, listReports, type PhotoReport } from '@keepsnap/contract/reports.ts'
import { queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { Api } from '../../lib/api.ts'
import { useApi } from '../../lib/parts.tsx'

export type Decision = 'hide' | 'keep'

const reportsKey = ['reports'] as const

/** Photos of the user that guests reported. */
export const reportsQuery = (api: Api) =>
  queryOptions({
    queryKey: reportsKey,
    queryFn: async ({ signal }) => (await api.call(listReports, {}, { signal })).reports,
    staleTime: 60_000,
  })

/** How many photos wait for a decision; 0 while that is not known. */
export function useOpenReports(enabled: boolean): number {
  const { data } = useQuery({
    ...reportsQuery(useApi()),
    enabled,
    select: (reports) => reports.filter(({ open }) => open).length,
  })
  return (enabled && data) || 0
}

/** A guest reported a photo, or somebody decided: the list is asked for again, once the last question is answered. */
export function createReportNews(queries: QueryClient): () => void {
  let asking: ReturnType<typeof setTimeout> | undefined
  const askAgain = (): void => {
    asking ??= setTimeout(() => {
      asking = undefined
      if (queries.isFetching({ queryKey: reportsKey }) > 0) askAgain()
      else void queries.invalidateQueries({ queryKey: reportsKey })
    }, gatherMs)
  }
  return askAgain
}
const gatherMs = 150

interface Verdict {
  /** The photo. */
  id: string
  decision: Decision
}

/** Hides a photo from guests, or shows it; `onDecided` hears what became of it. */
export function useDecide(onDecided: (report: PhotoReport) => void) {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, decision }: Verdict) => api.call(decideReport, { params: { id }, body: { decision } }),
    async onSuccess(report) {
      await queries.cancelQueries({ queryKey: reportsKey })
      queries.setQueryData<PhotoReport[]>(reportsKey, (reports) =>
        reports?.map((other) => (other.photo.id === report.photo.id ? report : other)),
      )
      onDecided(report)
    },
    onError: () => void queries.invalidateQueries({ queryKey: reportsKey }),
  })
}
