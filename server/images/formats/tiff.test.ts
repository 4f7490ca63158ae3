import sharp from 'sharp'
import { expect, test } from 'vitest'
import { displayP3Profile } from '../metadata/icc.ts'
import { quadrantPixels } from '../test/sample-images.ts'
import { tiffHeader } from './tiff.ts'

test.each([
  ['one strip', 5, 3],
  ['several strips, the last one shorter', 40, 150],
])('libvips reads the pixels after a header with %s', async (_, width, height) => {
  const { data } = quadrantPixels(width, height)
  const header = tiffHeader({ width, height, channels: 3, profile: null, orientation: 1 })
  const image = sharp(Buffer.concat([header, data]))
  expect(await image.metadata()).toMatchObject({ format: 'tiff', width, height, channels: 3, hasProfile: false })
  expect((await image.raw().toBuffer()).equals(data)).toBe(true)
})

test('a header names alpha, orientation and profile', async () => {
  const [width, height] = [6, 4]
  const pixels = Buffer.alloc(width * height * 4, 128)
  const profile = displayP3Profile()
  const header = tiffHeader({ width, height, channels: 4, profile, orientation: 6 })
  const metadata = await sharp(Buffer.concat([header, pixels])).metadata()
  expect(metadata).toMatchObject({ width, height, hasAlpha: true, orientation: 6 })
  expect(metadata.icc?.equals(profile)).toBe(true)
})
