/**
 * Creates the committed HEIC files that tests read, from a generated image. Needs Debian's `heif-enc`, because no npm
 * package encodes HEVC. Run it again only to change a fixture.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boxesIn } from '../server/images/formats/formats.ts'
import {
  exifSegment,
  sharpFrom,
  quadrantPixels,
  segment,
  storedWithOrientation,
  sampleExif,
  sampleXmp,
  withSegments,
} from '../server/images/test/sample-images.ts'

const scratchDir = mkdtempSync(join(tmpdir(), 'keepsnap-fixtures-'))
const fixturesDir = join(import.meta.dirname, '../server/images/fixtures')

function encode(name: string, sources: Buffer[], ...options: string[]): Buffer {
  const files = sources.map((bytes, i) => {
    const file = join(scratchDir, `${i}.${bytes[0] === 0x89 ? 'png' : 'jpg'}`)
    writeFileSync(file, bytes)
    return file
  })
  const out = join(scratchDir, name)
  execFileSync('heif-enc', ['-q', '45', ...options, '-o', out, ...files], { stdio: ['ignore', 'ignore', 'inherit'] })
  return readFileSync(out)
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const box = (type: string, ...payload: number[]): Buffer =>
  Buffer.concat([uint32(8 + payload.length), Buffer.from(type), Buffer.from(payload)])

/** The offset of a box, searched as text: these small files contain the type nowhere else. */
const boxOffset = (file: Buffer, type: string): number => file.indexOf(type, 'latin1') - 4

/** Adds a property to the first item, for which `heif-enc` has no option. */
function withProperty(file: Buffer, property: Buffer): Buffer {
  const ipma = boxOffset(file, 'ipma')
  const ipco = boxOffset(file, 'ipco')
  const propertyIndex = boxesIn(file, ipco + 8, ipco + file.readUInt32BE(ipco)).length + 1
  // The number of properties of the first item, followed by a byte for each.
  const countAt = ipma + 18
  const count = file.readUInt8(countAt)
  const end = countAt + 1 + count
  const out = Buffer.concat([
    file.subarray(0, ipma),
    property,
    file.subarray(ipma, countAt),
    Buffer.from([count + 1]),
    file.subarray(countAt + 1, end),
    Buffer.from([propertyIndex | 0x80]),
    file.subarray(end),
  ])
  const grow = (at: number, by: number): void => void out.writeUInt32BE(out.readUInt32BE(at) + by, at)
  grow(ipco, property.length)
  grow(boxOffset(out, 'ipma'), 1)
  for (const outer of ['iprp', 'meta']) grow(boxOffset(out, outer), property.length + 1)
  // Each entry: item, source, base, count, offset, length.
  const iloc = boxOffset(out, 'iloc')
  for (let at = iloc + 16; at < iloc + out.readUInt32BE(iloc); at += 18) grow(at + 4, property.length + 1)
  return out
}

const jpegImage = (orientation = 1) =>
  sharpFrom(storedWithOrientation(quadrantPixels(320, 240, 4), orientation)).jpeg({ quality: 95 })
const jpegWithMetadata = async (orientation: number): Promise<Buffer> =>
  withSegments(
    await jpegImage(orientation).withIccProfile('p3').toBuffer(),
    exifSegment(sampleExif(orientation)),
    segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${sampleXmp}`),
  )
const save = (name: string, bytes: Buffer): void => {
  writeFileSync(join(fixturesDir, name), bytes)
  console.log(name, bytes.length)
}

const plain = encode('plain.heic', [await jpegImage().toBuffer()])
save('plain.heic', plain)
save('rotated-by-exif.heic', encode('exif.heic', [await jpegWithMetadata(6)]))
// 270 degrees counterclockwise.
save('rotated-by-irot.heic', withProperty(encode('irot.heic', [await jpegWithMetadata(6)]), box('irot', 3)))
// Mirrored left to right.
save('mirrored-by-imir.heic', withProperty(encode('imir.heic', [await jpegWithMetadata(2)]), box('imir', 1)))
// Colour primaries 12 (P3), the transfer function of sRGB, the BT.601 matrix, full range.
const nclx = [...Buffer.from('nclx'), 0, 12, 0, 13, 0, 6, 0x80]
save('display-p3-by-number.heic', withProperty(plain, box('colr', ...nclx)))
const twoImages = encode('two.heic', [
  await sharpFrom(quadrantPixels(160, 120)).jpeg().toBuffer(),
  await jpegImage().toBuffer(),
])
twoImages.writeUInt16BE(2, boxOffset(twoImages, 'pitm') + 12)
save('second-is-primary.heic', twoImages)
const translucent = await sharpFrom(quadrantPixels(160, 120)).ensureAlpha(0.5).png().toBuffer()
save('transparent.heic', encode('alpha.heic', [translucent]))
rmSync(scratchDir, { recursive: true })
