import { decideReport, listReports, type PhotoReport } from '@keepsnap/contract/reports.ts'
import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { Api } from '../../lib/api.ts'
import { useApi } from '../../lib/parts.tsx'
import { reportsKey } from './open-reports.ts'

export type Decision = 'hide' | 'keep'

/** Photos of the user that guests reported. */
export const reportsQuery = (api: Api) =>
  queryOptions({
    queryKey: reportsKey,
    queryFn: async ({ signal }) => (await api.call(listReports, {}, { signal })).reports,
    staleTime: 60_000,
  })

const gatherMs = 150

/**
 * Asks which photos were reported, also where no page shows them; called whenever a guest reported one or somebody
 * decided. Waits for a question on its way, whose answer may be from before.
 */
export function createReportNews(queries: QueryClient, api: Api): () => void {
  let asking: ReturnType<typeof setTimeout> | undefined
  const askAgain = (): void => {
    asking ??= setTimeout(() => {
      asking = undefined
      if (queries.isFetching({ queryKey: reportsKey }) > 0) askAgain()
      else void queries.prefetchQuery({ ...reportsQuery(api), staleTime: 0 })
    }, gatherMs)
  }
  return askAgain
}

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
