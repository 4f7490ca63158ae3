import { describe, expect, test } from 'vitest'
import { cleanJpegStart, isRebuilt, readJpeg, rebuildJpeg, rebuildInPlace } from './jpeg.ts'
import { exifBlock } from '../test/exif-block.ts'
import { flatJpeg } from '../test/flat-jpeg.ts'
import { pixelsOf } from '../test/pixels.ts'
import { partNames, partsOf, type Part } from '../test/file-parts.ts'
import {
  exifSegment,
  jpeg,
  sharpFrom,
  quadrantPixels,
  segment,
  sampleExif,
  withSegments,
} from '../test/sample-images.ts'

/** Why a file is unsupported, or `lossless`. */
const reasonOf = (file: Buffer): string => {
  const read = readJpeg(file)
  return read.lossless ? 'lossless' : read.reason
}
const rebuilt = (file: Buffer): Buffer => {
  const read = readJpeg(file)
  if (!read.lossless) throw new Error(read.reason)
  return Buffer.concat(rebuildJpeg(read))
}

/** A file with its parts changed. */
function changed(file: Buffer, change: (parts: Part[]) => Part[]): Buffer {
  const parts = change(partsOf(file)).map(({ name, bytes }) => {
    if (name === 'scan' || name === 'trailing') return bytes
    return name === 'd9' ? Buffer.from([0xff, 0xd9]) : segment(Number.parseInt(name, 16), bytes)
  })
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts])
}
const without = (name: string) => (parts: Part[]) => parts.filter((part) => part.name !== name)
const withPartBefore = (before: string, name: string, bytes: Buffer) => (parts: Part[]) =>
  parts.flatMap((part) => (part.name === before ? [{ name, bytes }, part] : [part]))
/** Changes the payload of the first part with this name. */
const edited = (name: string, edit: (bytes: Buffer) => void) => (parts: Part[]) => {
  const part = parts.find((one) => one.name === name)!
  const bytes = Buffer.from(part.bytes)
  edit(bytes)
  return parts.map((one) => (one === part ? { name, bytes } : one))
}

const baseline = await jpeg({ width: 120, height: 80, quality: 100 })
const progressive = await jpeg({ width: 120, height: 80, progressive: true })

describe('rebuilding in place', () => {
  test.each([
    [
      'does not move the coded data when metadata is removed',
      true,
      withSegments(baseline, segment(0xfe, 'x'.repeat(500))),
    ],
    ['copies the file when there is not enough space before the coded data', false, changed(baseline, without('e0'))],
  ])('%s', (_, inPlace, file) => {
    const expected = rebuilt(file)
    const b = Uint8Array.from(file)
    const read = readJpeg(b)
    const over = read.lossless ? rebuildInPlace(b, read) : null
    expect([over && Buffer.from(over).equals(expected), over?.buffer === b.buffer]).toEqual([true, inPlace])
  })
})

describe('cleaning the start of a file', () => {
  const cleaned = (file: Buffer): Buffer | null => {
    const start = cleanJpegStart(file)
    return start && 'bytes' in start ? Buffer.concat([start.bytes, file.subarray(start.replacedLength)]) : null
  }
  const exif = exifSegment(sampleExif(6))

  test('leaves nothing to rebuild', () => {
    const file = withSegments(baseline, exif, segment(0xfe, 'x'.repeat(500)))
    expect(cleaned(file)).toEqual(rebuilt(file))
    const read = readJpeg(rebuilt(file))
    expect(read.lossless && isRebuilt(rebuilt(file), read)).toBe(true)
    const original = readJpeg(file)
    expect(original.lossless && isRebuilt(file, original)).toBe(false)
  })
  test('returns the length that it needs until the scan header is complete', () => {
    const file = withSegments(baseline, exif)
    let [length, calls] = [4, 0]
    for (; ; calls++) {
      const start = cleanJpegStart(file.subarray(0, length))
      if (!start || 'bytes' in start) break
      expect(start.neededLength).toBeGreaterThan(length)
      length = start.neededLength
    }
    expect(calls).toBeGreaterThan(5)
    expect(length).toBe(file.indexOf(Buffer.from([0xff, 0xda])) + 14)
    expect(cleanJpegStart(file.subarray(0, length))).toEqual(cleanJpegStart(file))
  })
  test('does not remove data after the picture', () => {
    const file = Buffer.concat([withSegments(baseline, exif), Buffer.from('more')])
    expect(cleaned(file)).toEqual(Buffer.concat([rebuilt(file), Buffer.from('more')]))
    const read = readJpeg(cleaned(file)!)
    expect(read.lossless && isRebuilt(cleaned(file)!, read)).toBe(false)
  })
  test.each([
    ['progressive', progressive],
    ['with several scans', flatJpeg({ components: 3, separateScans: true })],
    [
      'with an unsupported coding',
      changed(
        baseline,
        edited('c0', (bytes) => bytes.writeUInt8(12)),
      ),
    ],
    [
      'without a picture',
      changed(baseline, (parts) => parts.filter(({ name }) => !['c0', 'da', 'scan'].includes(name))),
    ],
    ['not a JPEG', Buffer.from('GIF89a and more')],
    ['one with an EXIF header that other readers may accept', withSegments(baseline, segment(0xe1, 'Exif\0\x01'))],
    [
      'one with a profile header that other readers may accept',
      withSegments(baseline, segment(0xe2, 'ICC_PROFILE\x01 and more')),
    ],
    ['one with broken EXIF', withSegments(baseline, segment(0xe1, 'Exif\0\0XX*\0'))],
    [
      'one whose orientation has an unusual type',
      withSegments(baseline, exifSegment(exifBlock({ main: [[0x0112, Buffer.from([6])]] }))),
    ],
  ])('changes nothing when the file is %s', (_, file) => {
    expect(cleanJpegStart(file)).toBeNull()
  })
})

describe('lossless JPEGs are rebuilt with the same pixels', () => {
  test.each([
    ['grey', flatJpeg()],
    ['colour', flatJpeg({ components: 3 })],
    ['with restart markers', flatJpeg({ restart: 8 })],
    ['with more than eight restart markers', flatJpeg({ across: 16, down: 16, restart: 16 })],
    ['colour with restart markers', flatJpeg({ components: 3, restart: 4 })],
    ['with a scan for each component', flatJpeg({ components: 3, separateScans: true, restart: 8 })],
  ])('%s', async (_, file) => {
    expect(reasonOf(file)).toBe('lossless')
    expect((await pixelsOf(rebuilt(file))).equals(await pixelsOf(file))).toBe(true)
    expect(partNames(rebuilt(file)).filter((name) => name === 'scan')).toEqual(
      partNames(file).filter((name) => name === 'scan'),
    )
  })
  test('rebuilding a rebuilt file changes nothing', async () => {
    for (const file of [
      await jpeg({ progressive: true }),
      flatJpeg({ restart: 8 }),
      withSegments(await jpeg(), exifSegment(sampleExif(6))),
    ])
      expect(rebuilt(rebuilt(file)).equals(rebuilt(file))).toBe(true)
  })
  test('fill bytes before a marker are removed', () => {
    const file = flatJpeg()
    const filled = Buffer.concat([file.subarray(0, 2), Buffer.from([0xff, 0xff, 0xff]), file.subarray(2)])
    expect(rebuilt(filled).equals(rebuilt(file))).toBe(true)
  })
  test('unused tables are removed', () => {
    const unused = Buffer.from([2, ...Buffer.alloc(64, 7)])
    expect(rebuilt(changed(flatJpeg(), withPartBefore('c0', 'db', unused))).equals(rebuilt(flatJpeg()))).toBe(true)
  })
})

describe('unsupported JPEGs are refused with a reason', () => {
  const unsupported: [string, Buffer | (() => Promise<Buffer>), string][] = [
    ['a GIF', Buffer.from('GIF89a'), 'not a JPEG'],
    ['an empty file', Buffer.alloc(0), 'not a JPEG'],
    ['only a start marker', Buffer.from([0xff, 0xd8]), 'incomplete'],
    ['no end marker', flatJpeg().subarray(0, -2), 'incomplete'],
    ['no scan', changed(flatJpeg(), (parts) => without('scan')(without('da')(parts))), 'incomplete'],
    ['no frame', changed(flatJpeg(), without('c0')), 'broken frame'],
    ['no quantization table', changed(flatJpeg(), without('db')), 'missing table'],
    ['no Huffman tables', changed(flatJpeg(), without('c4')), 'missing table'],
    [
      'a Huffman code of ones only',
      changed(flatJpeg(), (parts) =>
        parts.map((one) =>
          one.name === 'c4'
            ? { ...one, bytes: Buffer.from([0, 2, ...Buffer.alloc(15), 0, 1, 0x10, 1, ...Buffer.alloc(15), 0]) }
            : one,
        ),
      ),
      'broken table',
    ],
    [
      'a width above the limit of libjpeg',
      changed(
        flatJpeg(),
        edited('c0', (b) => b.writeUInt16BE(65_501, 3)),
      ),
      'broken frame',
    ],
    [
      'two frames',
      changed(flatJpeg(), withPartBefore('da', 'c0', partsOf(flatJpeg())[1]!.bytes)),
      'unsupported coding',
    ],
    ['a second start marker', changed(flatJpeg(), withPartBefore('da', 'd8', Buffer.alloc(0))), 'unexpected marker'],
    [
      'a height of 0',
      changed(
        flatJpeg(),
        edited('c0', (b) => b.writeUInt16BE(0, 1)),
      ),
      'unsupported coding',
    ],
    ['a DNL segment', changed(flatJpeg(), withPartBefore('d9', 'dc', Buffer.from([0, 64]))), 'unsupported coding'],
    [
      '12 bits per sample',
      changed(
        flatJpeg(),
        edited('c0', (b) => b.writeUInt8(12, 0)),
      ),
      'unsupported coding',
    ],
    [
      'lossless coding',
      changed(flatJpeg(), (p) => p.map((one) => (one.name === 'c0' ? { ...one, name: 'c3' } : one))),
      'unsupported coding',
    ],
    [
      'arithmetic coding',
      changed(flatJpeg(), (p) => p.map((one) => (one.name === 'c0' ? { ...one, name: 'c9' } : one))),
      'unsupported coding',
    ],
    [
      'arithmetic conditioning',
      changed(flatJpeg(), withPartBefore('da', 'cc', Buffer.from([0, 16]))),
      'unsupported coding',
    ],
    ['hierarchical coding', changed(flatJpeg(), withPartBefore('c0', 'de', Buffer.alloc(9))), 'unsupported coding'],
    [
      '16-bit quantization tables',
      changed(
        flatJpeg(),
        edited('db', (b) => b.writeUInt8(0x10, 0)),
      ),
      'broken table',
    ],
    [
      'a zero in a quantization table',
      changed(
        flatJpeg(),
        edited('db', (b) => b.writeUInt8(0, 9)),
      ),
      'broken table',
    ],
    [
      'an impossible Huffman code',
      changed(
        flatJpeg(),
        edited('c4', (b) => b.writeUInt8(3, 1)),
      ),
      'broken table',
    ],
    ['a truncated table', changed(flatJpeg(), withPartBefore('da', 'c4', Buffer.from([0, 1, 0]))), 'broken table'],
    [
      'two components with the same id',
      changed(
        flatJpeg({ components: 3 }),
        edited('c0', (b) => b.writeUInt8(1, 9)),
      ),
      'broken frame',
    ],
    [
      'a sampling factor of 0',
      changed(
        flatJpeg(),
        edited('c0', (b) => b.writeUInt8(0x01, 7)),
      ),
      'broken frame',
    ],
    [
      'a scan of an unknown component',
      changed(
        flatJpeg(),
        edited('da', (b) => b.writeUInt8(9, 1)),
      ),
      'broken scan',
    ],
    [
      'a baseline scan of half a block',
      changed(
        flatJpeg(),
        edited('da', (b) => b.writeUInt8(31, 4)),
      ),
      'broken scan',
    ],
    [
      'one of three scans',
      changed(flatJpeg({ components: 3, separateScans: true }), (p) => [...p.slice(0, 5), p.at(-1)!]),
      'incomplete',
    ],
    ['the same scan twice', changed(flatJpeg(), (p) => [...p.slice(0, 5), ...p.slice(3)]), 'broken scan'],
    ['a truncated scan with restart markers', flatJpeg({ restart: 8 }).subarray(0, -5), 'incomplete'],
    [
      'too few restart markers',
      changed(
        flatJpeg({ restart: 8 }),
        edited('dd', (b) => b.writeUInt16BE(4)),
      ),
      'broken scan',
    ],
    [
      'too many restart markers',
      changed(
        flatJpeg({ restart: 8 }),
        edited('dd', (b) => b.writeUInt16BE(16)),
      ),
      'unexpected marker',
    ],
    [
      'restart markers in the wrong order',
      flatJpeg({ restart: 8, marker: (n) => 0xd0 + ((n + 1) & 7) }),
      'unexpected marker',
    ],
    [
      'restart markers without a restart interval',
      changed(flatJpeg({ restart: 8 }), without('dd')),
      'unexpected marker',
    ],
    [
      'a comment after a scan',
      changed(flatJpeg({ components: 3, separateScans: true }), withPartBefore('d9', 'fe', Buffer.from('hello'))),
      'unexpected marker',
    ],
    [
      'a marker inside the coded data',
      changed(
        flatJpeg(),
        edited('scan', (b) => b.writeUInt16BE(0xff01, 4)),
      ),
      'unexpected marker',
    ],
    [
      'a segment of length 1',
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe3, 0, 1]), flatJpeg().subarray(2)]),
      'broken segment',
    ],
    ['a segment past the end', Buffer.from([0xff, 0xd8, 0xff, 0xe3, 0xff, 0xff, 1]), 'incomplete'],
    [
      'bytes between segments',
      Buffer.concat([Buffer.from([0xff, 0xd8, 7, 7]), flatJpeg().subarray(2)]),
      'unexpected marker',
    ],
    ['RGB component ids', changed(flatJpeg({ components: 3 }), (p) => withRgbIds(p)), 'unsupported colours'],
    [
      'RGB according to the Adobe segment',
      withSegments(flatJpeg({ components: 3 }), segment(0xee, Buffer.from('Adobe\0d\0\0\0\0\0'))),
      'unsupported colours',
    ],
    ['CMYK', () => sharpFrom(quadrantPixels(64, 64)).toColourspace('cmyk').jpeg().toBuffer(), 'unsupported colours'],
    [
      'a profile with a missing chunk',
      withSegments(flatJpeg(), segment(0xe2, 'ICC_PROFILE\0\x01\x02abc')),
      'unsupported profile',
    ],
    ['an invalid profile', withSegments(flatJpeg(), segment(0xe2, 'ICC_PROFILE\0\x01\x01abc')), 'unsupported profile'],
    [
      'thousands of segments',
      withSegments(flatJpeg(), ...Array.from({ length: 2000 }, () => segment(0xfe, 'x'))),
      'too many segments or scans',
    ],
  ]
  test.each(unsupported)('%s', async (_, file, reason) => {
    expect(reasonOf(typeof file === 'function' ? await file() : file)).toBe(reason)
  })
})

test('a JPEG with hundreds of scans is unsupported', () => {
  const refinements = Array.from({ length: 300 }, () => [
    segment(0xda, Buffer.from([1, 1, 0, 1, 1, 0])),
    Buffer.from([0]),
  ])
  const file = flatJpeg()
  const many = Buffer.concat([file.subarray(0, -2), ...refinements.flat(), Buffer.from([0xff, 0xd9])])
  many[many.indexOf(Buffer.from([0xff, 0xc0])) + 1] = 0xc2
  expect(readJpeg(many).lossless).toBe(false)
})

function withRgbIds(parts: Part[]): Part[] {
  return parts.map((part) => {
    const bytes = Buffer.from(part.bytes)
    const offsets = part.name === 'c0' ? [6, 9, 12] : part.name === 'da' ? [1, 3, 5] : []
    offsets.forEach((offset, i) => bytes.write('RGB'[i]!, offset))
    return { ...part, bytes }
  })
}
