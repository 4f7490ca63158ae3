import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { fixture, jpegWithMetadata, quadrantPixels, sharpFrom, withPngChunks } from '../test/sample-images.ts'
import { hidingFrame } from '../test/make-bombs.ts'
import { sniff, sniffBytes } from './sniff.ts'

const picture = () => sharpFrom(quadrantPixels(123, 77))

const animation = () =>
  sharp(Buffer.concat([12, 90, 30].map((noise) => quadrantPixels(20, 10, noise).data)), {
    raw: { width: 20, height: 30, channels: 3, pageHeight: 10 },
  })

describe('detects format and size', () => {
  test.each([
    ['jpeg', () => picture().jpeg().toBuffer()],
    ['jpeg', () => picture().jpeg({ progressive: true }).toBuffer()],
    ['png', () => picture().png().toBuffer()],
    ['gif', () => picture().gif().toBuffer()],
    ['webp', () => picture().webp().toBuffer()],
    ['webp', () => picture().webp({ lossless: true }).toBuffer()],
    ['webp', () => picture().ensureAlpha(0.5).webp().toBuffer()],
    ['avif', () => picture().avif({ effort: 0 }).toBuffer()],
    ['tiff', () => picture().tiff().toBuffer()],
    ['tiff', () => picture().tiff({ bigtiff: false, compression: 'lzw', predictor: 'horizontal' }).toBuffer()],
  ])('%s', async (format, file) => {
    expect(sniff(await file())).toEqual({ format, width: 123, height: 77, frames: 1 })
  })
  test('heic', () => {
    expect(sniff(fixture('plain.heic'))).toEqual({ format: 'heic', width: 320, height: 240, frames: 1 })
    // As stored, before it is rotated.
    expect(sniff(fixture('rotated-by-irot.heic'))).toMatchObject({ width: 240, height: 320 })
  })
  test.each([0x01, 0xd0, 0xd8])(
    'of a JPEG as decoders see it, behind the marker %i without a length',
    async (marker) => {
      const file = hidingFrame(await picture().jpeg().toBuffer(), marker)
      expect(sniff(file)).toMatchObject({ format: 'jpeg', width: 123, height: 77 })
    },
  )
  test('and the frames received so far', async () => {
    const gif = await animation().gif().toBuffer()
    expect(sniff(gif)?.frames).toBe(3)
    expect(sniff(gif.subarray(0, gif.length / 2))?.frames).toBeLessThan(3)
    expect(sniff(await animation().webp().toBuffer())?.frames).toBe(3)
  })
  test('and one frame of an animated PNG, whatever number it states', async () => {
    const animationControl = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])
    const png = withPngChunks(await sharpFrom(quadrantPixels(12, 8)).png().toBuffer(), ['acTL', animationControl])
    expect(sniff(png)).toEqual({ format: 'png', width: 12, height: 8, frames: 1 })
  })
})

test('detects the format of a file that is being received first, then its size', async () => {
  const file = jpegWithMetadata(await picture().jpeg().toBuffer())
  const results = [2, 3, 40, 900, 5_000].map((bytes) => sniff(file.subarray(0, bytes)))
  expect(results[0]).toBeNull()
  expect(results[1]).toEqual({ format: 'jpeg', width: null, height: null, frames: 1 })
  expect(results.at(-1)).toMatchObject({ width: 123, height: 77 })
  expect(sniffBytes).toBe(262_144)
})

test.each([
  ['SVG', Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['PDF', Buffer.from('%PDF-1.7 and more than enough bytes to be examined')],
  ['MP4', Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1')],
  ['JPEG XL', Buffer.from([0xff, 0x0a, 0, 0, 0, 0])],
  ['JPEG 2000', Buffer.from('\0\0\0\x0cjP  \r\n\x87\n', 'latin1')],
  ['HTML', Buffer.from('<html><body>GIF89a</body></html>')],
  ['an empty file', Buffer.alloc(0)],
])('does not accept %s', (_, file) => {
  expect(sniff(file)).toBeNull()
})

describe('does not take a camera raw file for the TIFF of its preview', () => {
  const tiff = (...entries: [tag: number, value: number][]): Buffer => {
    const file = Buffer.alloc(10 + entries.length * 12)
    file.write('II*\0\x08\0\0\0', 'latin1')
    file.writeUInt16LE(entries.length, 8)
    entries.forEach(([tag, value], i) => {
      file.writeUInt16LE(tag, 10 + i * 12)
      file.writeUInt16LE(4, 12 + i * 12)
      file.writeUInt32LE(1, 14 + i * 12)
      file.writeUInt32LE(value, 18 + i * 12)
    })
    return file
  }
  const size: [number, number][] = [
    [256, 160],
    [257, 120],
  ]
  test.each([
    ['Nikon and Sony', tiff([254, 1], ...size)],
    ['DNG', tiff(...size, [0xc612, 0x0104])],
    ['Canon', Buffer.concat([Buffer.from('II*\0\x10\0\0\0CR\x02\0', 'latin1'), Buffer.alloc(40)])],
  ])('%s', (_, file) => expect(sniff(file)).toBeNull())
  test('but accepts a TIFF', () => expect(sniff(tiff([254, 0], ...size))).toMatchObject({ format: 'tiff', width: 160 }))
})
