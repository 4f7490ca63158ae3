import { describe, expect, test } from 'vitest'
import { type CountedScans, createScanCounter } from '../../images/jpeg/scan.ts'
import { fixture, jpeg, quadrantPixels, segment, sharpFrom, withSegments } from '../../images/test/sample-images.ts'
import { hidingFrame, photographicWebp, sparseGif, withJpegSize } from '../../images/test/make-bombs.ts'
import { estimateSlowJpegMs, estimateSlowMs } from './inspect-upload.ts'

const picture = () => sharpFrom(quadrantPixels(1000, 1000))

const counted = (file: Buffer, scans?: number): CountedScans => {
  const counter = createScanCounter()
  counter.add(file)
  return { ...counter.counted(), ...(scans !== undefined && { scans }) }
}

const allOf = (file: Buffer, scans?: number) => estimateSlowJpegMs(counted(file, scans), { isWholeFile: true })

const partOf = (file: Buffer, scans?: number) => estimateSlowJpegMs(counted(file, scans), { isWholeFile: false })

/** A JPEG whose header declares about so many megapixels, 3:2. */
const ofMegapixels = async (megapixels: number, progressive = false): Promise<Buffer> => {
  const height = Math.floor(Math.sqrt((megapixels * 1e6) / 1.5))
  return withJpegSize(await jpeg({ progressive }), Math.floor(height * 1.5), height)
}

describe('a plain JPEG', () => {
  test.each<[string, number, boolean, number]>([
    ['baseline, 12 megapixels', 12, false, 1],
    ['baseline, 120 megapixels', 120, false, 1],
    ['progressive, 12 megapixels, 64 scans', 12, true, 64],
    ['progressive, 61 megapixels, 10 scans', 61, true, 10],
  ])('as cameras and programs write it is quick: %s', async (_, megapixels, isProgressive, scans) => {
    expect(allOf(await ofMegapixels(megapixels, isProgressive), scans)).toBeNull()
  })
  test.each<[string, number, number, number]>([
    ['24 megapixels, 64 scans', 3_442, 24, 64],
    ['50 megapixels, 25 scans', 3_000, 50, 25],
    ['100 megapixels, 10 scans', 2_750, 100, 10],
    ['24 megapixels, more scans than are ever decoded', 3_442, 24, 20_000],
  ])('with many scans is slow: %s, %i ms', async (_, ms, megapixels, scans) => {
    const estimate = allOf(await ofMegapixels(megapixels, true), scans)
    expect(Math.abs(estimate! - ms)).toBeLessThan(20)
  })
  test('with data after the picture is quick', async () =>
    expect(allOf(Buffer.concat([await jpeg(), Buffer.from('after the end')]))).toBeNull())
  test('in one scan is known to be quick by its first bytes; in several, once all have arrived', async () => {
    const [baseline, progressive] = [await jpeg(), await ofMegapixels(24, true)]
    expect(partOf(baseline)).toBeNull()
    expect(partOf(progressive, 30)).toBeUndefined()
    expect(partOf(progressive, 40)).toBeGreaterThan(2_000)
    expect(allOf(progressive, 30)).toBeNull()
  })
  test('with more metadata than is looked at before its frame header is quick, as thermal and depth photos are', async () => {
    const metadata = Array.from({ length: 5 }, () => segment(0xfe, 'x'.repeat(60_000)))
    const file = withSegments(await jpeg(), ...metadata)
    expect([partOf(file.subarray(0, 256 * 1024)), partOf(file)]).toEqual([undefined, null])
  })
  test('that ends before its frame header, or hides it from the estimate, is slow', async () => {
    const large = await ofMegapixels(100)
    expect(allOf(large.subarray(0, 100))).toBe(2_650)
    expect(allOf(hidingFrame(large, 0xd0))).toBeGreaterThan(8_000)
    expect(partOf(hidingFrame(large, 0xd0))).toBeGreaterThan(8_000)
  })
})

describe('of other files', () => {
  test.each<[string, number, () => Promise<Buffer> | Buffer]>([
    ['a PNG of one megapixel', 370, () => picture().png().toBuffer()],
    ['a TIFF of one megapixel', 330, () => picture().tiff().toBuffer()],
    ['a still WebP of one megapixel', 370, () => picture().webp().toBuffer()],
    ['a small HEIC', 263, () => fixture('plain.heic')],
    ['a HEIC of twelve megapixels', 2_323, () => fixture('twelve-megapixels.heic')],
    ['a GIF of 40 frames of 100,000 pixels', 4_250, () => sparseGif(400, 250, 40)],
  ])('%s is estimated at %i ms', async (_, ms, make) => {
    expect(estimateSlowMs(await make(), 'whole file')).toBe(ms)
  })
  test('a JPEG of CMYK of one megapixel is estimated at 350 ms', async () =>
    expect(partOf(await picture().toColourspace('cmyk').jpeg().toBuffer())).toBe(350))
  test('an animation whose end is not known is as slow as the largest one', async () => {
    const head = (await photographicWebp({ side: 500, frames: 3 })).subarray(0, 5_000)
    const estimates = (['start', 'full'] as const).map((state) => estimateSlowMs(head, state))
    expect(estimates).toEqual([undefined, 26_250])
    expect(estimateSlowMs(sparseGif(100, 100, 3), 'full')).toBe(2_250)
  })
  test('the first bytes may be too few to tell', async () => {
    const tiff = (await picture().tiff().toBuffer()).subarray(0, 64)
    expect(estimateSlowMs(tiff, 'start')).toBeUndefined()
    expect(estimateSlowMs(tiff, 'full')).toBe(2_170)
  })
})
