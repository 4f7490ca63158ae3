import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { sniff } from '../formats/sniff.ts'
import { sparseGif, sparseWebp } from '../test/make-bombs.ts'
import { colourError } from '../test/pixels.ts'
import {
  exifSegment,
  fixture,
  jpeg,
  quadrantPixels,
  sampleExif,
  segment,
  sharpFrom,
  storedWithOrientation,
  withPngChunks,
  withSegments,
} from '../test/sample-images.ts'
import { sharedTestPool } from '../test/test-pool.ts'

const images = sharedTestPool()
const picture = () => sharpFrom(quadrantPixels(500, 100))

/** Frames of different brightness. */
const animation = (frames: number) => {
  const first = quadrantPixels(160, 120)
  const data = Buffer.concat(
    Array.from({ length: frames }, (_, frame) => first.data.map((value) => Math.min(255, value + frame * 12))),
  )
  return sharp(data, { raw: { width: 160, height: 120 * frames, channels: 3, pageHeight: 120 } })
}

describe('a photo of every accepted format gets a WebP thumbnail and a full image', () => {
  const files: Record<string, () => Promise<Buffer>> = {
    JPEG: () => picture().jpeg({ quality: 90 }).toBuffer(),
    'progressive JPEG': () => picture().jpeg({ quality: 90, progressive: true }).toBuffer(),
    'grey JPEG': () => picture().greyscale().jpeg({ quality: 90 }).toBuffer(),
    PNG: () => picture().png().toBuffer(),
    '16-bit PNG': () => picture().toColourspace('rgb16').png().toBuffer(),
    'PNG with a palette': () => picture().png({ palette: true }).toBuffer(),
    GIF: () => picture().gif().toBuffer(),
    WebP: () => picture().webp({ quality: 90 }).toBuffer(),
    'lossless WebP': () => picture().webp({ lossless: true }).toBuffer(),
    AVIF: () => picture().avif({ quality: 70, effort: 0 }).toBuffer(),
    TIFF: () => picture().tiff({ compression: 'lzw' }).toBuffer(),
    '16-bit TIFF': () => picture().toColourspace('rgb16').tiff().toBuffer(),
  }
  test.each(Object.keys(files))('%s', async (name) => {
    const file = await files[name]!()
    const { thumb, full, photo } = await images().render(file)
    expect(sniff(thumb)).toMatchObject({ format: 'webp', width: 480, height: 96 })
    expect(sniff(full)).toMatchObject({ format: 'jpeg', width: 500, height: 100 })
    expect(photo.thumbnail).toMatchObject({ width: 500, height: 100, bytes: thumb.length })
    expect(photo.full).toMatchObject({ contentType: 'image/jpeg', bytes: full.length, lossless: name.endsWith('JPEG') })
    const { thumbhash } = photo.thumbnail
    expect(Buffer.from(thumbhash, 'base64').toString('base64')).toBe(thumbhash)
    expect(thumbhash.length).toBeGreaterThan(4)
    expect(thumbhash.length).toBeLessThanOrEqual(36)
    if (name === 'grey JPEG') return
    expect(await colourError(thumb)).toBeLessThan(12)
    expect(await colourError(full)).toBeLessThan(12)
  })
  test('HEIC: its primary image, even if it is not the first', async () => {
    const { thumb, full, photo } = await images().render(fixture('second-is-primary.heic'))
    expect(photo.full.contentType).toBe('image/jpeg')
    expect(sniff(full)).toMatchObject({ format: 'jpeg', width: 320, height: 240 })
    expect(await colourError(full)).toBeLessThan(12)
    expect(await colourError(thumb)).toBeLessThan(12)
  })
  test('JPEG: the thumbnail of a small one is not enlarged', async () => {
    const { thumb } = await images().render(await jpeg({ width: 90, height: 60 }))
    expect(sniff(thumb)).toMatchObject({ width: 90, height: 60 })
  })
})

test.each(['gif', 'webp'] as const)(
  'an animated %s becomes an animated GIF with the same delays and loop count',
  async (format) => {
    const timing = { delay: [100, 200, 300, 400, 500], loop: 3 }
    const file = await (format === 'gif' ? animation(5).gif(timing) : animation(5).webp(timing)).toBuffer()
    const { thumb, full, photo } = await images().render(file)
    expect(photo.full.contentType).toBe('image/gif')
    const metadata = await sharp(full, { animated: true }).metadata()
    expect(metadata).toMatchObject({ pages: 5, pageHeight: 120, loop: 3, delay: [100, 200, 300, 400, 500] })
    expect(photo.thumbnail).toMatchObject({ width: 160, height: 120 })
    expect((await sharp(thumb).metadata()).pages ?? 1).toBe(1)
    expect(await colourError(thumb)).toBeLessThan(16)
  },
)

test.each([
  ['GIF', sparseGif],
  ['WebP', sparseWebp],
] as const)('an animated %s of more than 200 frames is refused, one of 200 is not', async (_, make) => {
  expect(await images().failure(await make(20, 20, 201))).toMatchObject({ kind: 'refused', code: 'animation' })
  expect((await images().render(await make(20, 20, 200))).photo.full.contentType).toBe('image/gif')
})

describe('transparency', () => {
  const withAlpha = (alpha: number) => picture().ensureAlpha(alpha)
  test.each([
    ['PNG', (alpha: number) => withAlpha(alpha).png().toBuffer()],
    ['WebP', (alpha: number) => withAlpha(alpha).webp().toBuffer()],
    ['AVIF', (alpha: number) => withAlpha(alpha).avif({ effort: 0 }).toBuffer()],
    ['TIFF', (alpha: number) => withAlpha(alpha).tiff({ compression: 'lzw' }).toBuffer()],
  ])('%s with transparent pixels becomes a PNG, with an opaque alpha channel a JPEG', async (_, file) => {
    const transparent = await images().render(await file(0.5))
    expect(transparent.photo.full.contentType).toBe('image/png')
    expect((await sharp(transparent.full).stats()).channels[3]?.max).toBeLessThan(140)
    expect((await sharp(transparent.thumb).metadata()).hasAlpha).toBe(true)
    const opaque = await images().render(await file(1))
    expect(opaque.photo.full.contentType).toBe('image/jpeg')
  })
  test('of a single pixel is preserved', async () => {
    const [width, height] = [200, 100]
    const { data } = quadrantPixels(width, height)
    const rgba = Buffer.alloc(width * height * 4, 255)
    for (let i = 0; i < width * height; i++) data.copy(rgba, i * 4, i * 3, i * 3 + 3)
    rgba[4 * 12_345 + 3] = 250
    const file = await sharp(rgba, { raw: { width, height, channels: 4 } })
      .png()
      .toBuffer()
    expect((await images().render(file)).photo.full.contentType).toBe('image/png')
  })
  test('in a palette is preserved', async () => {
    const file = await withAlpha(0.4).png({ palette: true }).toBuffer()
    expect((await images().render(file)).photo.full.contentType).toBe('image/png')
  })
  test('in a HEIC file is preserved', async () => {
    expect((await images().render(fixture('transparent.heic'))).photo.full.contentType).toBe('image/png')
  })
})

describe('a photo with an orientation comes out upright', () => {
  const size = { width: 150, height: 100 }
  const upright = quadrantPixels(size.width, size.height)
  const withOrientation = (orientation: number) => sharpFrom(storedWithOrientation(upright, orientation))

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('lossless JPEG: %i', async (orientation) => {
    const file = withSegments(
      await withOrientation(orientation).jpeg({ quality: 95 }).toBuffer(),
      exifSegment(sampleExif(orientation)),
    )
    const { thumb, full, photo } = await images().render(file)
    expect(photo.full.lossless).toBe(true)
    expect(photo.thumbnail).toMatchObject(size)
    expect(sniff(thumb)).toMatchObject(size)
    expect(await colourError(thumb)).toBeLessThan(12)
    expect(await colourError(full)).toBeLessThan(12)
    expect((await sharp(full).metadata()).orientation ?? 1).toBe(orientation)
  })

  test.each([2, 5, 6])('re-encoded JPEG: %i', async (orientation) => {
    const baseline = await withOrientation(orientation).jpeg({ quality: 95 }).toBuffer()
    // A comment after the scan: valid, but the strict reader does not support it.
    const unsupported = Buffer.concat([baseline.subarray(0, -2), segment(0xfe, 'comment'), baseline.subarray(-2)])
    const { thumb, full, photo } = await images().render(
      withSegments(unsupported, exifSegment(sampleExif(orientation))),
    )
    expect(photo.full.lossless).toBe(false)
    expect(photo.thumbnail).toMatchObject(size)
    expect(sniff(full)).toMatchObject(size)
    expect((await sharp(full).metadata()).orientation ?? 1).toBe(1)
    expect(await colourError(full)).toBeLessThan(12)
    expect(await colourError(thumb)).toBeLessThan(12)
  })

  test.each([3, 7])('PNG, WebP and TIFF: %i', async (orientation) => {
    const stored = () => withOrientation(orientation)
    for (const file of [
      withPngChunks(await stored().png().toBuffer(), ['eXIf', sampleExif(orientation)]),
      await stored().withMetadata({ orientation }).webp({ quality: 90 }).toBuffer(),
      await stored().withMetadata({ orientation }).tiff().toBuffer(),
    ]) {
      const { full, photo } = await images().render(file)
      expect(photo.thumbnail).toMatchObject(size)
      expect(await colourError(full)).toBeLessThan(12)
    }
  })

  const heicFiles = ['rotated-by-exif', 'rotated-by-irot', 'mirrored-by-imir']
  test.each(heicFiles)('HEIC: %s', async (name) => {
    const { thumb, full, photo } = await images().render(fixture(`${name}.heic`))
    expect(photo.thumbnail).toMatchObject({ width: 320, height: 240 })
    expect(await colourError(full)).toBeLessThan(16)
    expect(await colourError(thumb)).toBeLessThan(16)
  })
})
