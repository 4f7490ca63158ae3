import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError, NetworkError } from '../../../lib/api-errors.ts'
import { createSendingPause, type SendingPause } from './sending-pause.ts'
import { createUploadFailures, type UploadFailures } from './upload-failures.ts'
import { createUploadStore, type UploadStore } from './upload-store.ts'

let store: UploadStore
let pause: SendingPause
let failures: UploadFailures
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
