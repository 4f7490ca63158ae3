import { be16, joined, latin1, packed, startsWith } from './bytes.ts'
import { noExif, readExif, writeExif, type Exif } from './exif.ts'
import { adobeRgb, cleanProfile, maxProfileBytes } from './icc.ts'
import { endOfData, maxScans, noProgress, readInterval, readScan, restartsIn, type Progress } from './jpeg-scan.ts'
import {
  noTables,
  Odd,
  readFrame,
  readHuffman,
  readQuantization,
  refuse,
  type Frame,
  type Oddity,
  type Table,
  type Tables,
} from './jpeg-tables.ts'

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

/** A JPEG that is not for the bit-for-bit path. */
export interface OddJpeg {
  plain: false
  why: Oddity
}

const maxSegments = 1000

/**
 * The strict reader (ITU-T T.81; JFIF 1.02; Adobe TN 5116): baseline, extended and progressive Huffman, 8 bit, grey or
 * YCbCr. Takes what a picture needs and nothing else; what is unusual in any way is refused by value. Never throws, and
 * never reads outside `b`. That the entropy-coded data decodes is for a decoder to prove.
 */
export function readJpeg(b: Uint8Array): PlainJpeg | OddJpeg {
  try {
    return walk(b)
  } catch (error) {
    if (error instanceof Odd) return { plain: false, why: error.oddity }
    throw error
  }
}

/** The file of a plain JPEG, in pieces to be written one after the other. */
export function rebuildJpeg({ exif, profile, picture }: PlainJpeg): Uint8Array[] {
  // JFIF settles for every reader that the colours are YCbCr; 1.01, no units, 1:1, no thumbnail.
  const parts = [packed([0xffd8, 2]), segment(0xe0, latin1('JFIF\0\x01\x01\0\0\x01\0\x01\0\0'))]
  const words = writeExif(exif)
  if (words) parts.push(segment(0xe1, latin1('Exif\0\0'), words))
  if (profile) parts.push(segment(0xe2, latin1('ICC_PROFILE\0\x01\x01'), profile))
  return [...parts, ...picture, packed([0xffd9, 2])]
}

/**
 * The file of a plain JPEG in one piece. What was read is overwritten around its largest part where there is room for the
 * rest, as after a camera's own words there always is: of many megabytes hardly one is moved.
 * @param b what the JPEG was read from; of no use afterwards
 */
export function rebuildOver(b: Uint8Array, jpeg: PlainJpeg): Uint8Array {
  const parts = rebuildJpeg(jpeg)
  const largest = parts.reduce((most, part, at) => (part.length > parts[most]!.length ? at : most), 0)
  const stays = parts[largest]!
  const head = joined(parts.slice(0, largest))
  const tail = joined(parts.slice(largest + 1))
  const start = stays.byteOffset - b.byteOffset - head.length
  const end = start + head.length + stays.length
  if (stays.buffer !== b.buffer || start < 0 || end + tail.length > b.length) return joined([head, stays, tail])
  b.set(head, start)
  b.set(tail, end)
  return b.subarray(start, end + tail.length)
}

/** A marker segment: marker, length, payload. */
export function segment(marker: number, ...payload: Uint8Array[]): Uint8Array {
  const length = payload.reduce((sum, part) => sum + part.length, 2)
  return joined([packed([0xff00 + marker, 2], [length, 2]), ...payload])
}

/** What has been read so far. */
interface Reading {
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
  picture: Uint8Array[]
}

const begin = (b: Uint8Array): Reading => ({
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
  picture: [],
})

function walk(b: Uint8Array): PlainJpeg {
  const reading = begin(b)
  if (be16(b, 0) !== 0xffd8) refuse('not a JPEG')
  let at = 2
  for (let segments = 0; segments < maxSegments; segments++) {
    while (b[at] === 0xff && b[at + 1] === 0xff) at++
    if (at + 2 > b.length) refuse('incomplete')
    const marker = b[at + 1]!
    if (b[at] !== 0xff || !isKnown(marker)) refuse('unexpected marker')
    if (marker === 0xd9) return finished(reading)
    const end = at + 2 + be16(b, at + 2)
    if (!(end <= b.length)) refuse('incomplete')
    if (end < at + 4) refuse('broken segment')
    at = take(reading, marker, b.subarray(at, end))
  }
  return refuse('too many parts')
}

/** Takes one segment and answers where the next one starts. */
function take(reading: Reading, marker: number, bytes: Uint8Array): number {
  const payload = bytes.subarray(4)
  const end = bytes.byteOffset - reading.b.byteOffset + bytes.length
  if (marker === 0xda) return takeScan(reading, bytes, end)
  if (marker === 0xdb) readQuantization(payload, reading.tables)
  else if (marker === 0xc4) readHuffman(payload, reading.tables)
  else if (marker === 0xdd) reading.interval = readInterval(payload)
  else if (marker >= 0xe0) takeWords(reading, marker, payload)
  else if (marker > 0xc2 || reading.frame) refuse('unusual coding')
  else {
    reading.frame = readFrame(bytes)
    reading.progress = noProgress(reading.frame)
  }
  return end
}

/** Application segments and comments: looked at for what we understand, and dropped. */
function takeWords(reading: Reading, marker: number, payload: Uint8Array): void {
  // Between scans nothing but tables has a place.
  if (reading.scans > 0) refuse('unexpected marker')
  if (marker === 0xe0 && startsWith(payload, 0, 'JFIF\0')) reading.jfif = true
  if (marker === 0xe1 && startsWith(payload, 0, 'Exif\0\0')) reading.exif ??= readExif(payload.subarray(6))
  if (marker === 0xe2 && startsWith(payload, 0, 'ICC_PROFILE\0')) reading.chunks.push(payload.subarray(12))
  if (marker === 0xee && startsWith(payload, 0, 'Adobe') && payload.length >= 12) reading.adobe = payload[11]!
}

function takeScan(reading: Reading, bytes: Uint8Array, end: number): number {
  const { b, tables, picture } = reading
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
  const next = endOfData(b, end, restartsIn(scan, frame, reading.interval))
  picture.push(bytes, b.subarray(end, next))
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

function finished({ frame, progress, exif, jfif, adobe, chunks, picture }: Reading): PlainJpeg {
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
