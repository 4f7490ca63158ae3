import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { pixelsOf } from './test/looking.ts'
import { sharedPool } from './test/making.ts'
import { jpeg, opened } from './test/pictures.ts'
import { placeLogo } from './watermark.ts'

const images = sharedPool()
const plain = (width: number, height: number, value: number) =>
  opened({ width, height, data: Buffer.alloc(width * height * 3, value) })
const white = () => plain(200, 100, 255).png().toBuffer()

describe('the logo lies at the bottom right', () => {
  test('its longer side is 18 % of the shorter side of the photo, its margin 3 %', () => {
    expect(placeLogo({ width: 4000, height: 3000 }, { width: 200, height: 100 })).toEqual({
      width: 540,
      height: 270,
      left: 4000 - 540 - 90,
      top: 3000 - 270 - 90,
    })
    expect(placeLogo({ width: 3000, height: 4000 }, { width: 100, height: 200 })).toMatchObject({
      width: 270,
      height: 540,
    })
  })
  test('small photos go without', () => {
    expect(placeLogo({ width: 4000, height: 399 }, { width: 10, height: 10 })).toBeNull()
    expect(placeLogo({ width: 400, height: 400 }, { width: 10, height: 10 })).not.toBeNull()
  })
})

test('a photo shows the logo at 70 %, on the full image only', async () => {
  const photo = await plain(1000, 600, 0).jpeg({ quality: 95 }).toBuffer()
  const { full, thumb, made } = await images().make(photo, { logo: await white() })
  expect(made.full).toMatchObject({ kept: false, type: 'image/jpeg' })
  const shown = await pixelsOf(full)
  const at = (x: number, y: number): number => shown[(y * 1000 + x) * 3]!
  // 108 by 54 pixels, 18 from both edges.
  expect(at(1000 - 18 - 54, 600 - 18 - 27)).toBeGreaterThan(170)
  expect(at(1000 - 18 - 54, 600 - 18 - 27)).toBeLessThan(187)
  expect(at(1000 - 8, 600 - 8)).toBeLessThan(12)
  expect(at(1000 - 18 - 108 - 16, 600 - 18 - 54 - 16)).toBeLessThan(12)
  expect((await pixelsOf(thumb)).every((value) => value < 12)).toBe(true)
})

test('a photo held sideways shows the logo upright', async () => {
  const photo = await plain(600, 1000, 0).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  const { full } = await images().make(photo, { logo: await white() })
  const { data, info } = await sharp(full).raw().toBuffer({ resolveWithObject: true })
  expect(info).toMatchObject({ width: 1000, height: 600 })
  expect(data[((600 - 45) * 1000 + 1000 - 72) * 3]).toBeGreaterThan(170)
})

test('an animation shows it on every frame', async () => {
  const frame = Buffer.alloc(500 * 450 * 3)
  const film = Buffer.concat([frame, Buffer.from(frame).fill(40), Buffer.from(frame).fill(80)])
  const gif = await sharp(film, { raw: { width: 500, height: 1350, channels: 3, pageHeight: 450 } })
    .gif()
    .toBuffer()
  const { full, made } = await images().make(gif, { logo: await white() })
  expect(made.full.type).toBe('image/gif')
  const { data, info } = await sharp(full, { animated: true }).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  expect(info).toMatchObject({ pages: 3 })
  // 81 by 41 pixels, 14 from both edges.
  for (const [page, below] of [0, 40, 80].entries()) {
    const pixel = ((page * 450 + 450 - 14 - 20) * 500 + 500 - 14 - 40) * 3
    expect(data[pixel]! - below).toBeGreaterThan(100)
    expect(data[(page * 450 * 500 + 250) * 3]! - below).toBeLessThan(12)
  }
})

test('a photo too small for a logo keeps its pixels', async () => {
  const { made } = await images().make(await jpeg({ width: 640, height: 390 }), { logo: await white() })
  expect(made.full.kept).toBe(true)
})

test('a broken logo fails the photo with a sentence and harms nobody', async () => {
  const pool = images()
  await expect(
    pool.make(await jpeg({ width: 600, height: 600 }), { logo: Buffer.from('no logo') }),
  ).rejects.toMatchObject({
    kind: 'refused',
    sentence: expect.stringContaining('logo'),
  })
  expect((await pool.make(await jpeg())).made.full.kept).toBe(true)
})
