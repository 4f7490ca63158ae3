import type { Photo } from '@keepsnap/contract/photos.ts'

/** Lengths in CSS pixels. */
export interface LayoutMeasures {
  width: number
  /** The row height to approximate. */
  targetHeight: number
  gap: number
  /** Height of a day's heading with the space above it; the first heading has less space. */
  headingHeight: number
  firstHeadingHeight: number
}
export interface PlacedPhoto {
  photo: Photo
  width: number
}
export type Row =
  | { kind: 'day'; key: string; top: number; height: number; day: string; count: number }
  /** `height` without the gap below. */
  | { kind: 'photos'; key: string; top: number; height: number; photos: readonly PlacedPhoto[] }

const aspectRatios = { min: 0.45, max: 3, unknown: 1.5 }

/** Width divided by height of a photo's tile. Panoramas and very tall photos are cropped. */
export function aspectRatioOf({ width, height }: Photo): number {
  if (!width || !height) return aspectRatios.unknown
  return Math.min(aspectRatios.max, Math.max(aspectRatios.min, width / height))
}

const dayOf = (photo: Photo): string => new Date(photo.created_at).toDateString()

/**
 * A justified layout, grouped by day: the photos of a row have one height and fill the width. Rows of photos newer than
 * `openedAt` (when the page was opened) are filled from there upwards, all others downwards: neither a new photo nor the
 * next page moves a photo to another row.
 */
export function layoutRows(photos: readonly Photo[], measures: LayoutMeasures, openedAt: string): Row[] {
  const rows: Row[] = []
  let top = 0
  for (const [index, day] of groupByDay(photos).entries()) {
    const height = index === 0 ? measures.firstHeadingHeight : measures.headingHeight
    const [first] = day
    if (!first) continue
    rows.push({ kind: 'day', key: dayOf(first), top, height, day: first.created_at, count: day.length })
    top += height
    const newer = day.filter(({ created_at }) => created_at > openedAt)
    const upwards = breakRows(newer.reverse(), measures).map((row) => row.reverse())
    const downwards = breakRows(day.slice(newer.length), measures)
    for (const row of [...upwards.reverse(), ...downwards]) {
      const placed = justify(row, measures)
      rows.push({ kind: 'photos', key: row[0]!.id, top, ...placed }) // rows hold at least one photo
      top += placed.height + measures.gap
    }
  }
  return rows
}

function groupByDay(photos: readonly Photo[]): Photo[][] {
  const days: Photo[][] = []
  for (const photo of photos) {
    const last = days.at(-1)
    if (last?.[0] && dayOf(last[0]) === dayOf(photo)) last.push(photo)
    else days.push([photo])
  }
  return days
}

const justifiedHeight = (row: readonly Photo[], { width, gap }: LayoutMeasures): number =>
  (width - gap * (row.length - 1)) / row.reduce((sum, photo) => sum + aspectRatioOf(photo), 0)

function breakRows(photos: readonly Photo[], measures: LayoutMeasures): Photo[][] {
  const rows: Photo[][] = []
  let row: Photo[] = []
  for (const photo of photos) {
    const extendedRow = [...row, photo]
    const height = row.length > 0 ? justifiedHeight(row, measures) : Infinity
    // The photo is added if that brings the row closer to the target height.
    const isCloser =
      Math.abs(justifiedHeight(extendedRow, measures) - measures.targetHeight) <=
      Math.abs(height - measures.targetHeight)
    if (row.length > 0 && !isCloser) {
      rows.push(row)
      row = [photo]
    } else row = extendedRow
  }
  if (row.length > 0) rows.push(row)
  return rows
}

/** Stretches a row to the full width, unless that would make it much higher than the others. */
function justify(row: readonly Photo[], measures: LayoutMeasures): { height: number; photos: PlacedPhoto[] } {
  const fullWidthHeight = justifiedHeight(row, measures)
  const height =
    fullWidthHeight > measures.targetHeight * 1.35 ? Math.min(fullWidthHeight, measures.targetHeight) : fullWidthHeight
  return { height, photos: row.map((photo) => ({ photo, width: aspectRatioOf(photo) * height })) }
}

/** By how much to scroll so that the photos at `y` keep their position after a new layout. */
export function scrollShift(before: readonly Row[], after: readonly Row[], y: number): number {
  const row = before.find(({ kind, top, height }) => kind === 'photos' && top + height > y)
  if (row?.kind !== 'photos') return 0
  for (const { photo } of row.photos) {
    const now = rowWithPhoto(after, photo.id)
    if (now) return now.top - row.top
  }
  return 0
}

export const rowWithPhoto = (rows: readonly Row[], id: string): Row | undefined =>
  rows.find((row) => row.kind === 'photos' && row.photos.some(({ photo }) => photo.id === id))

/** Indexes of the rows between two vertical positions: the first one, and the one after the last. */
export function rowsInRange(rows: readonly Row[], from: number, to: number): [first: number, end: number] {
  const first = firstIndex(rows, ({ top, height }) => top + height > from)
  const end = firstIndex(rows, ({ top }) => top >= to)
  return [first, Math.max(first, end)]
}

/** Index of the first row that matches, by binary search: all rows after it must match too. */
function firstIndex(rows: readonly Row[], matches: (row: Row) => boolean): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (matches(rows[middle]!)) high = middle // low <= middle < high
    else low = middle + 1
  }
  return low
}
