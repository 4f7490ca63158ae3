import { currentUser, type User } from '@keepsnap/contract/accounts.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Api } from './api.ts'
import { useApi, useSessionState } from './parts.tsx'

/** `resolving`: there is a token, and whose it is has not been answered yet. `broken`: that question failed. */
export type CurrentUser =
  | { state: 'out'; user: null }
  | { state: 'resolving'; user: null }
  | { state: 'in'; user: User }
  | { state: 'broken'; user: null; retry: () => void }

export const currentUserQuery = (api: Api) =>
  queryOptions({
    queryKey: ['user', 'me'],
    queryFn: ({ signal }) => api.call(currentUser, {}, { signal }),
    staleTime: 60_000,
  })

/** Who is looking at this page; fetched when there is a token, spec section 4. */
export function useCurrentUser(): CurrentUser {
  const { token } = useSessionState()
  const query = useQuery({ ...currentUserQuery(useApi()), enabled: token !== null })
  if (token === null) return { state: 'out', user: null }
  if (query.data) return { state: 'in', user: query.data }
  if (query.isError) return { state: 'broken', user: null, retry: () => void query.refetch() }
  return { state: 'resolving', user: null }
}
