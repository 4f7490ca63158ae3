import { limits } from '@keepsnap/contract/limits.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { timesOf } from './photo-state.ts'

const quarterHourMs = 15 * 60_000

/**
 * Says to which evening a moment belongs, as `yyyy-mm-dd`: until 6:00 in the account's time zone, a night belongs to the
 * evening before. Accounts without a time zone have UTC, as on the server.
 */
export function createEveningOf(timeZone: string | null): (iso: string) => string {
  const format = formatIn(timeZone ?? 'UTC')
  // No time zone changes its offset within a quarter of an hour, and formatting a date takes microseconds.
  const byQuarterHour = new Map<number, string>()
  return (iso) => {
    const at = Date.parse(iso)
    const key = Math.floor(at / quarterHourMs)
    const known = byQuarterHour.get(key)
    if (known !== undefined) return known
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0 } = parts
    const evening = new Date(Date.UTC(year, month - 1, hour < limits.eveningEndsHour ? day - 1 : day))
    const written = evening.toISOString().slice(0, 10)
    byQuarterHour.set(key, written)
    return written
  }
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const options = { hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric' } as const
  try {
    return new Intl.DateTimeFormat('en', { ...options, timeZone })
  } catch {
    // The server knows a time zone that this browser does not.
    return new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' })
  }
}

/** Noon of an evening on this device, for formats of dates. */
export function noonOf(evening: string): Date {
  const [year = 0, month = 1, day = 1] = evening.split('-').map(Number)
  return new Date(year, month - 1, day, 12)
}

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
interface PlacedPhoto {
  photo: Photo
  width: number
}
/** `day`: the evening, `yyyy-mm-dd`. */
export type Row =
  | { kind: 'day'; key: string; top: number; height: number; day: string; count: number }
  /** `height` without the gap below. */
  | { kind: 'photos'; key: string; top: number; height: number; day: string; photos: readonly PlacedPhoto[] }

const aspectRatios = { min: 0.45, max: 3, unknown: 1.5 }

/** Width divided by height of a photo's tile. Panoramas and very tall photos are cropped. */
export function aspectRatioOf({ width, height }: Photo): number {
  if (!width || !height) return aspectRatios.unknown
  return Math.min(aspectRatios.max, Math.max(aspectRatios.min, width / height))
}

/**
 * A justified layout, grouped by evening: the photos of a row have one height and fill the width. Rows of photos newer than
 * `openedAt` (when the page was opened) are filled from there upwards, all others downwards: neither a new photo nor the
 * next page moves a photo to another row.
 */
export function layoutRows(
  photos: readonly Photo[],
  measures: LayoutMeasures,
  openedAt: string,
  eveningOf: (iso: string) => string,
  timeOf = timesOf.added,
): Row[] {
  const rows: Row[] = []
  let top = 0
  for (const { day, photos: group } of groupByEvening(photos, (photo) => eveningOf(timeOf(photo)))) {
    const height = rows.length === 0 ? measures.firstHeadingHeight : measures.headingHeight
    rows.push({ kind: 'day', key: day, top, height, day, count: group.length })
    top += height
    const newer = group.filter((photo) => timeOf(photo) > openedAt)
    const upwards = breakRows(newer.reverse(), measures).map((row) => row.reverse())
    const downwards = breakRows(group.slice(newer.length), measures)
    for (const row of [...upwards.reverse(), ...downwards]) {
      const placed = justify(row, measures)
      rows.push({ kind: 'photos', key: row[0]!.id, top, day, ...placed }) // rows hold at least one photo
      top += placed.height + measures.gap
    }
  }
  return rows
}

function groupByEvening(
  photos: readonly Photo[],
  eveningOf: (photo: Photo) => string,
): { day: string; photos: Photo[] }[] {
  const groups: { day: string; photos: Photo[] }[] = []
  for (const photo of photos) {
    const day = eveningOf(photo)
    const last = groups.at(-1)
    if (last?.day === day) last.photos.push(photo)
    else groups.push({ day, photos: [photo] })
  }
  return groups
}

/** `ratios`: the sum of the aspect ratios of a row's photos. */
const justifiedHeight = (ratios: number, count: number, { width, gap }: LayoutMeasures): number =>
  (width - gap * (count - 1)) / ratios

function breakRows(photos: readonly Photo[], measures: LayoutMeasures): Photo[][] {
  const rows: Photo[][] = []
  let row: Photo[] = []
  let ratios = 0
  for (const photo of photos) {
    const ratio = aspectRatioOf(photo)
    const distanceWith = (sum: number, count: number): number =>
      Math.abs(justifiedHeight(sum, count, measures) - measures.targetHeight)
    // The photo is added if that brings the row closer to the target height.
    if (row.length > 0 && distanceWith(ratios + ratio, row.length + 1) > distanceWith(ratios, row.length)) {
      rows.push(row)
      row = []
      ratios = 0
    }
    row.push(photo)
    ratios += ratio
  }
  if (row.length > 0) rows.push(row)
  return rows
}

/** Stretches a row to the full width, unless that would make it much higher than the others. */
function justify(row: readonly Photo[], measures: LayoutMeasures): { height: number; photos: PlacedPhoto[] } {
  const ratios = row.reduce((sum, photo) => sum + aspectRatioOf(photo), 0)
  const fullWidthHeight = justifiedHeight(ratios, row.length, measures)
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
