import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { samplePictures } from './samples.ts'

test.each(Object.entries(samplePictures))('%s has the size that its page reserves for it', async (_, sample) => {
  const sizeOf = async (path: string) => sharp(join(import.meta.dirname, '..', path)).metadata()
  const [full, thumbnail] = await Promise.all([sizeOf(sample.full), sizeOf(sample.thumbnail)])
  expect({ width: full.width, height: full.height }).toEqual({ width: sample.width, height: sample.height })
  expect(thumbnail.width / thumbnail.height).toBeCloseTo(sample.width / sample.height, 1)
})
