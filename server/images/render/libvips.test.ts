import { describe, expect, test } from 'vitest'
import { jpeg } from '../test/sample-images.ts'
import { decode, insideSquare } from './libvips.ts'

const photo = await jpeg({ width: 40, height: 30 })

test('decoding returns what the work with the image returned', async () => {
  const { result, warnings } = await decode({ input: photo, maxPixels: 1200 }, (image) =>
    image.resize(insideSquare(20)).raw().toBuffer({ resolveWithObject: true }),
  )
  expect(result.info).toMatchObject({ width: 20, height: 15 })
  expect(warnings).toEqual([])
})

test('a picture is never enlarged into its square', async () => {
  const { result } = await decode({ input: photo, maxPixels: 1200 }, (image) =>
    image.resize(insideSquare(500)).raw().toBuffer({ resolveWithObject: true }),
  )
  expect(result.info).toMatchObject({ width: 40, height: 30 })
})

describe('an error of libvips is a refusal', () => {
  const readAll = (input: Buffer, maxPixels = 1e6) => decode({ input, maxPixels }, (image) => image.raw().toBuffer())
  test('of too many pixels', async () => {
    await expect(readAll(photo, 1199)).rejects.toMatchObject({ name: 'Refusal', code: 'pixels' })
  })
  test('of a damaged file, with the cause for the log', async () => {
    await expect(readAll(photo.subarray(0, photo.length / 2))).rejects.toMatchObject({
      code: 'damaged',
      cause: expect.any(Error),
    })
  })
  test('whatever the work itself throws', async () => {
    const work = () => Promise.reject(new Error('out of memory: cannot allocate'))
    await expect(decode({ input: photo, maxPixels: 1e6 }, work)).rejects.toMatchObject({ code: 'memory' })
  })
})

test('flaws that are tolerated are returned as warnings', async () => {
  const short = photo.subarray(0, photo.length - 40)
  const { warnings } = await decode({ input: short, maxPixels: 1e6, failOn: 'none' }, (image) => image.raw().toBuffer())
  expect(warnings.join()).toMatch(/VipsJpeg/)
})
