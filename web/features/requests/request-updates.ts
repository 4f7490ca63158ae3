import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import type { QueryClient } from '@tanstack/react-query'
import { requestKeys } from './queries.ts'
import { mergeRequests, type RequestFilter, type RequestListPages } from './request-pages.ts'

/** Updates are applied in batches: hundreds of emails may be sent in a second. */
const requestBatchMs = 150
const refetchDelayMs = 1_500
/** With more rows on its first page, the list is fetched again instead of growing further. */
const maxListedRequests = 500

export interface RequestUpdates {
  /** A request is new or has changed. */
  receive(request: PhotoRequest): void
  /** Any of the requests may have changed. */
  refetchSoon(): void
  /** Cancels what is planned. */
  cancel(): void
}

/** Applies the requests that the live connection delivers to the list of requests. */
export function createRequestUpdates(queryClient: QueryClient): RequestUpdates {
  let requestBatch: PhotoRequest[] = []
  let requestBatchTimer: ReturnType<typeof setTimeout> | undefined
  let refetchTimer: ReturnType<typeof setTimeout> | undefined
  const { lists: queryKey } = requestKeys

  const refetchSoon = (): void => {
    refetchTimer ??= setTimeout(() => {
      refetchTimer = undefined
      // A request in flight may return data from before the change: it has to end first.
      if (queryClient.isFetching({ queryKey }) > 0) refetchSoon()
      else void queryClient.invalidateQueries({ queryKey })
    }, refetchDelayMs)
  }
  const applyRequestBatch = (): void => {
    requestBatchTimer = undefined
    const changedRequests = requestBatch
    requestBatch = []
    const isFetching = queryClient.isFetching({ queryKey }) > 0
    const lists = queryClient.getQueriesData<RequestListPages>({ queryKey })
    for (const [key, before] of lists) {
      if (!before) continue
      const { list, isComplete } = mergeRequests(before, changedRequests, key[2] as RequestFilter) // of requestKeys.list
      queryClient.setQueryData<RequestListPages>(key, list)
      const isLong = (list.pages[0]?.requests.length ?? 0) > maxListedRequests
      if (!isComplete || isLong) refetchSoon()
    }
    if (isFetching) refetchSoon()
  }
  return {
    refetchSoon,
    receive(request) {
      requestBatch.push(request)
      requestBatchTimer ??= setTimeout(applyRequestBatch, requestBatchMs)
    },
    cancel() {
      clearTimeout(requestBatchTimer)
      clearTimeout(refetchTimer)
      requestBatch = []
      requestBatchTimer = refetchTimer = undefined
    },
  }
}
