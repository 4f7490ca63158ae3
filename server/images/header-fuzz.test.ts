import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { readHeif } from './formats/heif-boxes.ts'
import { coloursOfHeif, coloursOfPng, type NamedColours } from './formats/named-colours.ts'
import { sniff } from './formats/sniff.ts'
import { withoutStrayBytes } from './jpeg/jpeg.ts'
import { readExif, writeExif } from './metadata/exif.ts'
import { adobeRgbProfile, sanitizeProfile } from './metadata/icc.ts'
import { Refusal } from './protocol.ts'
import { runFuzz, surroundedBy } from './test/fuzz-runs.ts'
import { withColourNumbers } from './test/named-colours.ts'
import { fixture, jpeg, quadrantPixels, sampleExif, sharpFrom, withPngChunks } from './test/sample-images.ts'

const small = sharpFrom(quadrantPixels(24, 16))
const files = [
  sampleExif(5),
  Buffer.from(adobeRgbProfile()),
  fixture('rotated-by-irot.heic'),
  fixture('transparent.heic'),
  withColourNumbers(fixture('ten-bits-pq.heic'), { primaries: 9, transfer: 16, contentLight: 1000 }),
  withPngChunks(await small.clone().png().toBuffer(), ['gAMA', Buffer.alloc(4, 1)], ['cHRM', Buffer.alloc(32, 0x10)]),
  withPngChunks(await small.clone().png().toBuffer(), ['cICP', Buffer.from([9, 18, 0, 1])]),
  await small.clone().gif().toBuffer(),
  await small.clone().webp().toBuffer(),
  await small.clone().tiff().toBuffer(),
  await small.clone().avif({ effort: 0 }).toBuffer(),
  await jpeg({ width: 24, height: 16 }),
]

/** Colours must be refused or usable. */
function numbersOf(read: () => NamedColours | null): unknown {
  try {
    const colours = read()
    if (!colours) return null
    const numbers = [...colours.matrix.flat(), ...[0, 0.5, 1].map(colours.linear)]
    if (!numbers.every(Number.isFinite)) throw new Error(`unusable colours: ${numbers.join(' ')}`)
    return { numbers, hdr: colours.hdr }
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

function readAll(bytes: Uint8Array): unknown[] {
  const exif = readExif(bytes)
  const header = readHeif(bytes)
  const colours = [
    numbersOf(() => coloursOfPng(bytes)),
    numbersOf(() => (header ? coloursOfHeif(bytes, header) : null)),
  ]
  return [sniff(bytes), header, colours, exif, writeExif(exif), sanitizeProfile(bytes, 3), withoutStrayBytes(bytes)]
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
