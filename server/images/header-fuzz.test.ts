import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { readHeif } from './formats/heif-boxes.ts'
import { sniff } from './formats/sniff.ts'
import { withoutStrayBytes } from './jpeg/jpeg.ts'
import { readExif, writeExif } from './metadata/exif.ts'
import { displayP3Profile, sanitizeProfile } from './metadata/icc.ts'
import { runFuzz } from './test/fuzz-runs.ts'
import { surroundedBy } from './test/mutations.ts'
import { fixture, jpeg, quadrantPixels, sampleExif, sharpFrom } from './test/sample-images.ts'

const small = sharpFrom(quadrantPixels(24, 16))
const files = [
  sampleExif(5),
  Buffer.from(displayP3Profile()),
  fixture('rotated-by-irot.heic'),
  fixture('transparent.heic'),
  await small.clone().png().toBuffer(),
  await small.clone().gif().toBuffer(),
  await small.clone().webp().toBuffer(),
  await small.clone().tiff().toBuffer(),
  await small.clone().avif({ effort: 0 }).toBuffer(),
  await jpeg({ width: 24, height: 16 }),
]

/** What every reader of headers finds. */
function readAll(bytes: Uint8Array): unknown[] {
  const exif = readExif(bytes)
  return [sniff(bytes), readHeif(bytes), exif, writeExif(exif), sanitizeProfile(bytes, 3), withoutStrayBytes(bytes)]
}

test('mutated headers: no reader throws or reads outside', { timeout: 24 * 3_600_000 }, async () => {
  let found = 0
  const { rounds } = await runFuzz('mutated headers', 1_000, ({ integerBelow, pick, changeBytes }) => {
    let file = pick(files)
    for (let i = integerBelow(4); i > 0 && file.length > 4; i--) file = changeBytes(file, files)
    if (sniff(file)?.width) found++
    if (!isDeepStrictEqual(readAll(surroundedBy(file, 0)), readAll(surroundedBy(file, 0xff))))
      throw new Error(`bytes outside of the file changed what was read: ${file.toString('hex')}`)
  })
  // With fewer readable files the mutations would only test how readers refuse.
  expect(found).toBeGreaterThan(rounds / 10)
})
