import { siteInfo, type SiteInfo } from '@keepsnap/contract/site.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Api } from '../../lib/api.ts'
import { useApi } from '../../lib/app-services.tsx'
import { hasFailed } from '../../ui/QueryView.tsx'

/** The public settings of this installation. They change only when the server restarts. */
export const siteInfoQuery = (api: Api) =>
  queryOptions({
    queryKey: ['site'],
    queryFn: ({ signal }) => api.call(siteInfo, {}, { signal }),
    staleTime: Infinity,
  })

/** `failed`: the call failed; `retry` makes it again, and `isRetrying` until then. */
export type SiteInfoState =
  | { state: 'loading'; info: null }
  | { state: 'ready'; info: SiteInfo }
  | { state: 'failed'; info: null; retry: () => void; isRetrying: boolean }

/** What public pages say about this installation. */
export function useSiteInfo(): SiteInfoState {
  const query = useQuery(siteInfoQuery(useApi()))
  if (query.data) return { state: 'ready', info: query.data }
  if (hasFailed(query)) {
    return { state: 'failed', info: null, retry: () => void query.refetch(), isRetrying: query.isFetching }
  }
  return { state: 'loading', info: null }
}
