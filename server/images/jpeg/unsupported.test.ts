import { describe, expect, test } from 'vitest'
import { changed, edited, flatJpeg, type FlatOptions, reasonOf, without, withPartBefore } from '../test/jpeg-files.ts'
import { type FilePart, filePartsOf } from '../test/file-parts.ts'
import { quadrantPixels, segment, sharpFrom, withSegments } from '../test/sample-images.ts'
import { withoutStrayBytes } from './jpeg.ts'

describe('stray bytes', () => {
  const file = flatJpeg()
  /** Where the second segment begins. */
  const second = 4 + file.readUInt16BE(4)
  const scan = file.indexOf(Buffer.from([0xff, 0xda]))
  const withBytes = (at: number, ...bytes: number[]): Buffer =>
    Buffer.concat([file.subarray(0, at), Buffer.from(bytes), file.subarray(at)])

  test.each([
    ['between two segments', withBytes(second, 0, 0, 7)],
    ['before the first segment', withBytes(2, 1)],
    ['before the scan', withBytes(scan, 9, 9)],
    ['that look like the start of a marker', withBytes(second, 3, 0xff, 0)],
    ['at two places', Buffer.concat([withBytes(second, 5).subarray(0, -2), Buffer.from([0xff, 0xd9])])],
  ])('stray bytes are removed: %s', (_, stray) => {
    expect(Buffer.from(withoutStrayBytes(stray)!)).toEqual(file)
  })
  test('a file without stray bytes, also with fill bytes, has nothing to remove', () => {
    expect(withoutStrayBytes(file)).toBeNull()
  })
  test.each([
    ['without a scan', withBytes(second, 0).subarray(0, scan)],
    ['with a second start', withBytes(second, 0, 0xff, 0xd8)],
    ['that ends in a segment', withBytes(second, 0).subarray(0, second + 6)],
  ])('a file %s is left as it is', (_, broken) => {
    expect(withoutStrayBytes(broken)).toBeNull()
  })
})

describe('unsupported', () => {
  const flat = flatJpeg()
  const threeScans = flatJpeg({ components: 3, separateScans: true })

  /** A flat JPEG in which bytes of the first part with a name are replaced, from an offset on. */
  const patched = (name: string, at: number, bytes: number[], options: FlatOptions = {}): Buffer =>
    changed(
      flatJpeg(options),
      edited(name, (part) => part.set(bytes, at)),
    )
  const withPart = (before: string, name: string, ...bytes: number[]): Buffer =>
    changed(flat, withPartBefore(before, name, Buffer.from(bytes)))
  const withFrameType = (name: string): Buffer =>
    changed(flat, (parts) => parts.map((one) => (one.name === 'c0' ? { ...one, name } : one)))
  const onesOnly = Buffer.from([0, 2, ...Buffer.alloc(15), 0, 1, 0x10, 1, ...Buffer.alloc(15), 0])

  function withRgbIds(parts: FilePart[]): FilePart[] {
    return parts.map((part) => {
      const bytes = Buffer.from(part.bytes)
      const offsets = part.name === 'c0' ? [6, 9, 12] : part.name === 'da' ? [1, 3, 5] : []
      offsets.forEach((offset, i) => bytes.write('RGB'[i]!, offset))
      return { ...part, bytes }
    })
  }

  const segments: [string, Buffer | (() => Promise<Buffer>), string][] = [
    ['a GIF', Buffer.from('GIF89a'), 'not a JPEG'],
    ['an empty file', Buffer.alloc(0), 'not a JPEG'],
    ['only a start marker', Buffer.from([0xff, 0xd8]), 'incomplete'],
    ['no end marker', flat.subarray(0, -2), 'incomplete'],
    ['no scan', changed(flat, (parts) => without('scan')(without('da')(parts))), 'incomplete'],
    ['no frame', changed(flat, without('c0')), 'broken frame'],
    ['two frames', withPart('da', 'c0', ...filePartsOf(flat)[1]!.bytes), 'unsupported coding'],
    ['a second start marker', withPart('da', 'd8'), 'unexpected marker'],
    ['a DNL segment', withPart('d9', 'dc', 0, 64), 'unsupported coding'],
    ['lossless coding', withFrameType('c3'), 'unsupported coding'],
    ['arithmetic coding', withFrameType('c9'), 'unsupported coding'],
    ['arithmetic conditioning', withPart('da', 'cc', 0, 16), 'unsupported coding'],
    ['hierarchical coding', withPart('c0', 'de', ...Buffer.alloc(9)), 'unsupported coding'],
    ['a comment after a scan', changed(threeScans, withPartBefore('d9', 'fe', Buffer.from('x'))), 'unexpected marker'],
    ['a segment of length 1', withSegments(flat, Buffer.from([0xff, 0xe3, 0, 1])), 'broken segment'],
    ['a segment past the end', Buffer.from([0xff, 0xd8, 0xff, 0xe3, 0xff, 0xff, 1]), 'incomplete'],
    ['bytes between segments', withSegments(flat, Buffer.from([7, 7])), 'unexpected marker'],
    ['RGB component ids', changed(flatJpeg({ components: 3 }), withRgbIds), 'unsupported colours'],
    [
      'RGB according to the Adobe segment',
      withSegments(flatJpeg({ components: 3 }), segment(0xee, Buffer.from('Adobe\0d\0\0\0\0\0'))),
      'unsupported colours',
    ],
    ['CMYK', () => sharpFrom(quadrantPixels(64, 64)).toColourspace('cmyk').jpeg().toBuffer(), 'unsupported colours'],
    [
      'a profile with a missing chunk',
      withSegments(flat, segment(0xe2, 'ICC_PROFILE\0\x01\x02abc')),
      'unsupported profile',
    ],
    ['an invalid profile', withSegments(flat, segment(0xe2, 'ICC_PROFILE\0\x01\x01abc')), 'unsupported profile'],
    [
      'thousands of segments',
      withSegments(flat, ...Array.from({ length: 2000 }, () => segment(0xfe, 'x'))),
      'too many segments or scans',
    ],
  ]

  const tables: [string, Buffer, string][] = [
    ['a width above the limit of libjpeg', patched('c0', 3, [0xff, 0xdd]), 'broken frame'],
    ['a height of 0', patched('c0', 1, [0, 0]), 'unsupported coding'],
    ['12 bits per sample', patched('c0', 0, [12]), 'unsupported coding'],
    ['two components with the same id', patched('c0', 9, [1], { components: 3 }), 'broken frame'],
    ['a sampling factor of 0', patched('c0', 7, [0x01]), 'broken frame'],
    ['16-bit quantization tables', patched('db', 0, [0x10]), 'broken table'],
    ['a zero in a quantization table', patched('db', 9, [0]), 'broken table'],
    ['an impossible Huffman code', patched('c4', 1, [3]), 'broken table'],
    [
      'a Huffman code of ones only',
      changed(flat, (p) => p.map((one) => (one.name === 'c4' ? { ...one, bytes: onesOnly } : one))),
      'broken table',
    ],
    ['a truncated table', withPart('da', 'c4', 0, 1, 0), 'broken table'],
    ['no quantization table', changed(flat, without('db')), 'missing table'],
    ['no Huffman tables', changed(flat, without('c4')), 'missing table'],
  ]

  const restart = 8
  const scans: [string, Buffer, string][] = [
    ['a scan of an unknown component', patched('da', 1, [9]), 'broken scan'],
    ['a baseline scan of half a block', patched('da', 4, [31]), 'broken scan'],
    ['one of three scans', changed(threeScans, (p) => [...p.slice(0, 5), p.at(-1)!]), 'incomplete'],
    ['the same scan twice', changed(flat, (p) => [...p.slice(0, 5), ...p.slice(3)]), 'broken scan'],
    ['a truncated scan with restart markers', flatJpeg({ restart }).subarray(0, -5), 'incomplete'],
    ['too few restart markers', patched('dd', 0, [0, 4], { restart }), 'broken scan'],
    ['too many restart markers', patched('dd', 0, [0, 16], { restart }), 'unexpected marker'],
    [
      'restart markers in the wrong order',
      flatJpeg({ restart, marker: (n) => 0xd0 + ((n + 1) & 7) }),
      'unexpected marker',
    ],
    ['restart markers without a restart interval', changed(flatJpeg({ restart }), without('dd')), 'unexpected marker'],
    ['a marker inside the coded data', patched('scan', 4, [0xff, 0x01]), 'unexpected marker'],
  ]

  test.each([...segments, ...tables, ...scans])('a JPEG with %s is refused with a reason', async (_, file, reason) => {
    expect(reasonOf(typeof file === 'function' ? await file() : file)).toBe(reason)
  })
})
