import type { Photo } from '@keepsnap/contract/photos.ts'
import { describe, expect, test } from 'vitest'
import { processingPhoto, samplePhoto } from '../../../test/photos.ts'
import { layOut, ratioOf, rowOf, rowsBetween, shiftBetween, type Measures, type Row } from './rows.ts'

const measures: Measures = { width: 1200, target: 240, gap: 8, headingHeight: 60, firstHeadingHeight: 40 }
const shapes = [
  [1500, 1000],
  [1000, 1500],
  [1600, 900],
  [1000, 1000],
  [1500, 1000],
  [800, 1200],
] as const
/** Photos from `newest` down to `oldest`, of many shapes, all of one day. */
const wall = (newest: number, oldest = 1): Photo[] =>
  Array.from({ length: newest - oldest + 1 }, (_, at) => {
    const number = newest - at
    const [width, height] = shapes[number % shapes.length]!
    return samplePhoto(number, {
      width,
      height,
      created_at: new Date(Date.parse('2026-11-14T10:00:00Z') + number * 1000).toISOString(),
    })
  })
const now = '2100-01-01T00:00:00.000Z'
const photoRows = (rows: readonly Row[]) => rows.filter((row) => row.kind === 'photos')
const members = (rows: readonly Row[]) =>
  photoRows(rows).map((row) => row.photos.map(({ photo }) => photo.id).join(' '))

describe('the rows of the gallery', () => {
  test('reach from edge to edge and come close to their height', () => {
    const rows = photoRows(layOut(wall(60), measures, now)).slice(0, -1)
    expect(rows.length).toBeGreaterThan(10)
    for (const { photos, height } of rows) {
      const width = photos.reduce((sum, placed) => sum + placed.width, 0) + (photos.length - 1) * measures.gap
      expect(width).toBeCloseTo(1200, 5)
      expect(height).toBeGreaterThan(150)
      expect(height).toBeLessThan(330)
    }
  })

  test('stand below each other with the gap between them', () => {
    let bottom = 0
    for (const row of layOut(wall(60), measures, now)) {
      expect(row.top).toBeCloseTo(bottom, 5)
      bottom = row.top + row.height + (row.kind === 'photos' ? measures.gap : 0)
    }
  })

  test('hold every photo once, newest first', () => {
    expect(
      members(layOut(wall(60), measures, now))
        .join(' ')
        .split(' '),
    ).toEqual(wall(60).map(({ id }) => id))
  })

  test('do not blow up a lonely photo', () => {
    const [row] = photoRows(layOut(wall(1), measures, now))
    expect(row).toMatchObject({ height: 240 })
  })

  test('fit a narrow phone', () => {
    for (const { photos } of photoRows(layOut(wall(20), { ...measures, width: 288, target: 104 }, now))) {
      const width = photos.reduce((sum, placed) => sum + placed.width, 0) + (photos.length - 1) * measures.gap
      expect(width).toBeLessThanOrEqual(288.001)
    }
  })

  test.each([
    [{ width: 6000, height: 1000 }, 3],
    [{ width: 100, height: 1000 }, 0.45],
    [{ width: 1500, height: 1000 }, 1.5],
    [{ width: null, height: null }, 1.5],
  ])('take %j as %d wide', (size, ratio) => {
    expect(ratioOf(processingPhoto(1, size))).toBe(ratio)
  })
})

describe('days', () => {
  const noon = (day: number) => samplePhoto(day, { created_at: new Date(2026, 10, day, 12).toISOString() })

  test('have a heading each, with their number of photos', () => {
    const photos = [noon(14), samplePhoto(99, { created_at: new Date(2026, 10, 14, 0, 30).toISOString() }), noon(13)]
    const days = layOut(photos, measures, now).filter((row) => row.kind === 'day')
    expect(days.map(({ count, height }) => [count, height])).toEqual([
      [2, 40],
      [1, 60],
    ])
  })
})

describe('while somebody looks', () => {
  const since = wall(40)[0]!.created_at

  test('an arrival leaves every row below the newest as it was', () => {
    const before = members(layOut(wall(40), measures, since))
    for (const newest of [41, 42, 45, 60]) {
      const after = members(layOut(wall(newest), measures, since))
      expect(after.slice(-before.length)).toEqual(before)
    }
  })

  test('one arrival after another changes only the row that is being filled', () => {
    for (let newest = 41; newest < 60; newest++) {
      const before = members(layOut(wall(newest), measures, since))
      const after = members(layOut(wall(newest + 1), measures, since))
      expect(after.slice(after.length - before.length + 1)).toEqual(before.slice(1))
    }
  })

  test('more photos from before change only the last row', () => {
    const before = members(layOut(wall(40, 20), measures, since))
    const after = members(layOut(wall(40, 1), measures, since))
    expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1))
  })

  test('what is looked at stays where it is', () => {
    const before = layOut(wall(40), measures, since)
    const after = layOut(wall(47), measures, since)
    const seen = photoRows(before)[4]!
    const shift = shiftBetween(before, after, seen.top + 10)
    expect(shift).toBeGreaterThan(0)
    expect(rowOf(after, seen.photos[0]!.photo.id)!.top - shift).toBeCloseTo(seen.top, 5)
  })

  test('nothing moves when nothing changed, or when there is nothing', () => {
    const rows = layOut(wall(40), measures, since)
    expect([shiftBetween(rows, rows, 500), shiftBetween([], rows, 0), shiftBetween(rows, [], 500)]).toEqual([0, 0, 0])
  })
})

describe('the rows in view', () => {
  const rows = layOut(wall(60), measures, now)
  const seen = (from: number, to: number) => {
    const [first, end] = rowsBetween(rows, from, to)
    return rows.slice(first, end)
  }

  test('are those that reach into the window', () => {
    for (const [from, to] of [
      [0, 800],
      [500, 900],
      [1, 2],
    ] as const) {
      expect(seen(from, to)).toEqual(rows.filter(({ top, height }) => top + height > from && top < to))
    }
  })

  test('are all of them, or none', () => {
    expect(seen(-1000, 100_000)).toEqual(rows)
    expect([seen(100_000, 101_000), seen(-900, -100)]).toEqual([[], []])
    expect(rowsBetween([], 0, 100)).toEqual([0, 0])
  })
})
