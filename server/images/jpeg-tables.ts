import { be16 } from './bytes.ts'

/** Why a JPEG cannot keep its bytes. Such a picture is decoded and encoded again. */
export type Oddity =
  | 'not a JPEG'
  | 'broken segment'
  | 'broken table'
  | 'missing table'
  | 'broken frame'
  | 'unusual coding'
  | 'unusual colours'
  | 'unusual profile'
  | 'broken scan'
  | 'unexpected marker'
  | 'too many parts'
  | 'incomplete'

/** The strict reader's own refusal; never leaves `readJpeg`. */
export class Odd extends Error {
  override readonly name = 'Odd'
  readonly oddity: Oddity

  constructor(oddity: Oddity) {
    super(oddity)
    this.oddity = oddity
  }
}

export function refuse(oddity: Oddity): never {
  throw new Odd(oddity)
}

/** One table in force: its bytes as they stand in a segment, and whether the rebuilt file has it yet. */
export interface Table {
  bytes: Uint8Array
  written: boolean
}

/** The tables in force at a point of the file, by destination. */
export interface Tables {
  quantization: (Table | undefined)[]
  dc: (Table | undefined)[]
  ac: (Table | undefined)[]
}

export const noTables = (): Tables => ({ quantization: [], dc: [], ac: [] })

/** Reads a DQT segment's payload (ITU-T T.81 B.2.4.1); 8-bit tables only. */
export function readQuantization(payload: Uint8Array, tables: Tables): void {
  if (payload.length === 0 || payload.length % 65 !== 0) refuse('broken table')
  for (let at = 0; at < payload.length; at += 65) {
    const destination = payload[at]!
    const bytes = payload.subarray(at, at + 65)
    if (destination > 3 || bytes.indexOf(0, 1) !== -1) refuse('broken table')
    // Decoders disagree on what a table means that changes between scans.
    if (tables.quantization[destination]?.written) refuse('unusual coding')
    tables.quantization[destination] = { bytes, written: false }
  }
}

/** Reads a DHT segment's payload (T.81 B.2.4.2): lengths that make a code, symbols that differ. */
export function readHuffman(payload: Uint8Array, tables: Tables): void {
  if (payload.length === 0) refuse('broken table')
  let at = 0
  while (at < payload.length) {
    const [kind, destination] = [payload[at]! >> 4, payload[at]! & 15]
    if (kind > 1 || destination > 3 || at + 17 > payload.length) refuse('broken table')
    const symbols = countSymbols(payload.subarray(at + 1, at + 17))
    const bytes = payload.subarray(at, at + 17 + symbols)
    if (bytes.length !== 17 + symbols) refuse('broken table')
    const values = bytes.subarray(17)
    if (new Set(values).size !== symbols) refuse('broken table')
    if (kind === 0 && values.some((value) => value > 11)) refuse('broken table')
    const table = { bytes, written: false }
    if (kind === 0) tables.dc[destination] = table
    else tables.ac[destination] = table
    at += bytes.length
  }
}

function countSymbols(lengths: Uint8Array): number {
  let symbols = 0
  let free = 1
  for (const count of lengths) {
    free = free * 2 - count
    symbols += count
    // No code consists of ones alone (T.81 annex C); libjpeg insists on it.
    if (free <= 0) refuse('broken table')
  }
  if (symbols < 1 || symbols > 256) refuse('broken table')
  return symbols
}

/** libjpeg, and so nearly everybody, opens nothing larger. */
const maxSide = 65_500

export interface Component {
  id: number
  /** Sampling factors. */
  h: number
  v: number
  quantization: number
}

export interface Frame {
  bytes: Uint8Array
  progressive: boolean
  width: number
  height: number
  components: Component[]
}

/** Reads SOF0, SOF1 or SOF2 (T.81 B.2.2): 8 bits, one or three components. `bytes` is the whole segment. */
export function readFrame(bytes: Uint8Array): Frame {
  const count = bytes[9]!
  if (bytes.length < 13 || bytes.length !== 10 + 3 * count) refuse('broken frame')
  if (bytes[4] !== 8) refuse('unusual coding')
  if (count !== 1 && count !== 3) refuse('unusual colours')
  const [height, width] = [be16(bytes, 5), be16(bytes, 7)]
  // A height of 0 is told later, by a DNL segment.
  if (height === 0 || width === 0) refuse('unusual coding')
  if (height > maxSide || width > maxSide) refuse('broken frame')
  const components: Component[] = []
  for (let at = 10; at < bytes.length; at += 3) {
    const [h, v] = [bytes[at + 1]! >> 4, bytes[at + 1]! & 15]
    if (h < 1 || h > 4 || v < 1 || v > 4 || bytes[at + 2]! > 3) refuse('broken frame')
    components.push({ id: bytes[at]!, h, v, quantization: bytes[at + 2]! })
  }
  if (new Set(components.map(({ id }) => id)).size !== count) refuse('broken frame')
  if (count === 3 && blocksOf(components) > 10) refuse('broken frame')
  return { bytes, progressive: bytes[1] === 0xc2, width, height, components }
}

export const blocksOf = (components: Component[]): number => components.reduce((sum, { h, v }) => sum + h * v, 0)
