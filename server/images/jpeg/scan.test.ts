import { describe, expect, test } from 'vitest'
import { flatJpeg } from '../test/jpeg-files.ts'
import { jpeg, quadrantPixels, segment, sharpFrom, withSegments } from '../test/sample-images.ts'
import { hidingFrame, manyScans } from '../test/make-bombs.ts'
import { type CountedScans, countScans, createScanCounter } from './scan.ts'

/** What is known of a file that arrives in pieces of a size. */
function countedIn(file: Buffer, pieceSize: number): CountedScans {
  const counter = createScanCounter()
  for (let at = 0; at < file.length; at += pieceSize) {
    const piece = Buffer.from(file.subarray(at, at + pieceSize))
    counter.add(piece)
    // The memory of a piece may be used again.
    piece.fill(0xff)
  }
  return counter.counted()
}

describe('scans are counted', () => {
  const end = Buffer.from([0xff, 0xd9])
  test.each<[string, number, () => Promise<Buffer> | Buffer]>([
    ['of a baseline JPEG', 1, () => jpeg()],
    ['of a progressive JPEG', 10, () => jpeg({ width: 200, height: 200, progressive: true })],
    ['of a JPEG with restart markers', 1, () => flatJpeg({ restart: 8 })],
    ['of a JPEG with many', 41, () => manyScans(64, 40)],
    ['not inside of metadata', 1, async () => withSegments(await jpeg(), segment(0xe1, await jpeg()))],
    ['not after the end', 1, async () => Buffer.concat([await jpeg(), await jpeg()])],
    [
      'past stray bytes',
      6,
      () => Buffer.concat([manyScans(64, 2).subarray(0, -2), Buffer.from('stray'), manyScans(64, 2)]),
    ],
    ['of a JPEG without an end', 3, () => manyScans(64, 2).subarray(0, -2)],
    ['of nothing', 0, () => Buffer.alloc(0)],
    ['of an end alone', 0, () => Buffer.concat([Buffer.from([0xff, 0xd8]), end])],
  ])('%s: %i, in pieces of any size', async (_, scans, make) => {
    const file = await make()
    expect(countScans(file).scans).toBe(scans)
    for (const size of [1, 2, 3, 100]) expect(countedIn(file, size).scans).toBe(scans)
  })
})

const picture = () => sharpFrom(quadrantPixels(64, 48))

const size = { width: 64, height: 48 }

const eligible = { isLosslessEligible: true, hasSingleScan: true }

describe('the first frame header and the first scan are found', () => {
  test.each<[string, Partial<CountedScans>, () => Promise<Buffer> | Buffer]>([
    ['a baseline JPEG', eligible, () => picture().jpeg().toBuffer()],
    ['a grey JPEG', eligible, () => picture().greyscale().jpeg().toBuffer()],
    [
      'a progressive JPEG',
      { ...eligible, hasSingleScan: false },
      () => picture().jpeg({ progressive: true }).toBuffer(),
    ],
    ['a JPEG of CMYK', { isLosslessEligible: false }, () => picture().toColourspace('cmyk').jpeg().toBuffer()],
    [
      'a JPEG with 300 KB of metadata',
      eligible,
      async () => withSegments(await picture().jpeg().toBuffer(), ...Array(5).fill(segment(0xe1, 'x'.repeat(60_000)))),
    ],
    ['a JPEG with fill bytes', eligible, async () => withSegments(await jpeg(size), Buffer.alloc(3, 0xff))],
    [
      'a JPEG with stray bytes',
      { isLosslessEligible: false },
      async () => withSegments(await jpeg(size), Buffer.alloc(3)),
    ],
    ...[0xd0, 0xd7, 0xd8, 0x01].map((marker): [string, Partial<CountedScans>, () => Promise<Buffer>] => [
      `a JPEG whose frame header is hidden behind the marker ff${marker.toString(16).padStart(2, '0')}`,
      { isLosslessEligible: false },
      async () => hidingFrame(await picture().jpeg().toBuffer(), marker),
    ]),
  ])('of %s', async (_, expected, make) => {
    const file = await make()
    for (const pieceSize of [1, 7, file.length])
      expect(countedIn(file, pieceSize)).toMatchObject({ ...expected, ...size })
  })

  test('of a baseline JPEG with a scan for each component', () => {
    const file = flatJpeg({ components: 3, separateScans: true })
    expect(countedIn(file, 100)).toMatchObject({ isLosslessEligible: true, hasSingleScan: false, scans: 3 })
  })

  test('and nothing is known before they have arrived', async () => {
    const file = await picture().jpeg().toBuffer()
    const frameAt = file.indexOf(Buffer.from([0xff, 0xc0]))
    expect(countedIn(file.subarray(0, frameAt + 9), 5)).toMatchObject({
      isLosslessEligible: undefined,
      width: 0,
      height: 0,
    })
    expect(countedIn(file.subarray(0, frameAt + 10), 5)).toMatchObject({
      isLosslessEligible: true,
      hasSingleScan: false,
      width: 64,
    })
  })
})
