import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sampleRequest } from '../../test/sample-requests.ts'
import { requestKeys } from './queries.ts'
import type { RequestListPage, RequestListPages } from './request-pages.ts'
import { createRequestUpdates, type RequestUpdates } from './request-updates.ts'

let queryClient: QueryClient
let updates: RequestUpdates
let fetchPage: () => Promise<RequestListPage>
const onFetch = vi.fn<() => void>()
const shown = () =>
  queryClient
    .getQueryData<RequestListPages>(requestKeys.list)
    ?.pages.flatMap(({ requests }) => requests.map(({ id, state }) => `${id} ${state}`))
const page = (...requests: RequestListPage['requests']): RequestListPage => ({
  requests,
  counts: { total: requests.length, sent: requests.length, failed: 0 },
  next: null,
})
let closePage: () => void
/** Subscribes to the list, as the page does. */
function openPage() {
  const observer = new InfiniteQueryObserver(queryClient, {
    queryKey: requestKeys.list,
    queryFn: () => {
      onFetch()
      return fetchPage()
    },
    initialPageParam: null as string | null, // widens the type of the first page's parameter
    getNextPageParam: (last: RequestListPage) => last.next,
  })
  closePage = observer.subscribe(() => {})
}

beforeEach(() => {
  vi.useFakeTimers()
  onFetch.mockClear()
  queryClient = new QueryClient()
  updates = createRequestUpdates(queryClient)
  fetchPage = async () => page(sampleRequest(1))
  openPage()
})
afterEach(() => {
  closePage()
  queryClient.clear()
  vi.useRealTimers()
})
const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('updates of requests', () => {
  test('are shown in batches, without a fetch', async () => {
    await advance(10)
    for (let number = 2; number < 400; number++) updates.receive(sampleRequest(number))
    expect(shown()).toHaveLength(1)
    await advance(200)
    expect(shown()).toHaveLength(399)
    await advance(10_000)
    expect(onFetch).toHaveBeenCalledTimes(1)
  })

  test('cause a fetch when the list grows too long', async () => {
    await advance(10)
    fetchPage = async () => page(sampleRequest(900), sampleRequest(899))
    for (let number = 2; number < 900; number++) updates.receive(sampleRequest(number))
    await advance(2_000)
    expect(shown()).toEqual(['request900 sent', 'request899 sent'])
    expect(onFetch).toHaveBeenCalledTimes(2)
  })

  test('that arrive during a fetch cause another one after it', async () => {
    fetchPage = () =>
      new Promise((resolve) => setTimeout(() => resolve(page(sampleRequest(1, { state: 'queued' }))), 3_000))
    queryClient.clear()
    closePage()
    openPage()
    await advance(10)
    updates.receive(sampleRequest(1))
    await advance(3_000)
    expect(shown()).toEqual(['request1 queued'])
    fetchPage = async () => page(sampleRequest(1))
    await advance(3_000)
    expect(shown()).toEqual(['request1 sent'])
  })

  test('are ignored when the list was never opened', async () => {
    closePage()
    queryClient.clear()
    updates.receive(sampleRequest(2))
    await advance(5_000)
    expect(shown()).toBeUndefined()
  })
})
