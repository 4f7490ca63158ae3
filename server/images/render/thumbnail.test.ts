import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { sniff } from '../formats/formats.ts'
import { partNames } from '../test/file-parts.ts'
import { colourError } from '../test/pixels.ts'
import { jpegWithMetadata, jpeg, quadrantPixels, sharpFrom } from '../test/sample-images.ts'
import { writeThumbnail } from './thumbnail.ts'

const dir = mkdtempSync(join(tmpdir(), 'keepsnap-thumbnail-'))
const path = join(dir, 'thumb')
afterAll(() => rmSync(dir, { recursive: true }))

/** The thumbnail of a file, and what writing it returned. */
async function thumbnailOf(input: Buffer) {
  const written = await writeThumbnail({ input, maxPixels: 1e6 }, path, { isDeepWithProfile: false })
  return { file: readFileSync(path), ...written }
}

test('a thumbnail is a WebP of at most 480 px that looks like the photo', async () => {
  const { file, warnings } = await thumbnailOf(await jpeg({ width: 960, height: 600 }))
  expect(sniff(file)).toMatchObject({ format: 'webp', width: 480, height: 300 })
  expect(await colourError(file)).toBeLessThan(12)
  expect(warnings).toEqual([])
})

test('the thumbnail of a small photo is not enlarged', async () => {
  expect(sniff((await thumbnailOf(await jpeg({ width: 90, height: 60 }))).file)).toMatchObject({
    width: 90,
    height: 60,
  })
})

test('a thumbnail is upright and has no metadata', async () => {
  const { file } = await thumbnailOf(jpegWithMetadata(await jpeg({ width: 120, height: 80 }), 6))
  expect(sniff(file)).toMatchObject({ width: 80, height: 120 })
  expect(partNames(file).every((name) => /^VP8[ LX]?$/.test(name))).toBe(true)
})

test('a thumbnail keeps transparency', async () => {
  const { file } = await thumbnailOf(await sharpFrom(quadrantPixels(60, 40)).ensureAlpha(0.5).png().toBuffer())
  expect((await sharp(file).metadata()).hasAlpha).toBe(true)
})

test('the ThumbHash is base64 of at most 25 bytes', async () => {
  const { thumbhash } = await thumbnailOf(await jpeg())
  expect(Buffer.from(thumbhash, 'base64').toString('base64')).toBe(thumbhash)
  expect(Buffer.from(thumbhash, 'base64').length).toBeLessThanOrEqual(25)
})
