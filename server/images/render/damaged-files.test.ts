import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import type { JpegOptions } from 'sharp'
import { describe, expect, test } from 'vitest'
import { fixture, jpeg, quadrantPixels, sharpFrom } from '../test/sample-images.ts'
import { flatJpeg } from '../test/jpeg-files.ts'
import { tiffFile } from '../test/tiff-file.ts'
import { sharedTestPool } from '../test/test-pool.ts'
import { isRecord } from '../../test/statistics.ts'

const images = sharedTestPool()
const picture = () => sharpFrom(quadrantPixels(320, 240, 60))
const damaged = {
  kind: 'refused',
  sentence: 'This photo is damaged or incomplete. Please upload the original file again.',
}

/** Overwrites 400 bytes with one value, from a fraction of the file on. */
function overwritten(file: Buffer, fraction: number, { value = 0x55 } = {}): Buffer {
  const copy = Buffer.from(file)
  const start = Math.floor(file.length * fraction)
  copy.fill(value, start, Math.min(file.length - 2, start + 400))
  return copy
}
const truncated = (file: Buffer, fraction: number): Buffer => file.subarray(0, Math.floor(file.length * fraction))
const jpegEnd = Buffer.from([0xff, 0xd9])

describe('a damaged photo is refused with a sentence', () => {
  const formats: Record<string, () => Promise<Buffer>> = {
    JPEG: () => picture().jpeg().toBuffer(),
    'progressive JPEG': () => picture().jpeg({ progressive: true }).toBuffer(),
    PNG: () => picture().png().toBuffer(),
    WebP: () => picture().webp().toBuffer(),
    AVIF: () => picture().avif({ effort: 0 }).toBuffer(),
    TIFF: () => picture().tiff({ compression: 'lzw' }).toBuffer(),
    HEIC: async () => fixture('rotated-by-exif.heic'),
  }
  test.each(Object.keys(formats))('a truncated %s', async (name) => {
    const file = await formats[name]!()
    for (const fraction of [0.1, 0.5, 0.9])
      expect(await images().failure(truncated(file, fraction))).toMatchObject(damaged)
  })
  test.each(['JPEG', 'progressive JPEG', 'PNG'])('a %s with overwritten bytes', async (name) => {
    const file = await formats[name]!()
    // Some damage cannot be detected: in scans of refinement bits every value is valid.
    expect(await images().failure(overwritten(file, 0.2))).toMatchObject(damaged)
    expect(await images().failure(overwritten(file, 0.6, { value: 0xff }))).toMatchObject(damaged)
  })
})

describe('a JPEG whose coded data ends too early is refused', () => {
  // libvips decodes these widths at 1/8, 1/4, 1/2 and full size. None may skip data: neither the last rows nor late scans.
  const sizes = [[4000, 64], [2001, 107], [1000, 208], [300, 200], ...(isRecord ? [[2000, 1504]] : [])] as const
  test.each<[string, JpegOptions]>([
    ['baseline, 4:2:0', {}],
    ...(isRecord ? [['baseline, 4:4:4', { chromaSubsampling: '4:4:4' }] as [string, JpegOptions]] : []),
    ['progressive', { progressive: true }],
  ])('%s', async (_, options) => {
    for (const [width = 0, height = 0] of sizes) {
      const pixels = quadrantPixels(width, height, 60)
      const file = await sharpFrom(pixels)
        .jpeg({ quality: 90, ...options })
        .toBuffer()
      expect((await images().render(file)).photo.full.lossless).toBe(true)
      for (const missing of (isRecord ? [20, 300, 5000] : [20, 5000]).filter((bytes) => bytes < file.length / 3)) {
        const short = Buffer.concat([file.subarray(0, file.length - 2 - missing), jpegEnd])
        expect(await images().failure(short)).toMatchObject(damaged)
      }
    }
  })
})

/** A picture in three channels, as strips of a TIFF. */
const [width, height] = [64, 48]
const tiffPixels = quadrantPixels(width, height).data
const tiffPlanes = [0, 1, 2].map((channel) => Buffer.from(tiffPixels.filter((_, at) => at % 3 === channel)))
const deflated = [deflateSync(tiffPixels)]
/** The same with two selections that a program has saved in the file. */
const withSelections = Buffer.concat(
  Array.from({ length: width * height }, (_, at) =>
    Buffer.concat([tiffPixels.subarray(at * 3, at * 3 + 3), Buffer.from([at % 251, 0])]),
  ),
)
/** The channels in tiles of 32 by 32, whose lowest ones end outside of the picture. */
const tiffTiles = tiffPlanes.flatMap((plane) =>
  [0, 1, 2, 3].map((tile) =>
    Buffer.concat(
      Array.from({ length: 32 }, (_, row) => {
        const start = (Math.floor(tile / 2) * 32 + row) * width + (tile % 2) * 32
        return Buffer.concat([plane.subarray(start, start + 32)], 32)
      }),
    ),
  ),
)
const tiled = { planar: 2, tile: 32 } as const
const sixteenBits = (tile: Buffer): Buffer => Buffer.from([...tile].flatMap((value) => [value, value]))
const deflatedTiles = tiffTiles.map((tile) => deflateSync(sixteenBits(tile)))
const hierarchical = flatJpeg()
hierarchical[hierarchical.indexOf(Buffer.from([0xff, 0xc0])) + 1] = 0xc5
const plainAvif = await picture().avif({ effort: 0 }).toBuffer()
const plainPng = await picture().png().toBuffer()
/** Its first chunk is another one. */
const iphonePng = Buffer.concat([
  plainPng.subarray(0, 8),
  Buffer.from('\0\0\0\x04CgBI\0\0\0\0\0\0\0\0', 'latin1'),
  plainPng.subarray(8),
])
const replaced = (file: Buffer, text: string, by: string): Buffer =>
  Buffer.from(file.toString('latin1').replace(text, by), 'latin1')
const brokenTags = [
  { tag: 296, type: 2, values: [65, 0] },
  { tag: 305, type: 2, values: [...Buffer.from('no end here')] },
] as const

describe('damage outside of the picture data is forgiven, and the picture encoded again', () => {
  const size = { width, height }
  test.each([
    ['a TIFF with wrong tags', tiffFile(size, [tiffPixels], { more: [...brokenTags] })],
    ['a planar TIFF', tiffFile(size, tiffPlanes, { planar: 2 })],
    [
      'a planar TIFF, compressed',
      tiffFile(
        size,
        tiffPlanes.map((plane) => deflateSync(plane)),
        { planar: 2, compression: 8 },
      ),
    ],
    ['a TIFF with two further channels', tiffFile(size, [withSelections], { further: 2 })],
    [
      'a planar TIFF in tiles with two further channels',
      tiffFile(size, [...tiffTiles, ...tiffTiles.slice(0, 4), ...tiffTiles.slice(4, 8)], { ...tiled, further: 2 }),
    ],
    ['a planar TIFF in tiles', tiffFile(size, tiffTiles, tiled)],
    [
      'a planar TIFF in tiles of 16 bits, compressed',
      tiffFile(size, deflatedTiles, { ...tiled, bits: 16, compression: 8 }),
    ],
  ])('%s', async (_, file) => {
    const { photo, full } = await images().render(file)
    expect(photo.full).toMatchObject({ contentType: 'image/jpeg', lossless: false })
    expect(await nearPixels(full, tiffPixels)).toBe(true)
  })
  test('a JPEG with stray bytes between the segments of its header', async () => {
    const plain = await jpeg()
    const firstEnd = 4 + plain.readUInt16BE(4)
    const stray = Buffer.concat([plain.subarray(0, firstEnd), Buffer.alloc(30, 1), plain.subarray(firstEnd)])
    const { photo, full } = await images().render(stray)
    expect(photo.full.lossless).toBe(false)
    expect(await nearPixels(full, await sharp(plain).raw().toBuffer())).toBe(true)
    // With damage to the picture in addition, it is refused.
    expect(await images().failure(overwritten(stray, 0.6, { value: 0xff }))).toMatchObject(damaged)
    expect(await images().failure(truncated(stray, 0.9))).toMatchObject(damaged)
  })
  test.each([
    ['a truncated planar TIFF', tiffFile(size, tiffPlanes, { planar: 2, more: [...brokenTags] }).subarray(0, -1000)],
    [
      'a truncated TIFF with wrong tags',
      tiffFile(size, deflated, { compression: 8, more: [...brokenTags] }).subarray(0, -100),
    ],
    ['a truncated planar TIFF in tiles', tiffFile(size, tiffTiles, tiled).subarray(0, -100)],
    [
      'a planar TIFF with an undecodable tile',
      tiffFile(size, deflatedTiles.with(4, Buffer.alloc(50, 1)), { ...tiled, bits: 16, compression: 8 }),
    ],
    ['a TIFF with an undecodable strip', overwritten(tiffFile(size, deflated, { compression: 8 }), 0.5)],
  ])('but not in the picture: %s', async (_, file) => {
    expect(await images().failure(file)).toMatchObject(damaged)
  })
  test('nor in a JPEG inside of a TIFF', async () => {
    const file = await sharpFrom(quadrantPixels(320, 240, 60))
      .tiff({ compression: 'jpeg' })
      .toBuffer()
    expect((await images().render(file)).photo.full.contentType).toBe('image/jpeg')
    expect(await images().failure(overwritten(file, 0.3, { value: 0xff }))).toMatchObject(damaged)
  })
  test.each([
    ['LZMA', tiffFile(size, deflated, { compression: 34925 })],
    ['JPEG 2000', tiffFile(size, deflated, { compression: 34712 })],
    ['a planar TIFF in tiles of 32 bits', tiffFile(size, tiffTiles, { ...tiled, bits: 32 })],
    ['a TIFF with three further channels', tiffFile(size, [Buffer.alloc(width * height * 6)], { further: 3 })],
    ['Lab colours', tiffFile(size, [tiffPixels], { photometric: 8 })],
    ['a hierarchical JPEG', hierarchical],
    ['a PNG for iPhones', iphonePng],
    ['a HEIC with H.264', replaced(fixture('plain.heic'), 'hvc1', 'avc1')],
    ['a video that is called HEIC', replaced(fixture('plain.heic'), 'meta', 'moov')],
    ['an AVIF with nothing but an animation', replaced(plainAvif, 'meta', 'moov')],
  ])('what is not supported is called so: %s', async (_, file) => {
    expect(await images().failure(file)).toMatchObject({
      code: 'unsupported',
      sentence: expect.stringContaining('not supported'),
    })
  })
})

test('of an animated AVIF, the first frame is taken', async () => {
  const { full } = await images().render(plainAvif)
  expect((await images().render(replaced(plainAvif, 'avif', 'avis'))).full.equals(full)).toBe(true)
})

/** Whether a picture has these pixels, but for what a lossy coding changes. */
async function nearPixels(file: Buffer, expected: Buffer): Promise<boolean> {
  const pixels = await sharp(file).raw().toBuffer()
  const difference = expected.reduce((sum, value, at) => sum + Math.abs(value - pixels[at]!), 0)
  return pixels.length === expected.length && difference / expected.length < 6
}

test.each([
  ['text', Buffer.from('hello, this is not a photo, but it is long enough to be examined')],
  ['an empty file', Buffer.alloc(0)],
  ['BMP', Buffer.concat([Buffer.from('BM'), Buffer.alloc(200)])],
  ['a vips file', Buffer.concat([Buffer.from([0xb6, 0xa6, 0xf2, 0x08]), Buffer.alloc(200)])],
])('a file that is not a photo is refused with a sentence: %s', async (_, file) => {
  const sentence = expect.stringContaining('not a photo we can read')
  expect(await images().failure(file)).toMatchObject({ kind: 'refused', sentence })
})

describe('a JPEG that lacks nothing but its end marker', () => {
  test.each<[string, JpegOptions]>([
    ['baseline', {}],
    ['progressive', { progressive: true }],
  ])('is kept with one: %s', async (_, options) => {
    const file = await jpeg({ width: 133, height: 91, ...options })
    const { photo, full: whole } = await images().render(file)
    expect(photo.full.lossless).toBe(true)
    for (const cut of [2, 1]) expect((await images().render(file.subarray(0, -cut))).full).toEqual(whole)
  })
  test('is encoded again when that is needed anyway', async () => {
    const cmyk = await picture().toColourspace('cmyk').jpeg().toBuffer()
    const { full } = await images().render(cmyk)
    for (const padding of [0, 64]) {
      const file = Buffer.concat([cmyk.subarray(0, -2), Buffer.alloc(padding)])
      expect((await images().render(file)).full).toEqual(full)
    }
  })
  test.each<[string, () => Promise<Buffer>]>([
    ['the end of a scan', async () => (await jpeg()).subarray(0, -4)],
    [
      'the end of a scan that is encoded again',
      async () => (await picture().toColourspace('cmyk').jpeg().toBuffer()).subarray(0, -6),
    ],
    [
      'a whole scan of a progressive one',
      async () => {
        const file = await jpeg({ progressive: true })
        return file.subarray(0, file.lastIndexOf(Buffer.from([0xff, 0xda])))
      },
    ],
  ])('but not one that also lacks %s', async (_, file) => {
    expect(await images().failure(await file())).toMatchObject(damaged)
  })
})

test('padding before the end marker, which some phones write, is accepted', async () => {
  const file = await jpeg()
  const padded = Buffer.concat([file.subarray(0, -2), Buffer.alloc(7), jpegEnd])
  expect((await images().render(padded)).full.length).toBeGreaterThan(1000)
})
