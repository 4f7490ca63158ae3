import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { mediaUrl } from '../../lib/urls.ts'
import { failedPhoto, processingPhoto, samplePhoto } from '../../test/samples.ts'
import {
  latestViewModelOf,
  latestVisiblePhoto,
  loadFullImage,
  loadView,
  nextSlide,
  otherPhotos,
  photoToShow,
  tonightPhotos,
} from './latest-view-model.ts'
import { latestChange } from './latest-photo.ts'
import { watchdogDecision, type WatchdogState } from './watchdog.ts'
import { act, renderHook } from '@testing-library/react'
import { useSlideshow } from './big-screen-state.tsx'
import { keepScreenOn } from './wake-lock.ts'
import { eventually } from '../../test/eventually.ts'

const media = (url: string) => mediaUrl(url, 'http://booth.local')
const direct = { ask_email_to_receive_photo: false }
const asksForEmail = { ask_email_to_receive_photo: true }

describe('the view model of the latest photo', () => {
  test('holds the full image and the direct QR code of a ready photo', () => {
    expect(latestViewModelOf(samplePhoto(1), direct, media)).toMatchObject({
      kind: 'ready',
      width: 1500,
      height: 1000,
      full: 'http://booth.local/screen/photo1?s=signed',
      thumb: 'http://booth.local/t/photo1',
      qrCode: 'http://booth.local/qr/d/photo1.svg',
      byEmail: false,
    })
  })

  test('holds no code before processing is complete, but the thumbnail and the size once they are known', () => {
    const none = { qrCode: null, full: null, thumb: null, width: 3, height: 2 }
    expect(latestViewModelOf(failedPhoto(1), direct, media)).toMatchObject({ ...none, kind: 'failed' })
    expect(latestViewModelOf(processingPhoto(1), direct, media)).toMatchObject({ ...none, kind: 'processing' })
    const photo = processingPhoto(1, { thumbnail_url: 'http://photos.example/t/early', width: 800, height: 1200 })
    const early = { thumb: 'http://booth.local/t/early', width: 800, height: 1200, qrCode: null }
    expect(latestViewModelOf(photo, direct, media)).toMatchObject(early)
  })

  test('has another key only when something visible changes', () => {
    const { key } = latestViewModelOf(samplePhoto(1), direct, media)
    expect(latestViewModelOf(samplePhoto(1, { size_bytes: 7 }), direct, media).key).toBe(key)
    for (const other of [
      latestViewModelOf(samplePhoto(2), direct, media),
      latestViewModelOf(samplePhoto(1), asksForEmail, media),
      latestViewModelOf(processingPhoto(1), direct, media),
      latestViewModelOf(samplePhoto(1, { screen_url: 'http://photos.example/screen/photo1?s=other' }), direct, media),
    ]) {
      expect(other.key).not.toBe(key)
    }
  })
})

describe('the photo to show', () => {
  const takenAt = (seconds: number) => ({ created_at: new Date(Date.UTC(2026, 10, 14, 20, 0, seconds)).toISOString() })
  const before = samplePhoto(1, takenAt(0))
  test.each([
    ['is the newest when that is ready', samplePhoto(2, takenAt(5)), 'photo2'],
    [
      'is the one that is ready while a newer one of the same burst is processed',
      processingPhoto(2, takenAt(5)),
      'photo1',
    ],
    ['is one in processing when nothing else came within seconds', processingPhoto(2, takenAt(20)), 'photo2'],
    ['is one that failed', failedPhoto(2, takenAt(5)), 'photo2'],
  ])('%s', (_, newest, id) => {
    expect(photoToShow(newest, [newest, before]).id).toBe(id)
  })

  test('is not one of the burst that is hidden or in processing, too', () => {
    const newest = processingPhoto(4, takenAt(9))
    const others = [processingPhoto(3, takenAt(8)), samplePhoto(2, { ...takenAt(7), hidden: true }), before]
    expect(photoToShow(newest, [newest, ...others]).id).toBe('photo1')
    expect(photoToShow(newest, [newest]).id).toBe('photo4')
  })
})

describe('the other photos', () => {
  const recent = [
    processingPhoto(9),
    samplePhoto(8),
    failedPhoto(7),
    samplePhoto(7, { hidden: true }),
    samplePhoto(6),
    samplePhoto(5),
    samplePhoto(4),
    samplePhoto(3),
  ]
  const now = Date.parse(samplePhoto(9).created_at)
  const idsBeside = (shown: number, at = now) => otherPhotos(samplePhoto(shown), recent, at).map(({ id }) => id)

  test.each([
    ['are the four newest that have a code', 9, ['photo8', 'photo6', 'photo5', 'photo4']],
    ['do not include the photo that is shown', 8, ['photo6', 'photo5', 'photo4', 'photo3']],
    ['include newer ones', 4, ['photo8', 'photo6', 'photo5', 'photo3']],
  ])('%s', (_, shown, ids) => {
    expect(idsBeside(shown)).toEqual(ids)
  })

  test('are only those of the last twelve hours: guests of another day are not shown', () => {
    const afterMinute = (minute: number) => Date.parse(samplePhoto(minute).created_at) + 12 * 3_600_000
    expect(idsBeside(9, afterMinute(5))).toEqual(['photo8', 'photo6', 'photo5'])
    expect(idsBeside(9, afterMinute(9))).toEqual([])
  })
})

describe('the latest visible photo', () => {
  const hidden = (number: number) => samplePhoto(number, { hidden: true })
  test.each([
    ['is the newest', samplePhoto(3), [samplePhoto(3), samplePhoto(2)], 'photo3'],
    ['is not a hidden one', hidden(3), [hidden(3), hidden(2), samplePhoto(1)], 'photo1'],
    ['is unknown while only a hidden one is known', hidden(3), undefined, undefined],
    ['does not exist when all are hidden', hidden(3), [hidden(3), hidden(2)], null],
    ['does not exist without photos', null, [], null],
    ['is unknown before the first answer', undefined, undefined, undefined],
  ])('%s', (_, latest, recent, id) => {
    const photo = latestVisiblePhoto(latest, recent)
    expect(photo ? photo.id : photo).toBe(id)
  })
})

describe('the change of the latest photo', () => {
  test.each([
    ['is "received" for a newer photo', samplePhoto(1), samplePhoto(2), 'received'],
    ['is "received" for the first photo of all', null, samplePhoto(1), 'received'],
    ['is not announced while a new photo cannot be seen yet', samplePhoto(1), processingPhoto(2), null],
    ['is "received" when processing is complete', processingPhoto(1), samplePhoto(1), 'received'],
    ['is "changed" when a failed photo is processed again', failedPhoto(1), processingPhoto(1), 'changed'],
    ['is "changed" when processing failed', processingPhoto(1), failedPhoto(1), 'changed'],
    [
      'is not announced when only the thumbnail is new',
      processingPhoto(1),
      processingPhoto(1, { thumbnail_url: 'http://a.example/t' }),
      null,
    ],
    ['is not announced when nothing changed', samplePhoto(1), samplePhoto(1), null],
    ['is not announced when the newest photo was deleted', samplePhoto(2), samplePhoto(1), null],
    ['is not announced when the last photo was deleted', samplePhoto(1), null, null],
  ])('%s', (_, before, now, change) => {
    expect(latestChange(before, now)).toBe(change)
  })
})

describe('slideshow', () => {
  const now = Date.parse(samplePhoto(0).created_at) + 12 * 3_600_000
  const photos = [
    samplePhoto(4),
    processingPhoto(3),
    samplePhoto(2, { hidden: true }),
    failedPhoto(1),
    samplePhoto(0),
    samplePhoto(-1),
  ]

  test('shows the photos of the last twelve hours that guests may see, oldest first', () => {
    expect(tonightPhotos(photos, now).map(({ id }) => id)).toEqual(['photo0', 'photo4'])
  })

  test('shows each of the photos that came in the same millisecond', () => {
    const { created_at } = samplePhoto(2)
    const tonight = tonightPhotos([samplePhoto(3, { created_at }), samplePhoto(2), samplePhoto(1)], now)
    const second = nextSlide(tonight, tonight[0]!)
    expect([tonight[0], second, nextSlide(tonight, second!)].map((photo) => photo?.id)).toEqual([
      'photo1',
      'photo2',
      'photo3',
    ])
  })
})

describe('the watchdog', () => {
  const minute = 60_000
  const now = 1_000 * minute
  const healthy: WatchdogState = {
    now,
    tickedAt: now - 15_000,
    checkedAt: now - 30 * minute,
    upToDateAt: now - 5_000,
    isBroken: false,
    reloadedAt: null,
  }
  const checkDue = { checkedAt: now - 60 * minute }

  test.each<[string, Partial<WatchdogState>, ReturnType<typeof watchdogDecision>]>([
    ['does nothing while the page is healthy', {}, 'nothing'],
    ['reloads after the device slept', { tickedAt: now - 3 * minute }, 'reload'],
    ['does not take a delayed timer for sleep', { tickedAt: now - 90_000 }, 'nothing'],
    ['does not reload twice in ten minutes', { tickedAt: now - 3 * minute, reloadedAt: now - 9 * minute }, 'nothing'],
    ['reloads again after ten minutes', { tickedAt: now - 3 * minute, reloadedAt: now - 10 * minute }, 'reload'],
    ['checks the page once an hour', checkDue, 'checked'],
    ['reloads when the hourly check finds that the photo cannot be seen', { ...checkDue, isBroken: true }, 'reload'],
    [
      'reloads when the hourly check finds that the data is ten minutes old',
      { ...checkDue, upToDateAt: now - 10 * minute },
      'reload',
    ],
    ['ignores both problems between the checks', { isBroken: true, upToDateAt: 0 }, 'nothing'],
  ])('%s', (_, changes, decision) => {
    expect(watchdogDecision({ ...healthy, ...changes })).toBe(decision)
  })
})

describe('loading a photo', () => {
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

  describe('a ready photo', () => {
    test('is shown in full when its image and its code have decoded', async () => {
      decodeExcept({})
      const view = await loadView(ready)
      expect(view).toMatchObject({ picture: ready.full, isFull: true })
      expect(view && (await loadFullImage(view))).toBeNull()
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
  })

  test('a photo in processing is shown without an image when its thumbnail is broken', async () => {
    const processing = modelOf({ processing: true, processing_complete: false })
    decodeExcept({ broken: [processing.thumb] })
    expect(await loadView(processing)).toMatchObject({ picture: null, isFull: false })
  })
})

describe('the slideshow in time', () => {
  const minute = 60_000
  const photos = [3, 2, 1].map((number) => samplePhoto(number))
  const start = { minutes: 1, newestId: 'photo3', paused: false, photos }

  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse(photos[0]!.created_at) })
  })
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  const openShow = (changes: Partial<typeof start> = {}) => {
    const { result, rerender } = renderHook((options) => useSlideshow(options), {
      initialProps: { ...start, ...changes },
    })
    return {
      shown: () => result.current?.id ?? null,
      change: (next: Partial<typeof start>) => rerender({ ...start, ...next }),
    }
  }

  test('starts after the quiet minutes, goes on every fifteen seconds, and ends when a photo arrives', async () => {
    const { shown, change } = openShow()
    await pass(minute - 1)
    expect(shown()).toBeNull()
    const seen: (string | null)[] = []
    for (let slide = 0; slide < 4; slide++) {
      await pass(slide === 0 ? 1 : 15_000)
      seen.push(shown())
    }
    expect(seen).toEqual(['photo1', 'photo2', 'photo3', 'photo1'])
    change({ newestId: 'photo4', photos: [samplePhoto(4), ...photos] })
    expect(shown()).toBeNull()
    await pass(minute)
    expect(shown()).toBe('photo1')
  })

  test('leaves a photo at once when it is hidden or deleted', async () => {
    const { shown, change } = openShow()
    await pass(minute)
    change({ photos: [photos[0]!, photos[1]!, samplePhoto(1, { hidden: true })] })
    expect(shown()).toBeNull()
    await pass(15_000)
    expect(shown()).toBe('photo2')
    change({ photos: [photos[0]!] })
    expect(shown()).toBeNull()
  })

  test.each([{ minutes: 0 }, { paused: true }])('does not start with %o', async (changes) => {
    const { shown } = openShow(changes)
    await pass(10 * minute)
    expect(shown()).toBeNull()
  })
})

describe('the wake lock', () => {
  const release = vi.fn<() => Promise<void>>(async () => {})
  const request = vi.fn<() => Promise<{ release: () => Promise<void> }>>(async () => ({ release }))
  /** A page with a document of its own, so that its visibility can be set. */
  function openPage(wakeLock?: { request: typeof request }) {
    const document = Object.assign(new EventTarget(), {
      visibilityState: 'visible',
      createElement: (name: string) => window.document.createElement(name),
      body: window.document.body,
    })
    return { document, navigator: wakeLock ? { wakeLock } : {} }
  }
  afterEach(() => {
    request.mockClear()
    release.mockClear()
  })

  test('the screen stays on, also after the page was hidden, until it is stopped', async () => {
    const page = openPage({ request })
    const stop = keepScreenOn(page as never) // only these parts of a window are used
    await eventually(() => expect(request).toHaveBeenCalledTimes(1))
    page.document.visibilityState = 'hidden'
    page.document.dispatchEvent(new Event('visibilitychange'))
    expect(request).toHaveBeenCalledTimes(1)
    page.document.visibilityState = 'visible'
    page.document.dispatchEvent(new Event('visibilitychange'))
    expect(request).toHaveBeenCalledTimes(2)
    await Promise.resolve()
    stop()
    expect(release).toHaveBeenCalledTimes(1)
    page.document.dispatchEvent(new Event('visibilitychange'))
    expect(request).toHaveBeenCalledTimes(2)
  })

  test('nothing happens in a browser without wake locks and recording', async () => {
    const stop = keepScreenOn(openPage() as never) // only these parts of a window are used
    await Promise.resolve()
    expect(document.querySelector('video')).toBeNull()
    stop()
  })
})
