import { be16 } from './bytes.ts'
import { refuse, type Component, type Frame, type Tables } from './jpeg-tables.ts'

/** A scan's header (T.81 B.2.3), checked. */
export interface Scan {
  components: Component[]
  /** Destinations of the tables it decodes with. */
  dc: number[]
  ac: number[]
}

/** What earlier scans have told of each coefficient: its lowest known bit, 255 for nothing yet. */
export type Progress = Uint8Array[]

export const noProgress = (frame: Frame): Progress => frame.components.map(() => new Uint8Array(64).fill(255))

/** Reads the SOS segment `bytes`, checks that its tables are there, and notes what the scan tells. */
export function readScan(bytes: Uint8Array, frame: Frame, state: { tables: Tables; progress: Progress }): Scan {
  const count = bytes[4]!
  if (count < 1 || count > frame.components.length || bytes.length !== 8 + 2 * count) refuse('broken scan')
  const scan: Scan = { components: [], dc: [], ac: [] }
  const tail = bytes.length - 3
  const band: Band = {
    first: bytes[tail]!,
    last: bytes[tail + 1]!,
    high: bytes[tail + 2]! >> 4,
    low: bytes[tail + 2]! & 15,
  }
  checkBand(band, frame, count)
  let before = -1
  for (let at = 5; at < 5 + 2 * count; at += 2) {
    const index = frame.components.findIndex(({ id }) => id === bytes[at])
    if (index <= before) refuse('broken scan')
    before = index
    note(state.progress[index]!, band)
    scan.components.push(frame.components[index]!)
    const [dc, ac] = [bytes[at + 1]! >> 4, bytes[at + 1]! & 15]
    // A table that a progressive scan does not read may be named by any number.
    if (band.first === 0 && band.high === 0) scan.dc.push(dc)
    if (band.last > 0) scan.ac.push(ac)
  }
  if (scan.dc.some((to) => !state.tables.dc[to]) || scan.ac.some((to) => !state.tables.ac[to])) refuse('missing table')
  return scan
}

interface Band {
  first: number
  last: number
  high: number
  low: number
}

function checkBand({ first, last, high, low }: Band, frame: Frame, count: number): void {
  if (!frame.progressive) {
    if (first !== 0 || last !== 63 || high !== 0 || low !== 0) refuse('broken scan')
    return
  }
  if (first === 0 ? last !== 0 : last < first || last > 63 || count !== 1) refuse('broken scan')
  if (low > 13 || (high !== 0 && high !== low + 1)) refuse('broken scan')
}

/** Each coefficient is told once and then refined bit by bit; its DC part comes first (T.81 G.1.1.1). */
function note(known: Uint8Array, { first, last, high, low }: Band): void {
  if (first > 0 && known[0] === 255) refuse('broken scan')
  for (let k = first; k <= last; k++) {
    if (known[k] !== (high === 0 ? 255 : high)) refuse('broken scan')
    known[k] = low
  }
}

/**
 * Where the entropy-coded data that starts at `from` ends: the position of the marker after it. Inside may stand only
 * stuffed bytes and the restart markers that the scan must have, each in its turn.
 */
export function endOfData(b: Uint8Array, from: number, restarts: number): number {
  let seen = 0
  let at = from
  for (;;) {
    at = b.indexOf(0xff, at)
    if (at === -1 || at + 1 >= b.length) refuse('incomplete')
    const marker = b[at + 1]!
    if (marker !== 0) {
      if (marker < 0xd0 || marker > 0xd7) break
      if (seen >= restarts || marker !== 0xd0 + (seen & 7)) refuse('unexpected marker')
      seen++
    }
    at += 2
  }
  if (seen !== restarts || at === from) refuse('broken scan')
  return at
}

/** How many restart markers a scan has (T.81 A.2.2 and A.2.3 for its units, E.1.4). */
export function restartsIn(scan: Scan, frame: Frame, interval: number): number {
  if (interval === 0) return 0
  const widest = Math.max(...frame.components.map(({ h }) => h))
  const tallest = Math.max(...frame.components.map(({ v }) => v))
  const [only] = scan.components
  const alone = scan.components.length === 1 && only
  const across = alone ? Math.ceil(Math.ceil((frame.width * only.h) / widest) / 8) : Math.ceil(frame.width / 8 / widest)
  const down = alone
    ? Math.ceil(Math.ceil((frame.height * only.v) / tallest) / 8)
    : Math.ceil(frame.height / 8 / tallest)
  return Math.ceil((across * down) / interval) - 1
}

/** Reads a DRI segment's payload: the number of units between restart markers. */
export function readInterval(payload: Uint8Array): number {
  if (payload.length !== 2) refuse('broken segment')
  return be16(payload, 0)
}

/** No camera and no program writes more. Decoders go over the whole picture once for each of them. */
export const maxScans = 64

/**
 * How many scans a JPEG has, however odd it is otherwise; for files that the strict reader refuses. Counts up to the
 * first thing that is no marker.
 */
export function countScans(b: Uint8Array): number {
  let scans = 0
  let at = 2
  while (b[at] === 0xff && b[at + 1] !== 0xd9) {
    const marker = b[at + 1]!
    if (marker === 0xff) {
      at++
      continue
    }
    const length = be16(b, at + 2)
    if (!(length >= 2)) break
    at += 2 + length
    if (marker !== 0xda) continue
    scans++
    // Past the data, its stuffed bytes and restart markers.
    do at = b.indexOf(0xff, at + 1)
    while (at !== -1 && (b[at + 1] === 0 || (b[at + 1]! >= 0xd0 && b[at + 1]! <= 0xd7)))
    if (at === -1) break
  }
  return scans
}
