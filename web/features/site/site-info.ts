import { siteInfo } from '@keepsnap/contract/site.ts'
import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../lib/api.ts'

/** The public settings of this installation. They change only when the server restarts. */
export const siteInfoQuery = (api: Api) =>
  queryOptions({
    queryKey: ['site'],
    // Not ended with the page that asked first: every page needs it.
    queryFn: () => api.call(siteInfo, {}),
    staleTime: Infinity,
  })
