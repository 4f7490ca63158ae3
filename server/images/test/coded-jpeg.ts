import { noise, segment } from './pictures.ts'

export interface CodedOptions {
  /** In pixels. */
  width: number
  height: number
  /** Sampling factors of each component, across and down. */
  sampling: [h: number, v: number][]
  /** Units between restart markers; 0 for none. */
  restart?: number
  seed?: number
  /** The most coefficients that a block may have beside its first. */
  busy?: number
  /** Deals the codes anew: long runs may then be short to say. */
  dealt?: number
  /** The symbols that get codes, those with the shortest first. */
  codes?: { dc: number[]; ac: number[] }
}

/** Lengths of codes, shortest first, that leave room for more: the symbols of a table are dealt them in turn. */
const rest = [...Array.from({ length: 48 }, () => 14), ...Array.from({ length: 100 }, () => 16)]
const lengths = [2, 3, 4, 5, 6, 7, ...rest]
const shorter = [1, 2, 3, 5, 6, 7, ...rest]

interface Code {
  code: number
  length: number
}

interface Table {
  bytes: Buffer
  codes: Map<number, Code>
}

/** A Huffman table for these symbols, as it stands in a DHT segment, and the codes it gives them (T.81 annex C). */
function tableFor(kind: number, symbols: number[], lengthOf = lengths): Table {
  const counts = Buffer.alloc(16)
  const codes = new Map<number, Code>()
  let code = 0
  symbols.forEach((symbol, i) => {
    const length = lengthOf[i]!
    if (i > 0) code = (code + 1) << (length - lengthOf[i - 1]!)
    counts[length - 1]!++
    codes.set(symbol, { code, length })
  })
  return { bytes: Buffer.concat([Buffer.from([kind]), counts, Buffer.from(symbols)]), codes }
}

const sizes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
const symbols = '00 01 02 11 03 21 f0 12 31 41 04 51 61 71 81 91 a1 b1 c1 d1 e1 f1 05 06 13 22 32 42 52 62'
const usual = symbols.split(' ').map((symbol) => Number.parseInt(symbol, 16))

function dealtAnew(seed: number): number[] {
  const random = noise(seed)
  return usual
    .map((symbol) => ({ symbol, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ symbol }) => symbol)
}

/** Bits, most significant first, with stuffing. */
function bitWriter() {
  const bytes: number[] = []
  let held = 0
  let count = 0
  const bit = (one: number): void => {
    held = (held << 1) | one
    if (++count < 8) return
    bytes.push(held)
    if (held === 0xff) bytes.push(0)
    held = 0
    count = 0
  }
  return {
    bytes,
    put(value: number, length: number): void {
      for (let i = length - 1; i >= 0; i--) bit((value >> i) & 1)
    },
    /** Fills up with ones, as the standard asks. */
    end(): void {
      for (let left = (8 - count) % 8; left > 0; left--) bit(1)
    },
  }
}
type Bits = ReturnType<typeof bitWriter>

const sizeOf = (value: number): number => 32 - Math.clz32(Math.abs(value))

function putValue(bits: Bits, value: number): void {
  const size = sizeOf(value)
  bits.put(value < 0 ? value + (1 << size) - 1 : value, size)
}

/**
 * A baseline JPEG of random coefficients in any sampling: luma with a lot to pass over, chroma with little beside what
 * tells its quarters apart. Codes of 2 to 16 bits, runs of sixteen zeros, blocks with and without an end of their own.
 */
export function codedJpeg(options: CodedOptions): Buffer {
  const { width, height, sampling, restart = 0, seed = 1, busy = 20, dealt } = options
  const dc = tableFor(0, options.codes?.dc ?? sizes, options.codes ? shorter : lengths)
  const given = options.codes?.ac ?? (dealt === undefined ? null : dealtAnew(dealt))
  const ac = given ? tableFor(0x10, given, shorter) : tableFor(0x10, usual)
  const random = noise(seed)
  const below = (most: number): number => Math.floor(random() * most)
  const bits = bitWriter()
  const put = ({ codes }: Table, symbol: number): void => {
    const { code, length } = codes.get(symbol)!
    bits.put(code, length)
  }
  const valued = [...ac.codes.keys()].filter((symbol) => (symbol & 15) !== 0)

  function block(before: number, isLuma: boolean): number {
    const mean = isLuma ? below(160) - 80 : below(60) - 30
    put(dc, sizeOf(mean - before))
    putValue(bits, mean - before)
    let k = 1
    let left = below(10) === 0 || busy > 63 ? 63 : below(isLuma ? busy : 4)
    while (k < 64 && left-- > 0) {
      const far = ac.codes.has(0xf0) && below(12) === 0 && k < 40
      if (far) put(ac, 0xf0)
      if (far) k += 16
      // Large values, which decoders cut off where a sample has no more room, are rare.
      const most = below(60) === 0 ? 6 : 2
      const fitting = valued.filter((symbol) => k + (symbol >> 4) < 64 && (symbol & 15) <= most)
      const symbol = fitting[below(fitting.length)]!
      const size = symbol & 15
      put(ac, symbol)
      bits.put(below(1 << size), size)
      k += (symbol >> 4) + 1
    }
    if (k < 64) put(ac, 0)
    return mean
  }

  const [most, tallest] = [Math.max(...sampling.map(([h]) => h)), Math.max(...sampling.map(([, v]) => v))]
  const units = Math.ceil(width / 8 / most) * Math.ceil(height / 8 / tallest)
  let before = sampling.map(() => 0)
  for (let unit = 0; unit < units; unit++) {
    if (restart && unit && unit % restart === 0) {
      bits.end()
      bits.bytes.push(0xff, 0xd0 + ((unit / restart - 1) & 7))
      before = sampling.map(() => 0)
    }
    sampling.forEach(([h, v], i) => {
      for (let n = 0; n < h * v; n++) before[i] = block(before[i]!, i === 0)
    })
  }
  bits.end()
  const size = Buffer.alloc(4)
  size.writeUInt16BE(height, 0)
  size.writeUInt16BE(width, 2)
  // What is beyond the second coefficient in both directions weighs little.
  const steps = Buffer.alloc(64, 1)
  steps.set([6, 4, 4, 1, 3])
  const ids = sampling.map((_, i) => i + 1)
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, Buffer.from([0, ...steps])),
    segment(0xc0, Buffer.from([8, ...size, ids.length, ...ids.flatMap((id, i) => [id, pair(sampling[i]!), 0])])),
    segment(0xc4, Buffer.concat([dc.bytes, ac.bytes])),
    ...(restart ? [segment(0xdd, Buffer.from([restart >> 8, restart & 255]))] : []),
    segment(0xda, Buffer.from([ids.length, ...ids.flatMap((id) => [id, 0]), 0, 63, 0])),
    Buffer.from(bits.bytes),
    Buffer.from([0xff, 0xd9]),
  ])
}

const pair = ([h, v]: [number, number]): number => (h << 4) | v
