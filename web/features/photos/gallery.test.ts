import { describe, expect, test, vi } from 'vitest'
import { act, renderHook } from '@testing-library/react'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { failedPhoto, processingPhoto, samplePhoto } from '../../test/samples.ts'
import {
  aspectRatioOf,
  createEveningOf,
  type LayoutMeasures,
  layoutRows,
  type Row,
  rowsInRange,
  rowWithPhoto,
  scrollShift,
} from './justified-layout.ts'
import {
  emptySelection,
  refreshed,
  type SelectedPhotos,
  selectRange,
  toggleSelected,
  withPhotos,
} from './selection.tsx'
import { type Target, targetAfter } from './Viewer.tsx'
import { slideOf, useSteadySlides } from './Slides.tsx'

const measures: LayoutMeasures = {
  width: 1200,
  targetHeight: 240,
  gap: 8,
  headingHeight: 60,
  firstHeadingHeight: 40,
}
const sizes = [
  [1500, 1000],
  [1000, 1500],
  [1600, 900],
  [1000, 1000],
  [1500, 1000],
  [800, 1200],
] as const
/** Photos of one day from number `newest` down to `oldest`, in several sizes. */
const photosOf = (newest: number, oldest = 1): Photo[] =>
  Array.from({ length: newest - oldest + 1 }, (_, index) => {
    const number = newest - index
    const [width, height] = sizes[number % sizes.length] ?? sizes[0]
    return samplePhoto(number, {
      width,
      height,
      created_at: new Date(Date.parse('2026-11-14T10:00:00Z') + number * 1000).toISOString(),
    })
  })
const layout = (photos: Photo[], openedAt: string, at = measures) =>
  layoutRows(photos, at, openedAt, createEveningOf(null))
/** Later than every photo. */
const future = '2100-01-01T00:00:00.000Z'
const photoRows = (rows: readonly Row[]) => rows.filter((row) => row.kind === 'photos')
const idsByRow = (rows: readonly Row[]) =>
  photoRows(rows).map((row) => row.photos.map(({ photo }) => photo.id).join(' '))
const widthOf = ({ photos }: ReturnType<typeof photoRows>[number]) =>
  photos.reduce((sum, placed) => sum + placed.width, 0) + (photos.length - 1) * measures.gap

describe('the justified layout', () => {
  test('fills the width with rows near the target height, below each other, with every photo once', () => {
    const rows = layout(photosOf(60), future)
    let bottom = 0
    for (const row of rows) {
      expect(row.top).toBeCloseTo(bottom, 5)
      bottom = row.top + row.height + (row.kind === 'photos' ? measures.gap : 0)
    }
    for (const row of photoRows(rows).slice(0, -1)) {
      expect(widthOf(row)).toBeCloseTo(1200, 5)
      expect(row.height).toBeGreaterThan(150)
      expect(row.height).toBeLessThan(330)
    }
    expect(idsByRow(rows).join(' ')).toBe(
      photosOf(60)
        .map(({ id }) => id)
        .join(' '),
    )
  })

  test('does not enlarge a single photo to the full width', () => {
    const [row] = photoRows(layout(photosOf(1), future))
    expect(row).toMatchObject({ height: 240 })
  })

  test('fits a narrow phone', () => {
    for (const row of photoRows(layout(photosOf(20), future, { ...measures, width: 288, targetHeight: 104 }))) {
      expect(widthOf(row)).toBeLessThanOrEqual(288.001)
    }
  })

  test.each([
    [{ width: 6000, height: 1000 }, 3],
    [{ width: 100, height: 1000 }, 0.45],
    [{ width: 1500, height: 1000 }, 1.5],
    [{ width: null, height: null }, 1.5],
  ])('gives a photo of %j the aspect ratio %d', (size, ratio) => {
    expect(aspectRatioOf(processingPhoto(1, size))).toBe(ratio)
  })

  test('has a heading for each evening, with the number of its photos', () => {
    const noonOf = (day: number) => samplePhoto(day, { created_at: `2026-11-${day}T12:00:00.000Z` })
    const afterMidnight = samplePhoto(99, { created_at: '2026-11-14T00:30:00.000Z' })
    const days = layout([noonOf(14), afterMidnight, noonOf(13)], future).filter((row) => row.kind === 'day')
    expect(days.map(({ count, height }) => [count, height])).toEqual([
      [1, 40],
      [2, 60],
    ])
  })
})

describe('a change of the photos', () => {
  const openedAt = photosOf(40)[0]?.created_at ?? ''

  test('leaves all existing rows as they were when new photos arrive', () => {
    const before = idsByRow(layout(photosOf(40), openedAt))
    for (const newest of [41, 42, 45, 60]) {
      const after = idsByRow(layout(photosOf(newest), openedAt))
      expect(after.slice(-before.length)).toEqual(before)
    }
  })

  test('affects only the newest row when photos arrive one after the other', () => {
    for (let newest = 41; newest < 60; newest++) {
      const before = idsByRow(layout(photosOf(newest), openedAt))
      const after = idsByRow(layout(photosOf(newest + 1), openedAt))
      expect(after.slice(after.length - before.length + 1)).toEqual(before.slice(1))
    }
  })

  test('affects only the last row when older photos are loaded', () => {
    const before = idsByRow(layout(photosOf(40, 20), openedAt))
    const after = idsByRow(layout(photosOf(40, 1), openedAt))
    expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1))
  })

  test('is compensated by scrolling, so that visible photos keep their position', () => {
    const before = layout(photosOf(40), openedAt)
    const after = layout(photosOf(47), openedAt)
    const visible = photoRows(before)[4]
    const shift = scrollShift(before, after, (visible?.top ?? 0) + 10)
    expect(shift).toBeGreaterThan(0)
    const now = rowWithPhoto(after, visible?.photos[0]?.photo.id ?? '')
    expect((now?.top ?? 0) - shift).toBeCloseTo(visible?.top ?? Number.NaN, 5)
  })

  test('needs no scrolling when the rows are the same, or when there are none', () => {
    const rows = layout(photosOf(40), openedAt)
    expect([scrollShift(rows, rows, 500), scrollShift([], rows, 0), scrollShift(rows, [], 500)]).toEqual([0, 0, 0])
  })
})

describe('the rows in a range', () => {
  const rows = layout(photosOf(60), future)
  const rowsBetween = (from: number, to: number) => {
    const [first, end] = rowsInRange(rows, from, to)
    return rows.slice(first, end)
  }

  test.each([
    [0, 800],
    [500, 900],
    [1, 2],
    [-1000, 100_000],
    [100_000, 101_000],
    [-900, -100],
  ])('from %i to %i are those that overlap it', (from, to) => {
    expect(rowsBetween(from, to)).toEqual(rows.filter(({ top, height }) => top + height > from && top < to))
  })

  test('are none without rows', () => {
    expect(rowsInRange([], 0, 100)).toEqual([0, 0])
  })
})

/** Newest first. */
const loaded = [5, 4, 3, 2, 1].map((number) => samplePhoto(number))
const selected = (...numbers: number[]) =>
  withPhotos(
    emptySelection,
    numbers.map((number) => samplePhoto(number)),
  )
const idsIn = ({ photos }: SelectedPhotos) => Array.from(photos.keys()).sort()

describe('the selection', () => {
  test.each<[string, [number, boolean?][], number[]]>([
    ['holds one photo after a click', [[2]], [2]],
    ['holds several photos after several clicks', [[2], [4]], [2, 4]],
    ['loses a photo after a second click', [[2], [4], [2]], [4]],
    ['holds a range', [[4], [2, true]], [2, 3, 4]],
    ['holds a range in reverse order', [[2], [4, true]], [2, 3, 4]],
    ['holds one photo after a range without a start', [[3, true]], [3]],
    ['replaces a range by another one from the same photo', [[4], [1, true], [3, true], [5, true]], [4, 5]],
    ['keeps what was selected before inside of a range', [[2], [4], [1, true], [3, true]], [2, 3, 4]],
    ['begins the next range where a photo was clicked after a range', [[5], [4, true], [2], [1, true]], [1, 2, 4, 5]],
  ])('%s', (_, clicks, numbers) => {
    const selection = clicks.reduce((now, [number, range]) => {
      const change = range ? selectRange : toggleSelected
      return change(now, `photo${number}`, loaded)
    }, emptySelection)
    expect(idsIn(selection)).toEqual(numbers.map((number) => `photo${number}`))
  })

  test('loses photos that were deleted, and keeps those that are not loaded', () => {
    const part = [samplePhoto(5), samplePhoto(3)]
    const after = (numbers: number[], hasNewer: boolean, hasOlder: boolean) =>
      idsIn(refreshed(selected(...numbers), { photos: part, hasNewer, hasOlder }))
    expect(after([5, 4, 2], false, true)).toEqual(['photo2', 'photo5'])
    expect(after([6, 4, 3, 2], true, false)).toEqual(['photo3', 'photo6'])
    expect(after([6, 2], false, false)).toEqual([])
    expect(idsIn(refreshed(selected(1), { photos: [], hasNewer: false, hasOlder: false }))).toEqual([])
  })

  test('holds photos as they are now, and is the same object when nothing has changed', () => {
    const before = withPhotos(emptySelection, [loaded[1]!])
    const list = { photos: loaded, hasNewer: false, hasOlder: false }
    expect(refreshed(before, list)).toBe(before)
    const hidden = samplePhoto(4, { hidden: true })
    const after = refreshed(before, { ...list, photos: loaded.with(1, hidden) })
    expect(after.photos.get('photo4')).toBe(hidden)
  })
})

describe('the keyboard', () => {
  test('leads beyond the photos that are loaded as far as there are others, and back', () => {
    const bounds = { photos: loaded, newer: 2, older: 3 }
    const press = (target: Target, distances: number[]) =>
      distances.reduce((now, distance) => targetAfter(now, distance, bounds), target)
    expect(press({ id: 'photo2', beyond: 0 }, [1, 1, 1])).toEqual({ id: 'photo1', beyond: 2 })
    expect(press({ id: 'photo2', beyond: 0 }, [1, 1, 1, 1, 1, 1, -1])).toEqual({ id: 'photo1', beyond: 2 })
    expect(press({ id: 'photo4', beyond: 0 }, [-1, -1, -1, -1, -1])).toEqual({ id: 'photo5', beyond: -2 })
    expect(press({ id: 'photo1', beyond: 2 }, [-3])).toEqual({ id: 'photo2', beyond: 0 })
    const longer = { photos: [...loaded, samplePhoto(0)], newer: 0, older: 0 }
    expect(targetAfter({ id: 'photo1', beyond: 2 }, 0, longer)).toEqual({ id: 'photo0', beyond: 0 })
    expect(targetAfter({ id: 'photo9', beyond: 0 }, 1, longer)).toEqual({ id: 'photo9', beyond: 0 })
  })
})

const options = { alt: ({ filename }: { filename: string }) => filename, media: (url: string) => url }

describe('a slide', () => {
  test('shows the image for screens in the size of the photo, and the full image to those who zoom in', () => {
    vi.stubGlobal('innerWidth', 1600)
    vi.stubGlobal('devicePixelRatio', 2)
    const [full, screen] = [
      'http://photos.example/media/photo1?s=signed',
      'http://photos.example/screen/photo1?s=signed',
    ]
    const slide = slideOf(samplePhoto(1, { width: 6000, height: 4000 }), options)
    expect(slide).toMatchObject({ src: screen, alt: 'IMG_4001.jpg', width: 6000, height: 4000 })
    // The lightbox takes the smallest image that has as many pixels as it shows.
    expect(slide.srcSet?.map(({ src, width }) => [src, width])).toEqual([
      [screen, 3200],
      [full, 6000],
    ])
    expect(slideOf(samplePhoto(1, { screen_url: full }), options)).toMatchObject({ src: full })
    expect(slideOf(samplePhoto(1, { screen_url: full }), options).srcSet).toBeUndefined()
  })

  test.each([
    ['in processing', processingPhoto(1)],
    ['that failed', failedPhoto(1)],
  ])('of a photo %s has no image', (_, photo) => {
    expect(slideOf(photo, options).src).toBe('')
  })
})

const slidesOf = (...numbers: number[]) => numbers.map((number) => slideOf(samplePhoto(number), options))

test('slides stay as they are while a photo is zoomed in, until the zoom ends or another photo is shown', () => {
  const before = { slides: slidesOf(2, 1), index: 0 }
  const { result, rerender } = renderHook(useSteadySlides, { initialProps: before })
  expect(result.current).toMatchObject(before)
  act(() => result.current.onZoom(2))
  const withNewPhoto = { slides: slidesOf(3, 2, 1), index: 1 }
  rerender(withNewPhoto)
  expect(result.current).toMatchObject(before)
  act(() => result.current.onZoom(3))
  expect(result.current).toMatchObject(before)
  act(() => result.current.onZoom(1))
  expect(result.current).toMatchObject(withNewPhoto)

  act(() => result.current.onZoom(2))
  rerender({ ...withNewPhoto, index: 2 })
  expect(result.current.index).toBe(2)
})

describe('evenings', () => {
  test.each([
    ['Europe/Brussels', '2026-06-14T19:30:00.000Z', '2026-06-14'],
    ['Europe/Brussels', '2026-06-15T03:59:59.999Z', '2026-06-14'],
    ['Europe/Brussels', '2026-06-15T04:00:00.000Z', '2026-06-15'],
    ['Europe/Brussels', '2026-07-31T23:10:00.000Z', '2026-07-31'],
    ['Europe/Brussels', '2027-01-01T04:00:00.000Z', '2026-12-31'],
    // The clocks go forward: 6:00 comes five hours after midnight.
    ['Europe/Brussels', '2026-03-29T03:59:00.000Z', '2026-03-28'],
    ['Europe/Brussels', '2026-03-29T04:00:00.000Z', '2026-03-29'],
    // They go back: 6:00 comes seven hours after midnight.
    ['Europe/Brussels', '2026-10-25T04:59:00.000Z', '2026-10-24'],
    ['Europe/Brussels', '2026-10-25T05:00:00.000Z', '2026-10-25'],
    // Half and quarter hours.
    ['Asia/Kolkata', '2026-06-15T00:29:00.000Z', '2026-06-14'],
    ['Asia/Kolkata', '2026-06-15T00:30:00.000Z', '2026-06-15'],
    ['Asia/Kathmandu', '2026-06-15T00:14:59.000Z', '2026-06-14'],
    ['Asia/Kathmandu', '2026-06-15T00:15:00.000Z', '2026-06-15'],
    // By half an hour.
    ['Australia/Lord_Howe', '2026-10-03T18:59:00.000Z', '2026-10-03'],
    ['Australia/Lord_Howe', '2026-10-03T19:00:00.000Z', '2026-10-04'],
    ['Pacific/Kiritimati', '2026-06-15T16:00:00.000Z', '2026-06-16'],
    [null, '2026-06-15T05:59:00.000Z', '2026-06-14'],
    [null, '2026-06-15T06:00:00.000Z', '2026-06-15'],
    ['Not/A_Zone', '2026-06-15T06:00:00.000Z', '2026-06-15'],
  ])('in the time zone %s, %s belongs to the evening of %s', (zone, moment, evening) => {
    const eveningOf = createEveningOf(zone)
    expect([eveningOf(moment), eveningOf(moment)]).toEqual([evening, evening])
  })
})
