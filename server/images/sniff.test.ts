import { describe, expect, test } from 'vitest'
import sharp from 'sharp'
import { sniff, sniffBytes } from './sniff.ts'
import { fixture, opened, quartered, tellingJpeg } from './test/pictures.ts'

const picture = () => opened(quartered(123, 77))
const film = () =>
  sharp(Buffer.concat([quartered(20, 10).data, quartered(20, 10, 90).data, quartered(20, 10, 30).data]), {
    raw: { width: 20, height: 30, channels: 3, pageHeight: 10 },
  })

describe('a format and its size are told by the first bytes', () => {
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
    // As stored: turned by its own property.
    expect(sniff(fixture('turned-by-itself.heic'))).toMatchObject({ width: 240, height: 320 })
  })
  test('frames are counted as far as they can be seen', async () => {
    const gif = await film().gif().toBuffer()
    expect(sniff(gif)?.frames).toBe(3)
    expect(sniff(gif.subarray(0, gif.length / 2))?.frames).toBeLessThan(3)
    expect(sniff(await film().webp().toBuffer())?.frames).toBe(3)
  })
})

test('a growing file is told as soon as its header is there', async () => {
  const file = tellingJpeg(await picture().jpeg().toBuffer())
  const seen = [2, 3, 40, 900, 5_000].map((bytes) => sniff(file.subarray(0, bytes)))
  expect(seen[0]).toBeNull()
  expect(seen[1]).toEqual({ format: 'jpeg', width: null, height: null, frames: 1 })
  expect(seen.at(-1)).toMatchObject({ width: 123, height: 77 })
  expect(sniffBytes).toBe(262_144)
})

test('names and types do not count, only bytes do', () => {
  const strangers: [string, Buffer][] = [
    ['SVG', Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['PDF', Buffer.from('%PDF-1.7 and so on and on and on and on')],
    ['a film', Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1')],
    ['JPEG XL', Buffer.from([0xff, 0x0a, 0, 0, 0, 0])],
    ['JPEG 2000', Buffer.from('\0\0\0\x0cjP  \r\n\x87\n', 'latin1')],
    ['a web page', Buffer.from('<html><body>GIF89a</body></html>')],
    ['nothing', Buffer.alloc(0)],
  ]
  for (const [, file] of strangers) expect(sniff(file)).toBeNull()
})

describe('camera raw files are not mistaken for their previews', () => {
  const ifd = (...entries: [number, number][]): Buffer => {
    const out = Buffer.alloc(10 + entries.length * 12)
    out.write('II*\0\x08\0\0\0', 'latin1')
    out.writeUInt16LE(entries.length, 8)
    entries.forEach(([tag, value], i) => {
      out.writeUInt16LE(tag, 10 + i * 12)
      out.writeUInt16LE(4, 12 + i * 12)
      out.writeUInt32LE(1, 14 + i * 12)
      out.writeUInt32LE(value, 18 + i * 12)
    })
    return out
  }
  const size: [number, number][] = [
    [256, 160],
    [257, 120],
  ]
  test.each([
    ['Nikon and Sony', ifd([254, 1], ...size)],
    ['DNG', ifd(...size, [0xc612, 0x0104])],
    ['Canon', Buffer.concat([Buffer.from('II*\0\x10\0\0\0CR\x02\0', 'latin1'), Buffer.alloc(40)])],
  ])('%s', (_, file) => expect(sniff(file)).toBeNull())
  test('but a TIFF is one', () => expect(sniff(ifd([254, 0], ...size))).toMatchObject({ format: 'tiff', width: 160 }))
})
