import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import type { InfiniteData } from '@tanstack/react-query'

/** Counts of all requests, not only of the loaded ones. */
export interface StateCounts {
  total: number
  sent: number
  failed: number
}
/** One page of the list. `next`: id after which the next page starts, null on the last page. */
export interface RequestListPage {
  requests: PhotoRequest[]
  counts: StateCounts
  next: string | null
}
export type RequestListPages = InfiniteData<RequestListPage, string | null>

/** Newest first, as the server sorts. */
const isNewer = (a: PhotoRequest, b: PhotoRequest): boolean =>
  a.requested_at === b.requested_at ? a.id > b.id : a.requested_at > b.requested_at

export const findRequest = (pages: RequestListPages | undefined, id: string): PhotoRequest | undefined =>
  pages?.pages.flatMap(({ requests }) => requests).find((request) => request.id === id)

/** The counts after one request changed from `before` to `now`; `before` is null when the request is new. */
function countsAfter(counts: StateCounts, before: PhotoRequest | null, now: PhotoRequest): StateCounts {
  const change = (state: 'sent' | 'failed'): number => Number(now.state === state) - Number(before?.state === state)
  return {
    total: counts.total + Number(before === null),
    sent: counts.sent + change('sent'),
    failed: counts.failed + change('failed'),
  }
}

/** The pages with the request replaced or inserted; null when it is older than the loaded pages. */
function withRequest(pages: readonly RequestListPage[], request: PhotoRequest): RequestListPage[] | null {
  const before = pages.flatMap(({ requests }) => requests).find(({ id }) => id === request.id) ?? null
  const updateCounts = (page: RequestListPage): RequestListPage => ({
    ...page,
    counts: countsAfter(page.counts, before, request),
  })
  if (before) {
    const replace = (other: PhotoRequest): PhotoRequest => (other.id === request.id ? request : other)
    return pages.map((page) => updateCounts({ ...page, requests: page.requests.map(replace) }))
  }
  const index = pages.findIndex(
    ({ requests, next }) => next === null || requests.some((other) => isNewer(request, other)),
  )
  const page = pages[index]
  if (!page) return null
  const firstOlder = page.requests.findIndex((other) => isNewer(request, other))
  const position = firstOlder < 0 ? page.requests.length : firstOlder
  const requests = [...page.requests.slice(0, position), request, ...page.requests.slice(position)]
  return pages.map((other, n) => updateCounts(n === index ? { ...page, requests } : other))
}

/**
 * The list with changed and new requests, and updated counts. `isComplete` is false when a request is older than the
 * loaded pages: then the counts may be wrong.
 */
export function mergeRequests(
  list: RequestListPages,
  changed: readonly PhotoRequest[],
): { list: RequestListPages; isComplete: boolean } {
  let pages: readonly RequestListPage[] = list.pages
  let isComplete = true
  for (const request of changed) {
    const next = withRequest(pages, request)
    if (next) pages = next
    else isComplete = false
  }
  return { list: { ...list, pages: [...pages] }, isComplete }
}
