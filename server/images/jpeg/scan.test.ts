import { describe, expect, test } from 'vitest'
import { readJpeg } from './jpeg.ts'
import { changed, edited, reasonOf, without } from '../test/changed-jpeg.ts'
import { flatJpeg } from '../test/flat-jpeg.ts'
import { segment } from '../test/sample-images.ts'

const unsupported: [string, Buffer, string][] = [
  ['no quantization table', changed(flatJpeg(), without('db')), 'missing table'],
  ['no Huffman tables', changed(flatJpeg(), without('c4')), 'missing table'],
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
  ['restart markers without a restart interval', changed(flatJpeg({ restart: 8 }), without('dd')), 'unexpected marker'],
  [
    'a marker inside the coded data',
    changed(
      flatJpeg(),
      edited('scan', (b) => b.writeUInt16BE(0xff01, 4)),
    ),
    'unexpected marker',
  ],
]

describe('a JPEG with broken scans is refused with a reason', () => {
  test.each(unsupported)('%s', (_, file, reason) => {
    expect(reasonOf(file)).toBe(reason)
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
