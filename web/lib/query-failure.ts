import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'

type FailureState = Pick<UseQueryResult, 'isError' | 'isPending' | 'isFetchedAfterMount'>

/**
 * Whether the last completed fetch of a query failed. Without data, `isError` becomes false during the next fetch, also
 * during a poll; this stays true, so that the message stays and its button keeps the focus. Fetches of pages that were
 * left do not count.
 */
export const hasFailed = ({ isError, isPending, isFetchedAfterMount }: FailureState): boolean =>
  isError || (isPending && isFetchedAfterMount)

/** The error of the last completed fetch, for messages that depend on it; null unless `hasFailed`. */
export function useLastError(query: FailureState & Pick<UseQueryResult, 'error'>): Error | null {
  const [lastError, setLastError] = useState<Error | null>(null)
  const error = query.error ?? (hasFailed(query) ? lastError : null)
  if (error !== lastError) setLastError(error)
  return error
}
