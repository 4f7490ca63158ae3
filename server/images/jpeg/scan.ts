import { be16, byteAt, concatBytes } from '../bytes.ts'

/** A checked scan header (T.81 B.2.3). */
export interface JpegScan {
  components: JpegComponent[]
  /** Destinations of the Huffman tables that it decodes with. */
  dc: number[]
  ac: number[]
}

/** For each component, what earlier scans have defined of each coefficient: its lowest known bit, 255 for nothing yet. */
export type CoefficientProgress = Uint8Array[]

export const noProgress = (frame: JpegFrame): CoefficientProgress =>
  frame.components.map(() => new Uint8Array(64).fill(255))

/** Coefficients and bits that a scan defines: spectral selection and successive approximation, T.81 B.2.3. */
interface SpectralBand {
  spectralStart: number
  spectralEnd: number
  approximationHigh: number
  approximationLow: number
}

/** Reads an SOS segment, checks that its tables exist, and records what the scan defines in `state.progress`. */
export function readScanHeader(
  bytes: Uint8Array,
  frame: JpegFrame,
  state: { tables: JpegTables; progress: CoefficientProgress },
): JpegScan {
  const count = byteAt(bytes, 4)
  if (count < 1 || count > frame.components.length || bytes.length !== 8 + 2 * count) unsupportedJpeg('broken scan')
  const band = readSpectralBand(bytes.subarray(-3))
  checkSpectralBand(band, frame, count)
  const scan: JpegScan = { components: [], dc: [], ac: [] }
  let previous = -1
  for (let at = 5; at < 5 + 2 * count; at += 2) {
    const index = frame.components.findIndex(({ id }) => id === bytes[at])
    const [component, knownBits] = [frame.components[index], state.progress[index]]
    if (index <= previous || !component || !knownBits) unsupportedJpeg('broken scan')
    previous = index
    recordSpectralBand(knownBits, band)
    scan.components.push(component)
    const [dc, ac] = [byteAt(bytes, at + 1) >> 4, byteAt(bytes, at + 1) & 15]
    // A progressive scan may name any number for a table that it does not use.
    if (band.spectralStart === 0 && band.approximationHigh === 0) scan.dc.push(dc)
    if (band.spectralEnd > 0) scan.ac.push(ac)
  }
  if (scan.dc.some((table) => !state.tables.dc[table]) || scan.ac.some((table) => !state.tables.ac[table]))
    unsupportedJpeg('missing table')
  return scan
}

const readSpectralBand = (bytes: Uint8Array): SpectralBand => ({
  spectralStart: byteAt(bytes, 0),
  spectralEnd: byteAt(bytes, 1),
  approximationHigh: byteAt(bytes, 2) >> 4,
  approximationLow: byteAt(bytes, 2) & 15,
})

function checkSpectralBand(
  { spectralStart, spectralEnd, approximationHigh, approximationLow }: SpectralBand,
  frame: JpegFrame,
  componentCount: number,
): void {
  if (!frame.isProgressive) {
    if (spectralStart !== 0 || spectralEnd !== 63 || approximationHigh !== 0 || approximationLow !== 0)
      unsupportedJpeg('broken scan')
    return
  }
  if (spectralStart === 0 ? spectralEnd !== 0 : spectralEnd < spectralStart || spectralEnd > 63)
    unsupportedJpeg('broken scan')
  // Only DC scans may be interleaved.
  if (spectralStart > 0 && componentCount !== 1) unsupportedJpeg('broken scan')
  if (approximationLow > 13 || (approximationHigh !== 0 && approximationHigh !== approximationLow + 1))
    unsupportedJpeg('broken scan')
}

/** Each coefficient is defined once and then refined bit by bit, and DC comes first (T.81 G.1.1.1). */
function recordSpectralBand(
  knownBits: Uint8Array,
  { spectralStart, spectralEnd, approximationHigh, approximationLow }: SpectralBand,
): void {
  if (spectralStart > 0 && knownBits[0] === 255) unsupportedJpeg('broken scan')
  for (let coefficient = spectralStart; coefficient <= spectralEnd; coefficient++) {
    if (knownBits[coefficient] !== (approximationHigh === 0 ? 255 : approximationHigh)) unsupportedJpeg('broken scan')
    knownBits[coefficient] = approximationLow
  }
}

/** RST0 to RST7, which have no length. */
const isRestartMarker = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7

/**
 * Where the entropy-coded data that starts at an offset ends: the offset of the next marker. The data may contain only
 * stuffed bytes and exactly the expected restart markers, in their order.
 */
export function findScanEnd(file: Uint8Array, start: number, restartMarkers: number): number {
  let found = 0
  let at = start
  for (;;) {
    at = file.indexOf(0xff, at)
    if (at === -1 || at + 1 >= file.length) unsupportedJpeg('incomplete')
    const marker = byteAt(file, at + 1)
    if (marker !== 0) {
      if (!isRestartMarker(marker)) break
      if (found >= restartMarkers || marker !== 0xd0 + (found & 7)) unsupportedJpeg('unexpected marker')
      found++
    }
    at += 2
  }
  if (found !== restartMarkers || at === start) unsupportedJpeg('broken scan')
  return at
}

/** How many restart markers a scan has (T.81 A.2.2 and A.2.3 for its MCUs, E.1.4). */
export function countRestartMarkers(scan: JpegScan, frame: JpegFrame, restartInterval: number): number {
  if (restartInterval === 0) return 0
  const maxH = Math.max(...frame.components.map(({ h }) => h))
  const maxV = Math.max(...frame.components.map(({ v }) => v))
  const [first, ...others] = scan.components
  // A scan of one component is not interleaved: each of its MCUs is one block.
  const single = others.length === 0 ? first : undefined
  const mcusPerRow = single
    ? Math.ceil(Math.ceil((frame.width * single.h) / maxH) / 8)
    : Math.ceil(frame.width / 8 / maxH)
  const mcuRows = single
    ? Math.ceil(Math.ceil((frame.height * single.v) / maxV) / 8)
    : Math.ceil(frame.height / 8 / maxV)
  return Math.ceil((mcusPerRow * mcuRows) / restartInterval) - 1
}

/** Reads the payload of a DRI segment: the number of MCUs between restart markers. */
export function readRestartInterval(payload: Uint8Array): number {
  if (payload.length !== 2) unsupportedJpeg('broken segment')
  return be16(payload, 0)
}

/** Why the coded pixels of a JPEG cannot be kept. Such a picture is decoded and encoded again. */
export type UnsupportedReason =
  | 'not a JPEG'
  | 'broken segment'
  | 'broken table'
  | 'missing table'
  | 'broken frame'
  | 'unsupported coding'
  | 'unsupported colours'
  | 'unsupported profile'
  | 'broken scan'
  | 'unexpected marker'
  | 'too many segments or scans'
  | 'incomplete'

/** Ends the reading of an unsupported JPEG. The functions of `jpeg.ts` catch it and return its reason. */
export class UnsupportedJpegError extends Error {
  override readonly name = 'Unsupported'
  readonly reason: UnsupportedReason

  constructor(reason: UnsupportedReason) {
    super(reason)
    this.reason = reason
  }
}

export function unsupportedJpeg(reason: UnsupportedReason): never {
  throw new UnsupportedJpegError(reason)
}

/** A quantization or Huffman table: its bytes as they are in a segment, and whether the rebuilt file has it already. */
export interface JpegTable {
  bytes: Uint8Array
  isWritten: boolean
}

/** The tables in force at some point of a file, by destination. */
export interface JpegTables {
  quantization: (JpegTable | undefined)[]
  dc: (JpegTable | undefined)[]
  ac: (JpegTable | undefined)[]
}

export const noJpegTables = (): JpegTables => ({ quantization: [], dc: [], ac: [] })

/** Reads the payload of a DQT segment (ITU-T T.81 B.2.4.1). Only 8-bit tables are supported. */
export function readQuantization(payload: Uint8Array, tables: JpegTables): void {
  if (payload.length === 0 || payload.length % 65 !== 0) unsupportedJpeg('broken table')
  for (let at = 0; at < payload.length; at += 65) {
    const destination = byteAt(payload, at)
    const bytes = payload.subarray(at, at + 65)
    if (destination > 3 || bytes.indexOf(0, 1) !== -1) unsupportedJpeg('broken table')
    // Decoders disagree about tables that change between scans.
    if (tables.quantization[destination]?.isWritten) unsupportedJpeg('unsupported coding')
    tables.quantization[destination] = { bytes, isWritten: false }
  }
}

/** Reads the payload of a DHT segment (T.81 B.2.4.2): the lengths must be a prefix code, and no symbol may occur twice. */
export function readHuffman(payload: Uint8Array, tables: JpegTables): void {
  if (payload.length === 0) unsupportedJpeg('broken table')
  let at = 0
  while (at < payload.length) {
    const [tableClass, destination] = [byteAt(payload, at) >> 4, byteAt(payload, at) & 15]
    if (tableClass > 1 || destination > 3 || at + 17 > payload.length) unsupportedJpeg('broken table')
    const symbols = countSymbols(payload.subarray(at + 1, at + 17))
    const bytes = payload.subarray(at, at + 17 + symbols)
    if (bytes.length !== 17 + symbols) unsupportedJpeg('broken table')
    const values = bytes.subarray(17)
    if (new Set(values).size !== symbols) unsupportedJpeg('broken table')
    if (tableClass === 0 && values.some((value) => value > 11)) unsupportedJpeg('broken table')
    const table = { bytes, isWritten: false }
    if (tableClass === 0) tables.dc[destination] = table
    else tables.ac[destination] = table
    at += bytes.length
  }
}

function countSymbols(lengths: Uint8Array): number {
  let symbols = 0
  let freeCodes = 1
  for (const count of lengths) {
    freeCodes = freeCodes * 2 - count
    symbols += count
    // No code consists of ones only (T.81 annex C); libjpeg requires it.
    if (freeCodes <= 0) unsupportedJpeg('broken table')
  }
  if (symbols < 1 || symbols > 256) unsupportedJpeg('broken table')
  return symbols
}

/** The limit of libjpeg, and so of most programs. */
const maxJpegSidePx = 65_500

interface JpegComponent {
  id: number
  /** Horizontal sampling factor. */
  h: number
  /** Vertical sampling factor. */
  v: number
  /** Destination of its quantization table. */
  quantization: number
}

export interface JpegFrame {
  bytes: Uint8Array
  isProgressive: boolean
  width: number
  height: number
  components: JpegComponent[]
}

/** Reads a whole SOF0, SOF1 or SOF2 segment (T.81 B.2.2): 8 bits, one or three components. */
export function readFrame(bytes: Uint8Array): JpegFrame {
  const count = byteAt(bytes, 9)
  if (bytes.length < 13 || bytes.length !== 10 + 3 * count) unsupportedJpeg('broken frame')
  if (bytes[4] !== 8) unsupportedJpeg('unsupported coding')
  if (count !== 1 && count !== 3) unsupportedJpeg('unsupported colours')
  const [height, width] = [be16(bytes, 5), be16(bytes, 7)]
  // With a height of 0, a DNL segment defines it later.
  if (height === 0 || width === 0) unsupportedJpeg('unsupported coding')
  if (height > maxJpegSidePx || width > maxJpegSidePx) unsupportedJpeg('broken frame')
  const components: JpegComponent[] = []
  for (let at = 10; at < bytes.length; at += 3) components.push(readComponent(bytes.subarray(at, at + 3)))
  if (new Set(components.map(({ id }) => id)).size !== count) unsupportedJpeg('broken frame')
  if (count === 3 && blocksPerMcu(components) > 10) unsupportedJpeg('broken frame')
  return { bytes, isProgressive: bytes[1] === 0xc2, width, height, components }
}

function readComponent(bytes: Uint8Array): JpegComponent {
  const [id, sampling, quantization] = [byteAt(bytes, 0), byteAt(bytes, 1), byteAt(bytes, 2)]
  const [h, v] = [sampling >> 4, sampling & 15]
  if (h < 1 || h > 4 || v < 1 || v > 4 || quantization > 3) unsupportedJpeg('broken frame')
  return { id, h, v, quantization }
}

/** Blocks of 8 by 8 samples in a minimum coded unit of an interleaved scan. */
const blocksPerMcu = (components: JpegComponent[]): number => components.reduce((sum, { h, v }) => sum + h * v, 0)

/** No camera and no program writes more. A decoder processes the whole picture once for each scan. */
export const maxScans = 64

/** What the received bytes of a JPEG say about how expensive it is to decode. */
export interface CountedScans {
  scans: number
  /** Pixels by the first frame header, which is the one that decoders use; 0 before it has arrived. */
  width: number
  height: number
  /**
   * Whether its coded pixels may be kept: Huffman coding, 8 bits, one or three channels, and only segments before the
   * first scan. Undefined before the frame header has arrived.
   */
  isLosslessEligible: boolean | undefined
  /** Whether a decoder reads one scan only, whatever follows it: the frame is not progressive, and that scan has all components. */
  hasSingleScan: boolean
  /** Whether the end marker has been found. */
  isEnded: boolean
}

/** A frame header (ITU-T T.81 B.2.2). */
interface Frame {
  marker: number
  bits: number
  width: number
  height: number
  components: number
}

/** Start of frame: baseline, extended and progressive, all with Huffman coding (T.81 table B.1). */
const huffmanFrames = new Set([0xc0, 0xc1, 0xc2])
/** In the same range of markers: Huffman tables, a reserved one and arithmetic conditioning. */
const notFrames = new Set([0xc4, 0xc8, 0xcc])

const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && !notFrames.has(marker)
/** Markers without a length, which decoders skip in a header. */
const hasNoLength = (marker: number): boolean => marker < 0xc0 || isRestartMarker(marker) || marker === 0xd8

const isLosslessEligibleFrame = ({ marker, bits, components }: Frame): boolean =>
  huffmanFrames.has(marker) && bits === 8 && (components === 1 || components === 3)

const readFrameAt = (file: Uint8Array, at: number): Frame => ({
  marker: byteAt(file, at + 1),
  bits: byteAt(file, at + 4),
  height: be16(file, at + 5),
  width: be16(file, at + 7),
  components: byteAt(file, at + 9),
})

/** How many bytes of a segment are examined, its marker included. */
const neededBytes = (marker: number): number => (isFrame(marker) ? 10 : marker === 0xda ? 5 : 4)

/** Records the first frame header, the first scan, and whether anything but segments comes before it. */
function createHeaderRecord() {
  let frame: Frame | undefined
  let firstScanComponents: number | undefined
  let scans = 0
  let isRegular = true
  return {
    addSegment(file: Uint8Array, at: number): void {
      const marker = byteAt(file, at + 1)
      if (isFrame(marker)) frame ??= readFrameAt(file, at)
      if (marker !== 0xda) return
      scans++
      firstScanComponents ??= byteAt(file, at + 4)
    },
    addStrayBytes(): void {
      if (scans === 0) isRegular = false
    },
    counted: (): Omit<CountedScans, 'isEnded'> => ({
      scans,
      width: frame?.width ?? 0,
      height: frame?.height ?? 0,
      isLosslessEligible: frame && isRegular && isLosslessEligibleFrame(frame),
      hasSingleScan: frame !== undefined && frame.marker !== 0xc2 && firstScanComponents === frame.components,
    }),
  }
}

/**
 * Counts the scans of any JPEG, as a decoder finds them: up to its end marker, and past bytes that do not belong to a segment.
 * Looks at each byte once, wherever the pieces end, and keeps a few bytes only.
 */
export function createScanCounter() {
  const record = createHeaderRecord()
  let bytesToSkip = 2
  let rest: Uint8Array = new Uint8Array()
  let isEnded = false
  /** The offset after a marker and its segment. Undefined when there are not enough bytes to tell. */
  const skipMarker = (file: Uint8Array, at: number): number | undefined => {
    if (at + 2 > file.length) return undefined
    const marker = byteAt(file, at + 1)
    if (marker === 0xff) return at + 1
    if (hasNoLength(marker)) {
      record.addStrayBytes()
      return at + 2
    }
    isEnded = marker === 0xd9
    if (isEnded) return file.length
    if (at + neededBytes(marker) > file.length) return undefined
    record.addSegment(file, at)
    return at + 2 + be16(file, at + 2)
  }
  return {
    add(bytes: Uint8Array): void {
      if (isEnded) return
      const file = rest.length > 0 ? concatBytes([rest, bytes]) : bytes
      let at = bytesToSkip
      while (at < file.length) {
        const marker = file.indexOf(0xff, at)
        if (marker !== at) record.addStrayBytes()
        const next = marker === -1 ? file.length : skipMarker(file, marker)
        at = next ?? marker
        if (next === undefined) break
      }
      bytesToSkip = Math.max(0, at - file.length)
      // A copy, because the receive buffer is reused.
      rest = concatBytes([file.subarray(at)])
    },
    counted: (): CountedScans => ({ ...record.counted(), isEnded }),
  }
}

export function countScans(file: Uint8Array): CountedScans {
  const counter = createScanCounter()
  counter.add(file)
  return counter.counted()
}
