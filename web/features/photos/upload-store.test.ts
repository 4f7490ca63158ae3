import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '../../lib/api-errors.ts'
import { openStorage } from '../../lib/storage.ts'
import { samplePhoto } from '../../test/samples.ts'
import { flush, useUploadTest } from '../../test/upload-test.ts'
import { createSendingPause, type PauseState, type SendingPause } from './upload-store.ts'
import type { Uploads } from './uploads.ts'

describe('sending pause', () => {
  const onPauseEnd = vi.fn<() => void>()
  const onChange = vi.fn<(pause: PauseState | null) => void>()
  let pause: SendingPause
  beforeEach(() => {
    vi.useFakeTimers()
    onPauseEnd.mockClear()
    onChange.mockClear()
    pause = createSendingPause({ onPauseEnd, onChange })
  })

  test('no longer when the clock of the device is set back meanwhile', () => {
    pause.pauseFor(1_000, 'busy')
    vi.setSystemTime(Date.now() - 3_600_000)
    vi.advanceTimersByTime(1_000)
    expect([pause.isActive(), onPauseEnd.mock.calls.length]).toEqual([false, 1])
  })

  test('for the longest of several times', () => {
    pause.pauseFor(5_000, 'busy')
    pause.pauseFor(1_000, 'busy')
    vi.advanceTimersByTime(4_999)
    expect(pause.isActive()).toBe(true)
    vi.advanceTimersByTime(1)
    expect([pause.isActive(), onPauseEnd.mock.calls.length]).toEqual([false, 1])
  })

  test('after each answer that the server is not available, twice as long as before, for at most 30 seconds', () => {
    const pauseSeconds = () => {
      pause.serverUnavailable(5_000)
      const start = performance.now()
      while (pause.isActive()) vi.advanceTimersByTime(1_000)
      return (performance.now() - start) / 1_000
    }
    expect(Array.from({ length: 5 }, pauseSeconds)).toEqual([5, 10, 20, 30, 30])
    expect(pause.isServerUnavailable()).toBe(true)
    pause.serverReachable()
    expect(pause.isServerUnavailable()).toBe(false)
    expect(pauseSeconds()).toBe(5)
  })

  test('for at least a second when the server is not available, whatever it asks for', () => {
    pause.serverUnavailable(0)
    vi.advanceTimersByTime(999)
    expect(pause.isActive()).toBe(true)
  })

  test('not after a cancellation, which reports no end', () => {
    pause.pauseFor(1_000, 'busy')
    pause.cancel()
    expect(pause.isActive()).toBe(false)
    vi.advanceTimersByTime(1_000)
    expect(onPauseEnd).not.toHaveBeenCalled()
  })

  test('with its reason, and until when, for users; it is over when it ends', () => {
    const at = Date.now()
    pause.pauseFor(5_000, 'rate-limit')
    pause.pauseFor(1_000, 'busy')
    vi.advanceTimersByTime(2_000)
    pause.serverUnreachable()
    pause.serverReachable()
    vi.advanceTimersByTime(3_000)
    const limit = { reason: 'rate-limit', startedAt: at, endsAt: at + 5_000 }
    const unreachable = { reason: 'unreachable', startedAt: at + 2_000, endsAt: null }
    expect(onChange.mock.calls).toEqual([[limit], [unreachable], [limit], [null]])
  })

  test('for one upload every 30 seconds while the server cannot be reached', () => {
    pause.serverUnreachable()
    vi.advanceTimersByTime(29_999)
    expect([pause.isActive(), pause.isProbing()]).toEqual([true, false])
    vi.advanceTimersByTime(1)
    expect([pause.isActive(), pause.isProbing(), onPauseEnd.mock.calls.length]).toEqual([false, true, 1])
    pause.serverUnreachable()
    expect([pause.isActive(), pause.isProbing()]).toEqual([true, false])
    pause.serverReachable()
    vi.advanceTimersByTime(60_000)
    expect([pause.isActive(), onPauseEnd.mock.calls.length]).toEqual([false, 1])
  })
})

describe('unsent files', () => {
  const queue = useUploadTest()

  const file = (name: string) => new File(['picture'], name, { type: 'image/jpeg', lastModified: 1 })
  const choose = (...names: string[]) => queue.uploads.add(names.map((name) => ({ file: file(name), isImage: true })))
  const close = () => void queue.page.dispatchEvent(new Event('pagehide'))
  /** What the browser does in other tabs after each change. */
  const tellTabs = (...pages: EventTarget[]) => {
    for (const page of pages)
      for (const key of Object.keys(localStorage))
        page.dispatchEvent(new StorageEvent('storage', { key, newValue: localStorage.getItem(key) }))
  }
  /** Opens the page once more; returns when it knows what was not sent. */
  async function open(owner = 'anna', tellOthers = () => {}): Promise<Uploads> {
    vi.useFakeTimers()
    const uploads = queue.openPage()
    uploads.setOwner({ id: owner })
    tellOthers()
    await vi.advanceTimersByTimeAsync(300)
    vi.useRealTimers()
    return uploads
  }
  /** Four files of which the first was sent and the second has failed. */
  async function sendOneOfFour(): Promise<void> {
    choose('a', 'b', 'c', 'd')
    await queue.requestFor('a').succeed(samplePhoto(1))
    await queue.requestFor('b').fail(new ApiError(500, null))
  }
  const unsent = () => queue.uploads.state().unsent
  const threeOfFour = { names: ['b', 'c', 'd'], total: 4 }

  test('after a reload, what was not sent has names; chosen again, what arrived is left out without a request', async () => {
    await sendOneOfFour()
    close()
    await open()
    expect(unsent()).toEqual(threeOfFour)
    queue.requests = []
    choose('a', 'b', 'c')
    expect(unsent()).toEqual({ names: ['d'], total: 4 })
    choose('d')
    expect(unsent()).toBeNull()
    expect(queue.states()).toEqual(['a sent-before', 'b uploading', 'c uploading', 'd uploading'])
    for (const [index, name] of ['b', 'c', 'd'].entries()) await queue.requestFor(name).succeed(samplePhoto(index + 2))
    expect(queue.requests.map(({ name }) => name)).toEqual(['b', 'c', 'd'])
    expect(localStorage).toHaveLength(0)
  })

  test('a tab that is open sends its files: others name them when it is closed', async () => {
    await sendOneOfFour()
    const firstPage = queue.page
    await open('anna', () => tellTabs(firstPage, queue.page))
    expect(unsent()).toBeNull()
    firstPage.dispatchEvent(new Event('pagehide'))
    tellTabs(queue.page)
    expect(unsent()).toEqual(threeOfFour)
    // It comes back from the browser's cache of pages.
    firstPage.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    tellTabs(queue.page)
    expect(unsent()).toBeNull()
  })

  test('another user reads nothing of it, and what is dismissed or removed is not named again', async () => {
    await sendOneOfFour()
    queue.uploads.remove(queue.idOf('d'))
    close()
    await open('bram')
    expect(unsent()).toBeNull()
    await open()
    expect(unsent()).toEqual({ names: ['b', 'c'], total: 3 })
    queue.uploads.dismissUnsent()
    expect(unsent()).toBeNull()
    expect(localStorage).toHaveLength(0)
  })

  test('nothing is left of it after the user has signed out, also when the tab is closed then', async () => {
    await sendOneOfFour()
    queue.uploads.clearUnsent()
    queue.uploads.setOwner(null)
    await flush()
    close()
    expect(localStorage).toHaveLength(0)
  })

  test.each([
    ['is saved', false, null],
    ['could not be saved', true, { names: ['a', 'b'], total: 2 }],
  ])('a file over a limit that %s is named when the page cannot send it', async (_, isFull, expected) => {
    queue.isDatabaseFull = isFull
    choose('a', 'b')
    await queue.requestFor('a').fail(new ApiError(403, { code: 'quota_photos', detail: 'Full.' }))
    await queue.requestFor('b').fail(new ApiError(403, { code: 'quota_photos', detail: 'Full.' }))
    close()
    await open()
    expect(unsent()).toEqual(expected)
  })

  test('what is no list of files, and a browser that stores nothing, name nothing', async () => {
    for (const text of ['{', 'null', '[]', '{"unsent":7}']) {
      localStorage.setItem('unsent-uploads-anna', text)
      await open()
      expect([text, unsent()]).toEqual([text, null])
    }
    queue.storage = openStorage(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    await open()
    await sendOneOfFour()
    expect(queue.states()).toEqual(['a uploaded', 'b failed', 'c uploading', 'd uploading'])
    expect(unsent()).toBeNull()
  })
})
