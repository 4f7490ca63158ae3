import { describe, expect, test } from 'vitest'
import { changed, edited, reasonOf, withPartBefore } from '../test/changed-jpeg.ts'
import { flatJpeg } from '../test/flat-jpeg.ts'

const unsupported: [string, Buffer, string][] = [
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
    'a height of 0',
    changed(
      flatJpeg(),
      edited('c0', (b) => b.writeUInt16BE(0, 1)),
    ),
    'unsupported coding',
  ],
  [
    '12 bits per sample',
    changed(
      flatJpeg(),
      edited('c0', (b) => b.writeUInt8(12, 0)),
    ),
    'unsupported coding',
  ],
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
]

describe('a JPEG with broken or unusual tables or frame is refused with a reason', () => {
  test.each(unsupported)('%s', (_, file, reason) => {
    expect(reasonOf(file)).toBe(reason)
  })
})
