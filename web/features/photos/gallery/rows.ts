import type { Photo } from '@keepsnap/contract/photos.ts'

/** Lengths in CSS pixels. */
export interface Measures {
  width: number
  /** Height that rows come close to. */
  target: number
  gap: number
  /** Of a day's heading, with the space above it; the first has less. */
  headingHeight: number
  firstHeadingHeight: number
}
export interface Placed {
  photo: Photo
  width: number
}
export type Row =
  | { kind: 'day'; key: string; top: number; height: number; day: string; count: number }
  /** `height` without the gap below. */
  | { kind: 'photos'; key: string; top: number; height: number; photos: readonly Placed[] }

const shape = { narrowest: 0.45, widest: 3, unknown: 1.5 }

/** Width by height of a photo's tile. Panoramas and strips are cut to what a row can hold. */
export function ratioOf({ width, height }: Photo): number {
  if (!width || !height) return shape.unknown
  return Math.min(shape.widest, Math.max(shape.narrowest, width / height))
}

const dayOf = (photo: Photo): string => new Date(photo.created_at).toDateString()

/**
 * Rows of one height each, filled to both edges, grouped by day. Photos newer than `since` (when the page was opened)
 * are set in rows from there upwards, all others downwards: neither an arrival nor the next page moves a photo to
 * another row.
 */
export function layOut(photos: readonly Photo[], measures: Measures, since: string): Row[] {
  const rows: Row[] = []
  let top = 0
  for (const [at, day] of daysOf(photos).entries()) {
    const height = at === 0 ? measures.firstHeadingHeight : measures.headingHeight
    const [first] = day
    if (!first) continue
    rows.push({ kind: 'day', key: dayOf(first), top, height, day: first.created_at, count: day.length })
    top += height
    const fresh = day.filter(({ created_at }) => created_at > since)
    const upwards = breakRows(fresh.toReversed(), measures).map((row) => row.toReversed())
    const downwards = breakRows(day.slice(fresh.length), measures)
    for (const row of [...upwards.toReversed(), ...downwards]) {
      const placed = justify(row, measures)
      rows.push({ kind: 'photos', key: row[0]!.id, top, ...placed }) // rows hold at least one photo
      top += placed.height + measures.gap
    }
  }
  return rows
}

function daysOf(photos: readonly Photo[]): Photo[][] {
  const days: Photo[][] = []
  for (const photo of photos) {
    const last = days.at(-1)
    if (last?.[0] && dayOf(last[0]) === dayOf(photo)) last.push(photo)
    else days.push([photo])
  }
  return days
}

const heightOf = (row: readonly Photo[], { width, gap }: Measures): number =>
  (width - gap * (row.length - 1)) / row.reduce((sum, photo) => sum + ratioOf(photo), 0)

function breakRows(photos: readonly Photo[], measures: Measures): Photo[][] {
  const rows: Photo[][] = []
  let row: Photo[] = []
  for (const photo of photos) {
    const more = [...row, photo]
    const before = row.length > 0 ? heightOf(row, measures) : Infinity
    // The photo goes where the row comes closer to its height.
    const closer = Math.abs(heightOf(more, measures) - measures.target) <= Math.abs(before - measures.target)
    if (row.length > 0 && !closer) {
      rows.push(row)
      row = [photo]
    } else row = more
  }
  if (row.length > 0) rows.push(row)
  return rows
}

/** Stretches a row to both edges, unless that would make it much higher than the others. */
function justify(row: readonly Photo[], measures: Measures): { height: number; photos: Placed[] } {
  const full = heightOf(row, measures)
  const height = full > measures.target * 1.35 ? Math.min(full, measures.target) : full
  return { height, photos: row.map((photo) => ({ photo, width: ratioOf(photo) * height })) }
}

/** How far the page must scroll so that what stood at `y` stands there still, after rows were laid out anew. */
export function shiftBetween(before: readonly Row[], after: readonly Row[], y: number): number {
  const row = before.find(({ kind, top, height }) => kind === 'photos' && top + height > y)
  if (row?.kind !== 'photos') return 0
  for (const { photo } of row.photos) {
    const now = rowOf(after, photo.id)
    if (now) return now.top - row.top
  }
  return 0
}

/** The row that holds a photo. */
export const rowOf = (rows: readonly Row[], id: string): Row | undefined =>
  rows.find((row) => row.kind === 'photos' && row.photos.some(({ photo }) => photo.id === id))

/** Index of the first row that reaches below `from`, and the one after the last that begins above `to`. */
export function rowsBetween(rows: readonly Row[], from: number, to: number): [number, number] {
  const first = firstIndex(rows, ({ top, height }) => top + height > from)
  return [
    first,
    Math.max(
      first,
      firstIndex(rows, ({ top }) => top >= to),
    ),
  ]
}

/** Halves the rows until it finds the first that fits; all after it fit as well. */
function firstIndex(rows: readonly Row[], fits: (row: Row) => boolean): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (fits(rows[middle]!)) high = middle // between low and high
    else low = middle + 1
  }
  return low
}
