import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { samplePhoto } from '../../../test/sample-photos.ts'
import { latestViewModelOf } from './latest-view-model.ts'
import { loadFullImage, loadView } from './loaded-view.ts'

const settings = { ask_email_to_receive_photo: false }
const modelOf = (changes: Partial<ReturnType<typeof samplePhoto>> = {}) =>
  latestViewModelOf({ ...samplePhoto(1), ...changes }, settings, (url) => url)
const ready = modelOf()

/** Images of these URLs fail or never finish; all others decode at once. */
function decodeExcept({ broken = [], slow = [] }: { broken?: (string | null)[]; slow?: (string | null)[] }) {
  vi.spyOn(HTMLImageElement.prototype, 'decode').mockImplementation(function decode(this: HTMLImageElement) {
    const url = this.getAttribute('src')
    if (broken.includes(url)) return Promise.reject(new Error('broken'))
    return slow.includes(url) ? new Promise(() => {}) : Promise.resolve()
  })
}
beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a ready photo', () => {
  test('is shown in full when its image and its code have decoded', async () => {
    decodeExcept({})
    expect(await loadView(ready)).toMatchObject({ picture: ready.full, isFull: true })
  })

  test('is shown as its thumbnail first when the full image takes long', async () => {
    decodeExcept({ slow: [ready.full] })
    const loading = loadView(ready)
    await vi.advanceTimersByTimeAsync(600)
    const view = await loading
    expect(view).toMatchObject({ picture: ready.thumb, isFull: false })
    decodeExcept({})
    expect(view && (await loadFullImage(view))).toMatchObject({ picture: ready.full, isFull: true })
  })

  test.each([
    ['its code', [ready.qrCode]],
    ['its images', [ready.full, ready.thumb]],
  ])('is not shown when %s cannot be loaded', async (_, broken) => {
    decodeExcept({ broken })
    expect(await loadView(ready)).toBeNull()
  })

  test('has no other full image when that is shown already', async () => {
    decodeExcept({})
    const view = await loadView(ready)
    expect(view && (await loadFullImage(view))).toBeNull()
  })
})

test('a photo in processing is shown without an image when its thumbnail is broken', async () => {
  const processing = modelOf({ processing: true, processing_complete: false })
  decodeExcept({ broken: [processing.thumb] })
  expect(await loadView(processing)).toMatchObject({ picture: null, isFull: false })
})
