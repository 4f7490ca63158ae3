import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RenderedImage, SingleImageKind } from '../sandbox/image-jobs.ts'
import { partNames } from '../test/file-parts.ts'
import { hostileSvgs, plainSvg } from '../test/hostile-svgs.ts'
import { fixture, jpeg, jpegWithMetadata, pixelsOf, quadrantPixels, sharpFrom } from '../test/sample-images.ts'
import { jobInput, sharedTestPool } from '../test/test-pool.ts'
import { isRecord } from '../../test/statistics.ts'

const images = sharedTestPool()

type Rendered = RenderedImage & { file: Buffer }

async function render(kind: SingleImageKind, file: Buffer, logo?: Buffer): Promise<Rendered> {
  const job = await images().pool.renderSingle(kind, jobInput(file, logo))
  try {
    const image = await job.result
    return { ...image, file: await readFile(image.path) }
  } finally {
    await job.release()
  }
}

/** The failure with which rendering a file ends. */
const refusalOf = (kind: SingleImageKind, file: Buffer): Promise<{ code: string; sentence: string }> =>
  render(kind, file).then(
    () => Promise.reject(new Error('the file was rendered')),
    (error: { code: string; sentence: string }) => error,
  )

const transparent = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 4, background } })
    .png()
    .toBuffer()

describe('a logo becomes a PNG', () => {
  test('of at most 1024 px, with its transparency', async () => {
    const { file, ...image } = await render('logo', await transparent(1500, 500, '#c008'))
    expect(image).toMatchObject({ contentType: 'image/png', width: 1024, height: 341 })
    const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true })
    expect(info).toMatchObject({ width: 1024, height: 341, channels: 4 })
    expect(Math.abs(data[0]! - 204)).toBeLessThan(4)
    expect([...data.subarray(1, 4)]).toEqual([0, 0, 136])
  })
  test.each(['jpeg', 'webp', 'png'] as const)('from a %s, without being enlarged', async (format) => {
    const upload = await sharpFrom(quadrantPixels(60, 40)).toFormat(format).toBuffer()
    const { file, width, height } = await render('logo', upload)
    expect({ width, height }).toEqual({ width: 60, height: 40 })
    expect(partNames(file)[0]).toBe('IHDR')
  })
  test('from an SVG, rendered at full size', async () => {
    const { file, width, height } = await render('logo', Buffer.from(plainSvg))
    expect({ width, height }).toEqual({ width: 1024, height: 512 })
    const { data } = await sharp(file).raw().toBuffer({ resolveWithObject: true })
    const pixelAt = (x: number, y: number): number[] => [...data.subarray((y * 1024 + x) * 4, (y * 1024 + x) * 4 + 4)]
    expect(pixelAt(500, 256)).toEqual([204, 0, 0, 255])
    expect(pixelAt(520, 256)[3]).toBe(0)
  })
})

test('a background becomes a JPEG of at most 2560 px, on white', async () => {
  const { file, ...image } = await render('background', await transparent(2600, 130, '#0000'))
  expect(image).toMatchObject({ contentType: 'image/jpeg', width: 2560, height: 128 })
  expect((await pixelsOf(file)).every((value) => value > 250)).toBe(true)
})

describe('a background of a format that only photos have otherwise', () => {
  const quadrants = () => sharpFrom(quadrantPixels(200, 100))
  /** The red, green and blue of a place, from 0 to 1, of the picture. */
  const colourAt = async ({ file, width, height }: Rendered, x: number, y: number): Promise<number[]> => {
    const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 3
    return [...(await pixelsOf(file)).subarray(at, at + 3)]
  }
  test('is the first frame of an animation, also if that is too long for a photo', async () => {
    const frames = Array.from({ length: 201 }, (_, at) => Buffer.alloc(20 * 20 * 3, at === 0 ? 200 : (at % 2) * 255))
    const raw = { width: 20, height: 20 * frames.length, channels: 3, pageHeight: 20 } as const
    const animation = await sharp(Buffer.concat(frames), { raw }).gif({ effort: 1 }).toBuffer()
    expect(await images().failure(animation)).toMatchObject({ code: 'animation' })
    const background = await render('background', animation)
    expect(background).toMatchObject({ contentType: 'image/jpeg', width: 20, height: 20 })
    expect(Math.abs((await colourAt(background, 0.5, 0.5))[0]! - 200)).toBeLessThan(8)
  })
  test('is upright and in sRGB when it is a HEIC', async () => {
    for (const name of ['rotated-by-exif.heic', 'rotated-by-irot.heic', 'display-p3-by-number.heic']) {
      const background = await render('background', fixture(name))
      const photo = await images().render(fixture(name))
      const { width, height } = await sharp(photo.full).metadata()
      expect(background).toMatchObject({ width, height })
      const expected = await pixelsOf(photo.full)
      const pixels = await pixelsOf(background.file)
      expect(pixels).toHaveLength(expected.length)
      expect(pixels.every((value, at) => Math.abs(value - expected[at]!) < 40)).toBe(true)
    }
  })
  test.each([
    ['GIF', () => quadrants().gif().toBuffer()],
    ['AVIF', () => quadrants().avif({ effort: 0 }).toBuffer()],
    ['TIFF', () => quadrants().tiff().toBuffer()],
    ['HEIC', async () => fixture('plain.heic')],
  ] as const)('is refused when it is a %s whose end is missing', async (_, makeFile) => {
    const file = await makeFile()
    const { sentence } = await refusalOf('background', file.subarray(0, Math.floor(file.length / 2)))
    expect(sentence).toMatch(/damaged or incomplete/)
  })
})

test('logos and backgrounds have no metadata, nor data after their end', async () => {
  const upload = jpegWithMetadata(await jpeg({ width: 64, height: 64 }))
  for (const kind of ['logo', 'background'] as const) {
    const { file } = await render(kind, upload)
    const allowed = /^(?:IHDR|IDAT|IEND|PLTE|tRNS|pHYs|e0|db|c[0-4]|da|scan|d9)$/
    expect(partNames(file).filter((name) => !allowed.test(name))).toEqual([])
    const { exif, xmp, iptc, icc, comments } = await sharp(file).metadata()
    expect([exif, xmp, iptc, icc, comments].filter((one) => one !== undefined)).toEqual([])
  }
})

describe('a file that cannot be a logo is refused', () => {
  const truncatedPng = async (): Promise<Buffer> =>
    (await sharpFrom(quadrantPixels(200, 200)).png().toBuffer()).subarray(0, 200)
  test.each([
    ['text', async () => Buffer.from('hello'), 'format'],
    ['HTML', async () => Buffer.from('<html><svg/></html>'), 'format'],
    ['a GIF', () => sharpFrom(quadrantPixels(20, 20)).gif().toBuffer(), 'format'],
    ['a truncated PNG', truncatedPng, 'damaged'],
    ['a compressed SVG', async () => gzipSync(plainSvg), 'format'],
    ['an SVG in UTF-16', async () => Buffer.from(`\ufeff${plainSvg}`, 'utf16le'), 'format'],
  ] as const)('%s', async (_, makeFile, code) => {
    expect(await refusalOf('logo', await makeFile())).toMatchObject({
      code,
      sentence: expect.stringMatching(/\w{3}.*\.$/),
    })
  })
  test('an SVG as a background', async () => {
    expect(await refusalOf('background', Buffer.from(plainSvg))).toMatchObject({ code: 'format' })
  })
})

/** That each is refused is tested in server/images/formats/svg.test.ts; the record run renders all. */
const representativeSvgs = ['script', 'image from a file', 'external use', 'billion laughs', 'huge size in inches']

describe('a hostile SVG is refused with a sentence and fetches nothing', () => {
  let requests = 0
  const listener = createServer((_, answer) => (requests++, answer.end()))
  const names = Object.keys(hostileSvgs('http://x'))
  beforeAll(async () => {
    listener.listen(0, '127.0.0.1')
    await new Promise((resolve) => listener.once('listening', resolve))
  })
  afterAll(() => void listener.close())

  test('there are at least 60', () => expect(names.length).toBeGreaterThanOrEqual(60))
  test.each(isRecord ? names : representativeSvgs)('%s', async (name) => {
    const { port } = listener.address() as AddressInfo // of a listening TCP server
    const file = Buffer.from(hostileSvgs(`http://127.0.0.1:${port}`)[name]!)
    const { code, sentence } = await refusalOf('logo', file)
    // Some do not even start like an SVG.
    expect(['active', 'drawing', 'format']).toContain(code)
    expect(sentence).toMatch(code === 'format' ? /not a photo/ : /SVG/)
    expect(requests).toBe(0)
  })
  test('afterwards the process renders photos, and still refuses SVG as a photo', async () => {
    expect((await images().render(await jpeg())).photo.full.lossless).toBe(true)
    expect(await images().failure(Buffer.from(plainSvg))).toMatchObject({ kind: 'refused' })
  })
})

describe('adding a logo to a finished photo', () => {
  const whiteLogo = () =>
    sharpFrom({ width: 200, height: 100, data: Buffer.alloc(200 * 100 * 3, 255) })
      .png()
      .toBuffer()
  const black = (width: number, height: number) =>
    sharpFrom({ width, height, data: Buffer.alloc(width * height * 3) })
      .jpeg()
      .toBuffer()

  test('puts it at the bottom right with 70 % opacity', async () => {
    const { file, ...image } = await render('watermarked', await black(500, 400), await whiteLogo())
    expect(image).toMatchObject({ contentType: 'image/jpeg', width: 500, height: 400 })
    const pixels = await pixelsOf(file)
    // 72 by 36 pixels, 12 from both edges.
    expect(pixels[((400 - 12 - 18) * 500 + 500 - 12 - 36) * 3]).toBeGreaterThan(170)
    expect(pixels[(200 * 500 + 250) * 3]).toBeLessThan(12)
  })
  test('as a preview gives the same picture in the size of a screen', async () => {
    const { file, ...image } = await render('preview', await black(2560, 800), await whiteLogo())
    expect(image).toMatchObject({ contentType: 'image/jpeg', width: 1280, height: 400 })
    const pixels = await pixelsOf(file)
    const redAt = (x: number, y: number): number => pixels[(y * 1280 + x) * 3]!
    // 72 by 36 pixels, 12 from both edges.
    expect(redAt(1280 - 12 - 36, 400 - 12 - 18)).toBeGreaterThan(170)
    expect(redAt(1280 - 12 - 72 - 8, 400 - 30)).toBeLessThan(12)
    expect(redAt(1280 - 5, 400 - 5)).toBeLessThan(12)
  })
})
