import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import type { QueryClient } from '@tanstack/react-query'
import { requestKeys, type RequestPages } from './queries.ts'
import { merged } from './request-pages.ts'

/** What a moment brings is shown at once: hundreds of letters may go in a second. */
const gatherMs = 150
const againMs = 1_500
/** Rows from which on the list is asked for anew instead of growing further by itself. */
const mostRows = 500

export interface RequestNews {
  /** A request is new, or its letter has got further. */
  receive(request: PhotoRequest): void
  /** Something happened that may have changed any of them. */
  askAgain(): void
}

/** Puts news of the live channel into the list of requests, wherever it is shown. */
export function createRequestNews(queries: QueryClient): RequestNews {
  let waiting: PhotoRequest[] = []
  let gathering: ReturnType<typeof setTimeout> | undefined
  let asking: ReturnType<typeof setTimeout> | undefined
  const { list: queryKey } = requestKeys

  const askAgain = (): void => {
    asking ??= setTimeout(() => {
      asking = undefined
      // The answer on its way may be from before: wait for it, then ask.
      if (queries.isFetching({ queryKey }) > 0) askAgain()
      else void queries.invalidateQueries({ queryKey })
    }, againMs)
  }
  const show = (): void => {
    gathering = undefined
    const news = waiting
    waiting = []
    const before = queries.getQueryData<RequestPages>(queryKey)
    if (!before) return queries.isFetching({ queryKey }) > 0 ? askAgain() : undefined
    const { pages, isWhole } = merged(before, news)
    queries.setQueryData<RequestPages>(queryKey, pages)
    const isLong = (pages.pages[0]?.requests.length ?? 0) > mostRows
    if (!isWhole || isLong || queries.isFetching({ queryKey }) > 0) askAgain()
  }
  return {
    askAgain,
    receive(request) {
      waiting.push(request)
      gathering ??= setTimeout(show, gatherMs)
    },
  }
}
