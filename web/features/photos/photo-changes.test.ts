import { type BulkOutcome, changePhotos, getPhoto } from '@keepsnap/contract/photos.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError, NetworkError } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import { type BulkAction, changeManyPhotos } from './photo-changes.ts'

beforeEach(() => void vi.useFakeTimers())

const ids = Array.from({ length: 400 }, (_, index) => `photo${index}`)
const lost = () => new NetworkError('unreachable')

/** Calls take 10 ms a photo. `fail` decides what a call ends with: before it has an effect, after it, or not at all. */
function createServer(fail: (call: number) => { error: unknown; afterEffect?: boolean } | null = () => null) {
  const existing = new Set(ids)
  const sizes: number[] = []
  let isUnreachable = false
  const call = async (endpoint: unknown, input: { body: { ids: string[] }; params: { id: string } }) => {
    if (isUnreachable) throw lost()
    if (endpoint === getPhoto) {
      if (existing.has(input.params.id)) return { hidden: false }
      throw new ApiError(404, null)
    }
    if (endpoint !== changePhotos) throw new Error('another endpoint')
    const asked = input.body.ids
    sizes.push(asked.length)
    const failure = fail(sizes.length)
    if (failure && !failure.afterEffect) throw failure.error
    const results = asked.map((id) => ({ id, outcome: (existing.delete(id) ? 'done' : 'not found') as BulkOutcome }))
    await new Promise((resolve) => setTimeout(resolve, asked.length * 10))
    if (failure) throw failure.error
    return { results, photo_count: existing.size }
  }
  return { api: { call } as unknown as Api, existing, sizes, loseConnection: () => (isUnreachable = true) }
}

function run(api: Api, { action = 'delete', stop }: { action?: BulkAction; stop?: AbortSignal } = {}) {
  const outcomes = new Map<string, BulkOutcome>()
  const waiting: boolean[] = []
  const counts: (number | null)[] = []
  const ended = changeManyPhotos(api, {
    action,
    ids,
    ...(stop && { stop }),
    onResults(results, count) {
      for (const { id, outcome } of results) outcomes.set(id, outcome)
      counts.push(count)
    },
    onWaiting: (isWaiting) => void waiting.push(isWaiting),
  })
  return { ended, outcomes, waiting, counts }
}

test('makes calls that take about 300 ms, each photo once', async () => {
  const { api, existing, sizes } = createServer()
  const { ended, outcomes, counts } = run(api)
  await vi.runAllTimersAsync()
  expect(await ended).toEqual({ unknown: [], error: null })
  expect([existing.size, outcomes.size, counts.at(-1)]).toEqual([0, 400, 0])
  expect(sizes.slice(0, 4)).toEqual([10, 20, 30, 30])
})

test('once stopped, begins no further call, and reports the one that was running', async () => {
  const { api, existing, sizes } = createServer()
  const stop = new AbortController()
  const { ended, outcomes } = run(api, { stop: stop.signal })
  await vi.advanceTimersByTimeAsync(150)
  stop.abort()
  await vi.runAllTimersAsync()
  await ended
  expect([sizes, outcomes.size, existing.size]).toEqual([[10, 20], 30, 370])
})

test('repeats a call whose answer was lost: what it had deleted counts as deleted', async () => {
  const { api, existing } = createServer((call) => (call === 2 ? { error: lost(), afterEffect: true } : null))
  const { ended, outcomes, waiting } = run(api, { stop: new AbortController().signal })
  await vi.runAllTimersAsync()
  await ended
  expect([existing.size, new Set(outcomes.values()), waiting]).toEqual([0, new Set(['done']), [true, false]])
})

test('stopped while the answer of a call is missing, reads what it did', async () => {
  const { api, existing } = createServer((call) => (call > 1 ? { error: lost(), afterEffect: call === 2 } : null))
  const stop = new AbortController()
  const { ended, outcomes, waiting, counts } = run(api, { stop: stop.signal })
  await vi.advanceTimersByTimeAsync(20_000)
  expect(waiting.at(-1)).toBe(true)
  stop.abort()
  await vi.runAllTimersAsync()
  expect(await ended).toEqual({ unknown: [], error: null })
  expect([outcomes.size, existing.size, counts.at(-1)]).toEqual([30, 370, null])
})

test('stopped without a connection, says of which photos the state is unknown', async () => {
  const server = createServer((call) => (call > 1 ? { error: lost(), afterEffect: true } : null))
  const stop = new AbortController()
  const { ended, outcomes } = run(server.api, { stop: stop.signal })
  await vi.advanceTimersByTimeAsync(1_000)
  server.loseConnection()
  stop.abort()
  await vi.runAllTimersAsync()
  expect(await ended).toEqual({ unknown: ids.slice(10, 30), error: null })
  expect(outcomes.size).toBe(10)
})

test.each([
  ['a refusal', new ApiError(403, null), 1],
  ['an error of the server that stays', new ApiError(500, null), 4],
  ['a limit that stays', new ApiError(429, null, '1'), 4],
])('ends after %s with the reason', async (_, error, calls) => {
  const { api, existing, sizes } = createServer((call) => (call > 1 ? { error } : null))
  const { ended } = run(api)
  await vi.runAllTimersAsync()
  expect(await ended).toEqual({ unknown: [], error })
  expect([sizes.length - 1, existing.size]).toEqual([calls, 390])
})

test('reads which photos a call without an answer has hidden', async () => {
  const api = {
    call: async (endpoint: unknown, { params }: { params: { id: string } }) => {
      if (endpoint === changePhotos) throw lost()
      if (params.id === 'photo2') throw new ApiError(404, null)
      return { hidden: params.id === 'photo1' }
    },
  } as unknown as Api
  const { ended, outcomes } = run(api, { action: 'hide' })
  await vi.runAllTimersAsync()
  expect((await ended).unknown).toEqual([])
  expect(Array.from(outcomes)).toEqual([['photo1', 'done']])
})
