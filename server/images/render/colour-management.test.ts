import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { colourError, quadrantMeans } from '../test/pixels.ts'
import { sharedTestPool } from '../test/test-pool.ts'
import { exifSegment, fixture, sharpFrom, quadrantPixels, withSegments } from '../test/sample-images.ts'
import { exifBlock } from '../test/exif-block.ts'

const images = sharedTestPool()
const picture = () => sharpFrom(quadrantPixels(320, 240, 4))

/** A picture with quadrants of these colours. */
function pictureOf(colours: number[][]): Sharp {
  const { width, height, data } = quadrantPixels(320, 240, 0)
  for (let pixel = 0; pixel < width * height; pixel++) {
    const quadrant = (pixel >= (width * height) / 2 ? 2 : 0) + ((pixel % width) * 2 >= width ? 1 : 0)
    data.set(colours[quadrant]!, pixel * 3)
  }
  return sharpFrom({ width, height, data })
}

describe('the colours of a photo with a wide-gamut profile are preserved', () => {
  const formats: Record<string, (picture: Sharp) => Promise<Buffer>> = {
    PNG: (picture) => picture.png().toBuffer(),
    TIFF: (picture) => picture.tiff({ compression: 'lzw' }).toBuffer(),
    WebP: (picture) => picture.webp({ quality: 95 }).toBuffer(),
    AVIF: (picture) => picture.avif({ quality: 90, effort: 0 }).toBuffer(),
    'lossless JPEG': (picture) => picture.jpeg({ quality: 95 }).toBuffer(),
  }
  test.each(Object.keys(formats))('%s', async (name) => {
    const file = await formats[name]!(picture().withIccProfile('p3'))
    const asIfSrgb = await colourError(await sharp(file, { ignoreIcc: true }).png().toBuffer())
    expect(asIfSrgb).toBeGreaterThan(14)
    const { thumb, full, photo } = await images().render(file)
    expect(photo.full.lossless).toBe(name === 'lossless JPEG')
    expect(await colourError(full)).toBeLessThan(6)
    expect(await colourError(thumb)).toBeLessThan(6)
    expect((await sharp(full).metadata()).hasProfile).toBe(photo.full.lossless)
    expect((await sharp(thumb).metadata()).hasProfile).toBe(false)
  })

  test.each(['png', 'tiff'] as const)('16-bit %s', async (format) => {
    const eightBits = await picture().withIccProfile('p3').png().toBuffer()
    const sixteenBits = sharp(eightBits).keepIccProfile().toColourspace('rgb16')
    const file = await (format === 'png' ? sixteenBits.png() : sixteenBits.tiff({ compression: 'lzw' })).toBuffer()
    expect(await sharp(file).metadata()).toMatchObject({ depth: 'ushort', hasProfile: true })
    const { thumb, full } = await images().render(file)
    expect(await colourError(full)).toBeLessThan(6)
    expect(await colourError(thumb)).toBeLessThan(6)
  })

  test('HEIC with a profile', async () => {
    const { full } = await images().render(fixture('rotated-by-irot.heic'))
    expect(await colourError(full)).toBeLessThan(10)
  })

  test('HEIC that names Display P3 by its number only', async () => {
    const plain = await quadrantMeans((await images().render(fixture('plain.heic'))).full)
    const named = await quadrantMeans((await images().render(fixture('display-p3-by-number.heic'))).full)
    // In a wider colour space the same numbers are a stronger red and green.
    expect(named[0]![0]! - plain[0]![0]!).toBeGreaterThan(8)
    expect(plain[1]![0]! - named[1]![0]!).toBeGreaterThan(8)
  })
})

describe('a CMYK photo becomes RGB', () => {
  const printableColours = [
    [150, 90, 90],
    [90, 130, 95],
    [90, 95, 140],
    [170, 160, 110],
  ]
  const cmyk = () => pictureOf(printableColours).toColourspace('cmyk')
  test.each([
    ['JPEG with a profile', () => cmyk().withIccProfile('cmyk').jpeg({ quality: 95 }).toBuffer()],
    ['JPEG without a profile', () => cmyk().jpeg({ quality: 95 }).toBuffer()],
    ['TIFF with a profile', () => cmyk().withIccProfile('cmyk').tiff({ compression: 'lzw' }).toBuffer()],
  ])('%s', async (_, file) => {
    const bytes = await file()
    expect((await sharp(bytes).metadata()).space).toBe('cmyk')
    const { thumb, full, photo } = await images().render(bytes)
    expect(photo.full).toMatchObject({ contentType: 'image/jpeg', lossless: false })
    expect((await sharp(full).metadata()).space).toBe('srgb')
    expect(await colourError(full, printableColours)).toBeLessThan(16)
    expect(await colourError(thumb, printableColours)).toBeLessThan(16)
  })
})

test('a photo that is marked as Adobe RGB in EXIF only gets an Adobe RGB profile', async () => {
  // The Adobe RGB values of red, green and white in sRGB.
  const colours = [
    [219, 0, 0],
    [144, 255, 60],
    [255, 255, 255],
    [128, 128, 128],
  ]
  const shown = [
    [255, 0, 0],
    [0, 255, 0],
    [255, 255, 255],
    [128, 128, 128],
  ]
  const file = await pictureOf(colours).jpeg({ quality: 95 }).toBuffer()
  const exif = exifBlock({ exif: [[0xa001, 0xffff]], interoperability: [[1, 'R03']] })
  const { full, photo } = await images().render(withSegments(file, exifSegment(exif)))
  expect(photo.full.lossless).toBe(true)
  expect(await colourError(full, shown)).toBeLessThan(7)
  expect(await colourError((await images().render(file)).full, shown)).toBeGreaterThan(30)
})

test('a JPEG with a broken profile is encoded again, without a profile', async () => {
  const file = await picture().withIccProfile('p3').jpeg().toBuffer()
  const at = file.indexOf('rTRC')
  file.write('XXXX', at)
  const { photo, full } = await images().render(file)
  expect(photo.full.lossless).toBe(false)
  expect((await sharp(full).metadata()).hasProfile).toBe(false)
})

test('a grey photo stays grey', async () => {
  const { full } = await images().render(await picture().greyscale().toColourspace('b-w').jpeg().toBuffer())
  expect((await sharp(full).metadata()).channels).toBe(1)
  const { data } = await sharp(full).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  expect(Math.max(data[0]! - data[1]!, data[1]! - data[2]!)).toBe(0)
})
