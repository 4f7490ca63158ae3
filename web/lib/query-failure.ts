import type { UseQueryResult } from '@tanstack/react-query'

/**
 * Whether the last completed fetch of a query failed. Without data, `isError` becomes false during the next fetch, also
 * during a poll; this stays true, so that the message stays and its button keeps the focus.
 */
export const hasFailed = ({
  isError,
  isPending,
  isFetched,
}: Pick<UseQueryResult, 'isError' | 'isPending' | 'isFetched'>): boolean => isError || (isPending && isFetched)
