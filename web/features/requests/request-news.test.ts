import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sampleRequest } from '../../test/requests.ts'
import { requestKeys, type RequestPage, type RequestPages } from './queries.ts'
import { createRequestNews, type RequestNews } from './request-news.ts'

let queries: QueryClient
let news: RequestNews
let answer: () => Promise<RequestPage>
const asked = vi.fn<() => void>()
const shown = () =>
  queries
    .getQueryData<RequestPages>(requestKeys.list)
    ?.pages.flatMap(({ requests }) => requests.map(({ id, state }) => `${id} ${state}`))
const page = (...requests: RequestPage['requests']): RequestPage => ({
  requests,
  counts: { total: requests.length, sent: requests.length, failed: 0 },
  next: null,
})
let leave: () => void
/** The page that shows the list. */
function look() {
  const observer = new InfiniteQueryObserver(queries, {
    queryKey: requestKeys.list,
    queryFn: () => {
      asked()
      return answer()
    },
    initialPageParam: null as string | null, // widens the type of the first page's parameter
    getNextPageParam: (last: RequestPage) => last.next,
  })
  leave = observer.subscribe(() => {})
}

beforeEach(() => {
  vi.useFakeTimers()
  asked.mockClear()
  queries = new QueryClient()
  news = createRequestNews(queries)
  answer = async () => page(sampleRequest(1))
  look()
})
afterEach(() => {
  leave()
  queries.clear()
  vi.useRealTimers()
})
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('news of requests', () => {
  test('of one moment are shown together, and nothing is asked', async () => {
    await pass(10)
    for (let number = 2; number < 400; number++) news.receive(sampleRequest(number))
    expect(shown()).toHaveLength(1)
    await pass(200)
    expect(shown()).toHaveLength(399)
    await pass(10_000)
    expect(asked).toHaveBeenCalledTimes(1)
  })

  test('that would make the list endless have it asked for anew', async () => {
    await pass(10)
    answer = async () => page(sampleRequest(900), sampleRequest(899))
    for (let number = 2; number < 900; number++) news.receive(sampleRequest(number))
    await pass(2_000)
    expect(shown()).toEqual(['request900 sent', 'request899 sent'])
    expect(asked).toHaveBeenCalledTimes(2)
  })

  test('that come while the list is on its way are asked for after it', async () => {
    answer = () => new Promise((done) => setTimeout(() => done(page(sampleRequest(1, { state: 'queued' }))), 3_000))
    queries.clear()
    leave()
    look()
    await pass(10)
    news.receive(sampleRequest(1))
    await pass(3_000)
    expect(shown()).toEqual(['request1 queued'])
    answer = async () => page(sampleRequest(1))
    await pass(3_000)
    expect(shown()).toEqual(['request1 sent'])
  })

  test('are nobody’s concern while nobody has looked at the list', async () => {
    leave()
    queries.clear()
    news.receive(sampleRequest(2))
    await pass(5_000)
    expect(shown()).toBeUndefined()
  })
})
