import { currentUser, type User } from '@keepsnap/contract/accounts.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Api } from './api.ts'
import { useApi, useSessionState } from './app-services.tsx'

/** So often a page whose user could not be fetched asks again: nobody may be there to press a button, as on a big screen. */
const failedAgainMs = 5_000

/** `loading`: there is a token, and the server has not yet said whose it is. `failed`: that call failed; it is repeated by itself. */
export type CurrentUser =
  | { state: 'signed-out'; user: null }
  | { state: 'loading'; user: null }
  | { state: 'signed-in'; user: User }
  | { state: 'failed'; user: null; retry: () => Promise<unknown> }

export const currentUserQuery = (api: Api) =>
  queryOptions({
    queryKey: ['user', 'me'],
    queryFn: ({ signal }) => api.call(currentUser, {}, { signal }),
    staleTime: 60_000,
  })

/** The user of this page, fetched when there is a token (docs/behaviour.md section 4). */
export function useCurrentUser(): CurrentUser {
  const { token } = useSessionState()
  const query = useQuery({
    ...currentUserQuery(useApi()),
    enabled: token !== null,
    refetchInterval: ({ state }) => (state.data === undefined && state.errorUpdateCount > 0 ? failedAgainMs : false),
    refetchIntervalInBackground: true,
  })
  if (token === null) return { state: 'signed-out', user: null }
  if (query.data) return { state: 'signed-in', user: query.data }
  // Also while it is asked again.
  if (query.errorUpdateCount > 0) return { state: 'failed', user: null, retry: () => query.refetch() }
  return { state: 'loading', user: null }
}
