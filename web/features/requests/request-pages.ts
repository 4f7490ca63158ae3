import type { PhotoRequest, RequestState } from '@keepsnap/contract/requests.ts'
import type { InfiniteData } from '@tanstack/react-query'

/** What is searched for; an empty address and a null state find everything. */
export interface RequestFilter {
  email: string
  state: RequestState | null
}
export const noFilter: RequestFilter = { email: '', state: null }
export const isFiltered = ({ email, state }: RequestFilter): boolean => email !== '' || state !== null

/** Counts of all requests, not only of the loaded ones. */
export interface StateCounts {
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

export const findRequest = (pages: RequestListPages | undefined, id: string): PhotoRequest | undefined =>
  pages?.pages.flatMap(({ requests }) => requests).find((request) => request.id === id)
