import { listApiKeys } from '@keepsnap/contract/integrations.ts'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Api } from '../../lib/api.ts'
import { refetchQueries } from '../../lib/refetch-query.ts'

const apiKeysKey = ['api-keys'] as const
/** The time of the last use has a precision of one minute. */
const refetchMs = 60_000

/** The user's API keys, newest first. */
export const apiKeysQuery = (api: Api) =>
  queryOptions({
    queryKey: apiKeysKey,
    queryFn: ({ signal }) => api.call(listApiKeys, {}, { signal }),
    refetchInterval: refetchMs,
  })

/** Fetches the keys again: one was created or deleted, or messages about that may have been missed. */
export const refetchApiKeys = (queryClient: QueryClient): void => refetchQueries(queryClient, apiKeysKey)
