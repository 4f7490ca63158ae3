import type { Photo } from '@keepsnap/contract/photos.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError, NetworkError } from '../../../lib/api-errors.ts'
import type { UploadOptions } from '../../../lib/send-file.ts'
import { samplePhoto } from '../../../test/sample-photos.ts'
import type { SavedUpload, UploadDatabase } from './upload-database.ts'
import { createUploads, type Uploads } from './uploads.ts'

/** A request that the test answers. */
interface Request {
  name: string
  options: UploadOptions
  succeed: (photo: Photo) => Promise<void>
  fail: (error: Error) => Promise<void>
}
let requests: Request[]
let saved: Map<string, SavedUpload>
let uploads: Uploads
let token: string | null
let page: EventTarget
const onUploaded = vi.fn<(photo: Photo) => void>()
/** Lets all pending promise callbacks run. */
const flush = () => new Promise<void>((resolve) => setTimeout(resolve))

const database: UploadDatabase = {
  save: async (upload) => void saved.set(upload.id, upload),
  remove: async (ids) => ids.forEach((id) => saved.delete(id)),
  ofOwner: async (owner) => Array.from(saved.values()).filter((upload) => upload.owner === owner),
}
function openPage() {
  page = new EventTarget()
  return createUploads({
    api: {
      upload: ((_: unknown, file: File, options: UploadOptions) =>
        new Promise((resolve, reject) => {
          const answer = (action: () => void) => {
            action()
            return flush()
          }
          options.signal?.addEventListener('abort', () => reject(options.signal?.reason))
          requests.push({
            name: file.name,
            options,
            succeed: (photo) => answer(() => resolve(photo)),
            fail: (error) => answer(() => reject(error)),
          })
        })) as never, // one endpoint is called
    },
    token: () => token,
    database,
    onUploaded,
    page: page as Window, // only events are used
  })
}
beforeEach(() => {
  requests = []
  saved = new Map()
  token = 'first'
  onUploaded.mockClear()
  uploads = openPage()
  uploads.setOwner({ id: 'anna', tier: 'free' })
})
afterEach(() => {
  vi.useRealTimers()
})

const file = (name: string) => ({ file: new File(['picture'], name, { type: 'image/jpeg' }), isImage: true })
function largeFile(name: string, size: number) {
  const large = file(name)
  Object.defineProperty(large.file, 'size', { value: size })
  return large
}
const add = (...names: string[]) => uploads.add(names.map((name) => file(name)))
const states = () => uploads.state().items.map(({ file: { name }, state }) => `${name} ${state.status}`)
function idOf(name: string): string {
  const item = uploads.state().items.find((other) => other.file.name === name)
  if (!item) throw new Error(`no upload of ${name}`)
  return item.id
}
function requestFor(name: string): Request {
  const request = requests.findLast((other) => other.name === name)
  if (!request) throw new Error(`no request for ${name}`)
  return request
}
/** Whether closing the page asks the user first. */
const asksBeforeLeaving = () => {
  const event = new Event('beforeunload', { cancelable: true })
  page.dispatchEvent(event)
  return event.defaultPrevented
}

describe('a single file', () => {
  test('is uploaded when it is started', () => {
    add('a.jpg')
    expect([states(), uploads.state().singleUploadId, requests]).toEqual([['a.jpg selected'], idOf('a.jpg'), []])
    uploads.start(idOf('a.jpg'))
    expect(states()).toEqual(['a.jpg uploading'])
  })

  test('reports its progress and its photo', async () => {
    add('a.jpg')
    uploads.start(idOf('a.jpg'))
    requestFor('a.jpg').options.onProgress?.(0.5)
    expect(uploads.state().items[0]?.state).toEqual({ status: 'uploading', progress: 0.5 })
    await requestFor('a.jpg').succeed(samplePhoto(7))
    expect(uploads.state().items[0]?.state).toEqual({ status: 'uploaded', photoId: 'photo7' })
    expect(onUploaded).toHaveBeenCalledWith(samplePhoto(7))
  })

  test('can be removed during its upload, which is aborted', async () => {
    add('a.jpg')
    uploads.start(idOf('a.jpg'))
    uploads.remove(idOf('a.jpg'))
    await flush()
    const { items, singleUploadId } = uploads.state()
    expect([items, requestFor('a.jpg').options.signal?.aborted, singleUploadId]).toEqual([[], true, null])
  })

  test('is started when another file is added', () => {
    add('a.jpg')
    add('b.jpg')
    expect([states(), uploads.state().singleUploadId]).toEqual([['a.jpg uploading', 'b.jpg uploading'], null])
  })

  test('is not sent without a session', () => {
    token = null
    add('a.jpg')
    uploads.start(idOf('a.jpg'))
    expect(uploads.state().items[0]?.state).toEqual({ status: 'failed', problem: { kind: 'signed-out' } })
  })
})

describe('several files', () => {
  test('are uploaded three at a time, each with its own idempotency key', async () => {
    add('a', 'b', 'c', 'd')
    expect(states()).toEqual(['a uploading', 'b uploading', 'c uploading', 'd queued'])
    await requestFor('b').succeed(samplePhoto(1))
    expect(states()).toEqual(['a uploading', 'b uploaded', 'c uploading', 'd uploading'])
    expect(new Set(requests.map(({ options }) => options.idempotencyKey)).size).toBe(4)
  })

  test('keep their idempotency key over retries', async () => {
    add('a', 'b')
    await requestFor('a').fail(new ApiError(500, null))
    expect(states()).toEqual(['a failed', 'b uploading'])
    const [first] = requests
    uploads.retry(idOf('a'))
    expect(requestFor('a')).not.toBe(first)
    expect(requestFor('a').options.idempotencyKey).toBe(first?.options.idempotencyKey)
  })

  test('stay queued when the server cannot be reached', async () => {
    add('a', 'b', 'c', 'd', 'e')
    for (const name of ['a', 'b', 'c']) await requestFor(name).fail(new NetworkError('unreachable'))
    expect(states()).toEqual(['a failed', 'b failed', 'c failed', 'd queued', 'e queued'])
    uploads.retryAll()
    expect(states()).toEqual(['a uploading', 'b uploading', 'c uploading', 'd queued', 'e queued'])
  })

  test.each([
    ['the network returns', () => void page.dispatchEvent(new Event('online'))],
    ['the server can be reached again', () => uploads.resume()],
  ])('are uploaded when %s', async (_, resume) => {
    add('a', 'b', 'c', 'd')
    await requestFor('a').fail(new NetworkError('unreachable'))
    expect(states()).toContain('d queued')
    resume()
    expect(states()).toContain('d uploading')
  })

  test('wait as long as the server asks for, and are then uploaded automatically', async () => {
    vi.useFakeTimers()
    add('a', 'b', 'c', 'd')
    const failed = requestFor('a').fail(new ApiError(429, { code: 'rate_limited', detail: 'Slow.' }, '20'))
    await vi.advanceTimersByTimeAsync(1)
    await failed
    expect(states()).toEqual(['a queued', 'b uploading', 'c uploading', 'd queued'])
    await vi.advanceTimersByTimeAsync(20_000)
    expect(states()).toEqual(['a uploading', 'b uploading', 'c uploading', 'd queued'])
  })

  test('are rejected without a request when they are not images', () => {
    uploads.add([file('a'), { ...file('notes.txt'), isImage: false }])
    expect(states()).toEqual(['a uploading', 'notes.txt rejected'])
  })

  test('are at most five hundred', () => {
    expect(uploads.add(Array.from({ length: 503 }, (_, index) => file(`${index}`)))).toBe(3)
    expect(uploads.state().items).toHaveLength(500)
  })

  test('can be removed from the list after the upload', async () => {
    add('a', 'b')
    await requestFor('a').succeed(samplePhoto(1))
    uploads.removeFromList([idOf('a')])
    expect(states()).toEqual(['b uploading'])
  })
})

describe('files over a limit of the plan', () => {
  const quotaExceeded = new ApiError(403, { code: 'quota_photos', detail: 'This month is full.' })

  test('are not sent, and outlive a reload', async () => {
    add('a', 'b', 'c', 'd', 'e')
    await requestFor('a').fail(quotaExceeded)
    expect(states()).toEqual(['a over-limit', 'b uploading', 'c uploading', 'd over-limit', 'e over-limit'])
    expect(Array.from(saved.values(), (upload) => upload.file.name)).toEqual(['a', 'd', 'e'])
    uploads = openPage()
    uploads.setOwner({ id: 'anna', tier: 'free' })
    await flush()
    expect(states()).toEqual(['a over-limit', 'd over-limit', 'e over-limit'])
  })

  test('are uploaded after an upgrade', async () => {
    add('a', 'b')
    await requestFor('a').fail(quotaExceeded)
    uploads.setOwner({ id: 'anna', tier: 'pro' })
    expect(states()).toEqual(['a uploading', 'b uploading'])
    await requestFor('a').succeed(samplePhoto(1))
    expect(saved.size).toBe(0)
  })

  test('are uploaded after an upgrade and a reload', async () => {
    add('a', 'b')
    await requestFor('a').fail(quotaExceeded)
    uploads = openPage()
    uploads.setOwner({ id: 'anna', tier: 'pro' })
    await flush()
    expect(states()).toEqual(['a uploading'])
  })

  test('are not sent when they exceed the maximum file size', () => {
    uploads.add([file('a'), largeFile('big', 50 * 1024 ** 2 + 1)])
    expect(states()).toEqual(['a uploading', 'big over-limit'])
  })

  test('are deleted from the browser when the user removes them', async () => {
    add('a', 'b')
    await requestFor('a').fail(quotaExceeded)
    uploads.remove(idOf('a'))
    expect(saved.size).toBe(0)
  })
})

describe('a change of the session', () => {
  test('puts uploads back into the queue until the same user signs in again', async () => {
    add('a', 'b')
    uploads.setOwner(null)
    await flush()
    expect(states()).toEqual(['a queued', 'b queued'])
    uploads.setOwner({ id: 'anna', tier: 'free' })
    expect(states()).toEqual(['a uploading', 'b uploading'])
  })

  test('repeats an upload under the same key when its token was replaced meanwhile', async () => {
    const signedOut = new ApiError(401, { code: 'unauthorized', detail: 'Please sign in.' })
    add('a', 'b')
    const first = requestFor('a')
    token = 'second'
    await first.fail(signedOut)
    expect(states()).toEqual(['a uploading', 'b uploading'])
    expect(requestFor('a')).not.toBe(first)
    expect(requestFor('a').options.idempotencyKey).toBe(first.options.idempotencyKey)
    await requestFor('a').fail(signedOut)
    expect(uploads.state().items[0]?.state).toEqual({ status: 'failed', problem: { kind: 'signed-out' } })
    expect(requests.map(({ name }) => name)).toEqual(['a', 'b', 'a'])
    token = null
    await requestFor('b').fail(signedOut)
    expect(states()).toEqual(['a failed', 'b failed'])
  })

  test('empties the queue when another user signs in, and keeps the saved files of the first', async () => {
    add('a', 'b')
    await requestFor('a').fail(new ApiError(403, { code: 'quota_photos', detail: 'Full.' }))
    uploads.setOwner(null)
    uploads.setOwner({ id: 'bram', tier: 'free' })
    await flush()
    expect(states()).toEqual([])
    expect(Array.from(saved.values(), (upload) => upload.owner)).toEqual(['anna'])
  })
})

test('closing the page asks the user only while an upload is unfinished', async () => {
  expect(asksBeforeLeaving()).toBe(false)
  add('a', 'b')
  expect(asksBeforeLeaving()).toBe(true)
  await requestFor('a').succeed(samplePhoto(1))
  await requestFor('b').fail(new ApiError(415, { code: 'not_an_image', detail: 'No.' }))
  expect(asksBeforeLeaving()).toBe(false)
})
