import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { sniff } from './sniff.ts'
import { offBy, quartersOf } from './test/looking.ts'
import { sharedPool } from './test/making.ts'
import {
  fixture,
  jpeg,
  opened,
  quartered,
  stored,
  tellingExif,
  withChunks,
  withSegments,
  exifSegment,
} from './test/pictures.ts'

const images = sharedPool()
const picture = () => opened(quartered(640, 480))

/** Frames that differ, below one another. */
const film = (frames: number) => {
  const one = quartered(160, 120)
  const data = Buffer.concat(
    Array.from({ length: frames }, (_, i) => one.data.map((value) => Math.min(255, value + i * 12))),
  )
  return sharp(data, { raw: { width: 160, height: 120 * frames, channels: 3, pageHeight: 120 } })
}

describe('every format we take becomes a WebP thumbnail and a full image', () => {
  const files: Record<string, () => Promise<Buffer>> = {
    jpeg: () => picture().jpeg({ quality: 90 }).toBuffer(),
    'progressive jpeg': () => picture().jpeg({ quality: 90, progressive: true }).toBuffer(),
    'grey jpeg': () => picture().greyscale().jpeg({ quality: 90 }).toBuffer(),
    png: () => picture().png().toBuffer(),
    'png of 16 bits': () => picture().toColourspace('rgb16').png().toBuffer(),
    'png with a palette': () => picture().png({ palette: true }).toBuffer(),
    gif: () => picture().gif().toBuffer(),
    webp: () => picture().webp({ quality: 90 }).toBuffer(),
    'lossless webp': () => picture().webp({ lossless: true }).toBuffer(),
    avif: () => picture().avif({ quality: 70, effort: 0 }).toBuffer(),
    tiff: () => picture().tiff({ compression: 'lzw' }).toBuffer(),
    'tiff of 16 bits': () => picture().toColourspace('rgb16').tiff().toBuffer(),
  }
  test.each(Object.keys(files))('%s', async (name) => {
    const file = await files[name]!()
    const { thumb, full, made } = await images().make(file)
    const isGrey = name === 'grey jpeg'
    expect(sniff(thumb)).toMatchObject({ format: 'webp', width: 480, height: 360 })
    expect(sniff(full)).toMatchObject({ format: 'jpeg', width: 640, height: 480 })
    expect(made.thumbnail).toMatchObject({ width: 640, height: 480, bytes: thumb.length })
    expect(made.full).toMatchObject({ type: 'image/jpeg', bytes: full.length, kept: name.endsWith('jpeg') })
    expect(Buffer.from(made.thumbnail.thumbhash, 'base64').length).toBeGreaterThan(4)
    if (isGrey) return
    expect(await offBy(thumb)).toBeLessThan(12)
    expect(await offBy(full)).toBeLessThan(12)
  })
})

test('a HEIC photo from a phone becomes a JPEG', async () => {
  const { thumb, full, made } = await images().make(fixture('plain.heic'))
  expect(made.full.type).toBe('image/jpeg')
  expect(sniff(full)).toMatchObject({ format: 'jpeg', width: 320, height: 240 })
  expect(await offBy(full)).toBeLessThan(12)
  expect(await offBy(thumb)).toBeLessThan(12)
})

test('of several pictures in a HEIC file the main one is taken', async () => {
  const { made } = await images().make(fixture('second-is-main.heic'))
  expect(made.thumbnail).toMatchObject({ width: 320, height: 240 })
})

test('a small photo is not enlarged for its thumbnail', async () => {
  const { thumb } = await images().make(await jpeg({ width: 90, height: 60 }))
  expect(sniff(thumb)).toMatchObject({ width: 90, height: 60 })
})

describe('what moves goes on moving', () => {
  test.each(['gif', 'webp'] as const)('an animated %s becomes an animated GIF and keeps its rhythm', async (format) => {
    const rhythm = { delay: [100, 200, 300, 400, 500], loop: 3 }
    const file = await (format === 'gif' ? film(5).gif(rhythm) : film(5).webp(rhythm)).toBuffer()
    const { thumb, full, made } = await images().make(file)
    expect(made.full.type).toBe('image/gif')
    const meta = await sharp(full, { animated: true }).metadata()
    expect(meta).toMatchObject({ pages: 5, pageHeight: 120, loop: 3, delay: [100, 200, 300, 400, 500] })
    expect(made.thumbnail).toMatchObject({ width: 160, height: 120 })
    expect((await sharp(thumb).metadata()).pages ?? 1).toBe(1)
    expect(await offBy(thumb)).toBeLessThan(16)
  })
})

describe('transparency', () => {
  const glass = (alpha: number) => picture().ensureAlpha(alpha)
  test.each([
    ['png', (alpha: number) => glass(alpha).png().toBuffer()],
    ['webp', (alpha: number) => glass(alpha).webp().toBuffer()],
    ['avif', (alpha: number) => glass(alpha).avif({ effort: 0 }).toBuffer()],
    ['tiff', (alpha: number) => glass(alpha).tiff({ compression: 'lzw' }).toBuffer()],
  ])('%s keeps it when it is real, and becomes a JPEG when it is not', async (_, file) => {
    const real = await images().make(await file(0.5))
    expect(real.made.full.type).toBe('image/png')
    expect((await sharp(real.full).stats()).channels[3]?.max).toBeLessThan(140)
    expect((await sharp(real.thumb).metadata()).hasAlpha).toBe(true)
    const opaque = await images().make(await file(1))
    expect(opaque.made.full.type).toBe('image/jpeg')
  })
  test('a single transparent pixel counts', async () => {
    const { data } = quartered(200, 100)
    const rgba = Buffer.alloc(200 * 100 * 4, 255)
    for (let i = 0; i < 200 * 100; i++) data.copy(rgba, i * 4, i * 3, i * 3 + 3)
    rgba[4 * 12_345 + 3] = 250
    const file = await sharp(rgba, { raw: { width: 200, height: 100, channels: 4 } })
      .png()
      .toBuffer()
    expect((await images().make(file)).made.full.type).toBe('image/png')
  })
  test('a palette may hold it', async () => {
    const file = await glass(0.4).png({ palette: true }).toBuffer()
    expect((await images().make(file)).made.full.type).toBe('image/png')
  })
  test('HEIC may hold it', async () => {
    expect((await images().make(fixture('see-through.heic'))).made.full.type).toBe('image/png')
  })
})

describe('all eight orientations come out upright', () => {
  const upright = quartered(300, 200)
  const held = (orientation: number) => opened(stored(upright, orientation))
  const size = { width: 300, height: 200 }

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('JPEG, kept: %i', async (orientation) => {
    const file = withSegments(
      await held(orientation).jpeg({ quality: 95 }).toBuffer(),
      exifSegment(tellingExif(orientation)),
    )
    const { thumb, full, made } = await images().make(file)
    expect(made.full.kept).toBe(true)
    expect(made.thumbnail).toMatchObject(size)
    expect(sniff(thumb)).toMatchObject(size)
    expect(await offBy(thumb)).toBeLessThan(12)
    expect(await offBy(full)).toBeLessThan(12)
    expect((await sharp(full).metadata()).orientation ?? 1).toBe(orientation)
  })

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('JPEG, encoded anew: %i', async (orientation) => {
    // Ink cannot show our colours; what it makes of them is what must come out.
    const inked = await quartersOf(await held(1).toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer())
    const cmyk = await held(orientation).toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer()
    const { thumb, full, made } = await images().make(withSegments(cmyk, exifSegment(tellingExif(orientation))))
    expect(made.full.kept).toBe(false)
    expect(made.thumbnail).toMatchObject(size)
    expect(sniff(full)).toMatchObject(size)
    expect((await sharp(full).metadata()).orientation ?? 1).toBe(1)
    expect(await offBy(full, inked)).toBeLessThan(12)
    expect(await offBy(thumb, inked)).toBeLessThan(12)
  })

  test.each([3, 6, 7])('PNG: %i', async (orientation) => {
    const file = withChunks(await held(orientation).png().toBuffer(), ['eXIf', tellingExif(orientation)])
    const { full, made } = await images().make(file)
    expect(made.thumbnail).toMatchObject(size)
    expect(await offBy(full)).toBeLessThan(12)
  })

  test.each([2, 5, 8])('WebP and TIFF: %i', async (orientation) => {
    for (const format of ['webp', 'tiff'] as const) {
      const file = await held(orientation).withMetadata({ orientation })[format]({ quality: 90 }).toBuffer()
      const { full, made } = await images().make(file)
      expect(made.thumbnail).toMatchObject(size)
      expect(await offBy(full)).toBeLessThan(12)
    }
  })

  test.each(['turned-by-exif', 'turned-by-itself', 'mirrored-by-itself'])('HEIC: %s', async (name) => {
    const { thumb, full, made } = await images().make(fixture(`${name}.heic`))
    expect(made.thumbnail).toMatchObject({ width: 320, height: 240 })
    expect(await offBy(full)).toBeLessThan(16)
    expect(await offBy(thumb)).toBeLessThan(16)
  })
})
