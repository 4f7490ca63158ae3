import { be16, byteAt, concatBytes, hasText, packNumbers } from '../bytes.ts'
import { noExif, readExif, type Exif } from '../metadata/exif.ts'
import { adobeRgbProfile, maxProfileBytes, sanitizeProfile } from '../metadata/icc.ts'
import {
  countRestartMarkers,
  findScanEnd,
  noProgress,
  readRestartInterval,
  readScanHeader,
  type CoefficientProgress,
  type JpegScan,
} from './scan.ts'
import { maxScans } from './scan-counter.ts'
import {
  noJpegTables,
  readFrame,
  readHuffman,
  readQuantization,
  unsupportedJpeg,
  type JpegFrame,
  type JpegTable,
  type JpegTables,
} from './tables.ts'

/** A JPEG whose coded pixels can be kept bit for bit, taken apart. */
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

/** What has been read so far. */
export interface JpegReaderState {
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

/** A marker segment in a file. */
export interface JpegSegment {
  marker: number
  /** The whole segment. */
  bytes: Uint8Array
  /** Where the next segment, or the coded data of a scan, begins. */
  end: number
}

export const maxSegments = 1000

/** Creates a marker segment: marker, length, payload. */
export function createJpegSegment(marker: number, ...payload: Uint8Array[]): Uint8Array {
  const length = payload.reduce((sum, part) => sum + part.length, 2)
  return concatBytes([packNumbers([0xff00 + marker, 2], [length, 2]), ...payload])
}

export function startReadingJpeg(file: Uint8Array): JpegReaderState {
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
export function skipFillBytes(file: Uint8Array, start: number): number {
  let at = start
  while (file[at] === 0xff && file[at + 1] === 0xff) at++
  return at
}

/** The segment that begins at an offset. */
export function segmentAt(file: Uint8Array, start: number): JpegSegment {
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
export function parseJpegSegment(state: JpegReaderState, { marker, bytes }: JpegSegment): void {
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
export function parseSingleScanHeader(state: JpegReaderState, bytes: Uint8Array): boolean {
  const { frame, scan } = parseScanHeader(state, bytes)
  return !frame.isProgressive && scan.components.length === frame.components.length
}

/** Reads a scan and returns where its coded data ends. */
export function parseJpegScan(state: JpegReaderState, { bytes, end }: JpegSegment): number {
  const { frame, scan } = parseScanHeader(state, bytes)
  const dataEnd = findScanEnd(state.file, end, countRestartMarkers(scan, frame, state.restartInterval))
  state.codedImage.push(state.file.subarray(end, dataEnd))
  return dataEnd
}

/** The picture that has been read. */
export function finishReadingJpeg(state: JpegReaderState): LosslessJpeg {
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
