import { be16, byteAt, concatBytes, hasText, latin1Bytes, packNumbers } from '../bytes.ts'
import { type CaptureTime, type Exif, noExif, readExif, writeExif } from '../metadata/exif.ts'
import { adobeRgbProfile, maxProfileBytes, sanitizeProfile } from '../metadata/icc.ts'
import {
  type CoefficientProgress,
  countRestartMarkers,
  findScanEnd,
  type JpegFrame,
  type JpegScan,
  type JpegTable,
  type JpegTables,
  maxScans,
  noJpegTables,
  noProgress,
  readFrame,
  readHuffman,
  readQuantization,
  readRestartInterval,
  readScanHeader,
  unsupportedJpeg,
  UnsupportedJpegError,
  type UnsupportedReason,
} from './scan.ts'

interface UnsupportedJpeg {
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

interface CleanJpegStart {
  bytes: Uint8Array
  replacedLength: number
  /** What the removed metadata said. */
  capturedAt: CaptureTime | null
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
  return {
    bytes: concatBytes(rebuildJpeg(finishReadingJpeg(state)).slice(0, -1)),
    replacedLength: end,
    capturedAt: state.exif?.capturedAt ?? null,
  }
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

export interface LosslessJpeg {
  lossless: true
  /** Pixels as coded, before orientation. */
  width: number
  height: number
  exif: Exif
  /** A sanitized colour profile. */
  profile: Uint8Array | null
  /** Tables, frame header and scans, up to the end marker; views of the input where possible. */
  codedImage: Uint8Array[]
  /** Its scans define every coefficient to the last bit: none has been cut off. */
  hasAllScans: boolean
}

interface JpegReaderState {
  file: Uint8Array
  tables: JpegTables
  frame: JpegFrame | null
  isFrameWritten: boolean
  progress: CoefficientProgress
  restartInterval: number
  writtenRestartInterval: number
  scanCount: number
  iccChunks: Uint8Array[]
  exif: Exif | null
  hasJfif: boolean
  /** The colour transform of the Adobe segment. */
  adobeTransform: number | null
  /** There is metadata that this reader ignores, but that other readers may take for EXIF or a profile. */
  hasUnsupportedMetadata: boolean
  codedImage: Uint8Array[]
}

interface JpegSegment {
  marker: number
  bytes: Uint8Array
  /** Where the next segment, or the coded data of a scan, begins. */
  end: number
}

const maxSegments = 1000

function createJpegSegment(marker: number, ...payload: Uint8Array[]): Uint8Array {
  const length = payload.reduce((sum, part) => sum + part.length, 2)
  return concatBytes([packNumbers([0xff00 + marker, 2], [length, 2]), ...payload])
}

function startReadingJpeg(file: Uint8Array): JpegReaderState {
  if (be16(file, 0) !== 0xffd8) unsupportedJpeg('not a JPEG')
  return {
    file,
    tables: noJpegTables(),
    frame: null,
    isFrameWritten: false,
    progress: [],
    restartInterval: 0,
    writtenRestartInterval: 0,
    scanCount: 0,
    iccChunks: [],
    exif: null,
    hasJfif: false,
    adobeTransform: null,
    hasUnsupportedMetadata: false,
    codedImage: [],
  }
}

/** Where the next marker is: any number of fill bytes may precede it (T.81 B.1.1.2). */
function skipFillBytes(file: Uint8Array, start: number): number {
  let at = start
  while (file[at] === 0xff && file[at + 1] === 0xff) at++
  return at
}

function segmentAt(file: Uint8Array, start: number): JpegSegment {
  const at = skipFillBytes(file, start)
  if (at + 2 > file.length) unsupportedJpeg('incomplete')
  const marker = byteAt(file, at + 1)
  if (file[at] !== 0xff || !isSegmentMarker(marker)) unsupportedJpeg('unexpected marker')
  if (marker === 0xd9) return { marker, bytes: file.subarray(at, at + 2), end: at + 2 }
  const end = at + 2 + be16(file, at + 2)
  if (!(end <= file.length)) unsupportedJpeg('incomplete')
  if (end < at + 4) unsupportedJpeg('broken segment')
  return { marker, bytes: file.subarray(at, end), end }
}

/** Markers that may begin a segment here: not SOI, TEM, RSTn or a reserved marker. */
const isSegmentMarker = (marker: number): boolean =>
  (marker >= 0xc0 && marker <= 0xcf) || (marker >= 0xd9 && marker <= 0xef) || marker === 0xfe

/** Reads any segment except the header of a scan. */
function parseJpegSegment(state: JpegReaderState, { marker, bytes }: JpegSegment): void {
  const payload = bytes.subarray(4)
  if (marker === 0xdb) readQuantization(payload, state.tables)
  else if (marker === 0xc4) readHuffman(payload, state.tables)
  else if (marker === 0xdd) state.restartInterval = readRestartInterval(payload)
  else if (marker >= 0xe0) parseMetadataSegment(state, marker, payload)
  else if (marker > 0xc2 || state.frame) unsupportedJpeg('unsupported coding')
  else {
    state.frame = readFrame(bytes)
    state.progress = noProgress(state.frame)
  }
}

/** Application segments and comments: what is known is read, and none is kept. */
function parseMetadataSegment(state: JpegReaderState, marker: number, payload: Uint8Array): void {
  // Between scans only tables are allowed.
  if (state.scanCount > 0) unsupportedJpeg('unexpected marker')
  if (marker === 0xe0 && hasText(payload, 0, 'JFIF\0')) state.hasJfif = true
  const isExif = hasText(payload, 0, 'Exif\0\0')
  const isProfile = hasText(payload, 0, 'ICC_PROFILE\0')
  if (marker === 0xe1 && isExif) state.exif ??= readExif(payload.subarray(6))
  if (marker === 0xe2 && isProfile) state.iccChunks.push(payload.subarray(12))
  if (marker === 0xe1 && !isExif && hasText(payload, 0, 'Exif')) state.hasUnsupportedMetadata = true
  if (marker === 0xe2 && !isProfile && hasText(payload, 0, 'ICC_PROFILE')) state.hasUnsupportedMetadata = true
  if (marker === 0xee && hasText(payload, 0, 'Adobe') && payload.length >= 12)
    state.adobeTransform = byteAt(payload, 11)
}

/** Reads the header of a scan and adds it to the rebuilt file, after everything that must precede it there. */
function parseScanHeader(state: JpegReaderState, bytes: Uint8Array): { frame: JpegFrame; scan: JpegScan } {
  const { tables, codedImage } = state
  const frame = state.frame ?? unsupportedJpeg('broken frame')
  if (++state.scanCount > maxScans) unsupportedJpeg('too many segments or scans')
  const scan = readScanHeader(bytes, frame, state)
  const quantizationTables = scan.components.map(({ quantization }) => tables.quantization[quantization])
  codedImage.push(...writeTables(0xdb, quantizationTables))
  if (!state.isFrameWritten) codedImage.push(frame.bytes)
  state.isFrameWritten = true
  const huffmanTables = [...scan.dc.map((table) => tables.dc[table]), ...scan.ac.map((table) => tables.ac[table])]
  codedImage.push(...writeTables(0xc4, huffmanTables))
  if (state.restartInterval !== state.writtenRestartInterval)
    codedImage.push(createJpegSegment(0xdd, packNumbers([state.restartInterval, 2])))
  state.writtenRestartInterval = state.restartInterval
  codedImage.push(bytes)
  return { frame, scan }
}

/** A segment with those of a scan's tables that the rebuilt file does not have yet. */
function writeTables(marker: number, tables: (JpegTable | undefined)[]): Uint8Array[] {
  const unwritten: Uint8Array[] = []
  for (const table of tables) {
    if (!table) unsupportedJpeg('missing table')
    if (!table.isWritten) unwritten.push(table.bytes)
    table.isWritten = true
  }
  return unwritten.length > 0 ? [createJpegSegment(marker, ...unwritten)] : []
}

/** Reads the header of a scan. False when this scan is not the whole picture: more may follow, with tables of their own. */
function parseSingleScanHeader(state: JpegReaderState, bytes: Uint8Array): boolean {
  const { frame, scan } = parseScanHeader(state, bytes)
  return !frame.isProgressive && scan.components.length === frame.components.length
}

/** Reads a scan and returns where its coded data ends. */
function parseJpegScan(state: JpegReaderState, { bytes, end }: JpegSegment): number {
  const { frame, scan } = parseScanHeader(state, bytes)
  const dataEnd = findScanEnd(state.file, end, countRestartMarkers(scan, frame, state.restartInterval))
  state.codedImage.push(state.file.subarray(end, dataEnd))
  return dataEnd
}

function finishReadingJpeg(state: JpegReaderState): LosslessJpeg {
  const { frame, progress, iccChunks, codedImage } = state
  if (!frame) unsupportedJpeg('incomplete')
  // A sequential scan defines all of a component; of a progressive picture at least DC must be defined.
  if (progress.some((knownBits) => knownBits[0] === 255)) unsupportedJpeg('incomplete')
  if (!isYCbCrOrGrey(frame, state)) unsupportedJpeg('unsupported colours')
  const { width, height } = frame
  const exif = state.exif ?? noExif
  const profile = iccChunks.length > 0 ? readProfile(iccChunks, frame) : impliedProfile(exif, frame)
  const hasAllScans = progress.every((knownBits) => knownBits.every((bit) => bit === 0))
  return { lossless: true, width, height, exif, profile, codedImage, hasAllScans }
}

/** The profile that a camera left out because it marked the picture as Adobe RGB. */
const impliedProfile = (exif: Exif, { components }: JpegFrame): Uint8Array | null =>
  exif.adobeRgb && components.length === 3 ? adobeRgbProfile() : null

/** Whether every reader decodes the colours as YCbCr or grey, which is what the JFIF segment of the rebuilt file says. */
function isYCbCrOrGrey({ components }: JpegFrame, { hasJfif, adobeTransform }: JpegReaderState): boolean {
  if (components.length === 1) return true
  if (adobeTransform !== null) return adobeTransform === 1
  const ids = components.map(({ id }) => id).join(' ')
  return ids === '1 2 3' || (hasJfif && ids !== '82 71 66')
}

/** Joins the chunks of a profile (ICC.1 annex B.4), which must be numbered from 1 and agree about their count. */
function readProfile(chunks: Uint8Array[], { components }: JpegFrame): Uint8Array {
  const ordered = chunks.toSorted((one, other) => byteAt(one, 0) - byteAt(other, 0))
  if (!ordered.every((chunk, index) => chunk[0] === index + 1 && chunk[1] === chunks.length))
    unsupportedJpeg('unsupported profile')
  if (chunks.reduce((sum, chunk) => sum + chunk.length - 2, 0) > maxProfileBytes) unsupportedJpeg('unsupported profile')
  const profile = concatBytes(ordered.map((chunk) => chunk.subarray(2)))
  return sanitizeProfile(profile, components.length === 1 ? 1 : 3) ?? unsupportedJpeg('unsupported profile')
}
