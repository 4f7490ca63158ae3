import sharp from 'sharp'
import { expect, test } from 'vitest'
import { partNames, filePartsOf } from '../test/file-parts.ts'
import { jpeg, quadrantPixels, sharpFrom } from '../test/sample-images.ts'
import { withCredit } from './credit.ts'

const credit = { artist: 'Ann Example', copyright: '(c) 2026 Ann Example' }
const picture = () => sharpFrom(quadrantPixels(40, 30))
const makers = {
  'image/jpeg': () => jpeg({ width: 40, height: 30 }),
  'image/png': () => picture().png().toBuffer(),
  'image/gif': () => picture().gif().toBuffer(),
} as const

test.each([
  ['image/jpeg', 'e1'],
  ['image/png', 'eXIf'],
  ['image/gif', 'fe'],
] as const)('%s: the credit is inserted and nothing else changes', async (type, part) => {
  const image = await makers[type]()
  const credited = Buffer.concat(withCredit(image, type, credit))
  expect(partNames(credited).filter((name) => name !== part)).toEqual(partNames(image).filter((name) => name !== part))
  const text = filePartsOf(credited)
    .find(({ name }) => name === part)!
    .bytes.toString('latin1')
  expect(text).toContain(credit.artist)
  expect(text).toContain(credit.copyright)
  const pixels = (file: Buffer): Promise<Buffer> => sharp(file).raw().toBuffer()
  expect((await pixels(credited)).equals(await pixels(image))).toBe(true)
})

test('sharp reads the credit of a PNG as EXIF', async () => {
  const image = Buffer.concat(withCredit(await makers['image/png'](), 'image/png', credit))
  expect((await sharp(image).metadata()).exif?.toString('latin1')).toContain(credit.artist)
})

test('without a credit the image is returned as it is', async () => {
  const image = await makers['image/png']()
  expect(withCredit(image, 'image/png', { artist: null, copyright: null })).toEqual([image])
})
