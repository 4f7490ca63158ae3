import { expect, test } from 'vitest'
import { jpeg, quadrantPixels, segment, sharpFrom, withSegments } from '../test/sample-images.ts'
import { flatJpeg } from '../test/flat-jpeg.ts'
import { hasPlainFrame, hasSingleScan } from './frame-kind.ts'

test.each<[string, boolean, () => Promise<Buffer>]>([
  ['a baseline JPEG', true, () => jpeg()],
  ['a progressive JPEG', true, () => jpeg({ progressive: true })],
  ['a grey JPEG', true, () => sharpFrom(quadrantPixels(64, 64)).greyscale().jpeg().toBuffer()],
  ['a JPEG with metadata', true, async () => withSegments(await jpeg(), segment(0xe1, 'x'.repeat(60_000)))],
  ['a JPEG of CMYK', false, () => sharpFrom(quadrantPixels(64, 64)).toColourspace('cmyk').jpeg().toBuffer()],
])('%s: %s', async (_, isPlain, make) => {
  const file = await make()
  expect(hasPlainFrame(file)).toBe(isPlain)
  expect([undefined, isPlain]).toContain(hasPlainFrame(file.subarray(0, 200)))
})

test('is unknown before the frame header, and false without one', async () => {
  expect(hasPlainFrame((await jpeg()).subarray(0, 20))).toBeUndefined()
  expect(hasPlainFrame(Buffer.from('\xff\xd8 no marker here'.padEnd(40), 'latin1'))).toBe(false)
})

test.each<[string, boolean, () => Promise<Buffer> | Buffer]>([
  ['a baseline JPEG', true, () => jpeg()],
  ['a grey JPEG', true, () => sharpFrom(quadrantPixels(64, 64)).greyscale().jpeg().toBuffer()],
  ['a progressive JPEG', false, () => jpeg({ progressive: true })],
  ['a baseline JPEG with a scan for each component', false, () => flatJpeg({ components: 3, separateScans: true })],
  ['no JPEG', false, () => Buffer.from('\xff\xd8 no marker here'.padEnd(40), 'latin1')],
])('a single scan is the whole of %s: %s', async (_, isSingle, make) => {
  const file = await make()
  expect(hasSingleScan(file)).toBe(isSingle)
  expect([undefined, isSingle]).toContain(hasSingleScan(file.subarray(0, 100)))
})
