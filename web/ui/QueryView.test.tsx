import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { hasFailed, useLastError } from './QueryView.tsx'

let answer: PromiseWithResolvers<string>
let queryClient: QueryClient

function useFailure() {
  const query = useQuery({ queryKey: ['q'], retry: false, queryFn: () => answer.promise })
  return { failed: hasFailed(query), error: useLastError(query)?.message ?? null, fetching: query.isFetching, query }
}
function mount() {
  answer = Promise.withResolvers()
  return renderHook(useFailure, {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    ),
  })
}
async function mountFailed() {
  queryClient = new QueryClient()
  const hook = mount()
  expect(hook.result.current).toMatchObject({ failed: false, error: null })
  answer.reject(new Error('no answer'))
  await waitFor(() => expect(hook.result.current).toMatchObject({ failed: true, error: 'no answer', fetching: false }))
  return hook
}

test('a failure and its error stay while the query is fetched again, until that succeeds', async () => {
  const { result } = await mountFailed()
  answer = Promise.withResolvers()
  void result.current.query.refetch()
  await waitFor(() => expect(result.current.fetching).toBe(true))
  expect(result.current).toMatchObject({ failed: true, error: 'no answer' })
  answer.resolve('data')
  await waitFor(() => expect(result.current).toMatchObject({ failed: false, error: null, fetching: false }))
})

test('a page that is opened again does not begin with the failure of its last visit', async () => {
  const { unmount } = await mountFailed()
  unmount()
  const { result } = mount()
  expect(result.current).toMatchObject({ failed: false, error: null, fetching: true })
})
