import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import type { Counts, RequestPage, RequestPages } from './queries.ts'

/** Newest first, as the server sorts. */
const isNewer = (a: PhotoRequest, b: PhotoRequest): boolean =>
  a.requested_at === b.requested_at ? a.id > b.id : a.requested_at > b.requested_at

export const foundIn = (pages: RequestPages | undefined, id: string): PhotoRequest | undefined =>
  pages?.pages.flatMap(({ requests }) => requests).find((request) => request.id === id)

/** The counts after one request turned from `before` (null: it is new) into `now`. */
function counted(counts: Counts, before: PhotoRequest | null, now: PhotoRequest): Counts {
  const change = (state: 'sent' | 'failed'): number => Number(now.state === state) - Number(before?.state === state)
  return {
    total: counts.total + Number(before === null),
    sent: counts.sent + change('sent'),
    failed: counts.failed + change('failed'),
  }
}

function withOne(list: readonly RequestPage[], request: PhotoRequest): RequestPage[] | null {
  const before = list.flatMap(({ requests }) => requests).find(({ id }) => id === request.id) ?? null
  const count = (page: RequestPage): RequestPage => ({ ...page, counts: counted(page.counts, before, request) })
  if (before) {
    const replaced = (other: PhotoRequest): PhotoRequest => (other.id === request.id ? request : other)
    return list.map((page) => count({ ...page, requests: page.requests.map(replaced) }))
  }
  const at = list.findIndex(({ requests, next }) => next === null || requests.some((other) => isNewer(request, other)))
  const home = list[at]
  if (!home) return null
  const older = home.requests.findIndex((other) => isNewer(request, other))
  const requests = home.requests.toSpliced(older < 0 ? home.requests.length : older, 0, request)
  return list.with(at, { ...home, requests }).map(count)
}

/**
 * The pages with news: what is known is replaced where it stands, what is new stands in its place, counts follow.
 * `isWhole` is false when some news is about a request further down than what is loaded: the counts are then guesses.
 */
export function merged(pages: RequestPages, news: readonly PhotoRequest[]): { pages: RequestPages; isWhole: boolean } {
  let list: readonly RequestPage[] = pages.pages
  let isWhole = true
  for (const request of news) {
    const next = withOne(list, request)
    if (next) list = next
    else isWhole = false
  }
  return { pages: { ...pages, pages: [...list] }, isWhole }
}
