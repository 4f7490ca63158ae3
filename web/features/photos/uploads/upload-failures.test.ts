import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ApiError, NetworkError } from '../../../lib/api-errors.ts'
import type { LimitProblem } from './problems.ts'
import { nextToUpload, type UploadItem } from './queue.ts'
import { createSendingPause, type SendingPause } from './sending-pause.ts'
import { createUploadFailures, type UploadFailures } from './upload-failures.ts'
import { createUploadStore, type UploadStore } from './upload-store.ts'

const onWaitEnd = vi.fn<() => void>()
const onOverLimit = vi.fn<(id: string, problem: LimitProblem) => void>()
let store: UploadStore
let pause: SendingPause
let failures: UploadFailures
let token: string | null
beforeEach(() => {
  token = 'token'
  onOverLimit.mockClear()
  onWaitEnd.mockClear()
  store = createUploadStore()
  pause = createSendingPause(() => {})
  failures = createUploadFailures({ store, pause, onOverLimit, onWaitEnd, token: () => token })
  const file = new File(['picture'], 'a.jpg')
  store.update({ items: [{ id: 'a', file, previewUrl: '', state: { status: 'uploading', progress: 0 } }] })
})
const stateAfter = (error: unknown) => {
  failures.handle('a', error, 'token')
  return store.find('a')?.state
}
const busy = () => new ApiError(429, { code: 'rate_limited', detail: 'Slow.' }, '0')

describe('a failed upload', () => {
  test('without a response fails, and pauses the others', () => {
    expect(stateAfter(new NetworkError('unreachable'))).toEqual({
      status: 'failed',
      problem: { kind: 'no-response' },
    })
    expect(pause.isActive()).toBe(true)
  })

  test('of a file that is not an image is rejected', () => {
    const refusal = new ApiError(415, { code: 'not_an_image', detail: 'No.' })
    expect(stateAfter(refusal)).toMatchObject({ status: 'rejected' })
    expect(pause.isActive()).toBe(false)
  })

  test('over a limit of the plan is passed on', () => {
    stateAfter(new ApiError(403, { code: 'quota_photos', detail: 'Full.' }))
    expect(onOverLimit).toHaveBeenCalledWith('a', { kind: 'quota-exceeded', quota: 'photos', detail: 'Full.' })
  })

  test('with a token that has been replaced since is queued again', () => {
    token = 'newer'
    expect(stateAfter(new ApiError(401, { code: 'unauthorized', detail: 'No.' }))).toEqual({ status: 'queued' })
  })

  test('of a slow file waits, as do the other files that are not JPEGs; JPEGs do not', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const waiting = (id: string, type: string): UploadItem => {
      return { id, file: new File([''], id, { type }), previewUrl: '', state: { status: 'queued' } }
    }
    store.update({ items: [...store.state().items, waiting('b', 'image/heic'), waiting('c', 'image/jpeg')] })
    const waitsUntil = performance.now() + 20_000
    const refusal = new ApiError(429, { code: 'processing_limit', detail: 'Busy.' }, '20')
    expect(stateAfter(refusal)).toEqual({ status: 'queued', waitsUntil })
    expect(store.find('b')?.state).toEqual({ status: 'queued', waitsUntil })
    expect(store.find('c')?.state).toEqual({ status: 'queued' })
    expect(pause.isActive()).toBe(false)
    expect(nextToUpload(store.state().items, performance.now())).toEqual(['c'])
    vi.advanceTimersByTime(20_000)
    expect(onWaitEnd).toHaveBeenCalledOnce()
    expect(nextToUpload(store.state().items, performance.now())).toEqual(['a', 'b', 'c'])
  })

  test('of a slow file waits no longer when the clock of the device is set back meanwhile', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    stateAfter(new ApiError(429, { code: 'processing_limit', detail: 'Busy.' }, '20'))
    vi.setSystemTime(Date.now() - 3_600_000)
    vi.advanceTimersByTime(20_000)
    expect(store.find('a')?.state).toEqual({ status: 'queued' })
  })

  test('is queued again when the server is busy, at most forty times', () => {
    for (let attempt = 0; attempt < 40; attempt++) expect(stateAfter(busy())).toEqual({ status: 'queued' })
    expect(stateAfter(busy())).toMatchObject({ status: 'failed', problem: { kind: 'server-error' } })
    failures.forget('a')
    expect(stateAfter(busy())).toEqual({ status: 'queued' })
    pause.cancel()
  })

  test('of a server that is not available waits, also when that takes an hour, and says so', () => {
    const problem = { kind: 'server-unavailable' }
    for (let attempt = 0; attempt < 120; attempt++)
      expect(stateAfter(new ApiError(502, null))).toMatchObject({ status: 'queued', problem })
    expect([pause.isActive(), pause.isServerUnavailable()]).toEqual([true, true])
    // The waits for the server leave the retries that the server asks for.
    expect(stateAfter(busy())).toEqual({ status: 'queued' })
    pause.cancel()
  })

  test('of a server that is not available fails after 500 retries', () => {
    for (let attempt = 0; attempt < 500; attempt++) stateAfter(new ApiError(502, null))
    expect(stateAfter(new ApiError(502, null))).toEqual({
      status: 'failed',
      problem: { kind: 'server-error', detail: null },
    })
    pause.cancel()
  })

  test('of a server that can be reached for others fails after 40 retries, and no longer says that it is unavailable', () => {
    const badGateway = new ApiError(502, null)
    for (let retry = 0; retry <= 40; retry++) {
      expect(stateAfter(badGateway)).toMatchObject({ status: 'queued', problem: { kind: 'server-unavailable' } })
      failures.serverReachable()
      expect(store.find('a')?.state).toEqual({ status: 'queued', requeuedAt: expect.any(Number) })
    }
    expect(stateAfter(badGateway)).toMatchObject({ status: 'failed' })
  })

  test('without a response is queued again when the server can be reached, at most five times', () => {
    for (let attempt = 0; attempt < 5; attempt++) {
      stateAfter(new NetworkError('unreachable'))
      failures.serverReachable()
      expect(store.find('a')?.state).toMatchObject({ status: 'queued' })
    }
    stateAfter(new NetworkError('unreachable'))
    failures.serverReachable()
    expect(store.find('a')?.state).toMatchObject({ status: 'failed' })
    expect(pause.isActive()).toBe(false)
  })

  test('of a single file without a response keeps its message when the server can be reached', () => {
    store.update({ singleUploadId: 'a' })
    stateAfter(new NetworkError('unreachable'))
    failures.serverReachable()
    expect(store.find('a')?.state).toEqual({ status: 'failed', problem: { kind: 'no-response' } })
  })
})
