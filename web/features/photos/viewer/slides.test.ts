import { describe, expect, test } from 'vitest'
import { failedPhoto, processingPhoto, samplePhoto } from '../../../test/photos.ts'
import { indexAfterKey, neighbourOf, slideOf } from './slides.ts'

const words = { alt: ({ filename }: { filename: string }) => filename, media: (address: string) => address }

describe('a slide', () => {
  test('is the photo in its own size', () => {
    expect(slideOf(samplePhoto(1), words)).toMatchObject({
      src: 'http://photos.example/media/photo1?s=signed',
      alt: 'IMG_4001.jpg',
      width: 1500,
      height: 1000,
    })
  })

  test.each([processingPhoto(1), failedPhoto(1)])('has no picture before there is one', (photo) => {
    expect(slideOf(photo, words).src).toBe('')
  })
})

describe('keys', () => {
  test.each([
    ['ArrowRight', 2, 3],
    ['ArrowLeft', 2, 1],
    ['ArrowRight', 4, 4],
    ['ArrowLeft', 0, 0],
    ['Home', 3, 0],
    ['End', 1, 4],
    ['Enter', 1, null],
  ])('%s on photo %i of five leads to %s', (key, index, next) => {
    expect(indexAfterKey(key, index, 5)).toBe(next)
  })
})

describe('after a deletion', () => {
  const photos = [samplePhoto(3), samplePhoto(2), samplePhoto(1)]
  test.each([
    [0, 'photo2'],
    [1, 'photo1'],
    [2, 'photo2'],
  ])('of photo %i the viewer shows %s', (index, id) => {
    expect(neighbourOf(photos, index)?.id).toBe(id)
  })

  test('of the last one it shows none', () => {
    expect(neighbourOf([samplePhoto(1)], 0)).toBeNull()
  })
})
