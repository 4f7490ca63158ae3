import { describe, expect, test } from 'vitest'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import {
  artist,
  canary,
  colourError,
  copyright,
  exifBlock,
  exifSegment,
  fixture,
  haveCommonBytes,
  jpeg,
  jpegWithMetadata,
  pixelsOf,
  quadrantPixels,
  sampleExif,
  sampleXmp,
  segment,
  sharpFrom,
  storedWithOrientation,
  withPngChunks,
  withSegments,
  xorshift32,
} from '../test/sample-images.ts'
import { filePartsOf, partNames } from '../test/file-parts.ts'
import { type RenderOutcome, sharedTestPool } from '../test/test-pool.ts'
import { sniff } from '../formats/sniff.ts'
import { sparseGif, sparseWebp } from '../test/make-bombs.ts'
import { decode } from './libvips.ts'
import { placeLogo } from './full-image.ts'

describe('libvips', () => {
  test('an error of libvips, or whatever the work with the image throws, is a refusal', async () => {
    const input = await jpeg({ width: 40, height: 30 })
    const work = () => Promise.reject(new Error('out of memory: cannot allocate'))
    await expect(decode({ input, maxPixels: 1e6 }, work)).rejects.toMatchObject({ name: 'Refusal', code: 'memory' })
    const half = decode({ input: input.subarray(0, input.length / 2), maxPixels: 1e6 }, (image) => image.toBuffer())
    await expect(half).rejects.toMatchObject({ code: 'damaged', cause: expect.any(Error) })
  })
})

describe('lossless', () => {
  const images = sharedTestPool()

  const scansOf = (file: Buffer): Buffer[] =>
    filePartsOf(file)
      .filter(({ name }) => name === 'scan')
      .map(({ bytes }) => bytes)

  describe('a lossless JPEG keeps its pixels bit for bit', () => {
    const small = { width: 160, height: 120 }
    const files: Record<string, () => Promise<Buffer>> = {
      baseline: () => jpeg(small),
      progressive: () => jpeg({ ...small, progressive: true }),
      'optimised tables': () => jpeg({ ...small, mozjpeg: true }),
      'no chroma subsampling': () => jpeg({ ...small, chromaSubsampling: '4:4:4' }),
      grey: () => sharpFrom(quadrantPixels(160, 120)).toColourspace('b-w').jpeg().toBuffer(),
      'odd width and height': () => jpeg({ width: 133, height: 91 }),
      'one pixel': () => jpeg({ width: 1, height: 1 }),
      'quality 100': () => jpeg({ ...small, quality: 100 }),
      'quality 1': () => jpeg({ ...small, quality: 1 }),
      'colour profile': () => sharpFrom(quadrantPixels(160, 120)).withIccProfile('p3').jpeg().toBuffer(),
    }
    test.each(Object.keys(files))('%s', async (name) => {
      const file = await files[name]!()
      const { full, photo } = await images().render(file)
      expect(photo.full.lossless).toBe(true)
      expect((await pixelsOf(full)).equals(await pixelsOf(file))).toBe(true)
      expect(scansOf(full)).toEqual(scansOf(file))
    })
  })

  test('a file that rebuilding does not change becomes the full image', async () => {
    const { full: file } = await images().render(
      withSegments(await jpeg({ width: 500, height: 400 }), segment(0xfe, 'x')),
    )
    const { full, photo } = await images().render(file)
    expect(photo.full).toMatchObject({ lossless: true, bytes: file.length })
    expect(full.equals(file)).toBe(true)
  })

  test('an Ultra HDR photo keeps its base picture and loses its gain map', async () => {
    const gainMap = await jpeg({ width: 80, height: 60 })
    const xmp = `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" hdrgm:GainMapMax="2"/></rdf:RDF></x:xmpmeta>`
    const base = withSegments(await jpeg(), segment(0xe1, xmp), segment(0xe2, 'MPF\0MM\0*\0\0\0\x08'))
    const { full, photo } = await images().render(Buffer.concat([base, gainMap]))
    expect(photo.full.lossless).toBe(true)
    expect(full.indexOf(Buffer.from([0xff, 0xd8, 0xff]), 2)).toBe(-1)
    expect((await pixelsOf(full)).equals(await pixelsOf(base))).toBe(true)
  })

  describe('hidden data is not served', () => {
    const random = xorshift32(4711)
    const noise = Buffer.from(Buffer.alloc(70_000).map(() => random() * 256))
    const places: Record<string, (file: Buffer, data: Buffer) => Buffer> = {
      'after the end': (file, data) => Buffer.concat([file, data]),
      'in a comment': (file, data) => withSegments(file, segment(0xfe, data.subarray(0, 65_000))),
      'in an application segment': (file, data) => withSegments(file, segment(0xef, data.subarray(0, 65_000))),
      'in a thumbnail extension': (file, data) =>
        withSegments(file, segment(0xe0, Buffer.concat([Buffer.from('JFXX\0'), data.subarray(0, 65_000)]))),
      'in a colour profile': (file, data) =>
        withSegments(
          file,
          segment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01'), data.subarray(0, 60_000)])),
        ),
      'in unused tables': (file, data) =>
        withSegments(
          file,
          segment(0xdb, Buffer.concat([Buffer.from([3]), data.subarray(0, 64).map((byte) => byte || 1)])),
        ),
    }
    test.each(Object.keys(places))('%s', async (place) => {
      const { thumb, full } = await images().render(places[place]!(await jpeg({ width: 64, height: 48 }), noise))
      expect(haveCommonBytes(full, noise) || haveCommonBytes(thumb, noise)).toBe(false)
    })
    test.each(['png', 'gif', 'webp', 'tiff'] as const)('after the end of a %s', async (format) => {
      const file = Buffer.concat([await sharpFrom(quadrantPixels(64, 48))[format]().toBuffer(), noise])
      const { thumb, full } = await images().render(file)
      expect(haveCommonBytes(full, noise) || haveCommonBytes(thumb, noise)).toBe(false)
    })
  })
})

describe('metadata removal', () => {
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
})

describe('render', () => {
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
      expect(photo.full).toMatchObject({
        contentType: 'image/jpeg',
        bytes: full.length,
        lossless: name.endsWith('JPEG'),
      })
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
})

describe('watermark', () => {
  const images = sharedTestPool()
  const greyPicture = (width: number, height: number, value: number) =>
    sharpFrom({ width, height, data: Buffer.alloc(width * height * 3, value) })
  const whiteLogo = () => greyPicture(200, 100, 255).png().toBuffer()

  const small = { size: 'small', corner: 'bottom-right', strength: 'medium' } as const

  describe('the logo is placed', () => {
    test('at the bottom right, with 18 % of the shorter side of the photo as its longer side, and 3 % as its margin', () => {
      expect(placeLogo({ width: 4000, height: 3000 }, { width: 200, height: 100 }, small)).toEqual({
        width: 540,
        height: 270,
        left: 4000 - 540 - 90,
        top: 3000 - 270 - 90,
      })
      expect(placeLogo({ width: 3000, height: 4000 }, { width: 100, height: 200 }, small)).toMatchObject({
        width: 270,
        height: 540,
      })
    })
    test.each([
      ['medium', 'top-left', { width: 720, height: 360, left: 90, top: 90 }],
      ['large', 'top-right', { width: 960, height: 480, left: 4000 - 960 - 90, top: 90 }],
      ['medium', 'bottom-left', { width: 720, height: 360, left: 90, top: 3000 - 360 - 90 }],
      ['large', 'center', { width: 960, height: 480, left: 1520, top: 1260 }],
    ] as const)('as chosen: %s, %s', (size, corner, place) => {
      const layout = { size, corner, strength: 'light' } as const
      expect(placeLogo({ width: 4000, height: 3000 }, { width: 200, height: 100 }, layout)).toEqual(place)
    })
    test('not on photos whose shorter side has fewer than 400 pixels', () => {
      expect(placeLogo({ width: 4000, height: 399 }, { width: 10, height: 10 }, small)).toBeNull()
      expect(placeLogo({ width: 400, height: 400 }, { width: 10, height: 10 }, small)).not.toBeNull()
    })
  })

  test('the full image shows the logo with 70 % opacity, the thumbnail does not, and the photo without it comes bit for bit, too', async () => {
    const file = await greyPicture(500, 400, 0).jpeg({ quality: 95 }).toBuffer()
    const plain = await images().render(file)
    const { full, thumb, photo, unmarked } = await images().render(file, { logo: await whiteLogo() })
    expect(photo.full).toMatchObject({ lossless: false, contentType: 'image/jpeg' })
    expect([unmarked, plain.unmarked]).toEqual([plain.full, null])
    const pixels = await pixelsOf(full)
    const redAt = (fromRight: number, fromBottom: number): number =>
      pixels[((400 - fromBottom) * 500 + 500 - fromRight) * 3]!
    // 72 by 36 pixels, 12 from both edges.
    expect(redAt(12 + 36, 12 + 18)).toBeGreaterThan(170)
    expect(redAt(12 + 36, 12 + 18)).toBeLessThan(187)
    expect(redAt(6, 6)).toBeLessThan(12)
    expect(redAt(12 + 72 + 16, 12 + 36 + 16)).toBeLessThan(12)
    expect((await pixelsOf(thumb)).every((value) => value < 12)).toBe(true)
  })

  test('the logo is upright on a photo that is stored rotated', async () => {
    const file = await greyPicture(400, 500, 0).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const { full } = await images().render(file, { logo: await whiteLogo() })
    const { data, info } = await sharp(full).raw().toBuffer({ resolveWithObject: true })
    expect(info).toMatchObject({ width: 500, height: 400 })
    expect(data[((400 - 30) * 500 + 500 - 48) * 3]).toBeGreaterThan(170)
  })

  test('every frame of an animation shows the logo', async () => {
    const [width, height] = [410, 400]
    const levels = [0, 40, 80]
    const frames = Buffer.concat(levels.map((level) => Buffer.alloc(width * height * 3, level)))
    const raw = { width, height: height * levels.length, channels: 3, pageHeight: height } as const
    const gif = await sharp(frames, { raw }).gif().toBuffer()
    const { full, photo } = await images().render(gif, { logo: await whiteLogo() })
    expect(photo.full.contentType).toBe('image/gif')
    const { data, info } = await sharp(full, { animated: true })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(info).toMatchObject({ pages: 3 })
    // 72 by 36 pixels, 12 from both edges.
    for (const [page, level] of levels.entries()) {
      const logoMiddle = ((page * height + height - 12 - 18) * width + width - 12 - 36) * 3
      expect(data[logoMiddle]! - level).toBeGreaterThan(100)
      expect(data[(page * height * width + 200) * 3]! - level).toBeLessThan(12)
    }
  })

  test('a photo that is too small for a watermark stays lossless', async () => {
    const { photo } = await images().render(await jpeg({ width: 640, height: 390 }), { logo: await whiteLogo() })
    expect(photo.full.lossless).toBe(true)
  })

  test('a broken logo fails the photo with a sentence, and no other photo', async () => {
    const pool = images()
    const withBrokenLogo = pool.render(await jpeg({ width: 400, height: 400 }), { logo: Buffer.from('not a logo') })
    await expect(withBrokenLogo).rejects.toMatchObject({ kind: 'refused', sentence: expect.stringContaining('logo') })
    expect((await pool.render(await jpeg())).photo.full.lossless).toBe(true)
  })
})
