import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'

/** First fetches in flight, after which their query is fetched again. */
const awaitedFetches = new WeakSet<Promise<unknown>>()

/**
 * Fetches a query again, because its data and a response in flight may be outdated. A query that no page uses is only
 * marked as stale.
 */
export function refetchQuery(queryClient: QueryClient, query: Query): void {
  const { queryKey, state, promise } = query
  const refetch = (): void => void queryClient.invalidateQueries({ queryKey, exact: true })
  const isFirstFetch = state.fetchStatus !== 'idle' && state.data === undefined
  if (!isFirstFetch || !promise) return refetch()
  // An invalidation does not restart a first fetch; it has to end before.
  if (awaitedFetches.has(promise)) return
  awaitedFetches.add(promise)
  promise.then(refetch, () => {})
}

/** Fetches all queries again whose keys begin with this one. */
export function refetchQueries(queryClient: QueryClient, queryKey: QueryKey): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey })) refetchQuery(queryClient, query)
}
