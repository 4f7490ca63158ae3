import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test, vi } from 'vitest'
import { sniff } from '../../images/formats/sniff.ts'
import { type CountedScans, createScanCounter } from '../../images/jpeg/scan.ts'
import { readJpeg, rebuildJpeg } from '../../images/jpeg/jpeg.ts'
import {
  hidingFrame,
  manyScans,
  photographicWebp,
  sparseGif,
  sparseWebp,
  withJpegSize,
} from '../../images/test/make-bombs.ts'
import {
  canary,
  exifSegment,
  fixture,
  jpeg,
  jpegWithMetadata,
  quadrantPixels,
  sampleExif,
  segment,
  sharpFrom,
  withSegments,
} from '../../images/test/sample-images.ts'
import { createUploadInspector, estimateSlowJpegMs, estimateSlowMs } from './inspect-upload.ts'

/** What is stored of a file that arrives in chunks of a size, and the result of the inspection. */
async function received(file: Buffer, size: number) {
  const inspector = createUploadInspector(100)
  function* chunks(): Generator<Buffer> {
    for (let at = 0; at < file.length; at += size) yield Buffer.from(file.subarray(at, at + size))
  }
  const stored = await buffer(inspector.inspect(Readable.from(chunks())))
  return { stored, ...inspector.result() }
}

const rebuilt = (file: Buffer): Buffer => {
  const read = readJpeg(file)
  if (!read.lossless) throw new Error(read.reason)
  return Buffer.concat(rebuildJpeg(read))
}

const photoWithMetadata = withSegments(
  await jpeg({ width: 400, height: 300 }),
  exifSegment(sampleExif(6)),
  segment(0xe1, `${canary} ${'x'.repeat(60_000)}`),
  segment(0xfe, `${canary} comment`),
)

describe('an upload', () => {
  test.each([
    ['a GIF of 201 frames', () => sparseGif(20, 20, 201)],
    ['a WebP of 201 frames', () => sparseWebp(20, 20, 201)],
    ['a GIF of 41 megapixels over all frames', () => sparseGif(1000, 1000, 41)],
  ])('of %s is refused with the limits', async (_, make) => {
    await expect(received(await make(), 65_536)).rejects.toMatchObject({
      code: 'too_large',
      detail: expect.stringContaining('up to 200 frames, and 40 megapixels over all frames'),
    })
  })

  test.each([1, 7, 1000, 65_536, 1_000_000])(
    'of a plain JPEG in chunks of %i bytes is stored without metadata',
    async (size) => {
      const { stored, bytes, sha256 } = await received(photoWithMetadata, size)
      expect(stored.equals(rebuilt(photoWithMetadata))).toBe(true)
      expect(stored.includes(canary)).toBe(false)
      expect(bytes).toBe(stored.length)
      expect(sha256.equals(createHash('sha256').update(stored).digest())).toBe(true)
    },
  )

  test.each<[string, () => Promise<Buffer>]>([
    ['a PNG', () => sharpFrom(quadrantPixels(200, 100)).png().toBuffer()],
    ['a progressive JPEG', async () => jpegWithMetadata(await jpeg({ progressive: true }))],
    ['a JPEG of CMYK', () => sharpFrom(quadrantPixels(64, 64)).toColourspace('cmyk').jpeg().toBuffer()],
    ['a JPEG that ends within its metadata', async () => photoWithMetadata.subarray(0, 30_000)],
    [
      'a JPEG with more metadata than is inspected',
      async () => withSegments(await jpeg(), ...Array.from({ length: 5 }, () => segment(0xfe, 'x'.repeat(60_000)))),
    ],
    ['a file of few bytes', () => sharpFrom(quadrantPixels(1, 1)).gif().toBuffer()],
  ])('of %s is stored unchanged', async (_, make) => {
    const file = await make()
    for (const size of [61, 4096, 65_536]) expect((await received(file, size)).stored.equals(file)).toBe(true)
  })

  test('is cleaned however many fill bytes stand before a marker', async () => {
    const filled = Buffer.concat([
      photoWithMetadata.subarray(0, 2),
      Buffer.alloc(30_000, 0xff),
      photoWithMetadata.subarray(2),
    ])
    for (const size of [1, 5000])
      expect((await received(filled, size)).stored.equals(rebuilt(photoWithMetadata))).toBe(true)
  })

  test('of more megapixels than the limit is refused, however its frame header is hidden', async () => {
    const large = withJpegSize(await jpeg(), 12_000, 9_000)
    const metadata = Array.from({ length: 5 }, () => segment(0xfe, 'x'.repeat(60_000)))
    for (const file of [large, withSegments(large, ...metadata), hidingFrame(large, 0xd0)])
      await expect(received(file, 65_536)).rejects.toMatchObject({ code: 'too_large' })
  })

  test('in single bytes does not have its first 256 KB read again for each of them', async () => {
    const fillBytes = Buffer.alloc(256 * 1024 - 300, 0xff)
    const progressive = await jpeg({ progressive: true })
    const head = Buffer.concat([progressive.subarray(0, 2), fillBytes, progressive.subarray(2)])
    function* chunks(): Generator<Buffer> {
      yield head
      for (let bytes = 0; bytes < 200; bytes++) yield Buffer.from([0])
    }
    const countedSniff = vi.fn<typeof sniff>(sniff)
    await buffer(createUploadInspector(100, countedSniff).inspect(Readable.from(chunks())))
    expect(countedSniff).toHaveBeenCalled()
    expect(countedSniff.mock.calls.length).toBeLessThan(10)
  })

  test('keeps data after the picture, which an image process removes', async () => {
    const file = Buffer.concat([photoWithMetadata, Buffer.from(`${canary} after the end`)])
    const { stored } = await received(file, 5000)
    expect(stored.equals(Buffer.concat([rebuilt(photoWithMetadata), Buffer.from(`${canary} after the end`)]))).toBe(
      true,
    )
  })
})

describe('how long processing will take is known', () => {
  /** What the inspection says while a file arrives in chunks of 10,000 bytes, and how many of them it has taken by then. */
  async function estimated(file: Buffer) {
    const inspector = createUploadInspector(100)
    let taken = 0
    function* chunks(): Generator<Buffer> {
      for (let at = 0; at < file.length; at += 10_000) {
        taken = at
        yield Buffer.from(file.subarray(at, at + 10_000))
      }
    }
    const takenWhenKnown = inspector.slowMs.then(() => taken)
    await buffer(inspector.inspect(Readable.from(chunks(), { highWaterMark: 1 })))
    return { slowMs: await inspector.slowMs, share: (await takenWhenKnown) / file.length }
  }
  test('of a JPEG in one scan by its first bytes', async () => {
    const file = Buffer.concat([await jpeg({ width: 400, height: 300 }), Buffer.alloc(600_000)])
    const { slowMs, share } = await estimated(file)
    expect(slowMs).toBeNull()
    expect(share).toBeLessThan(0.5)
  })
  test('of a JPEG with many scans as soon as there are too many of them, also after the first 256 KB', async () => {
    const first = manyScans(5_000, 1).subarray(0, -2)
    const more = Array.from({ length: 60 }, () =>
      segment(0xda, Buffer.from([1, 1, 0, 1, 1, 0, ...Buffer.alloc(20_000)])),
    )
    const { slowMs, share } = await estimated(Buffer.concat([first, ...more]))
    expect(slowMs).toBeGreaterThan(2_000)
    expect(share).toBeGreaterThan(0.3)
    expect(share).toBeLessThan(0.9)
  })
  test('of an animation by its first 256 KB, as of the longest one', async () => {
    const { slowMs, share } = await estimated(Buffer.concat([sparseGif(100, 100, 3), Buffer.alloc(1_200_000)]))
    expect(slowMs).toBe(2_250)
    expect(share).toBeLessThan(0.5)
  })
})

describe('slow files', () => {
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
    })
    test('the first bytes may be too few to tell', async () => {
      const tiff = (await picture().tiff().toBuffer()).subarray(0, 64)
      expect(estimateSlowMs(tiff, 'start')).toBeUndefined()
      expect(estimateSlowMs(tiff, 'full')).toBe(2_170)
    })
  })
})
