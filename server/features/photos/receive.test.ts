import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { readJpeg, rebuildJpeg } from '../../images/jpeg.ts'
import {
  canary,
  exifSegment,
  jpeg,
  opened,
  quartered,
  segment,
  tellingExif,
  tellingJpeg,
  withSegments,
} from '../../images/test/pictures.ts'
import { inspection } from './receive.ts'

/** What is stored of a file that comes in pieces of a size, and what was learnt of it. */
async function received(file: Buffer, size: number) {
  const looked = inspection(100)
  function* pieces(): Generator<Buffer> {
    for (let at = 0; at < file.length; at += size) yield Buffer.from(file.subarray(at, at + size))
  }
  const stored = await buffer(looked.through(Readable.from(pieces()), Promise.resolve()))
  return { stored, ...looked.result() }
}

const rebuilt = (file: Buffer): Buffer => {
  const read = readJpeg(file)
  if (!read.plain) throw new Error(read.why)
  return Buffer.concat(rebuildJpeg(read))
}

const telling = withSegments(
  await jpeg({ width: 400, height: 300 }),
  exifSegment(tellingExif(6)),
  segment(0xe1, `${canary} ${'x'.repeat(60_000)}`),
  segment(0xfe, `${canary} comment`),
)

describe('a photo that comes in', () => {
  test.each([1, 7, 1000, 65_536, 1_000_000])('in pieces of %i bytes, is stored without what it tells', async (size) => {
    const { stored, bytes, sha256 } = await received(telling, size)
    expect(stored.equals(rebuilt(telling))).toBe(true)
    expect(stored.includes(canary)).toBe(false)
    expect(bytes).toBe(stored.length)
    expect(sha256.equals(createHash('sha256').update(stored).digest())).toBe(true)
  })

  test.each<[string, () => Promise<Buffer>]>([
    ['a PNG', () => opened(quartered(200, 100)).png().toBuffer()],
    ['a progressive JPEG', async () => tellingJpeg(await jpeg({ progressive: true }))],
    ['a JPEG of CMYK', () => opened(quartered(64, 64)).toColourspace('cmyk').jpeg().toBuffer()],
    ['a JPEG that ends in its words', async () => telling.subarray(0, 30_000)],
    [
      'a JPEG with more words than are looked through',
      async () => withSegments(await jpeg(), ...Array.from({ length: 5 }, () => segment(0xfe, 'x'.repeat(60_000)))),
    ],
    ['a file of few bytes', () => opened(quartered(1, 1)).gif().toBuffer()],
  ])('is stored as it came when it is %s', async (_, make) => {
    const file = await make()
    for (const size of [61, 4096, 65_536]) expect((await received(file, size)).stored.equals(file)).toBe(true)
  })

  test('is cleaned however many bytes fill up the space before a marker', async () => {
    const filled = Buffer.concat([telling.subarray(0, 2), Buffer.alloc(30_000, 0xff), telling.subarray(2)])
    for (const size of [1, 5000]) expect((await received(filled, size)).stored.equals(rebuilt(telling))).toBe(true)
  })

  test('keeps whatever follows its picture, which is for an image process to see', async () => {
    const file = Buffer.concat([telling, Buffer.from(`${canary} after the end`)])
    const { stored } = await received(file, 5000)
    expect(stored.equals(Buffer.concat([rebuilt(telling), Buffer.from(`${canary} after the end`)]))).toBe(true)
  })
})
