import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { joined } from './bytes.ts'
import { scaledModule } from './scaled-module.ts'
import { begin, segmentAt, startOnlyScan, take, type PlainJpeg } from './jpeg-reading.ts'
import type { Scan } from './jpeg-scan.ts'
import { Odd, type Frame, type Tables } from './jpeg-tables.ts'
import { tiffStart } from './tiff.ts'

/** What `assembly/scaled.ts` exports; numbers are 32 bits wide. */
interface Exports {
  memory: { readonly buffer: ArrayBuffer }
  table(slot: number): void
  describe(component: number, dc: number, ac: number, h: number, v: number): void
  quantize(component: number, step: number, across: number, down: number, both: number): void
  begin(width: number, height: number, divisor: number, interval: number): number
  feed(length: number, isLast: number): number
  colours(width: number, height: number): number
}

/** Where it takes its input; `assembly/memory.ts`. */
const places = { input: 0, table: 0x29000 }
const inputBytes = 0x10000
const complete = 1
const goesOn = 0

/** As much of it as is used; of TypeScript's own libraries only the one for browsers has it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { readonly exports: unknown }
}

let loaded: Exports | null | undefined

/** Null on a machine that cannot run it, for want of SIMD. */
function load(): Exports | null {
  try {
    const module = new WebAssembly.Module(Buffer.from(scaledModule, 'base64'))
    return new WebAssembly.Instance(module).exports as Exports // what its source says
  } catch {
    return null
  }
}

/**
 * Decodes a rebuilt JPEG at the fraction of its size that libvips would have a thumbnail of `side` pixels made from, two
 * to three times as fast as libjpeg. All of the coded data is read, and anything at all that is unusual about it is
 * refused: null means that libjpeg is to be asked, for pixels and for verdict. Answers an uncompressed TIFF with the
 * profile and orientation of the JPEG. Others get their turn meanwhile, but not for this: one picture at a time.
 */
export async function decodeScaled(
  b: Uint8Array,
  { exif, profile }: Pick<PlainJpeg, 'exif' | 'profile'>,
  side: number,
): Promise<Uint8Array | null> {
  const coded = readCoded(b)
  const divisor = coded && divisorFor(coded.frame, side)
  if (loaded === undefined) loaded = load()
  const decoder = divisor && loaded
  if (!decoder || !prepared(decoder, coded, divisor)) return null
  if (!(await feedAll(decoder, coded.data))) return null
  const { width, height } = coded.frame
  const small = { width: Math.ceil(width / divisor), height: Math.ceil(height / divisor) }
  const at = decoder.colours(width, height)
  const pixels = new Uint8Array(decoder.memory.buffer, at, small.width * small.height * 3)
  return joined([tiffStart({ ...small, channels: 3, profile, orientation: exif.orientation }), pixels])
}

/** Somewhat larger than the thumbnail, or it would be less sharp than it could be. */
function divisorFor({ width, height }: Frame, side: number): 8 | 4 | null {
  const shrink = Math.max(width, height) / side
  return shrink >= 9 ? 8 : shrink >= 5 ? 4 : null
}

/** A picture in one scan, taken apart. */
interface Coded {
  frame: Frame
  scan: Scan
  tables: Tables
  interval: number
  data: Uint8Array
}

/** Takes a JPEG apart that the strict reader has put together; null when it has more than one scan. */
function readCoded(b: Uint8Array): Coded | null {
  try {
    const reading = begin(b)
    let next = segmentAt(b, 2)
    for (; next.marker !== 0xda; next = segmentAt(b, next.end)) take(reading, next)
    const only = startOnlyScan(reading, next.bytes)
    return only && { ...only, tables: reading.tables, interval: reading.interval, data: b.subarray(next.end, -2) }
  } catch (error) {
    if (error instanceof Odd) return null
    throw error
  }
}

/** Tells the decoder all that stands before the coded data; false when it has no place for such a picture. */
function prepared(decoder: Exports, { frame, scan, tables, interval }: Coded, divisor: number): boolean {
  const [luma, ...chroma] = scan.components
  if (!luma || luma.h > 2 || luma.v > 2 || chroma.length !== 2) return false
  if (chroma.some(({ h, v }) => h !== 1 || v !== 1)) return false
  const { memory, table, describe, quantize, begin } = decoder
  const slots = new Map<Uint8Array, number>()
  const slotOf = (bytes: Uint8Array, first: number): number => {
    const known = slots.get(bytes)
    if (known !== undefined) return known
    const slot = first + [...slots.values()].filter((taken) => taken >= first && taken < first + 3).length
    new Uint8Array(memory.buffer).set(bytes.subarray(1), places.table)
    table(slot)
    slots.set(bytes, slot)
    return slot
  }
  scan.components.forEach(({ h, v, quantization }, i) => {
    const dc = slotOf(tables.dc[scan.dc[i]!]!.bytes, 0)
    const ac = slotOf(tables.ac[scan.ac[i]!]!.bytes, 3)
    describe(i, dc, ac, h, v)
    const steps = tables.quantization[quantization]!.bytes
    quantize(i, steps[1]!, steps[2]!, steps[3]!, steps[5]!)
  })
  return begin(frame.width, frame.height, divisor, interval) === 1
}

async function feedAll({ memory, feed }: Exports, data: Uint8Array): Promise<boolean> {
  for (let at = 0; at < data.length;) {
    let end = Math.min(data.length, at + inputBytes)
    // A stuffed byte or a marker is not to be torn apart.
    if (end < data.length && data[end - 1] === 0xff) end--
    new Uint8Array(memory.buffer).set(data.subarray(at, end), places.input)
    const state = feed(end - at, end === data.length ? 1 : 0)
    if (state === complete) return true
    if (state !== goesOn) return false
    at = end
    await yieldToOthers()
  }
  return false
}
