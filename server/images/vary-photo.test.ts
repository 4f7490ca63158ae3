import sharp from 'sharp'
import { expect, test } from 'vitest'
import { varyPhoto, type Variation } from './vary-photo.ts'

const unchanged: Variation = {
  isUpright: false,
  ratio: 3 / 2,
  zoom: 1,
  position: [0.5, 0.5],
  isMirrored: false,
  brightness: 1,
  warmth: 0,
  longSide: 300,
}

/** Red on the left, blue on the right. */
const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#c00000' } })
  .composite([
    { input: { create: { width: 150, height: 200, channels: 3, background: '#0000c0' } }, left: 150, top: 0 },
  ])
  .jpeg()
  .toBuffer()

const vary = (changes: Partial<Variation>): Promise<Buffer> => varyPhoto(picture, { ...unchanged, ...changes })

/** Its size, and the colours near the left and the right edge, rounded because it is a JPEG. */
async function describePhoto(jpeg: Buffer) {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true })
  const at = (x: number): number[] =>
    [...data.subarray((10 * info.width + x) * 3, (10 * info.width + x) * 3 + 3)].map((value) => Math.round(value / 16))
  return { width: info.width, height: info.height, left: at(5), right: at(info.width - 6) }
}
const [red, blue] = [
  [12, 0, 0],
  [0, 0, 12],
]

test.each([
  [{}, { width: 300, height: 200, left: red, right: blue }],
  [{ isMirrored: true }, { width: 300, height: 200, left: blue, right: red }],
  [
    { zoom: 0.4, position: [0, 0] },
    { width: 300, height: 200, left: red, right: red },
  ],
  [
    { isUpright: true, position: [1, 0] },
    { width: 200, height: 300, left: blue, right: blue },
  ],
  [
    { ratio: 4 / 3, longSide: 120 },
    { width: 120, height: 90, left: red, right: blue },
  ],
  [{ brightness: 1.25 }, { width: 300, height: 200, left: [15, 0, 0], right: [0, 0, 15] }],
] as const)('%j makes another photo of a picture', async (changes, expected) => {
  expect(await describePhoto(await vary(changes))).toEqual(expected)
})

test('warmth adds red and takes blue; the same variation gives the same file', async () => {
  const [warm, again, cold] = await Promise.all([vary({ warmth: 1 }), vary({ warmth: 1 }), vary({ warmth: -1 })])
  expect(again.equals(warm)).toBe(true)
  expect(await describePhoto(warm)).toMatchObject({ left: [13, 0, 0], right: [0, 0, 11] })
  expect(await describePhoto(cold)).toMatchObject({ left: [11, 0, 0], right: [0, 0, 13] })
})
