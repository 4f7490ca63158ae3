import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { exifBlock } from '../test/exif-block.ts'
import { partNames, filePartsOf } from '../test/file-parts.ts'
import {
  artist,
  canary,
  copyright,
  exifSegment,
  fixture,
  jpeg,
  jpegWithMetadata,
  quadrantPixels,
  sampleExif,
  sampleXmp,
  sharpFrom,
  withPngChunks,
  withSegments,
} from '../test/sample-images.ts'
import { sharedTestPool, type RenderOutcome } from '../test/test-pool.ts'

const images = sharedTestPool()
const picture = () => sharpFrom(quadrantPixels(160, 120))

/** The tags of an EXIF block's directories, following their pointers. Shares no code with the reader. */
function exifTagsOf(exif: Buffer): number[] {
  const b = exif.toString('latin1', 0, 4) === 'Exif' ? exif.subarray(6) : exif
  const isLittleEndian = b[0] === 0x49
  const u16 = (at: number): number => (isLittleEndian ? b.readUInt16LE(at) : b.readUInt16BE(at))
  const u32 = (at: number): number => (isLittleEndian ? b.readUInt32LE(at) : b.readUInt32BE(at))
  const tagsFrom = (at: number): number[] => {
    const tags: number[] = []
    for (let i = 0; i < u16(at); i++) {
      const entry = at + 2 + i * 12
      tags.push(u16(entry))
      if ([0x8769, 0x8825, 0xa005].includes(u16(entry))) tags.push(...tagsFrom(u32(entry + 8)))
    }
    const next = u32(at + 2 + u16(at) * 12)
    return next ? [...tags, ...tagsFrom(next)] : tags
  }
  return tagsFrom(u32(4))
}

const allowedParts: Record<string, RegExp> = {
  'image/jpeg': /^(e0|e1|e2|db|c4|c0|c1|c2|dd|da|scan|d9)$/,
  'image/png': /^(IHDR|eXIf|IDAT|IEND|pHYs|gAMA|cHRM|sRGB|bKGD|sBIT)$/,
  'image/gif': /^(frame|f9|ff|fe)$/,
}

/** Checks that no metadata is served, except the credit on the full image. */
async function expectNoMetadata({ thumb, full, photo }: RenderOutcome, { hasCredit = true } = {}): Promise<void> {
  for (const image of [thumb, full]) {
    expect(image.includes(canary)).toBe(false)
    expect(image.includes(Buffer.from(canary, 'utf16le'))).toBe(false)
    expect(/ns\.adobe|Photoshop|xmpmeta|MPF\0|GPS/.test(image.toString('latin1'))).toBe(false)
    const { xmp, iptc, tifftagPhotoshop, gainMap } = await sharp(image).metadata()
    expect([xmp, iptc, tifftagPhotoshop, gainMap].filter((one) => one !== undefined)).toEqual([])
  }
  expect(partNames(thumb).every((name) => /^(VP8 |VP8L|VP8X|ALPH)$/.test(name))).toBe(true)
  expect((await sharp(thumb).metadata()).exif).toBeUndefined()
  expect(partNames(full).filter((name) => !allowedParts[photo.full.contentType]!.test(name))).toEqual([])
  expect(full.includes(artist) && full.includes(copyright)).toBe(hasCredit)
  expect(thumb.includes(artist)).toBe(false)
  const { exif } = await sharp(full).metadata()
  const tags = exif ? exifTagsOf(exif) : []
  expect(tags.filter((tag) => ![0x0112, 0x013b, 0x8298].includes(tag))).toEqual([])
}

describe('only the credit of a photo is served, no other metadata', () => {
  test.each([1, 6])('lossless JPEG, orientation %i', async (orientation) => {
    const outcome = await images().render(jpegWithMetadata(await jpeg(), orientation))
    expect(outcome.photo.full.lossless).toBe(true)
    await expectNoMetadata(outcome)
    const { exif } = await sharp(outcome.full).metadata()
    expect(exifTagsOf(exif!)).toEqual(orientation === 1 ? [0x013b, 0x8298] : [0x0112, 0x013b, 0x8298])
  })
  test('lossless progressive JPEG', async () => {
    await expectNoMetadata(await images().render(jpegWithMetadata(await jpeg({ progressive: true }))))
  })
  test('re-encoded JPEG', async () => {
    const cmyk = await picture().toColourspace('cmyk').jpeg().toBuffer()
    const outcome = await images().render(jpegWithMetadata(cmyk, 6))
    expect(outcome.photo.full.lossless).toBe(false)
    await expectNoMetadata(outcome)
  })
  test.each([
    ['opaque', 1, 'image/jpeg'],
    ['transparent', 0.5, 'image/png'],
  ])('%s PNG with every kind of text chunk', async (_, alpha, contentType) => {
    const file = withPngChunks(
      await picture().ensureAlpha(alpha).png().toBuffer(),
      ['eXIf', sampleExif()],
      ['tEXt', Buffer.from(`Comment\0${canary} text`)],
      ['iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${sampleXmp}`)],
      ['tIME', Buffer.from([7, 234, 5, 1, 12, 0, 0])],
      ['caNd', Buffer.from(`${canary} private chunk`)],
    )
    const outcome = await images().render(file)
    expect(outcome.photo.full.contentType).toBe(contentType)
    await expectNoMetadata(outcome)
  })
  test('WebP, AVIF and TIFF', async () => {
    const withMetadata = (): Sharp =>
      picture()
        .withExif({
          IFD0: { Artist: artist, Copyright: copyright, Make: `${canary} make` },
          IFD3: { GPSMapDatum: canary },
        })
        .withXmp(sampleXmp)
    await expectNoMetadata(await images().render(await withMetadata().webp().toBuffer()))
    await expectNoMetadata(await images().render(await withMetadata().avif({ effort: 0 }).toBuffer()))
    const tiff = await picture().withXmp(sampleXmp).tiff().toBuffer()
    await expectNoMetadata(await images().render(tiff), { hasCredit: false })
  })
  test('HEIC', async () => {
    await expectNoMetadata(await images().render(fixture('rotated-by-exif.heic')))
    await expectNoMetadata(await images().render(fixture('rotated-by-irot.heic')))
  })
  test('animations', async () => {
    const animation = sharp(Buffer.concat([quadrantPixels(60, 40).data, quadrantPixels(60, 40, 90).data]), {
      raw: { width: 60, height: 80, channels: 3, pageHeight: 40 },
    })
    const gif = await animation.gif().toBuffer()
    const comment = Buffer.from(`\x21\xfe${String.fromCharCode(canary.length)}${canary}\0`, 'latin1')
    const end = gif.length - 1
    const outcome = await images().render(Buffer.concat([gif.subarray(0, end), comment, gif.subarray(end)]))
    expect(outcome.photo.full.contentType).toBe('image/gif')
    await expectNoMetadata(outcome, { hasCredit: false })
    const exif = { IFD0: { Artist: artist, Copyright: copyright, Make: canary } }
    const webp = await animation.withExif(exif).withXmp(sampleXmp).webp().toBuffer()
    await expectNoMetadata(await images().render(webp))
  })
})

describe('the credit', () => {
  const creditOf = async (main: [number, string][]): Promise<string> => {
    const { full } = await images().render(withSegments(await jpeg(), exifSegment(exifBlock({ main }))))
    const found = filePartsOf(full).find(({ name }) => name === 'e1')
    return found?.bytes.toString('latin1') ?? ''
  }
  test('is printable ASCII, whatever the file contains', async () => {
    const segmentText = await creditOf([
      [0x013b, '\u00a9 \xc3\x84nne\x07 \x1b[31mM\xfcller <script>'],
      [0x8298, `x\0editor`],
    ])
    expect(segmentText).toContain('x; editor')
    // The values follow the prefix, the TIFF header and a directory with two entries.
    expect(segmentText.slice(6 + 8 + 2 + 2 * 12 + 4)).toMatch(/^[\0 -~]+$/)
  })
  test('has a limited length', async () => {
    expect((await creditOf([[0x013b, 'a'.repeat(20_000)]])).length).toBeLessThan(300)
  })
  test('is missing when the file has none', async () => {
    const { full } = await images().render(await jpeg())
    expect(partNames(full)).not.toContain('e1')
  })
})
