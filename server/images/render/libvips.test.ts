import { expect, test } from 'vitest'
import { jpeg } from '../test/sample-images.ts'
import { decode } from './libvips.ts'

test('an error of libvips, or whatever the work with the image throws, is a refusal', async () => {
  const input = await jpeg({ width: 40, height: 30 })
  const work = () => Promise.reject(new Error('out of memory: cannot allocate'))
  await expect(decode({ input, maxPixels: 1e6 }, work)).rejects.toMatchObject({ name: 'Refusal', code: 'memory' })
  const half = decode({ input: input.subarray(0, input.length / 2), maxPixels: 1e6 }, (image) => image.toBuffer())
  await expect(half).rejects.toMatchObject({ code: 'damaged', cause: expect.any(Error) })
})
