import { be16, joined, latin1, packed } from './bytes.ts'
import { writeExif } from './exif.ts'
import {
  begin,
  finished,
  maxSegments,
  pastFill,
  segment,
  segmentAt,
  startOnlyScan,
  take,
  takeScan,
  type PlainJpeg,
  type Reading,
  type Segment,
} from './jpeg-reading.ts'
import { Odd, refuse, type Oddity } from './jpeg-tables.ts'

/** A JPEG that is not for the bit-for-bit path. */
export interface OddJpeg {
  plain: false
  why: Oddity
}

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

/** Whether a file is already what it would be rebuilt to. */
export function isRebuilt(b: Uint8Array, jpeg: PlainJpeg): boolean {
  let at = 0
  for (const part of rebuildJpeg(jpeg)) {
    const stands = b.subarray(at, at + part.length)
    const isItself = part.buffer === b.buffer && part.byteOffset === stands.byteOffset
    if (!isItself && Buffer.compare(part, stands) !== 0) return false
    at += part.length
  }
  return at === b.length
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

function walk(b: Uint8Array): PlainJpeg {
  const reading = begin(b)
  let at = 2
  for (let segments = 0; segments < maxSegments; segments++) {
    const next = segmentAt(b, at)
    if (next.marker === 0xd9) return finished(reading)
    at = next.end
    if (next.marker === 0xda) at = takeScan(reading, next)
    else take(reading, next)
  }
  return refuse('too many parts')
}

/** The start of a file that is still coming in: how its rebuilt file would start, in place of its first `instead` bytes. */
export interface CleanStart {
  start: Uint8Array
  instead: number
}

/**
 * Cleans the start of a JPEG with a single scan, up to its coded data, as rebuilding the whole would: when that is
 * plain too, nothing is left to rebuild. Everything a decoder needs is still there if it is not. Answers how many bytes
 * it needs to see when `b` are too few, and null for what has to stay as it is. Never throws, and never reads outside `b`.
 */
export function cleanStart(b: Uint8Array): CleanStart | { needs: number } | null {
  if (b.length < 2) return { needs: 2 }
  try {
    const reading = begin(b)
    let at = 2
    for (let segments = 0; segments < maxSegments; segments++) {
      at = pastFill(b, at)
      if (b[at + 1] === 0xd9) return null
      const needs = at + 2 + (at + 4 > b.length ? 2 : be16(b, at + 2))
      if (needs > b.length) return { needs }
      const next = segmentAt(b, at)
      if (next.marker === 0xda) return startOf(reading, next)
      take(reading, next)
      at = next.end
    }
    return null
  } catch (error) {
    if (error instanceof Odd) return null
    throw error
  }
}

function startOf(reading: Reading, { bytes, end }: Segment): CleanStart | null {
  if (!startOnlyScan(reading, bytes)) return null
  // Should the picture have to be encoded anew, libvips has its own view of them.
  if (reading.hasOddWords || reading.exif?.isUsual === false) return null
  return { start: joined(rebuildJpeg(finished(reading)).slice(0, -1)), instead: end }
}
