import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NetworkError } from './api-errors.ts'
import { waitForServer } from './wait-for-server.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('waits until the server responds', async () => {
  let failures = 3
  const call = vi.fn<() => Promise<undefined>>(async () => {
    if (failures-- > 0) throw new NetworkError('unreachable')
    return undefined
  })
  const responds = waitForServer({ call: call as never }) // one endpoint is called
  await vi.advanceTimersByTimeAsync(15_000)
  expect(await responds).toBe(true)
  expect(call).toHaveBeenCalledTimes(4)
})

test('gives up after ten minutes, or when it is aborted', async () => {
  const call = vi.fn<() => Promise<never>>(() => Promise.reject(new NetworkError('unreachable')))
  const responds = waitForServer({ call })
  await vi.advanceTimersByTimeAsync(600_000)
  expect(await responds).toBe(false)
  const abort = new AbortController()
  const aborted = waitForServer({ call }, abort.signal)
  abort.abort()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await aborted).toBe(false)
})
