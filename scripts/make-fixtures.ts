/**
 * Makes the committed HEIC files that tests read, out of our own test picture: nothing that Node can install encodes
 * HEVC, Debian's `heif-enc` does. Run it again only when a fixture is to change.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boxesIn } from '../server/images/formats/heif-boxes.ts'
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

const scratch = mkdtempSync(join(tmpdir(), 'keepsnap-fixtures-'))
const fixtures = join(import.meta.dirname, '../server/images/fixtures')

function encode(name: string, sources: Buffer[], ...options: string[]): Buffer {
  const files = sources.map((bytes, i) => {
    const file = join(scratch, `${i}.${bytes[0] === 0x89 ? 'png' : 'jpg'}`)
    writeFileSync(file, bytes)
    return file
  })
  const out = join(scratch, name)
  execFileSync('heif-enc', ['-q', '45', ...options, '-o', out, ...files], { stdio: ['ignore', 'ignore', 'inherit'] })
  return readFileSync(out)
}

const four = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const box = (type: string, ...payload: number[]): Buffer =>
  Buffer.concat([four(8 + payload.length), Buffer.from(type), Buffer.from(payload)])

/** Where a box of this type starts: our files are small and hold no such words elsewhere. */
const place = (file: Buffer, type: string): number => file.indexOf(type, 'latin1') - 4

/** Ties one more property to the first item, which `heif-enc` has no option for. */
function withProperty(file: Buffer, property: Buffer): Buffer {
  const ipma = place(file, 'ipma')
  const ipco = place(file, 'ipco')
  const number = boxesIn(file, ipco + 8, ipco + file.readUInt32BE(ipco)).length + 1
  const count = ipma + 18
  const out = Buffer.concat([
    file.subarray(0, ipma),
    property,
    file.subarray(ipma, count),
    Buffer.from([file[count]! + 1]),
    file.subarray(count + 1, count + 1 + file[count]!),
    Buffer.from([number | 0x80]),
    file.subarray(count + 1 + file[count]!),
  ])
  const grow = (at: number, by: number): void => void out.writeUInt32BE(out.readUInt32BE(at) + by, at)
  grow(ipco, property.length)
  grow(place(out, 'ipma'), 1)
  for (const outer of ['iprp', 'meta']) grow(place(out, outer), property.length + 1)
  // Each entry: item, source, base, count, offset, length.
  const iloc = place(out, 'iloc')
  for (let at = iloc + 16; at < iloc + out.readUInt32BE(iloc); at += 18) grow(at + 4, property.length + 1)
  return out
}

const picture = (orientation = 1) =>
  sharpFrom(storedWithOrientation(quadrantPixels(320, 240, 4), orientation)).jpeg({ quality: 95 })
const telling = async (orientation: number): Promise<Buffer> =>
  withSegments(
    await picture(orientation).withIccProfile('p3').toBuffer(),
    exifSegment(sampleExif(orientation)),
    segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${sampleXmp}`),
  )
const keep = (name: string, bytes: Buffer): void => {
  writeFileSync(join(fixtures, name), bytes)
  console.log(name, bytes.length)
}

const plain = encode('plain.heic', [await picture().toBuffer()])
keep('plain.heic', plain)
keep('rotated-by-exif.heic', encode('exif.heic', [await telling(6)]))
// 270 degrees against the clock.
keep('rotated-by-irot.heic', withProperty(encode('irot.heic', [await telling(6)]), box('irot', 3)))
// Left and right exchanged.
keep('mirrored-by-imir.heic', withProperty(encode('imir.heic', [await telling(2)]), box('imir', 1)))
// Colour primaries 12, curve of sRGB, BT.601 matrix, full range.
const numbers = [...Buffer.from('nclx'), 0, 12, 0, 13, 0, 6, 0x80]
keep('display-p3-by-number.heic', withProperty(plain, box('colr', ...numbers)))
const two = encode('two.heic', [
  await sharpFrom(quadrantPixels(160, 120)).jpeg().toBuffer(),
  await picture().toBuffer(),
])
two.writeUInt16BE(2, place(two, 'pitm') + 12)
keep('second-is-primary.heic', two)
const half = await sharpFrom(quadrantPixels(160, 120)).ensureAlpha(0.5).png().toBuffer()
keep('transparent.heic', encode('alpha.heic', [half]))
rmSync(scratch, { recursive: true })
