import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError, NetworkError } from '../../lib/api-errors.ts'
import { planStatusOf, samplePhoto } from '../../test/samples.ts'
import { pickedFile, useUploadTest } from '../../test/upload-test.ts'
import { createSendingPause, createUploadStore, type SendingPause, type UploadStore } from './upload-store.ts'
import { createUploadFailures } from './upload-sender.ts'

describe('upload failures', () => {
  let store: UploadStore
  let pause: SendingPause
  let failures: ReturnType<typeof createUploadFailures>
  beforeEach(() => {
    store = createUploadStore()
    pause = createSendingPause({ onPauseEnd() {}, onChange() {} })
    failures = createUploadFailures({ store, pause, onOverLimit() {}, onWaitEnd() {}, token: () => 'token' })
    const file = new File(['picture'], 'a.jpg')
    store.update({ items: [{ id: 'a', file, previewUrl: '', state: { status: 'uploading', progress: 0 } }] })
  })
  const stateAfter = (error: unknown) => {
    failures.handle('a', error, 'token')
    return store.find('a')?.state
  }
  const badGateway = new ApiError(502, null)
  const unavailable = { status: 'queued', problem: { kind: 'server-unavailable' } }

  describe('an upload to a server that is not available', () => {
    test('waits, also when that takes an hour, and says so; it fails after 500 retries', () => {
      for (let attempt = 0; attempt < 500; attempt++) expect(stateAfter(badGateway)).toMatchObject(unavailable)
      expect([pause.isActive(), pause.isServerUnavailable()]).toEqual([true, true])
      expect(stateAfter(badGateway)).toEqual({ status: 'failed', problem: { kind: 'server-error', detail: null } })
      pause.cancel()
    })

    test('has its 40 retries of a busy server left', () => {
      for (let attempt = 0; attempt < 120; attempt++) stateAfter(badGateway)
      const busy = new ApiError(429, { code: 'rate_limited', detail: 'Slow.' }, '0')
      for (let attempt = 0; attempt < 40; attempt++) expect(stateAfter(busy)).toEqual({ status: 'queued' })
      expect(stateAfter(busy)).toMatchObject({ status: 'failed', problem: { kind: 'server-error' } })
      failures.forget('a')
      expect(stateAfter(busy)).toEqual({ status: 'queued' })
      pause.cancel()
    })

    test('fails after 40 retries when the server can be reached for others, and no longer says that it is unavailable', () => {
      for (let retry = 0; retry <= 40; retry++) {
        expect(stateAfter(badGateway)).toMatchObject(unavailable)
        failures.serverReachable()
        expect(store.find('a')?.state).toEqual({ status: 'queued', requeuedAt: expect.any(Number) })
      }
      expect(stateAfter(badGateway)).toMatchObject({ status: 'failed' })
    })
  })

  test('a single file without a response keeps its message when the server can be reached', () => {
    store.update({ singleUploadId: 'a' })
    stateAfter(new NetworkError('unreachable'))
    failures.serverReachable()
    expect(store.find('a')?.state).toEqual({ status: 'failed', problem: { kind: 'no-response' } })
  })
})

describe('upload sender', () => {
  const queue = useUploadTest()

  test('are uploaded three at a time, each with its own idempotency key and its place among them', async () => {
    queue.add('a', 'b', 'c', 'd')
    expect(queue.states()).toEqual(['a uploading', 'b uploading', 'c uploading', 'd queued'])
    const orders = queue.requests.map(({ options }) => options.order)
    expect(orders.map((order) => order?.position)).toEqual([0, 1, 2])
    expect(new Set(orders.map((order) => order?.selection)).size).toBe(1)
    await queue.requestFor('b').succeed(samplePhoto(1))
    expect(queue.states()).toEqual(['a uploading', 'b uploaded', 'c uploading', 'd uploading'])
    expect(new Set(queue.requests.map(({ options }) => options.idempotencyKey)).size).toBe(4)
  })

  test('keep their idempotency key over retries', async () => {
    queue.add('a', 'b')
    await queue.requestFor('a').fail(new ApiError(500, null))
    expect(queue.states()).toEqual(['a failed', 'b uploading'])
    const [first] = queue.requests
    queue.uploads.retry(queue.idOf('a'))
    expect(queue.requestFor('a')).not.toBe(first)
    expect(queue.requestFor('a').options.idempotencyKey).toBe(first?.options.idempotencyKey)
  })

  test('stay queued when the server cannot be reached', async () => {
    queue.add('a', 'b', 'c', 'd', 'e')
    for (const name of ['a', 'b', 'c']) await queue.requestFor(name).fail(new NetworkError('unreachable'))
    expect(queue.states()).toEqual(['a failed', 'b failed', 'c failed', 'd queued', 'e queued'])
    queue.uploads.retryAll()
    expect(queue.states()).toEqual(['a uploading', 'b uploading', 'c uploading', 'd queued', 'e queued'])
  })

  test.each([
    ['the network returns', () => void queue.page.dispatchEvent(new Event('online'))],
    ['the server can be reached again', () => queue.uploads.resume()],
    ['the server has told the status of the plan', () => queue.setStatus(planStatusOf('free'))],
  ])('are uploaded when %s', async (_, resume) => {
    queue.add('a', 'b', 'c', 'd')
    await queue.requestFor('a').fail(new NetworkError('unreachable'))
    expect(queue.states()).toContain('d queued')
    resume()
    expect(queue.states()).toContain('d uploading')
  })

  test('are uploaded after another upload has succeeded, which proves that the server answers', async () => {
    queue.add('a', 'b', 'c', 'd', 'e', 'f')
    await queue.requestFor('a').fail(new NetworkError('unreachable'))
    expect(queue.states()).toContain('d queued')
    await queue.requestFor('b').succeed(samplePhoto(1))
    const uploading = ['c uploading', 'd uploading', 'e uploading']
    expect(queue.states()).toEqual(['a queued', 'b uploaded', ...uploading, 'f queued'])
    await queue.requestFor('c').succeed(samplePhoto(2))
    await queue.requestFor('d').succeed(samplePhoto(3))
    expect(queue.states().slice(0, 1)).toEqual(['a uploading'])
  })

  test('are tried six times each by a server that answers other calls, but no uploads', async () => {
    queue.add('a', 'b', 'c', 'd')
    let answered = 0
    for (let status = 0; status < 20; status++) {
      while (answered < queue.requests.length) await queue.requests[answered++]?.fail(new NetworkError('unreachable'))
      queue.setStatus(planStatusOf('free'))
    }
    expect(queue.states()).toEqual(['a failed', 'b failed', 'c failed', 'd failed'])
    const names = queue.requests.map(({ name }) => name)
    expect(names.slice(0, 6)).toEqual(['a', 'b', 'c', 'd', 'a', 'b'])
    expect(names).toHaveLength(4 * 6)
  })

  test('wait for a server that a proxy cannot reach, and are sent one by one until one succeeds', async () => {
    vi.useFakeTimers()
    const answer = async (answered: Promise<void>) => {
      await vi.advanceTimersByTimeAsync(1)
      await answered
    }
    queue.add('a', 'b', 'c', 'd', 'e')
    for (const name of ['a', 'b', 'c']) await answer(queue.requestFor(name).fail(new ApiError(502, null)))
    expect(queue.states()).toEqual(['a queued', 'b queued', 'c queued', 'd queued', 'e queued'])
    for (const [seconds, name] of [
      [5, 'd'],
      [10, 'e'],
      [20, 'a'],
    ] as const) {
      const requestCount = queue.requests.length
      await vi.advanceTimersByTimeAsync((seconds - 1) * 1000)
      expect(queue.requests).toHaveLength(requestCount)
      await vi.advanceTimersByTimeAsync(1000)
      expect(queue.requests.slice(requestCount).map((request) => request.name)).toEqual([name])
      if (name !== 'a') await answer(queue.requestFor(name).fail(new ApiError(503, null)))
    }
    await answer(queue.requestFor('a').succeed(samplePhoto(1)))
    expect(queue.states()).toEqual(['a uploaded', 'b uploading', 'c uploading', 'd uploading', 'e queued'])
  })

  test('have as many retries as before after Retry', async () => {
    vi.useFakeTimers()
    const busy = new ApiError(429, { code: 'rate_limited', detail: 'Slow.' }, '1')
    const isRefused = async () => {
      const failed = queue.requestFor('a').fail(busy)
      await vi.advanceTimersByTimeAsync(1_001)
      await failed
      return queue.states().includes('a failed')
    }
    queue.add('a', 'b')
    for (const retry of [queue.uploads.retry, queue.uploads.retryAll]) {
      for (let attempt = 0; attempt < 40; attempt++) expect(await isRefused()).toBe(false)
      expect(await isRefused()).toBe(true)
      retry(queue.idOf('a'))
    }
    expect(await isRefused()).toBe(false)
  })

  test('continue when the device can no longer read one of the files', async () => {
    queue.add('a', 'b', 'c', 'd')
    const file = queue.uploads.state().items[0]?.file
    vi.spyOn(file ?? new File([], ''), 'slice').mockReturnValue({
      arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotReadableError')),
    } as unknown as Blob) // only this is called
    await queue.requestFor('a').fail(new NetworkError('unreachable'))
    expect(queue.uploads.state().items[0]?.state).toEqual({ status: 'failed', problem: { kind: 'unreadable-file' } })
    expect(queue.states()).toEqual(['a failed', 'b uploading', 'c uploading', 'd uploading'])
    queue.uploads.resume()
    expect(queue.states()).toContain('a failed')
  })

  test('wait as long as the server asks for, also when it answers other calls meanwhile', async () => {
    vi.useFakeTimers()
    queue.add('a', 'b', 'c', 'd')
    const failed = queue.requestFor('a').fail(new ApiError(429, { code: 'rate_limited', detail: 'Slow.' }, '20'))
    await vi.advanceTimersByTimeAsync(1)
    await failed
    const succeeded = queue.requestFor('b').succeed(samplePhoto(1))
    await vi.advanceTimersByTimeAsync(1)
    await succeeded
    queue.setStatus(planStatusOf('free'))
    expect(queue.states()).toEqual(['a queued', 'b uploaded', 'c uploading', 'd queued'])
    await vi.advanceTimersByTimeAsync(20_000)
    expect(queue.states()).toEqual(['a uploading', 'b uploaded', 'c uploading', 'd uploading'])
  })

  test('that are slow to process wait while the server has no time for them, JPEGs do not', async () => {
    vi.useFakeTimers()
    const heic = { file: new File(['picture'], 'b', { type: 'image/heic' }), isImage: true }
    queue.uploads.add([{ ...heic, file: new File(['picture'], 'a', { type: 'image/heic' }) }])
    queue.uploads.start(queue.idOf('a'))
    queue.uploads.add([heic, pickedFile('c')])
    const isBusy = new ApiError(429, { code: 'processing_limit', detail: 'Busy.' }, '20')
    for (const name of ['a', 'b']) {
      const failed = queue.requestFor(name).fail(isBusy)
      await vi.advanceTimersByTimeAsync(1)
      await failed
    }
    expect(queue.states()).toEqual(['a queued', 'b queued', 'c uploading'])
    // The clock of the device is set back meanwhile.
    vi.setSystemTime(Date.now() - 3_600_000)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(queue.states()).toEqual(['a uploading', 'b uploading', 'c uploading'])
  })
})
