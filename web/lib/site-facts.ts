import { siteFacts, type SiteFacts } from '@keepsnap/contract/site.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Api } from './api.ts'
import { useApi } from './app-services.tsx'

/** What the settings say about this installation. They change when the server starts again only. */
export const siteFactsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['site'],
    queryFn: ({ signal }) => api.call(siteFacts, {}, { signal }),
    staleTime: Infinity,
  })

/** `failed`: the call failed; `retry` makes it again. */
export type SiteFactsState =
  | { state: 'loading'; facts: null }
  | { state: 'ready'; facts: SiteFacts }
  | { state: 'failed'; facts: null; retry: () => void }

/** What public pages say about this installation. */
export function useSiteFacts(): SiteFactsState {
  const query = useQuery(siteFactsQuery(useApi()))
  if (query.data) return { state: 'ready', facts: query.data }
  if (query.isError) return { state: 'failed', facts: null, retry: () => void query.refetch() }
  return { state: 'loading', facts: null }
}
