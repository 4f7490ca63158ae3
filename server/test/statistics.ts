import { createHash, randomBytes } from 'node:crypto'

/** Whether the full counts of the record run are asked for. */
export const isRecord = process.env['KEEPSNAP_RECORD'] === '1'
/** What a run depends on besides the program; KEEPSNAP_SEED repeats one. */
export const seed = process.env['KEEPSNAP_SEED'] ?? randomBytes(4).toString('hex')
/** How often a test repeats: a representative, or the full count of the record run. */
export const repetitions = (quick: number, record: number): number => (isRecord ? record : quick)

/**
 * The limit of a time that is promised, in ms: as promised in the record run; otherwise five times that, because a busy machine is
 * slow, not wrong. Not for a limit that must be shorter than another fixed time, such as that of a cache.
 */
export const promisedMs = (ms: number): number => repetitions(5 * ms, ms)

/** Says what a test did with which seed, also in the output of a run that passed. */
export const logWithSeed = (line: string): void => void process.stdout.write(`${line} (seed ${seed})\n`)

export interface SeededRandom {
  /** From 0 to 1, 1 excluded. */
  next(): number
  /** A whole number from 0 to `most`, `most` excluded. */
  integerBelow(most: number): number
  pick<T>(list: readonly T[]): T
  /** True once in `times` on average. */
  oneIn(times: number): boolean
  bytes(count: number): Buffer
}

/** Numbers that a seed and a name repeat (sfc32, seeded by a hash); the seed of this run unless another one is given. */
export function seededRandom(name: string, ownSeed = seed): SeededRandom {
  const start = createHash('sha256').update(`${ownSeed}/${name}`).digest()
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => start.readInt32LE(at)) as [number, number, number, number] // four words
  const word = (): number => {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + t
    c |= 0
    return t >>> 0
  }
  const next = (): number => word() / 2 ** 32
  const integerBelow = (most: number): number => Math.floor(next() * most)
  return {
    next,
    integerBelow,
    pick: (list) => list[integerBelow(list.length)]!,
    oneIn: (times) => integerBelow(times) === 0,
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => word() & 255)),
  }
}

/** How often a call of the first kind takes longer than one of the second: what the best threshold can tell. */
export function areaUnderCurve(first: readonly number[], second: readonly number[]): number {
  const all = [...first.map((ms) => ({ ms, isFirst: 1 })), ...second.map((ms) => ({ ms, isFirst: 0 }))]
  const ranks = all.toSorted((a, b) => a.ms - b.ms).reduce((sum, { isFirst }, at) => sum + isFirst * (at + 1), 0)
  return (ranks - (first.length * (first.length + 1)) / 2) / (first.length * second.length)
}
