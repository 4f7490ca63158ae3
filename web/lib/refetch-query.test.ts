import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { eventually } from '../test/eventually.ts'
import { refetchQueries } from './refetch-query.ts'

const queryKey = ['photos', 'list']
let queryClient: QueryClient
let responses: ((data: string) => void)[]
const queryFn = vi.fn<() => Promise<string>>()
beforeEach(() => {
  queryClient = new QueryClient()
  responses = []
  queryFn.mockReset().mockImplementation(() => new Promise((resolve) => responses.push(resolve)))
})

/** Uses the query, as a page does. */
const use = () => new QueryObserver(queryClient, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => {})
const data = () => queryClient.getQueryData(queryKey)

test('fetches a query again that a page uses', () => {
  queryClient.setQueryData(queryKey, 'before')
  use()
  refetchQueries(queryClient, ['photos'])
  expect(queryFn).toHaveBeenCalledTimes(1)
})

test('only marks a query as stale that no page uses', () => {
  queryClient.setQueryData(queryKey, 'before')
  refetchQueries(queryClient, ['photos'])
  expect([queryFn.mock.calls.length, queryClient.getQueryState(queryKey)?.isInvalidated]).toEqual([0, true])
})

test('fetches once more after a first fetch that was in flight, however often that was asked', async () => {
  use()
  refetchQueries(queryClient, ['photos'])
  refetchQueries(queryClient, [])
  expect(queryFn).toHaveBeenCalledTimes(1)
  responses[0]?.('before')
  await eventually(() => expect(queryFn).toHaveBeenCalledTimes(2))
  responses[1]?.('after')
  await eventually(() => expect(data()).toBe('after'))
  expect(queryFn).toHaveBeenCalledTimes(2)
})

test('fetches once more after each fetch in flight, whose answer is shown, when it is asked all the while', async () => {
  queryClient.setQueryData(queryKey, 'before')
  use()
  for (let time = 0; time < 3; time++) refetchQueries(queryClient, queryKey, { afterwards: true })
  expect(queryFn).toHaveBeenCalledTimes(1)
  responses[0]?.('between')
  await eventually(() => expect([data(), queryFn.mock.calls.length]).toEqual(['between', 2]))
  responses[1]?.('after')
  await eventually(() => expect(data()).toBe('after'))
  expect(queryFn).toHaveBeenCalledTimes(2)
})

test('does not fetch after a first fetch that failed', async () => {
  queryFn.mockRejectedValue(new Error('unreachable'))
  queryClient.setDefaultOptions({ queries: { retry: false } })
  use()
  refetchQueries(queryClient, ['photos'])
  await eventually(() => expect(queryClient.getQueryState(queryKey)?.status).toBe('error'))
  expect(queryFn).toHaveBeenCalledTimes(1)
})
