import { be16, byteAt } from '../bytes.ts'

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

/** Throws an `UnsupportedJpegError`. */
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

export interface JpegComponent {
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
