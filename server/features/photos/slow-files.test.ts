import { describe, expect, test } from 'vitest'
import { photographicWebp, sparseGif } from '../../images/test/make-bombs.ts'
import { fixture, jpeg, quadrantPixels, segment, sharpFrom, withSegments } from '../../images/test/sample-images.ts'
import { estimateSlowMs, workAhead } from './slow-files.ts'

const picture = () => sharpFrom(quadrantPixels(1000, 1000))

describe('a plain JPEG is never slow', () => {
  test.each<[string, () => Promise<Buffer>]>([
    ['baseline', () => jpeg()],
    ['progressive', () => jpeg({ progressive: true })],
    ['with data after the picture', async () => Buffer.concat([await jpeg(), Buffer.from('after the end')])],
  ])('%s', async (_, make) => expect(estimateSlowMs(await make(), 'whole file')).toBeNull())
  test('whose frame header comes after more metadata than is looked at', async () => {
    const file = withSegments(await jpeg(), ...Array.from({ length: 5 }, () => segment(0xfe, 'x'.repeat(60_000))))
    const head = file.subarray(0, 256 * 1024)
    expect([estimateSlowMs(head, 'start'), estimateSlowMs(head, 'full')]).toEqual([undefined, null])
  })
})

describe('of other files', () => {
  test.each<[string, number, () => Promise<Buffer> | Buffer]>([
    ['a PNG of one megapixel', 370, () => picture().png().toBuffer()],
    ['a TIFF of one megapixel', 330, () => picture().tiff().toBuffer()],
    ['a still WebP of one megapixel', 370, () => picture().webp().toBuffer()],
    ['a JPEG of CMYK of one megapixel', 330, () => picture().toColourspace('cmyk').jpeg().toBuffer()],
    ['a small HEIC', 269, () => fixture('plain.heic')],
    ['a GIF of 40 frames of 100,000 pixels', 3_050, () => sparseGif(400, 250, 40)],
  ])('%s is estimated at %i ms', async (_, ms, make) => {
    expect(estimateSlowMs(await make(), 'whole file')).toBe(ms)
  })
  test('an animation whose end is not known is as slow as the largest one', async () => {
    const head = (await photographicWebp({ side: 500, frames: 3 })).subarray(0, 5_000)
    expect([estimateSlowMs(head, 'start'), estimateSlowMs(head, 'full')]).toEqual([undefined, 28_250])
    expect(estimateSlowMs(sparseGif(100, 100, 3), 'full')).toBe(1_650)
  })
  test('the first bytes may be too few to tell', async () => {
    const tiff = await picture().tiff().toBuffer()
    expect(estimateSlowMs(tiff.subarray(0, 64), 'start')).toBeUndefined()
    expect(estimateSlowMs(tiff.subarray(0, 64), 'full')).toBe(2_170)
  })
})

test('owners take turns, so an owner waits for as much of each other one as of the own files', () => {
  const waiting = [
    { userId: 'busy', ms: 50_000 },
    { userId: 'other', ms: 3_000 },
  ]
  expect(workAhead(waiting, { userId: 'new', ms: 2_000 })).toBe(2_000 + 2_000)
  expect(workAhead(waiting, { userId: 'other', ms: 2_000 })).toBe(3_000 + 5_000)
  expect(workAhead(waiting, { userId: 'busy', ms: 28_000 })).toBe(50_000 + 3_000)
})
