import { describe, expect, test } from 'vitest'
import { failedPhoto, processingPhoto, samplePhoto } from '../../../../test/sample-photos.ts'
import { slideOf } from './photo-slide.ts'

const options = { alt: ({ filename }: { filename: string }) => filename, media: (url: string) => url }

describe('a slide', () => {
  test('shows the full image in its own size', () => {
    expect(slideOf(samplePhoto(1), options)).toMatchObject({
      src: 'http://photos.example/media/photo1?s=signed',
      alt: 'IMG_4001.jpg',
      width: 1500,
      height: 1000,
    })
  })

  test.each([
    ['in processing', processingPhoto(1)],
    ['that failed', failedPhoto(1)],
  ])('of a photo %s has no image', (_, photo) => {
    expect(slideOf(photo, options).src).toBe('')
  })
})
