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
export class Unsupported extends Error {
  override readonly name = 'Unsupported'
  readonly reason: UnsupportedReason

  constructor(reason: UnsupportedReason) {
    super(reason)
    this.reason = reason
  }
}

/** Throws an `Unsupported`. */
export function unsupported(reason: UnsupportedReason): never {
  throw new Unsupported(reason)
}

/** A quantization or Huffman table: its bytes as they are in a segment, and whether the rebuilt file has it already. */
export interface Table {
  bytes: Uint8Array
  isWritten: boolean
}

/** The tables in force at some point of a file, by destination. */
export interface Tables {
  quantization: (Table | undefined)[]
  dc: (Table | undefined)[]
  ac: (Table | undefined)[]
}

export const noTables = (): Tables => ({ quantization: [], dc: [], ac: [] })

/** Reads the payload of a DQT segment (ITU-T T.81 B.2.4.1). Only 8-bit tables are supported. */
export function readQuantization(payload: Uint8Array, tables: Tables): void {
  if (payload.length === 0 || payload.length % 65 !== 0) unsupported('broken table')
  for (let at = 0; at < payload.length; at += 65) {
    const destination = byteAt(payload, at)
    const bytes = payload.subarray(at, at + 65)
    if (destination > 3 || bytes.indexOf(0, 1) !== -1) unsupported('broken table')
    // Decoders disagree about tables that change between scans.
    if (tables.quantization[destination]?.isWritten) unsupported('unsupported coding')
    tables.quantization[destination] = { bytes, isWritten: false }
  }
}

/** Reads the payload of a DHT segment (T.81 B.2.4.2): the lengths must be a prefix code, and no symbol may occur twice. */
export function readHuffman(payload: Uint8Array, tables: Tables): void {
  if (payload.length === 0) unsupported('broken table')
  let at = 0
  while (at < payload.length) {
    const [tableClass, destination] = [byteAt(payload, at) >> 4, byteAt(payload, at) & 15]
    if (tableClass > 1 || destination > 3 || at + 17 > payload.length) unsupported('broken table')
    const symbols = countSymbols(payload.subarray(at + 1, at + 17))
    const bytes = payload.subarray(at, at + 17 + symbols)
    if (bytes.length !== 17 + symbols) unsupported('broken table')
    const values = bytes.subarray(17)
    if (new Set(values).size !== symbols) unsupported('broken table')
    if (tableClass === 0 && values.some((value) => value > 11)) unsupported('broken table')
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
    if (freeCodes <= 0) unsupported('broken table')
  }
  if (symbols < 1 || symbols > 256) unsupported('broken table')
  return symbols
}

/** The limit of libjpeg, and so of most programs. */
const maxSide = 65_500

export interface Component {
  id: number
  /** Horizontal sampling factor. */
  h: number
  /** Vertical sampling factor. */
  v: number
  /** Destination of its quantization table. */
  quantization: number
}

export interface Frame {
  bytes: Uint8Array
  isProgressive: boolean
  width: number
  height: number
  components: Component[]
}

/** Reads a whole SOF0, SOF1 or SOF2 segment (T.81 B.2.2): 8 bits, one or three components. */
export function readFrame(bytes: Uint8Array): Frame {
  const count = byteAt(bytes, 9)
  if (bytes.length < 13 || bytes.length !== 10 + 3 * count) unsupported('broken frame')
  if (bytes[4] !== 8) unsupported('unsupported coding')
  if (count !== 1 && count !== 3) unsupported('unsupported colours')
  const [height, width] = [be16(bytes, 5), be16(bytes, 7)]
  // With a height of 0, a DNL segment defines it later.
  if (height === 0 || width === 0) unsupported('unsupported coding')
  if (height > maxSide || width > maxSide) unsupported('broken frame')
  const components: Component[] = []
  for (let at = 10; at < bytes.length; at += 3) components.push(readComponent(bytes.subarray(at, at + 3)))
  if (new Set(components.map(({ id }) => id)).size !== count) unsupported('broken frame')
  if (count === 3 && blocksPerMcu(components) > 10) unsupported('broken frame')
  return { bytes, isProgressive: bytes[1] === 0xc2, width, height, components }
}

function readComponent(bytes: Uint8Array): Component {
  const [id, sampling, quantization] = [byteAt(bytes, 0), byteAt(bytes, 1), byteAt(bytes, 2)]
  const [h, v] = [sampling >> 4, sampling & 15]
  if (h < 1 || h > 4 || v < 1 || v > 4 || quantization > 3) unsupported('broken frame')
  return { id, h, v, quantization }
}

/** Blocks of 8 by 8 samples in a minimum coded unit of an interleaved scan. */
const blocksPerMcu = (components: Component[]): number => components.reduce((sum, { h, v }) => sum + h * v, 0)
