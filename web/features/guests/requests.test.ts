import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFormat } from '../../lib/format.ts'
import { requests as text } from '../../messages/en/guests.ts'
import { sampleRequest } from '../../test/samples.ts'
import {
  createRequestUpdates,
  mergeRequests,
  noFilter,
  type RequestFilter,
  requestKeys,
  type RequestListPage,
  type RequestListPages,
  type RequestUpdates,
  stateDetails,
  summaryOf,
} from './requests.ts'
import type { PhotoRequest } from '@keepsnap/contract/guests.ts'
import { linesBetween, lineTops } from './RequestTable.tsx'
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'

const format = createFormat('en-US')

describe('the summary', () => {
  test.each([
    [{ total: 0, sent: 0, failed: 0 }, '0 requests'],
    [{ total: 1, sent: 1, failed: 0 }, '1 request, 1 sent'],
    [{ total: 61, sent: 61, failed: 0 }, '61 requests, 61 sent'],
    [{ total: 61, sent: 58, failed: 1 }, '61 requests, 58 sent, 1 failed, 2 pending'],
    [{ total: 12_000, sent: 11_000, failed: 1000 }, '12,000 requests, 11,000 sent, 1,000 failed'],
    [{ total: 1, sent: 2, failed: 0 }, '1 request, 2 sent'],
  ])('of %o is: %s', (counts, sentence) => {
    expect(summaryOf(counts, text, format)).toBe(sentence)
  })
})

describe('the details of a request', () => {
  const due_at = '2026-11-14T22:10:00.000Z'
  const time = format.dateTime(due_at)
  test.each([
    ['are empty when its email was sent', { state: 'sent', failure: 'Old error' }, null, null],
    ['name the reason of a failure', { state: 'failed', failure: 'Mailbox is full', due_at }, null, 'Mailbox is full'],
    ['are empty before the first attempt', { state: 'queued', due_at }, null, null],
    [
      'name the time of the next attempt, and the reason',
      { state: 'queued', due_at, failure: 'Busy' },
      `Next attempt ${time}`,
      'Busy',
    ],
    ['name the scheduled time', { state: 'waiting', due_at }, `Scheduled for ${time}`, null],
    ['name the reason for waiting', { state: 'waiting', failure: 'Too many' }, null, 'Too many'],
  ] as const)('%s', (_, fields, next, reason) => {
    expect(stateDetails(sampleRequest(1, fields), text, format)).toEqual({ next, reason })
  })
})

const counts = { total: 4, sent: 4, failed: 0 }
const pageOf = (requests: PhotoRequest[], next: string | null): RequestListPage => ({
  requests,
  counts,
  found: 4,
  next,
  nextRemoval: null,
})
const listOf = (next: string | null): RequestListPages => ({
  pages: [pageOf([sampleRequest(8), sampleRequest(6)], 'request6'), pageOf([sampleRequest(4), sampleRequest(2)], next)],
  pageParams: [null, 'request6'],
})
const after = (changed: PhotoRequest[], next: string | null = null) => {
  const { list, isComplete } = mergeRequests(listOf(next), changed)
  return {
    numbers: list.pages.map(({ requests }) => requests.map(({ id }) => Number(id.slice('request'.length)))),
    counts: list.pages.at(-1)?.counts,
    isComplete,
  }
}

describe('merging requests into the list', () => {
  test('puts the newest request first and counts it', () => {
    // Merged twice, it is counted once.
    expect(after([sampleRequest(9), sampleRequest(9, { state: 'queued' })])).toEqual({
      numbers: [
        [9, 8, 6],
        [4, 2],
      ],
      counts: { total: 5, sent: 4, failed: 0 },
      isComplete: true,
    })
  })

  test.each([
    [5, [8, 6, 5, 4, 2]],
    [1, [8, 6, 4, 2, 1]],
  ])('inserts the older request %d at its position', (number, expected) => {
    expect(after([sampleRequest(number)]).numbers.flat()).toEqual(expected)
  })

  test('replaces a known request and updates the counts', () => {
    const { numbers, counts: updated } = after([sampleRequest(4, { state: 'failed' })])
    expect(numbers).toEqual([
      [8, 6],
      [4, 2],
    ])
    expect(updated).toEqual({ total: 4, sent: 3, failed: 1 })
  })

  test('ignores a request older than the loaded pages, and reports an incomplete result', () => {
    const { numbers, counts: unchanged, isComplete } = after([sampleRequest(1, { state: 'failed' })], 'request2')
    expect([numbers.flat(), unchanged, isComplete]).toEqual([[8, 6, 4, 2], counts, false])
  })

  test('adds the first request to an empty list', () => {
    const empty = {
      pages: [{ ...pageOf([], null), counts: { total: 0, sent: 0, failed: 0 } }],
      pageParams: [null],
    }
    expect(mergeRequests(empty, [sampleRequest(1)]).list.pages[0]?.counts.total).toBe(1)
  })
})

describe('merging requests into a filtered list', () => {
  const merged = (changed: PhotoRequest, filter: Partial<RequestFilter>) => {
    const { list, isComplete } = mergeRequests(listOf(null), [changed], { ...noFilter, ...filter })
    const [first] = list.pages
    return { ids: list.pages.flatMap(({ requests }) => requests.map(({ id }) => id)), found: first?.found, isComplete }
  }
  const before = ['request8', 'request6', 'request4', 'request2']

  test('adds what matches, and nothing else', () => {
    expect(merged(sampleRequest(9), { email: 'GUEST9@' })).toEqual({
      ids: ['request9', ...before],
      found: 5,
      isComplete: true,
    })
    expect(merged(sampleRequest(9), { email: 'nobody' })).toEqual({ ids: before, found: 4, isComplete: true })
    expect(merged(sampleRequest(9), { state: 'failed' })).toEqual({ ids: before, found: 4, isComplete: true })
    // It may be an older one whose email has just been sent.
    expect(merged(sampleRequest(9), { state: 'sent' }).isComplete).toBe(false)
  })

  test('keeps a row that does not match any more', () => {
    expect(merged(sampleRequest(4), { state: 'failed' })).toEqual({ ids: before, found: 4, isComplete: true })
  })
})

describe('the rows that are rendered', () => {
  const ids = Array.from({ length: 8000 }, (_, n) => `request${n}`)

  test('are those in a range, wherever it is, with their measured heights', () => {
    const heights = new Map([['request1', 100]])
    const tops = lineTops(ids, heights, { columns: 1, gap: 0, estimate: 50 })
    expect([tops.slice(0, 4), tops.at(-1)]).toEqual([[0, 50, 150, 200], 400_050])
    expect(linesBetween(tops, -400, 800)).toEqual({ first: 0, end: 16 })
    expect(linesBetween(tops, 200_050, 200_850)).toEqual({ first: 4000, end: 4020 })
    expect(linesBetween(tops, 399_000, 500_000)).toEqual({ first: 7976, end: 8000 })
    expect(linesBetween(tops, 500_000, 600_000)).toEqual({ first: 8000, end: 8000 })
    expect(linesBetween([0], 0, 800)).toEqual({ first: 0, end: 0 })
  })

  test('stand in lines of several columns, as high as the highest of them, with gaps', () => {
    const heights = new Map([
      ['request0', 100],
      ['request1', 120],
      ['request3', 90],
    ])
    expect(lineTops(ids.slice(0, 5), heights, { columns: 2, gap: 10, estimate: 50 })).toEqual([0, 130, 230, 290])
  })
})

describe('updates', () => {
  let queryClient: QueryClient
  let updates: RequestUpdates
  let fetchPage: () => Promise<RequestListPage>
  const onFetch = vi.fn<() => void>()
  const shown = () =>
    queryClient
      .getQueryData<RequestListPages>(requestKeys.list(noFilter))
      ?.pages.flatMap(({ requests }) => requests.map(({ id, state }) => `${id} ${state}`))
  const page = (...requests: PhotoRequest[]): RequestListPage => ({
    ...pageOf(requests, null),
    counts: { total: requests.length, sent: requests.length, failed: 0 },
  })
  let closePage: () => void
  /** Subscribes to the list, as the page does. */
  function openPage() {
    const observer = new InfiniteQueryObserver(queryClient, {
      queryKey: requestKeys.list(noFilter),
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
