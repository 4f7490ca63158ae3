import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import {
  colourError,
  exifBlock,
  exifSegment,
  fixture,
  quadrantMeans,
  quadrantPixels,
  sharpFrom,
  withPngChunks,
  withSegments,
} from '../test/sample-images.ts'
import { sharedTestPool } from '../test/test-pool.ts'
import { type ColourNumbers, withColourNumbers } from '../test/named-colours.ts'

describe('colour management', () => {
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
})

describe('named colours', () => {
  const images = sharedTestPool()
  type Colours = readonly (readonly number[])[]

  const [primariesOf2020, primariesOfP3] = [9, 12]
  const [linear, srgb, pq, hlg] = [8, 13, 16, 18]

  /** A picture whose quadrants have these parts of the largest coded value, with 16 bits per channel. */
  function coded(quadrants: Colours) {
    const [width, height] = [64, 48]
    const data = new Uint16Array(width * height * 3)
    for (let pixel = 0; pixel < width * height; pixel++) {
      const quadrant = (pixel >= (width * height) / 2 ? 2 : 0) + ((pixel % width) * 2 >= width ? 1 : 0)
      for (const channel of [0, 1, 2]) data[pixel * 3 + channel] = Math.round(quadrants[quadrant]![channel]! * 65_535)
    }
    return sharp(data, { raw: { width, height, channels: 3 } }).toColourspace('rgb16')
  }
  const bytesOf = (codes: Colours): Colours => codes.map((one) => one.map((code) => code / 255))
  const avif = async (quadrants: Colours, numbers: ColourNumbers): Promise<Buffer> =>
    withColourNumbers(await coded(quadrants).avif({ bitdepth: 10, quality: 95, effort: 0 }).toBuffer(), numbers)

  /** SMPTE ST 2084: the coded value of light in multiples of reference white, 203 cd/m². */
  function pqOf(white: number): number {
    const light = ((white * 203) / 10_000) ** 0.1593017578125
    return ((0.8359375 + 18.8515625 * light) / (1 + 18.6875 * light)) ** 78.84375
  }
  const lightOf = (byte: number): number =>
    byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4
  const greys = (...values: number[]): Colours => values.map((value) => [value, value, value])

  async function expectColours(file: Buffer, expected: Colours, tolerance = 3): Promise<void> {
    const { full, thumb } = await images().render(file)
    expect(await colourError(full, expected)).toBeLessThan(tolerance)
    expect(await colourError(thumb, expected)).toBeLessThan(tolerance + 2)
  }

  describe('an HDR picture without anything brighter than white keeps its colours', () => {
    const file = fixture('ten-bits-pq.heic')
    test('HEIC with BT.2020 and PQ', async () => {
      const shown = [
        [200, 40, 40],
        [40, 160, 60],
        [40, 60, 200],
        [200, 200, 200],
      ]
      await expectColours(withColourNumbers(file, { primaries: primariesOf2020, transfer: pq }), shown)
      // The same pixels, if the file did not name their colours.
      expect((await quadrantMeans((await images().render(file)).full))[3]![0]).toBeCloseTo(134, -0.5)
    })
    test('AVIF with Display P3 and HLG', async () => {
      // 75 % is reference white.
      await expectColours(
        await avif(greys(0.75, 0.75, 0.5, 0), { primaries: primariesOfP3, transfer: hlg }),
        greys(255, 255, 137, 0),
      )
    })
  })

  describe('a brighter HDR picture is shown as Chromium 150 does', () => {
    // Light in multiples of white, and what Chromium shows for it in a picture of 1,000 cd/m² or without a statement.
    const light = greys(1000 / 203, lightOf(200), 2, lightOf(96))
    const shown = greys(255, 146, 224, 68)
    test.each([primariesOf2020, primariesOfP3])('AVIF with PQ and the primaries %i', async (primaries) => {
      await expectColours(
        await avif(
          light.map((one) => one.map(pqOf)),
          { primaries, transfer: pq },
        ),
        shown,
      )
    })
    test('also if only the file says that it is bright', async () => {
      const darker = greys(lightOf(200), lightOf(200), lightOf(200), lightOf(96))
      const numbers = { primaries: primariesOf2020, transfer: pq, contentLight: 1000 }
      await expectColours(
        await avif(
          darker.map((one) => one.map(pqOf)),
          numbers,
        ),
        greys(146, 146, 146, 68),
      )
    })
    test('a bright colour keeps its hue', async () => {
      const red = [[pqOf(4), pqOf(0.2), pqOf(0.2)], ...greys(pqOf(1000 / 203), pqOf(1), pqOf(1))]
      const { full } = await images().render(await avif(red, { primaries: 1, transfer: pq }))
      const [r, g, b] = (await quadrantMeans(full))[0]!
      expect([Math.abs(r! - 255) < 4, Math.abs(g! - 72) < 5, Math.abs(b! - 72) < 5]).toEqual([true, true, true])
    })
  })

  describe('a picture that names other colours by numbers is converted', () => {
    const p3 = bytesOf([
      [184, 63, 50],
      [94, 158, 74],
      [44, 59, 192],
      [200, 200, 200],
    ])
    const shown = [
      [200, 50, 40],
      [70, 160, 60],
      [40, 60, 200],
      [200, 200, 200],
    ]
    const cicp: [string, Buffer] = ['cICP', Buffer.from([primariesOfP3, srgb, 0, 1])]
    const numbers = (...values: number[]): Buffer => {
      const bytes = Buffer.alloc(values.length * 4)
      values.forEach((value, at) => bytes.writeUInt32BE(Math.round(value * 100_000), at * 4))
      return bytes
    }
    const chromaticities: [string, Buffer] = ['cHRM', numbers(0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06)]
    const gamma = (value: number): [string, Buffer] => ['gAMA', numbers(value)]
    const png = () => coded(p3).png()

    test('AVIF and Display P3', async () => {
      await expectColours(await avif(p3, { primaries: primariesOfP3, transfer: srgb }), shown)
    })
    test('AVIF with linear light', async () => {
      await expectColours(
        await avif(greys(1, 0.5, 0.2, 0), { primaries: 1, transfer: linear }),
        greys(255, 188, 124, 0),
      )
    })
    test.each<[string, [string, Buffer][]]>([
      ['cICP', [cicp]],
      ['cICP before anything else', [cicp, gamma(1), ['sRGB', Buffer.from([0])]]],
      ['cHRM and gAMA', [chromaticities, gamma(0.45455)]],
      ['cHRM alone', [chromaticities]],
    ])('PNG with 16 bits and %s', async (_, chunks) => {
      await expectColours(withPngChunks(await png().toBuffer(), ...chunks), shown)
    })
    test.each(['8 bits', 'a palette', 'grey', 'transparency'])('PNG with gAMA: %s', async (kind) => {
      const codes = greys(1, 0.5, 0.2, 0)
      const base = coded(codes)
      const pictures: Record<string, () => Promise<Buffer>> = {
        '8 bits': () => base.toColourspace('srgb').png().toBuffer(),
        'a palette': () => base.toColourspace('srgb').png({ palette: true }).toBuffer(),
        grey: () => base.toColourspace('b-w').png().toBuffer(),
        transparency: () => base.toColourspace('srgb').ensureAlpha(0.5).png().toBuffer(),
      }
      const { full, photo } = await images().render(withPngChunks(await pictures[kind]!(), gamma(1)))
      expect(photo.full.contentType).toBe(kind === 'transparency' ? 'image/png' : 'image/jpeg')
      expect(await colourError(full, greys(255, 188, 124, 0))).toBeLessThan(4)
    })
    test.each<[string, [string, Buffer][]]>([
      ['says that it is sRGB', [['sRGB', Buffer.from([0])], gamma(1)]],
      ['means sRGB', [gamma(0.45455)]],
      ['has impossible numbers', [['cHRM', numbers(0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3)], gamma(0)]],
      [
        'has other lengths',
        [
          ['cICP', Buffer.from([9])],
          ['cHRM', Buffer.alloc(3)],
        ],
      ],
    ])('but not a PNG that %s', async (_, chunks) => {
      const file = await png().toBuffer()
      const plain = (await images().render(file)).full
      expect((await images().render(withPngChunks(file, ...chunks))).full.equals(plain)).toBe(true)
    })
  })

  test.each<ColourNumbers>([
    { primaries: 10, transfer: srgb },
    { primaries: 1, transfer: 17 },
    { primaries: 9, transfer: pq, matrix: 14 },
  ])('colours that cannot be converted are refused as such: %o', async (numbers) => {
    expect(await images().failure(await avif(greys(1, 0.5, 0.2, 0), numbers))).toMatchObject({ code: 'unsupported' })
  })
})
