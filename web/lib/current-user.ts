import { currentUser, type User } from '@keepsnap/contract/accounts.ts'
import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import type { Api } from './api.ts'
import { useApi, useSessionState } from './app-services.tsx'

/** Retry interval after the user could not be fetched: on a big screen, nobody may be there to press a button. */
const userRetryMs = 5_000

/** `loading`: there is a token, and its user is being fetched. `failed`: that call failed; it is retried. */
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

/** The server has told how many photos the account has now. */
export function setPhotoCount(queryClient: QueryClient, api: Api, photoCount: number): void {
  queryClient.setQueryData(currentUserQuery(api).queryKey, (user) => user && { ...user, photo_count: photoCount })
}

/** The user of this page, fetched when there is a token. */
export function useCurrentUser(): CurrentUser {
  const { token } = useSessionState()
  const query = useQuery({
    ...currentUserQuery(useApi()),
    enabled: token !== null,
    refetchInterval: ({ state }) => (state.data === undefined && state.errorUpdateCount > 0 ? userRetryMs : false),
    refetchIntervalInBackground: true,
  })
  if (token === null) return { state: 'signed-out', user: null }
  if (query.data) return { state: 'signed-in', user: query.data }
  // Also during a retry.
  if (query.errorUpdateCount > 0) return { state: 'failed', user: null, retry: () => query.refetch() }
  return { state: 'loading', user: null }
}
