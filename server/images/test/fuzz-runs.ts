import { logWithSeed, repetitions, seed, seededRandom } from '../../test/statistics.ts'
import { filePartsOf } from './file-parts.ts'
import { xorshift32 } from './sample-images.ts'

/** Seeds of earlier runs that are repeated every time. */
const regressionSeeds = [20_260_501]

/**
 * Calls `round` with mutations from a new seed, which is printed, and from each regression seed: `quickRounds` times
 * per seed, unless KEEPSNAP_FUZZ sets another number. Resolves with the total number of rounds.
 */
export async function runFuzz(
  name: string,
  quickRounds: number,
  round: (mutator: Mutator) => void,
): Promise<{ rounds: number }> {
  const rounds = Number(process.env['KEEPSNAP_FUZZ']) || repetitions(quickRounds, 2_000_000)
  const sources = [{ from: `seed ${seed}`, random: seededRandom(name).next }]
  for (const regressionSeed of regressionSeeds)
    sources.push({ from: `regression seed ${regressionSeed}`, random: xorshift32(regressionSeed) })
  for (const { from, random } of sources) {
    const mutator = createMutator(random)
    for (let i = 0; i < rounds; i++) {
      try {
        round(mutator)
      } catch (error) {
        throw new Error(`${name}: round ${i} from ${from} failed`, { cause: error })
      }
    }
  }
  logWithSeed(`${name}: ${rounds} rounds for each of ${sources.length} seeds`)
  return { rounds: rounds * sources.length }
}

export interface Mutator {
  integerBelow(most: number): number
  pick<T>(list: readonly T[]): T
  /** Changes bytes of a file; `others` are files whose bytes may be mixed in. */
  changeBytes(file: Buffer, others: readonly Buffer[]): Buffer
  /** Removes, repeats, swaps or changes segments of a JPEG, or takes one from another file. */
  changeSegments(file: Buffer, others: readonly Buffer[]): Buffer
}

/** Values at which readers of headers often fail. */
const criticalBytes = [0, 1, 2, 3, 0x7f, 0x80, 0xc0, 0xc2, 0xc4, 0xd0, 0xd8, 0xd9, 0xda, 0xdb, 0xdd, 0xe1, 0xfe, 0xff]

const removed = (file: Buffer, at: number, count: number): Buffer =>
  Buffer.concat([file.subarray(0, at), file.subarray(at + count)])
const inserted = (file: Buffer, at: number, bytes: Buffer): Buffer =>
  Buffer.concat([file.subarray(0, at), bytes, file.subarray(at)])
const swapped = <T>(list: T[], one: number, other: number): T[] => list.with(one, list[other]!).with(other, list[one]!)

/** The segments and scans of a JPEG, with their headers. */
function segmentsOf(file: Buffer): Buffer[] {
  const segments: Buffer[] = []
  let at = 2
  for (const { name, bytes } of filePartsOf(file)) {
    const length = name === 'scan' || name === 'trailing' ? bytes.length : name === 'd9' ? 2 : bytes.length + 4
    segments.push(file.subarray(at, at + length))
    at += length
  }
  return segments
}

function createMutator(random: () => number): Mutator {
  const integerBelow = (most: number): number => Math.floor(random() * most)
  const pick = <T>(list: readonly T[]): T => list[integerBelow(list.length)]!
  const byteChanges: ((file: Buffer, others: readonly Buffer[]) => Buffer)[] = [
    (file) => {
      const copy = Buffer.from(file)
      for (let i = 0; i <= integerBelow(8); i++) copy[integerBelow(copy.length)] = pick(criticalBytes)
      return copy
    },
    (file) => {
      const copy = Buffer.from(file)
      copy[integerBelow(copy.length)]! ^= 1 << integerBelow(8)
      return copy
    },
    (file) => file.subarray(0, integerBelow(file.length)),
    (file) => removed(file, integerBelow(file.length), integerBelow(40)),
    (file) => {
      const bytes = Array.from({ length: 1 + integerBelow(20) }, () => integerBelow(256))
      return inserted(file, integerBelow(file.length), Buffer.from(bytes))
    },
    (file) => inserted(file, integerBelow(file.length), Buffer.from([0xff, pick(criticalBytes)])),
    (file, others) => {
      const other = pick(others)
      return Buffer.concat([file.subarray(0, integerBelow(file.length)), other.subarray(integerBelow(other.length))])
    },
  ]
  const segmentChanges: ((segments: Buffer[], others: readonly Buffer[]) => Buffer[])[] = [
    (segments) => segments.toSpliced(integerBelow(segments.length), 1),
    (segments) => segments.toSpliced(integerBelow(segments.length), 0, pick(segments)),
    (segments) => swapped(segments, integerBelow(segments.length), integerBelow(segments.length)),
    (segments, others) => segments.toSpliced(integerBelow(segments.length), 0, pick(segmentsOf(pick(others)))),
    (segments, others) => {
      const at = integerBelow(segments.length)
      return segments.with(at, byteChanges[integerBelow(2)]!(segments[at]!, others))
    },
  ]
  return {
    integerBelow,
    pick,
    changeBytes: (file, others) => pick(byteChanges)(file, others),
    changeSegments: (file, others) =>
      Buffer.concat([file.subarray(0, 2), ...pick(segmentChanges)(segmentsOf(file), others)]),
  }
}

/** A view of the same bytes with 64 other bytes before and after them: a read outside of the view changes the result. */
export function surroundedBy(file: Buffer, value: number): Uint8Array {
  const memory = Buffer.alloc(file.length + 128, value)
  file.copy(memory, 64)
  return memory.subarray(64, 64 + file.length)
}
