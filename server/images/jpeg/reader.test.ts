import { describe, expect, test } from 'vitest'
import { changed, reasonOf, withPartBefore, without } from '../test/changed-jpeg.ts'
import { filePartsOf, type FilePart } from '../test/file-parts.ts'
import { flatJpeg } from '../test/flat-jpeg.ts'
import { quadrantPixels, segment, sharpFrom, withSegments } from '../test/sample-images.ts'

const unsupported: [string, Buffer | (() => Promise<Buffer>), string][] = [
  ['a GIF', Buffer.from('GIF89a'), 'not a JPEG'],
  ['an empty file', Buffer.alloc(0), 'not a JPEG'],
  ['only a start marker', Buffer.from([0xff, 0xd8]), 'incomplete'],
  ['no end marker', flatJpeg().subarray(0, -2), 'incomplete'],
  ['no scan', changed(flatJpeg(), (parts) => without('scan')(without('da')(parts))), 'incomplete'],
  ['no frame', changed(flatJpeg(), without('c0')), 'broken frame'],
  [
    'two frames',
    changed(flatJpeg(), withPartBefore('da', 'c0', filePartsOf(flatJpeg())[1]!.bytes)),
    'unsupported coding',
  ],
  ['a second start marker', changed(flatJpeg(), withPartBefore('da', 'd8', Buffer.alloc(0))), 'unexpected marker'],
  ['a DNL segment', changed(flatJpeg(), withPartBefore('d9', 'dc', Buffer.from([0, 64]))), 'unsupported coding'],
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
    'a comment after a scan',
    changed(flatJpeg({ components: 3, separateScans: true }), withPartBefore('d9', 'fe', Buffer.from('hello'))),
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

describe('a JPEG with unsupported segments is refused with a reason', () => {
  test.each(unsupported)('%s', async (_, file, reason) => {
    expect(reasonOf(typeof file === 'function' ? await file() : file)).toBe(reason)
  })
})

function withRgbIds(parts: FilePart[]): FilePart[] {
  return parts.map((part) => {
    const bytes = Buffer.from(part.bytes)
    const offsets = part.name === 'c0' ? [6, 9, 12] : part.name === 'da' ? [1, 3, 5] : []
    offsets.forEach((offset, i) => bytes.write('RGB'[i]!, offset))
    return { ...part, bytes }
  })
}
