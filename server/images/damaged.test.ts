import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPool, sharedPool } from './test/making.ts'
import { fixture, jpeg, noise, opened, quartered } from './test/pictures.ts'

const images = sharedPool()
const picture = () => opened(quartered(640, 480, 60))
const damaged = {
  kind: 'refused',
  sentence: 'This photo is damaged or incomplete. Please upload the original file again.',
}
const unknown = { kind: 'refused', sentence: expect.stringContaining('not a photo that we can read') }

/** Overwrites a stretch with one value. */
function spoilt(file: Buffer, share: number, { value = 0x55 } = {}): Buffer {
  const copy = Buffer.from(file)
  const from = Math.floor(file.length * share)
  copy.fill(value, from, Math.min(file.length - 2, from + 400))
  return copy
}
const cut = (file: Buffer, share: number): Buffer => file.subarray(0, Math.floor(file.length * share))
const jpegEnd = Buffer.from([0xff, 0xd9])

describe('a damaged photo is refused with a sentence', () => {
  const formats: Record<string, () => Promise<Buffer>> = {
    JPEG: () => picture().jpeg().toBuffer(),
    'progressive JPEG': () => picture().jpeg({ progressive: true }).toBuffer(),
    PNG: () => picture().png().toBuffer(),
    WebP: () => picture().webp().toBuffer(),
    AVIF: () => picture().avif({ effort: 0 }).toBuffer(),
    TIFF: () => picture().tiff({ compression: 'lzw' }).toBuffer(),
    HEIC: async () => fixture('turned-by-exif.heic'),
  }
  test.each(Object.keys(formats))('%s, cut short', async (name) => {
    const file = await formats[name]!()
    for (const share of [0.1, 0.5, 0.9]) expect(await images().failure(cut(file, share))).toMatchObject(damaged)
  })
  test.each(['JPEG', 'progressive JPEG', 'PNG'])('%s, spoilt inside', async (name) => {
    const file = await formats[name]!()
    // Not everywhere can it be seen: some scans are plain bits, and any bits are good ones.
    expect(await images().failure(spoilt(file, 0.2))).toMatchObject(damaged)
    expect(await images().failure(spoilt(file, 0.6, { value: 0xff }))).toMatchObject(damaged)
  })
})

describe('a JPEG whose coded data does not decode to its end is not kept', () => {
  // Shrinking on load must not look away from any of it: not in the last rows, not in late scans.
  test.each([
    ['baseline, 4:2:0', {}],
    ['baseline, 4:4:4', { chromaSubsampling: '4:4:4' }],
    ['progressive', { progressive: true }],
  ])('%s', async (_, options) => {
    for (const [width, height] of [
      [2000, 1504],
      [1001, 747],
      [300, 200],
    ] as const) {
      const file = await opened(quartered(width, height, 60))
        .jpeg({ quality: 90, ...options })
        .toBuffer()
      expect((await images().make(file)).made.full.kept).toBe(true)
      for (const missing of [20, 300, 5000].filter((bytes) => bytes < file.length / 3)) {
        const short = Buffer.concat([file.subarray(0, file.length - 2 - missing), jpegEnd])
        expect(await images().failure(short)).toMatchObject(damaged)
      }
    }
  })
})

describe('what is no photo is refused with a sentence', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script></svg>'
  test.each([
    ['text', Buffer.from('hello, this is not a photo at all, but it is long enough to be looked at')],
    ['nothing', Buffer.alloc(0)],
    ['SVG', Buffer.from(svg)],
    ['PDF', Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n')],
    ['a bitmap', Buffer.concat([Buffer.from('BM'), Buffer.alloc(200)])],
    ['PPM', Buffer.from('P6 2 2 255 123456789012')],
    ['a vips file', Buffer.concat([Buffer.from([0xb6, 0xa6, 0xf2, 0x08]), Buffer.alloc(200)])],
    ['a camera raw file', Buffer.concat([Buffer.from('II*\0\x10\0\0\0CR\x02\0', 'latin1'), Buffer.alloc(300)])],
    ['a film', Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'), Buffer.alloc(300)])],
  ])('%s', async (_, file) => {
    expect(await images().failure(file)).toMatchObject(unknown)
  })
  test.each([
    ['a JPEG that is only a beginning', Buffer.from([0xff, 0xd8, 0xff])],
    ['a PNG that is only a beginning', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['a GIF that is only a beginning', Buffer.from('GIF89a')],
    ['a WebP that is only a beginning', Buffer.from('RIFF\0\0\0\0WEBP')],
    ['an AVIF that is only a beginning', Buffer.from('\0\0\0\x14ftypavif\0\0\0\0mif1', 'latin1')],
    ['a HEIC that is only a beginning', Buffer.from('\0\0\0\x14ftypheic\0\0\0\0mif1', 'latin1')],
    [
      'a PNG inside a JPEG',
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')]),
    ],
  ])('%s', async (_, file) => {
    expect((await images().failure(file)).kind).toBe('refused')
  })
})

test('a photo of too many pixels is refused with their limit, over all of its frames', async () => {
  const small = await openPool({ maxMegapixels: 1 })
  onTestFinished(() => small.close())
  const tooMany = { kind: 'refused', sentence: expect.stringContaining('more than 1 megapixels') }
  // Frames that are alike would be made one.
  const random = noise(7)
  const grain = Buffer.from(Array.from({ length: 500 * 2500 * 3 }, () => random() * 255))
  const film = sharp(grain, { raw: { width: 500, height: 2500, channels: 3, pageHeight: 500 } })
  const large = () => opened(quartered(1100, 1000))
  for (const file of [
    await large().jpeg().toBuffer(),
    await large().png().toBuffer(),
    await large().tiff().toBuffer(),
    await film.clone().gif({ effort: 1 }).toBuffer(),
    await film.clone().webp({ effort: 0 }).toBuffer(),
  ])
    expect(await small.failure(file)).toMatchObject(tooMany)
  expect((await small.make(await jpeg({ width: 1000, height: 1000 }))).made.full.kept).toBe(true)
})

test('a flaw that some phones are known for does not cost the photo', async () => {
  const file = await jpeg()
  const padded = Buffer.concat([file.subarray(0, -2), Buffer.alloc(7), jpegEnd])
  expect((await images().make(padded)).full.length).toBeGreaterThan(1000)
})

test('after many refusals the same process is still at work', async () => {
  const pool = images()
  for (let i = 0; i < 20; i++) await pool.failure(Buffer.from(`no photo ${i}`))
  expect((await pool.make(await jpeg())).made.full.kept).toBe(true)
  expect(pool.logged.filter((line) => line.includes('image process ended'))).toEqual([])
})
