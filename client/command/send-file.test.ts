import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { KeepsnapError } from '../errors.ts'
import type { Client } from '../client.ts'
import type { FileSource } from '../multipart.ts'
import { sendFile } from './uploader.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const file = { name: 'photo.jpg', source: {} as FileSource } // the client of these tests does not read it

/** An upload of which the server has read nothing, and how it ends. */
function waitingUpload() {
  const { promise, reject } = Promise.withResolvers<never>()
  const uploadPhoto: Client['uploadPhoto'] = (_file, { signal } = {}) => {
    signal?.addEventListener('abort', () => reject(signal.reason))
    return promise
  }
  const client = { uploadPhoto } as Client // sending a file uses this call alone
  const { signal } = new AbortController()
  const ended = sendFile(client, file, { idempotencyKey: 'key', onProgress: () => {}, signal }).catch(
    (error: unknown) => error,
  )
  return { ended, refuse: reject }
}

test('an upload waits longer than the server lets it wait before it refuses it', async () => {
  const { ended, refuse } = waitingUpload()
  await vi.advanceTimersByTimeAsync(41_000)
  const refusal = new KeepsnapError(429, { code: 'rate_limited', detail: 'Too many uploads at once.' }, 5)
  refuse(refusal)
  expect(await ended).toBe(refusal)
})

test('an upload that makes no progress for a minute is aborted', async () => {
  const { ended } = waitingUpload()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await ended).toMatchObject({ message: 'The upload makes no progress.' })
})
