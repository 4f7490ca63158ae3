import type { Photo } from '@keepsnap/contract/photos.ts'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError, NetworkFailure } from '../../../lib/answers.ts'
import type { UploadOptions } from '../../../lib/upload.ts'
import { samplePhoto } from '../../../test/photos.ts'
import type { Shelf, Shelved } from './shelf.ts'
import { createUploads, type Uploads } from './uploads.ts'

interface Underway {
  name: string
  options: UploadOptions
  succeed: (photo: Photo) => Promise<void>
  fail: (error: Error) => Promise<void>
}
let wire: Underway[]
let kept: Map<string, Shelved>
let uploads: Uploads
let token: string | null
let page: EventTarget
const onStored = vi.fn<(photo: Photo) => void>()
const settle = () => new Promise<void>((done) => setTimeout(done))

const shelf: Shelf = {
  put: async (item) => void kept.set(item.id, item),
  remove: async (ids) => ids.forEach((id) => kept.delete(id)),
  of: async (owner) => Array.from(kept.values()).filter((item) => item.owner === owner),
}
function open() {
  page = new EventTarget()
  return createUploads({
    api: {
      upload: ((_: unknown, file: File, options: UploadOptions) =>
        new Promise((resolve, reject) => {
          const then = (deed: () => void) => {
            deed()
            return settle()
          }
          options.signal?.addEventListener('abort', () => reject(options.signal?.reason))
          wire.push({
            name: file.name,
            options,
            succeed: (photo) => then(() => resolve(photo)),
            fail: (error) => then(() => reject(error)),
          })
        })) as never, // one endpoint is called
    },
    token: () => token,
    shelf,
    onStored,
    page: page as Window, // the part of it that tells of leaving
  })
}
beforeEach(() => {
  wire = []
  kept = new Map()
  token = 'first'
  onStored.mockClear()
  uploads = open()
  uploads.belongTo({ id: 'anna', tier: 'free' })
})

const file = (name: string, size = 10) => ({
  file: new File([new Uint8Array(size)], name, { type: 'image/jpeg' }),
  isImage: true,
})
const add = (...names: string[]) => uploads.add(names.map((name) => file(name)))
const states = () => uploads.state().items.map(({ file: { name }, state }) => `${name} ${state.at}`)
const idOf = (name: string) => uploads.state().items.find((item) => item.file.name === name)!.id
const sent = (name: string) => wire.findLast((one) => one.name === name)!
const leave = () => {
  const event = new Event('beforeunload', { cancelable: true })
  page.dispatchEvent(event)
  return event.defaultPrevented
}

describe('one file', () => {
  test('waits for Upload Photo', () => {
    add('a.jpg')
    expect([states(), uploads.state().solo, wire]).toEqual([['a.jpg chosen'], idOf('a.jpg'), []])
    uploads.start(idOf('a.jpg'))
    expect(states()).toEqual(['a.jpg sending'])
  })

  test('tells how far it is, and becomes a photo', async () => {
    add('a.jpg')
    uploads.start(idOf('a.jpg'))
    sent('a.jpg').options.onProgress?.(0.5)
    expect(uploads.state().items[0]?.state).toEqual({ at: 'sending', share: 0.5 })
    await sent('a.jpg').succeed(samplePhoto(7))
    expect(uploads.state().items[0]?.state).toEqual({ at: 'stored', photoId: 'photo7' })
    expect(onStored).toHaveBeenCalledWith(samplePhoto(7))
  })

  test('can be removed, also on its way', async () => {
    add('a.jpg')
    uploads.start(idOf('a.jpg'))
    uploads.remove(idOf('a.jpg'))
    await settle()
    expect([uploads.state().items, sent('a.jpg').options.signal?.aborted, uploads.state().solo]).toEqual([
      [],
      true,
      null,
    ])
  })

  test('becomes one of several when more are added', () => {
    add('a.jpg')
    add('b.jpg')
    expect([states(), uploads.state().solo]).toEqual([['a.jpg sending', 'b.jpg sending'], null])
  })

  test('needs a session', () => {
    token = null
    add('a.jpg')
    uploads.start(idOf('a.jpg'))
    expect(uploads.state().items[0]?.state).toEqual({ at: 'stopped', problem: { kind: 'signed-out' } })
  })
})

describe('several files', () => {
  test('go up three at a time, each with a key of its own', async () => {
    add('a', 'b', 'c', 'd')
    expect(states()).toEqual(['a sending', 'b sending', 'c sending', 'd waiting'])
    await sent('b').succeed(samplePhoto(1))
    expect(states()).toEqual(['a sending', 'b stored', 'c sending', 'd sending'])
    expect(new Set(wire.map(({ options }) => options.idempotencyKey)).size).toBe(4)
  })

  test('keep their key over retries', async () => {
    add('a', 'b')
    await sent('a').fail(new ApiError(500, null))
    expect(states()).toEqual(['a stopped', 'b sending'])
    const [first] = wire
    uploads.retry(idOf('a'))
    expect(sent('a')).not.toBe(first)
    expect(sent('a').options.idempotencyKey).toBe(first?.options.idempotencyKey)
  })

  test('are not all lost when the server goes away: the rest waits', async () => {
    add('a', 'b', 'c', 'd', 'e')
    for (const name of ['a', 'b', 'c']) await sent(name).fail(new NetworkFailure('unreachable'))
    expect(states()).toEqual(['a stopped', 'b stopped', 'c stopped', 'd waiting', 'e waiting'])
    uploads.retryAll()
    expect(states()).toEqual(['a sending', 'b sending', 'c sending', 'd waiting', 'e waiting'])
  })

  test.each([
    ['the network returns', () => void page.dispatchEvent(new Event('online'))],
    ['the server is heard again', () => uploads.resume()],
  ])('go on when %s', async (_, sign) => {
    add('a', 'b', 'c', 'd')
    await sent('a').fail(new NetworkFailure('unreachable'))
    expect(states()).toContain('d waiting')
    sign()
    expect(states()).toContain('d sending')
  })

  test('wait when the server asks for patience, and go on by themselves', async () => {
    vi.useFakeTimers()
    add('a', 'b', 'c', 'd')
    const failed = sent('a').fail(new ApiError(429, { code: 'rate_limited', detail: 'Slow.' }, '20'))
    await vi.advanceTimersByTimeAsync(1)
    await failed
    expect(states()).toEqual(['a waiting', 'b sending', 'c sending', 'd waiting'])
    await vi.advanceTimersByTimeAsync(20_000)
    expect(states()).toEqual(['a sending', 'b sending', 'c sending', 'd waiting'])
    vi.useRealTimers()
  })

  test('that are no photos are shown with the reason and not sent', () => {
    uploads.add([file('a'), { ...file('notes.txt'), isImage: false }])
    expect(states()).toEqual(['a sending', 'notes.txt refused'])
  })

  test('are at most five hundred', () => {
    expect(uploads.add(Array.from({ length: 503 }, (_, at) => file(`${at}`)))).toBe(3)
    expect(uploads.state().items).toHaveLength(500)
  })

  test('leave the list when they are up and that is wanted', async () => {
    add('a', 'b')
    await sent('a').succeed(samplePhoto(1))
    uploads.clear([idOf('a')])
    expect(states()).toEqual(['b sending'])
  })
})

describe('a limit of the plan', () => {
  const full = new ApiError(403, { code: 'quota_photos', detail: 'This month is full.' })

  test('that is reached holds the rest back without sending it, and keeps it over a reload', async () => {
    add('a', 'b', 'c', 'd', 'e')
    await sent('a').fail(full)
    expect(states()).toEqual(['a held', 'b sending', 'c sending', 'd held', 'e held'])
    expect(Array.from(kept.values(), (item) => item.file.name)).toEqual(['a', 'd', 'e'])
    uploads = open()
    uploads.belongTo({ id: 'anna', tier: 'free' })
    await settle()
    expect(states()).toEqual(['a held', 'd held', 'e held'])
  })

  test('lets go of the files after an upgrade', async () => {
    add('a', 'b')
    await sent('a').fail(full)
    uploads.belongTo({ id: 'anna', tier: 'pro' })
    expect(states()).toEqual(['a sending', 'b sending'])
    await sent('a').succeed(samplePhoto(1))
    expect(kept.size).toBe(0)
  })

  test('of another plan lets go after a reload as well', async () => {
    add('a', 'b')
    await sent('a').fail(full)
    uploads = open()
    uploads.belongTo({ id: 'anna', tier: 'pro' })
    await settle()
    expect(states()).toEqual(['a sending'])
  })

  test('for the size of a file is known before it is sent', () => {
    uploads.add([file('a'), file('big', 50 * 1024 ** 2 + 1)])
    expect(states()).toEqual(['a sending', 'big held'])
  })

  test('is no reason to keep what its person removes', async () => {
    add('a', 'b')
    await sent('a').fail(full)
    uploads.remove(idOf('a'))
    expect(kept.size).toBe(0)
  })
})

describe('whose files they are', () => {
  test('stay and wait when the session ends, and go on when the same person is back', async () => {
    add('a', 'b')
    uploads.belongTo(null)
    await settle()
    expect(states()).toEqual(['a waiting', 'b waiting'])
    uploads.belongTo({ id: 'anna', tier: 'free' })
    expect(states()).toEqual(['a sending', 'b sending'])
  })

  test('go up again, under the same key, when the token that they went with was replaced meanwhile', async () => {
    const signedOut = new ApiError(401, { code: 'unauthorized', detail: 'Please sign in.' })
    add('a', 'b')
    const first = sent('a')
    token = 'second'
    await first.fail(signedOut)
    expect(states()).toEqual(['a sending', 'b sending'])
    expect(sent('a')).not.toBe(first)
    expect(sent('a').options.idempotencyKey).toBe(first.options.idempotencyKey)
    await sent('a').fail(signedOut)
    expect(uploads.state().items[0]?.state).toEqual({ at: 'stopped', problem: { kind: 'signed-out' } })
    expect(wire.map(({ name }) => name)).toEqual(['a', 'b', 'a'])
    token = null
    await sent('b').fail(signedOut)
    expect(states()).toEqual(['a stopped', 'b stopped'])
  })

  test('are gone when somebody else signs in', async () => {
    add('a', 'b')
    await sent('a').fail(new ApiError(403, { code: 'quota_photos', detail: 'Full.' }))
    uploads.belongTo(null)
    uploads.belongTo({ id: 'bram', tier: 'free' })
    await settle()
    expect(states()).toEqual([])
    expect(Array.from(kept.values(), (item) => item.owner)).toEqual(['anna'])
  })
})

describe('leaving the page', () => {
  test('asks first while something is on its way, and not otherwise', async () => {
    expect(leave()).toBe(false)
    add('a', 'b')
    expect(leave()).toBe(true)
    await sent('a').succeed(samplePhoto(1))
    await sent('b').fail(new ApiError(415, { code: 'not_an_image', detail: 'No.' }))
    expect(leave()).toBe(false)
  })
})
