import { be16, byteAt, concatBytes, latin1Bytes, packNumbers } from '../bytes.ts'
import { writeExif } from '../metadata/exif.ts'
import {
  createJpegSegment,
  finishReadingJpeg,
  type JpegReaderState,
  type JpegSegment,
  type LosslessJpeg,
  maxSegments,
  parseJpegScan,
  parseJpegSegment,
  parseSingleScanHeader,
  segmentAt,
  skipFillBytes,
  startReadingJpeg,
} from './reader.ts'
import { unsupportedJpeg, UnsupportedJpegError, type UnsupportedReason } from './tables.ts'

/** A JPEG whose coded pixels cannot be kept. */
export interface UnsupportedJpeg {
  lossless: false
  reason: UnsupportedReason
}

/**
 * The strict reader (ITU-T T.81; JFIF 1.02; Adobe TN 5116): baseline, extended and progressive Huffman coding, 8 bits, grey
 * or YCbCr. It keeps what a picture needs and nothing else; anything unusual makes the file unsupported. Never throws, and
 * never reads outside of `file`. Whether the entropy-coded data is valid, only a decoder can tell.
 */
export function readJpeg(file: Uint8Array): LosslessJpeg | UnsupportedJpeg {
  try {
    return parseJpeg(file)
  } catch (error) {
    if (error instanceof UnsupportedJpegError) return { lossless: false, reason: error.reason }
    throw error
  }
}

function parseJpeg(file: Uint8Array): LosslessJpeg {
  const state = startReadingJpeg(file)
  let at = 2
  for (let segments = 0; segments < maxSegments; segments++) {
    const segment = segmentAt(file, at)
    if (segment.marker === 0xd9) return finishReadingJpeg(state)
    at = segment.end
    if (segment.marker === 0xda) at = parseJpegScan(state, segment)
    else parseJpegSegment(state, segment)
  }
  return unsupportedJpeg('too many segments or scans')
}

/** An APP1 segment with an EXIF block. */
export const exifSegment = (exif: Uint8Array): Uint8Array => createJpegSegment(0xe1, latin1Bytes('Exif\0\0'), exif)

/** The parts of the rebuilt file, to be written one after the other. */
export function rebuildJpeg({ exif, profile, codedImage }: LosslessJpeg): Uint8Array[] {
  // JFIF says that the colours are YCbCr; version 1.01, no units, 1:1, no thumbnail.
  const parts = [packNumbers([0xffd8, 2]), createJpegSegment(0xe0, latin1Bytes('JFIF\0\x01\x01\0\0\x01\0\x01\0\0'))]
  const exifBlock = writeExif(exif)
  if (exifBlock) parts.push(exifSegment(exifBlock))
  if (profile) parts.push(createJpegSegment(0xe2, latin1Bytes('ICC_PROFILE\0\x01\x01'), profile))
  return [...parts, ...codedImage, packNumbers([0xffd9, 2])]
}

/** Whether rebuilding would not change the file. */
export function isRebuilt(file: Uint8Array, jpeg: LosslessJpeg): boolean {
  let at = 0
  for (const part of rebuildJpeg(jpeg)) {
    const current = file.subarray(at, at + part.length)
    const isInPlace = part.buffer === file.buffer && part.byteOffset === current.byteOffset
    if (!isInPlace && Buffer.compare(part, current) !== 0) return false
    at += part.length
  }
  return at === file.length
}

/**
 * The rebuilt file in one piece. Overwrites `file` around its largest part when there is enough space, as there is after
 * the metadata of a camera: then many megabytes of coded data are not copied.
 * @param file what the JPEG was read from; not usable afterwards
 */
export function rebuildInPlace(file: Uint8Array, jpeg: LosslessJpeg): Uint8Array {
  const parts = rebuildJpeg(jpeg)
  const largest = parts.reduce((one, other) => (other.length > one.length ? other : one))
  const index = parts.indexOf(largest)
  const head = concatBytes(parts.slice(0, index))
  const tail = concatBytes(parts.slice(index + 1))
  const start = largest.byteOffset - file.byteOffset - head.length
  const end = start + head.length + largest.length
  if (largest.buffer !== file.buffer || start < 0 || end + tail.length > file.length)
    return concatBytes([head, largest, tail])
  file.set(head, start)
  file.set(tail, end)
  return file.subarray(start, end + tail.length)
}

/** What replaces the first bytes of a file. */
export interface CleanJpegStart {
  bytes: Uint8Array
  replacedLength: number
}

/**
 * Cleans the start of a JPEG that is still being received, up to its coded data, as rebuilding the whole file would: if the
 * rest is regular too, nothing remains to be rebuilt. If not, everything that a decoder needs is still there. Returns the
 * length that it needs when `file` is too short, and null when the start must not be changed. Never throws, and never reads
 * outside of `file`.
 */
export function cleanJpegStart(file: Uint8Array): CleanJpegStart | { neededLength: number } | null {
  if (file.length < 2) return { neededLength: 2 }
  try {
    const state = startReadingJpeg(file)
    let at = 2
    for (let segments = 0; segments < maxSegments; segments++) {
      at = skipFillBytes(file, at)
      if (file[at + 1] === 0xd9) return null
      const neededLength = at + 2 + (at + 4 > file.length ? 2 : be16(file, at + 2))
      if (neededLength > file.length) return { neededLength }
      const segment = segmentAt(file, at)
      if (segment.marker === 0xda) return finishCleanStart(state, segment)
      parseJpegSegment(state, segment)
      at = segment.end
    }
    return null
  } catch (error) {
    if (error instanceof UnsupportedJpegError) return null
    throw error
  }
}

function finishCleanStart(state: JpegReaderState, { bytes, end }: JpegSegment): CleanJpegStart | null {
  if (!parseSingleScanHeader(state, bytes)) return null
  // If the picture has to be encoded again, libvips may read metadata that this reader does not.
  if (state.hasUnsupportedMetadata || state.exif?.isUnambiguous === false) return null
  return { bytes: concatBytes(rebuildJpeg(finishReadingJpeg(state)).slice(0, -1)), replacedLength: end }
}

/**
 * A JPEG without the bytes that do not belong to any segment before its first scan; some cameras write such bytes. Null when
 * there are none, and when the scan cannot be found. The coded picture is not examined: stray bytes there mean damage.
 */
export function withoutStrayBytes(file: Uint8Array): Uint8Array | null {
  const kept: Uint8Array[] = []
  let keptFrom = 0
  let at = 2
  for (let segments = 0; segments < maxSegments; segments++) {
    const start = nextMarker(file, at)
    const marker = byteAt(file, start + 1)
    if (start !== at) kept.push(file.subarray(keptFrom, at))
    if (start !== at) keptFrom = start
    if (marker === 0xda) return kept.length > 0 ? concatBytes([...kept, file.subarray(keptFrom)]) : null
    const length = be16(file, start + 2)
    if (!hasLength(marker) || !(length >= 2)) return null
    at = start + 2 + length
  }
  return null
}

/** Where a decoder finds the next marker (T.81 B.1.1.2): 0xff, and then neither another one nor 0. NaN at the end. */
function nextMarker(file: Uint8Array, start: number): number {
  for (let at = file.indexOf(0xff, start); at !== -1; at = file.indexOf(0xff, at + 1)) {
    const next = byteAt(file, at + 1)
    if (next !== 0 && next !== 0xff) return at
  }
  return Number.NaN
}

/** Markers of a header: frames, tables, application data and comments. */
const hasLength = (marker: number): boolean =>
  (marker >= 0xc0 && marker <= 0xcf) || (marker >= 0xdb && marker <= 0xef) || marker === 0xfe
