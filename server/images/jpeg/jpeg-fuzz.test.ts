import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { filePartsOf, partNames } from '../test/file-parts.ts'
import { flatJpeg } from '../test/jpeg-files.ts'
import { type Mutator, runFuzz, surroundedBy } from '../test/fuzz-runs.ts'
import {
  exifSegment,
  jpeg,
  jpegWithMetadata,
  quadrantPixels,
  sampleExif,
  sharpFrom,
  withSegments,
} from '../test/sample-images.ts'
import { cleanJpegStart, isRebuilt, readJpeg, rebuildInPlace, rebuildJpeg } from './jpeg.ts'

const allowedParts = /^(e0|e1|e2|db|c4|c0|c1|c2|dd|da|scan|d9)$/

/** A file with a cleaned start is as lossless as before and is rebuilt to the same bytes. */
function checkCleanStart(file: Buffer, { integerBelow }: Mutator): void {
  const start = cleanJpegStart(surroundedBy(file, 0xff))
  if (!isDeepStrictEqual(start, cleanJpegStart(surroundedBy(file, 0xd9))))
    throw new Error('bytes outside changed the start')
  const early = cleanJpegStart(file.subarray(0, integerBelow(file.length)))
  if (early && 'bytes' in early ? !isDeepStrictEqual(early, start) : !early && start)
    throw new Error('an incomplete file was cleaned differently')
  if (!start || !('bytes' in start)) return
  const cleaned = Buffer.concat([start.bytes, file.subarray(start.replacedLength)])
  const [before, after] = [readJpeg(file), readJpeg(cleaned)]
  if (before.lossless !== after.lossless) throw new Error('cleaning changed whether the file is lossless')
  if (!before.lossless || !after.lossless) return
  const rebuilt = Buffer.concat(rebuildJpeg(after))
  if (!rebuilt.equals(Buffer.concat(rebuildJpeg(before)))) throw new Error('the cleaned file was rebuilt differently')
  // Only data after the end and bytes without meaning before it may still differ.
  if (isRebuilt(cleaned, after) !== rebuilt.equals(cleaned)) throw new Error('isRebuilt is wrong')
}

/** Rebuilding in place gives the same file and writes nothing outside of it. */
function checkInPlace(file: Buffer, rebuilt: Buffer): void {
  const copy = surroundedBy(file, 0x5a)
  const read = readJpeg(copy)
  if (!read.lossless || !rebuilt.equals(rebuildInPlace(copy, read))) throw new Error('rebuilt differently in place')
  const memory = Buffer.from(copy.buffer, copy.byteOffset - 64, 128 + file.length)
  const outside = Buffer.concat([memory.subarray(0, 64), memory.subarray(64 + file.length)])
  if (outside.some((byte) => byte !== 0x5a)) throw new Error('wrote outside of the file')
}

/** Every scan of the rebuilt file is a whole scan of the original, in the same order. */
function checkScans(file: Buffer, rebuilt: Buffer): void {
  let from = 0
  const parts = filePartsOf(rebuilt)
  for (const [index, { name, bytes }] of parts.entries()) {
    if (name !== 'scan') continue
    const scan = Buffer.concat([parts[index - 1]!.bytes, bytes, Buffer.from([0xff])])
    const at = file.indexOf(scan, from)
    if (at === -1) throw new Error('the rebuilt file has a scan that the original has not')
    from = at + scan.length - 1
  }
}

/** Whether a file is lossless. Throws when the reader breaks a promise. */
function checkReader(file: Buffer, mutator: Mutator): boolean {
  checkCleanStart(file, mutator)
  const read = readJpeg(surroundedBy(file, 0xff))
  const again = readJpeg(surroundedBy(file, 0xd9))
  if (read.lossless !== again.lossless) throw new Error('bytes outside changed whether the file is lossless')
  if (!read.lossless) return false
  const rebuilt = Buffer.concat(rebuildJpeg(read))
  if (again.lossless && !rebuilt.equals(Buffer.concat(rebuildJpeg(again)))) throw new Error('bytes outside were copied')
  checkInPlace(file, rebuilt)
  const second = readJpeg(rebuilt)
  if (!second.lossless) throw new Error(`the rebuilt file is not lossless: ${second.reason}`)
  if (!Buffer.concat(rebuildJpeg(second)).equals(rebuilt)) throw new Error('rebuilding again changed the file')
  const foreign = partNames(rebuilt).filter((name) => !allowedParts.test(name))
  if (foreign.length > 0) throw new Error(`the rebuilt file has other parts: ${foreign.join(' ')}`)
  checkScans(file, rebuilt)
  return true
}

const files = [
  await jpeg({ width: 40, height: 32 }),
  await jpeg({ width: 40, height: 32, progressive: true }),
  await jpeg({ width: 33, height: 17, chromaSubsampling: '4:4:4' }),
  jpegWithMetadata(await jpeg({ width: 40, height: 32 }), 6),
  withSegments(await jpeg({ width: 16, height: 16 }), exifSegment(sampleExif(3))),
  await sharpFrom(quadrantPixels(48, 40)).withIccProfile('p3').jpeg().toBuffer(),
  flatJpeg({ restart: 8 }),
  flatJpeg({ components: 3, restart: 4 }),
  flatJpeg({ components: 3, separateScans: true, restart: 8 }),
]

test(
  'mutated JPEGs: the strict reader never throws, never reads outside, and copies only what a picture needs',
  {
    timeout: 24 * 3_600_000,
  },
  async () => {
    let lossless = 0
    let mostCpuMs = 0
    const { rounds } = await runFuzz('mutated JPEGs', 500, (mutator) => {
      const { integerBelow, pick, changeBytes, changeSegments } = mutator
      let file = pick(files)
      // Segments first: after byte changes the file may have no valid segments.
      if (integerBelow(2)) file = changeSegments(file, files)
      for (let i = integerBelow(3); i > 0 && file.length > 4; i--) file = changeBytes(file, files)
      const before = process.cpuUsage()
      if (checkReader(file, mutator)) lossless++
      const { user, system } = process.cpuUsage(before)
      mostCpuMs = Math.max(mostCpuMs, (user + system) / 1000)
    })
    // With fewer lossless files the mutations would prove nothing about rebuilding.
    expect(lossless).toBeGreaterThan(rounds / 50)
    expect(mostCpuMs).toBeLessThan(2_000)
  },
)
