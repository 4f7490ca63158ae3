import { be16, joined, packed, startsWith } from './bytes.ts'
import { noExif, readExif, type Exif } from './exif.ts'
import { adobeRgb, cleanProfile, maxProfileBytes } from './icc.ts'
import {
  endOfData,
  maxScans,
  noProgress,
  readInterval,
  readScan,
  restartsIn,
  type Progress,
  type Scan,
} from './jpeg-scan.ts'
import {
  noTables,
  readFrame,
  readHuffman,
  readQuantization,
  refuse,
  type Frame,
  type Table,
  type Tables,
} from './jpeg-tables.ts'

/** A marker segment: marker, length, payload. */
export function segment(marker: number, ...payload: Uint8Array[]): Uint8Array {
  const length = payload.reduce((sum, part) => sum + part.length, 2)
  return joined([packed([0xff00 + marker, 2], [length, 2]), ...payload])
}

/** A JPEG whose coded pixels can be kept as they are, taken apart. */
export interface PlainJpeg {
  plain: true
  /** Pixels as coded, before orientation. */
  width: number
  height: number
  exif: Exif
  /** A cleaned colour profile. */
  profile: Uint8Array | null
  /** Tables, frame header and scans, from the first table up to the end marker; views of the input where they can be. */
  picture: Uint8Array[]
}

/** What has been read so far. */
export interface Reading {
  b: Uint8Array
  tables: Tables
  frame: Frame | null
  frameWritten: boolean
  progress: Progress
  interval: number
  intervalWritten: number
  scans: number
  chunks: Uint8Array[]
  exif: Exif | null
  jfif: boolean
  adobe: number | null
  /** Words that other readers may take for some that we do not know. */
  hasOddWords: boolean
  picture: Uint8Array[]
}

export function begin(b: Uint8Array): Reading {
  if (be16(b, 0) !== 0xffd8) refuse('not a JPEG')
  return {
    b,
    tables: noTables(),
    frame: null,
    frameWritten: false,
    progress: [],
    interval: 0,
    intervalWritten: 0,
    scans: 0,
    chunks: [],
    exif: null,
    jfif: false,
    adobe: null,
    hasOddWords: false,
    picture: [],
  }
}

/** A marker segment as it stands in a file. */
export interface Segment {
  marker: number
  /** All of it. */
  bytes: Uint8Array
  /** Where the next one begins, unless coded data follows. */
  end: number
}

export const maxSegments = 1000

/** Where the next marker is: any number of bytes may fill up the space before it (T.81 B.1.1.2). */
export function pastFill(b: Uint8Array, from: number): number {
  let at = from
  while (b[at] === 0xff && b[at + 1] === 0xff) at++
  return at
}

/** The segment that begins at `from`. */
export function segmentAt(b: Uint8Array, from: number): Segment {
  const at = pastFill(b, from)
  if (at + 2 > b.length) refuse('incomplete')
  const marker = b[at + 1]!
  if (b[at] !== 0xff || !isKnown(marker)) refuse('unexpected marker')
  if (marker === 0xd9) return { marker, bytes: b.subarray(at, at + 2), end: at + 2 }
  const end = at + 2 + be16(b, at + 2)
  if (!(end <= b.length)) refuse('incomplete')
  if (end < at + 4) refuse('broken segment')
  return { marker, bytes: b.subarray(at, end), end }
}

/** Takes a segment that is no scan. */
export function take(reading: Reading, { marker, bytes }: Segment): void {
  const payload = bytes.subarray(4)
  if (marker === 0xdb) readQuantization(payload, reading.tables)
  else if (marker === 0xc4) readHuffman(payload, reading.tables)
  else if (marker === 0xdd) reading.interval = readInterval(payload)
  else if (marker >= 0xe0) takeWords(reading, marker, payload)
  else if (marker > 0xc2 || reading.frame) refuse('unusual coding')
  else {
    reading.frame = readFrame(bytes)
    reading.progress = noProgress(reading.frame)
  }
}

/** Application segments and comments: looked at for what we understand, and dropped. */
function takeWords(reading: Reading, marker: number, payload: Uint8Array): void {
  // Between scans nothing but tables has a place.
  if (reading.scans > 0) refuse('unexpected marker')
  if (marker === 0xe0 && startsWith(payload, 0, 'JFIF\0')) reading.jfif = true
  const [isExif, isProfile] = [startsWith(payload, 0, 'Exif\0\0'), startsWith(payload, 0, 'ICC_PROFILE\0')]
  if (marker === 0xe1 && isExif) reading.exif ??= readExif(payload.subarray(6))
  if (marker === 0xe2 && isProfile) reading.chunks.push(payload.subarray(12))
  if (marker === 0xe1 && !isExif && startsWith(payload, 0, 'Exif')) reading.hasOddWords = true
  if (marker === 0xe2 && !isProfile && startsWith(payload, 0, 'ICC_PROFILE')) reading.hasOddWords = true
  if (marker === 0xee && startsWith(payload, 0, 'Adobe') && payload.length >= 12) reading.adobe = payload[11]!
}

/** Takes a scan's header, with all that has to stand before it, up to its coded data. */
function startScan(reading: Reading, bytes: Uint8Array): { frame: Frame; scan: Scan } {
  const { tables, picture } = reading
  const frame = reading.frame ?? refuse('broken frame')
  if (++reading.scans > maxScans) refuse('too many parts')
  const scan = readScan(bytes, frame, reading)
  picture.push(
    ...unwritten(
      0xdb,
      scan.components.map(({ quantization }) => tables.quantization[quantization]),
    ),
  )
  if (!reading.frameWritten) picture.push(frame.bytes)
  reading.frameWritten = true
  picture.push(...unwritten(0xc4, [...scan.dc.map((to) => tables.dc[to]), ...scan.ac.map((to) => tables.ac[to])]))
  if (reading.interval !== reading.intervalWritten) picture.push(segment(0xdd, packed([reading.interval, 2])))
  reading.intervalWritten = reading.interval
  picture.push(bytes)
  return { frame, scan }
}

/** Takes the header of a scan that tells the whole picture; null when more may follow, with tables of their own. */
export function startOnlyScan(reading: Reading, bytes: Uint8Array): { frame: Frame; scan: Scan } | null {
  const { frame, scan } = startScan(reading, bytes)
  return frame.progressive || scan.components.length < frame.components.length ? null : { frame, scan }
}

/** Takes a scan, and answers where its coded data ends. */
export function takeScan(reading: Reading, { bytes, end }: Segment): number {
  const { frame, scan } = startScan(reading, bytes)
  const next = endOfData(reading.b, end, restartsIn(scan, frame, reading.interval))
  reading.picture.push(reading.b.subarray(end, next))
  return next
}

/** A segment with the tables a scan needs that the rebuilt file does not have yet. */
function unwritten(marker: number, needed: (Table | undefined)[]): Uint8Array[] {
  const missing: Uint8Array[] = []
  for (const table of needed) {
    if (!table) refuse('missing table')
    if (!table.written) missing.push(table.bytes)
    table.written = true
  }
  return missing.length > 0 ? [segment(marker, ...missing)] : []
}

/** The picture so far, as a plain JPEG. */
export function finished({ frame, progress, exif, jfif, adobe, chunks, picture }: Reading): PlainJpeg {
  if (!frame) refuse('incomplete')
  // A sequential scan tells all of a component; of a progressive picture at least the DC part must be there.
  if (progress.some((known) => known[0] === 255)) refuse('incomplete')
  if (!isYcc(frame, jfif, adobe)) refuse('unusual colours')
  const { width, height } = frame
  const words = exif ?? noExif
  const profile = chunks.length > 0 ? profileFrom(chunks, frame) : impliedProfile(words, frame)
  return { plain: true, width, height, exif: words, profile, picture }
}

/** The profile that a camera did not write because it left a mark instead. */
const impliedProfile = (exif: Exif, { components }: Frame): Uint8Array | null =>
  exif.adobeRgb && components.length === 3 ? adobeRgb() : null

/** Whether every reader takes the colours for YCbCr (or grey), as the rebuilt file says. */
function isYcc({ components }: Frame, jfif: boolean, adobe: number | null): boolean {
  if (components.length === 1) return true
  if (adobe !== null) return adobe === 1
  const ids = components.map(({ id }) => id).join(' ')
  return ids === '1 2 3' || (jfif && ids !== '82 71 66')
}

/** The profile from its chunks (ICC.1 annex B.4), which must be numbered 1 to n and say so alike. */
function profileFrom(chunks: Uint8Array[], { components }: Frame): Uint8Array {
  const ordered = chunks.toSorted((one, other) => one[0]! - other[0]!)
  if (!ordered.every((chunk, i) => chunk[0] === i + 1 && chunk[1] === chunks.length)) refuse('unusual profile')
  if (chunks.reduce((sum, chunk) => sum + chunk.length - 2, 0) > maxProfileBytes) refuse('unusual profile')
  const whole = joined(ordered.map((chunk) => chunk.subarray(2)))
  return cleanProfile(whole, components.length === 1 ? 1 : 3) ?? refuse('unusual profile')
}

/** Markers that may start a segment here; SOI, TEM, RSTn and the reserved ones may not. */
const isKnown = (marker: number): boolean =>
  (marker >= 0xc0 && marker <= 0xcf) || (marker >= 0xd9 && marker <= 0xef) || marker === 0xfe
