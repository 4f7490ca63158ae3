import { currentUser, type User } from '@keepsnap/contract/accounts.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Api } from './api.ts'
import { useApi, useSessionState } from './app-services.tsx'

/** `loading`: there is a token, and the server has not yet said whose it is. `failed`: that call failed. */
export type CurrentUser =
  | { state: 'signed-out'; user: null }
  | { state: 'loading'; user: null }
  | { state: 'signed-in'; user: User }
  | { state: 'failed'; user: null; retry: () => void }

export const currentUserQuery = (api: Api) =>
  queryOptions({
    queryKey: ['user', 'me'],
    queryFn: ({ signal }) => api.call(currentUser, {}, { signal }),
    staleTime: 60_000,
  })

/** The user of this page, fetched when there is a token (docs/behaviour.md section 4). */
export function useCurrentUser(): CurrentUser {
  const { token } = useSessionState()
  const query = useQuery({ ...currentUserQuery(useApi()), enabled: token !== null })
  if (token === null) return { state: 'signed-out', user: null }
  if (query.data) return { state: 'signed-in', user: query.data }
  if (query.isError) return { state: 'failed', user: null, retry: () => void query.refetch() }
  return { state: 'loading', user: null }
}
