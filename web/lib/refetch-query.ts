import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'

/** Fetches in flight, after which their query is fetched again. */
const awaitedFetches = new WeakSet<Promise<unknown>>()

/**
 * Fetches a query again, because its data and a response in flight may be outdated. A query that no page uses is only
 * marked as stale. `afterwards`: a fetch in flight is not restarted, but followed by another one; many calls in a row then
 * show their results in between, too.
 */
export function refetchQuery(queryClient: QueryClient, query: Query, { afterwards = false } = {}): void {
  const { queryKey, state, promise } = query
  const refetch = (): void => void queryClient.invalidateQueries({ queryKey, exact: true })
  // An invalidation does not restart a first fetch; it has to end before.
  const mustWait = state.fetchStatus !== 'idle' && (afterwards || state.data === undefined)
  if (!mustWait || !promise) return refetch()
  if (awaitedFetches.has(promise)) return
  awaitedFetches.add(promise)
  promise.then(refetch, () => {})
}

/** Fetches all queries again whose keys begin with this one. */
export function refetchQueries(queryClient: QueryClient, queryKey: QueryKey, options?: { afterwards: boolean }): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey })) refetchQuery(queryClient, query, options)
}
