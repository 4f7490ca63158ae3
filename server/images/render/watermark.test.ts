import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { pixelsOf } from '../test/pixels.ts'
import { jpeg, sharpFrom } from '../test/sample-images.ts'
import { sharedTestPool } from '../test/test-pool.ts'
import { placeLogo } from './watermark.ts'

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
  const { data, info } = await sharp(full, { animated: true }).removeAlpha().raw().toBuffer({ resolveWithObject: true })
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
