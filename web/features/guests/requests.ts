import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import {
  listPhotoRequests,
  type PhotoRequest,
  type RequestState,
  resendFailedRequests,
  resendPhotoRequest,
} from '@keepsnap/contract/guests.ts'
import type { Format } from '../../lib/format.ts'
import type { Catalogue } from '../../messages/en.ts'
import type { Api } from '../../lib/api.ts'
import { useApi } from '../../lib/app-services.tsx'

type RequestMessages = Catalogue['requests']

/** The line below the heading: `61 requests, 58 sent, 1 failed, 2 pending`, or `0 requests`. */
export function summaryOf({ total, sent, failed }: StateCounts, { summary }: RequestMessages, format: Format): string {
  if (total <= 0) return summary.all(0, format.count(0))
  const pending = Math.max(0, total - sent - failed)
  const parts = [summary.all(total, format.count(total)), summary.sent(format.count(sent))]
  if (failed > 0) parts.push(summary.failed(format.count(failed)))
  if (pending > 0) parts.push(summary.pending(format.count(pending)))
  return summary.list(parts)
}

/** The details below a request's state. `next`: when the email is sent; `reason`: the server's sentence about a failure. */
export function stateDetails(
  { state, due_at, failure }: PhotoRequest,
  text: RequestMessages,
  format: Format,
): { next: string | null; reason: string | null } {
  if (state === 'sent') return { next: null, reason: null }
  if (state === 'failed' || due_at === null) return { next: null, reason: failure }
  const when = format.dateTime(due_at)
  if (state === 'waiting') return { next: text.scheduledFor(when), reason: failure }
  // An email that was not tried yet is sent within seconds; only the time of a retry is worth showing.
  return { next: failure === null ? null : text.nextAttempt(when), reason: failure }
}

/** What is searched for; an empty address and a null state find everything. `event`: only requests for its photos. */
export interface RequestFilter {
  email: string
  state: RequestState | null
  event?: string
}
export const noFilter: RequestFilter = { email: '', state: null }
export const isFiltered = ({ email, state }: RequestFilter): boolean => email !== '' || state !== null

/** Counts of all requests, not only of the loaded ones. */
interface StateCounts {
  total: number
  sent: number
  failed: number
}
/** One page of the list. `next`: id after which the next page starts, null on the last page. */
export interface RequestListPage {
  requests: PhotoRequest[]
  /** Of all requests, whatever the filter. */
  counts: StateCounts
  /** How many match the filter. */
  found: number
  next: string | null
  /** The next day on which addresses are removed: the time of the first, and how many. On the first page. */
  nextRemoval: { at: string; addresses: number } | null
}
export type RequestListPages = InfiniteData<RequestListPage, string | null>

/** Newest first, as the server sorts. */
const isNewer = (a: PhotoRequest, b: PhotoRequest): boolean =>
  a.requested_at === b.requested_at ? a.id > b.id : a.requested_at > b.requested_at

const matches = ({ requester_email, state }: PhotoRequest, filter: RequestFilter): boolean =>
  requester_email.toLowerCase().includes(filter.email.toLowerCase()) && (filter.state ?? state) === state

/** The counts after one request changed from `before` to `now`; `before` is null when the request is new. */
function countsAfter(counts: StateCounts, before: PhotoRequest | null, now: PhotoRequest): StateCounts {
  const change = (state: 'sent' | 'failed'): number => Number(now.state === state) - Number(before?.state === state)
  return {
    total: counts.total + Number(before === null),
    sent: counts.sent + change('sent'),
    failed: counts.failed + change('failed'),
  }
}

/**
 * The list with changed and new requests, and updated counts. A request in the list stays there when it does not match the filter any
 * more: nothing disappears under the pointer. `isComplete` is false when the list does not say whether a request is new, for example
 * because it is older than the loaded pages: then the counts may be wrong.
 */
export function mergeRequests(
  list: RequestListPages,
  changed: readonly PhotoRequest[],
  filter: RequestFilter = noFilter,
): { list: RequestListPages; isComplete: boolean } {
  // The last change of each request; hundreds may change at once, of thousands in the list.
  const left = new Map(changed.map((request) => [request.id, request]))
  const [lastPage] = list.pages.slice(-1)
  let counts = lastPage?.counts ?? { total: 0, sent: 0, failed: 0 }
  let found = lastPage?.found ?? 0
  const pages = list.pages.map((page) => {
    if (!page.requests.some(({ id }) => left.has(id))) return page
    const requests = page.requests.map((before) => {
      const now = left.get(before.id)
      if (!now) return before
      left.delete(before.id)
      counts = countsAfter(counts, before, now)
      return now
    })
    return { ...page, requests }
  })
  let isComplete = true
  for (const request of left.values()) {
    if (!matches(request, filter)) continue
    // It does not say of which event its photo is.
    if (filter.event !== undefined) {
      isComplete = false
      continue
    }
    const index = pages.findIndex(
      ({ requests, next }) => next === null || requests.some((other) => isNewer(request, other)),
    )
    const page = pages[index]
    if (!page) {
      isComplete = false
      continue
    }
    const firstOlder = page.requests.findIndex((other) => isNewer(request, other))
    const position = firstOlder < 0 ? page.requests.length : firstOlder
    const requests = [...page.requests.slice(0, position), request, ...page.requests.slice(position)]
    pages[index] = { ...page, requests }
    // Under a filter, it may have been there in another state.
    if (filter.state === null) counts = countsAfter(counts, null, request)
    else isComplete = false
    found += 1
  }
  return { list: { ...list, pages: pages.map((page) => ({ ...page, counts, found })) }, isComplete }
}

const findRequest = (pages: RequestListPages | undefined, id: string): PhotoRequest | undefined =>
  pages?.pages.flatMap(({ requests }) => requests).find((request) => request.id === id)

const requestsPageSize = 200
const nextHeader = 'x-next-before'

export const requestKeys = {
  /** Of the lists with every filter. */
  lists: ['requests', 'list'] as const,
  list: (filter: RequestFilter) => ['requests', 'list', filter] as const,
}

/** Requests for the user's photos that match a filter, newest first, page by page. */
export const requestsQuery = (api: Api, filter: RequestFilter) =>
  infiniteQueryOptions({
    queryKey: requestKeys.list(filter),
    async queryFn({ pageParam, signal }): Promise<RequestListPage> {
      const query = {
        limit: requestsPageSize,
        ...(pageParam !== null && { before: pageParam }),
        ...(filter.email !== '' && { email: filter.email }),
        ...(filter.state !== null && { state: filter.state }),
        ...(filter.event !== undefined && { event: filter.event }),
      }
      const { reply, headers } = await api.send(listPhotoRequests, { query }, { signal })
      const { requests, all, next_removal, ...found } = reply
      return {
        requests,
        // While servers are updated, one of the version before may answer.
        counts: all ?? found,
        found: found.total,
        next: headers.get(nextHeader),
        nextRemoval: next_removal ?? null,
      }
    },
    initialPageParam: null as string | null, // widens the type of the first page's parameter
    getNextPageParam: ({ next }) => next,
    // Until those of another filter are loaded, but none of another event.
    placeholderData: (before, query) => (query?.queryKey[2].event === filter.event ? before : undefined),
  })

/** Sends a failed email again. An optimistic update shows it as queued, and an error shows it as failed again. */
export function useResend() {
  const api = useApi()
  const queryClient = useQueryClient()
  const { lists: queryKey } = requestKeys
  const storeRequest = (request: PhotoRequest): void =>
    void queryClient.setQueriesData<RequestListPages>(
      { queryKey },
      (list) => list && (findRequest(list, request.id) ? mergeRequests(list, [request]).list : list),
    )
  /** Ends the optimistic update, unless the live connection or a fetch has delivered something newer. */
  const finishResend = (request: PhotoRequest): void => {
    const current = queryClient
      .getQueriesData<RequestListPages>({ queryKey })
      .map(([, list]) => findRequest(list, request.id))
      .find((found) => found !== undefined)
    if (current?.state === 'queued') storeRequest(request)
    else void queryClient.invalidateQueries({ queryKey })
  }
  return useMutation({
    mutationFn: ({ id }: PhotoRequest) => api.call(resendPhotoRequest, { params: { id } }),
    // A fetch in progress goes on: pages that load would be lost.
    onMutate: (request) => storeRequest({ ...request, state: 'queued', failure: null, due_at: null }),
    onSuccess: finishResend,
    onError: (_, request) => finishResend(request),
  })
}

/** Sends all failed emails again. */
export function useResendFailed() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api.call(resendFailedRequests, {}),
    // Also after an error: some may have been queued.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: requestKeys.lists }),
  })
}

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
