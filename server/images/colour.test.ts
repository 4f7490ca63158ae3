import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { partsOf } from './test/structure.ts'
import { offBy, quartersOf } from './test/looking.ts'
import { sharedPool } from './test/making.ts'
import { exifSegment, fixture, opened, quartered, withSegments } from './test/pictures.ts'
import { exifBlock } from './test/exif-block.ts'

const images = sharedPool()
const picture = () => opened(quartered(320, 240, 4))

/** A picture with quarters of these colours. */
function coloured(colours: number[][]): Sharp {
  const { width, height, data } = quartered(320, 240, 0)
  for (let pixel = 0; pixel < width * height; pixel++) {
    const quarter = (pixel >= (width * height) / 2 ? 2 : 0) + ((pixel % width) * 2 >= width ? 1 : 0)
    data.set(colours[quarter]!, pixel * 3)
  }
  return opened({ width, height, data })
}

describe('a photo with a wide-gamut profile shows its own colours', () => {
  const wide: Record<string, (from: Sharp) => Promise<Buffer>> = {
    'PNG, encoded anew': (from) => from.png().toBuffer(),
    'TIFF, encoded anew': (from) => from.tiff({ compression: 'lzw' }).toBuffer(),
    'WebP, encoded anew': (from) => from.webp({ quality: 95 }).toBuffer(),
    'AVIF, encoded anew': (from) => from.avif({ quality: 90, effort: 0 }).toBuffer(),
    'JPEG, kept': (from) => from.jpeg({ quality: 95 }).toBuffer(),
  }
  test.each(Object.keys(wide))('%s', async (name) => {
    const file = await wide[name]!(picture().withIccProfile('p3'))
    const asIfSrgb = await offBy(await sharp(file, { ignoreIcc: true }).png().toBuffer())
    expect(asIfSrgb).toBeGreaterThan(14)
    const { thumb, full, made } = await images().make(file)
    expect(made.full.kept).toBe(name === 'JPEG, kept')
    expect(await offBy(full)).toBeLessThan(6)
    expect(await offBy(thumb)).toBeLessThan(6)
    expect((await sharp(full).metadata()).hasProfile).toBe(made.full.kept)
    expect((await sharp(thumb).metadata()).hasProfile).toBe(false)
  })

  test.each(['png', 'tiff'] as const)('%s of 16 bits', async (format) => {
    const eight = await picture().withIccProfile('p3').png().toBuffer()
    const file = await sharp(eight).keepIccProfile().toColourspace('rgb16')[format]({ compression: 'lzw' }).toBuffer()
    expect(await sharp(file).metadata()).toMatchObject({ depth: 'ushort', hasProfile: true })
    const { thumb, full } = await images().make(file)
    expect(await offBy(full)).toBeLessThan(6)
    expect(await offBy(thumb)).toBeLessThan(6)
  })

  test('HEIC with a profile', async () => {
    const { full } = await images().make(fixture('turned-by-itself.heic'))
    expect(await offBy(full)).toBeLessThan(10)
  })

  test('HEIC that only names Display P3 by its number', async () => {
    const plain = await quartersOf((await images().make(fixture('plain.heic'))).full)
    const named = await quartersOf((await images().make(fixture('p3-by-number.heic'))).full)
    // The same numbers in a wider space are a stronger red and green.
    expect(named[0]![0]! - plain[0]![0]!).toBeGreaterThan(8)
    expect(plain[1]![0]! - named[1]![0]!).toBeGreaterThan(8)
  })
})

describe('a photo in printing inks becomes RGB', () => {
  const mild = [
    [150, 90, 90],
    [90, 130, 95],
    [90, 95, 140],
    [170, 160, 110],
  ]
  const inks = () => coloured(mild).toColourspace('cmyk')
  test.each([
    ['JPEG with a profile', () => inks().withIccProfile('cmyk').jpeg({ quality: 95 }).toBuffer()],
    ['JPEG without one', () => inks().jpeg({ quality: 95 }).toBuffer()],
    ['TIFF with a profile', () => inks().withIccProfile('cmyk').tiff({ compression: 'lzw' }).toBuffer()],
  ])('%s', async (_, file) => {
    const bytes = await file()
    expect((await sharp(bytes).metadata()).space).toBe('cmyk')
    const { thumb, full, made } = await images().make(bytes)
    expect(made.full).toMatchObject({ type: 'image/jpeg', kept: false })
    expect((await sharp(full).metadata()).space).toBe('srgb')
    expect(await offBy(full, mild)).toBeLessThan(16)
    expect(await offBy(thumb, mild)).toBeLessThan(16)
  })
})

test('a kept profile holds colours and no words', async () => {
  const { full } = await images().make(await picture().withIccProfile('p3').jpeg().toBuffer())
  const profile = partsOf(full).find(({ name }) => name === 'e2')
  expect(profile?.bytes.toString('latin1', 0, 11)).toBe('ICC_PROFILE')
  const tags = profile!.bytes.subarray(14)
  const names = Array.from({ length: tags.readUInt32BE(128) }, (_, i) =>
    tags.toString('latin1', 132 + i * 12, 136 + i * 12),
  )
  expect(names.toSorted()).toEqual(['bTRC', 'bXYZ', 'chad', 'cprt', 'desc', 'gTRC', 'gXYZ', 'rTRC', 'rXYZ', 'wtpt'])
})

test('a photo whose camera only marked it as Adobe RGB gets the profile that says so', async () => {
  // Adobe RGB for the red, the green and the white of sRGB.
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
  const file = await coloured(colours).jpeg({ quality: 95 }).toBuffer()
  const mark = exifBlock({ exif: [[0xa001, 0xffff]], interoperability: [[1, 'R03']] })
  const { full, made } = await images().make(withSegments(file, exifSegment(mark)))
  expect(made.full.kept).toBe(true)
  expect(await offBy(full, shown)).toBeLessThan(7)
  expect(await offBy((await images().make(file)).full, shown)).toBeGreaterThan(30)
})

test('a photo with a broken profile is encoded anew', async () => {
  const file = await picture().withIccProfile('p3').jpeg().toBuffer()
  const at = file.indexOf('rTRC')
  file.write('XXXX', at)
  const { made, full } = await images().make(file)
  expect(made.full.kept).toBe(false)
  expect((await sharp(full).metadata()).hasProfile).toBe(false)
})

test('a photo in shades of grey stays grey', async () => {
  const { full } = await images().make(await picture().greyscale().toColourspace('b-w').jpeg().toBuffer())
  expect((await sharp(full).metadata()).channels).toBe(1)
  const { data } = await sharp(full).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  expect(Math.max(data[0]! - data[1]!, data[1]! - data[2]!)).toBe(0)
})
