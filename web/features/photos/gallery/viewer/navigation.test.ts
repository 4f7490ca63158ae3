import { describe, expect, test } from 'vitest'
import { samplePhoto } from '../../../../test/sample-photos.ts'
import { indexAfterKey, neighbourOf } from './navigation.ts'

describe('the keyboard', () => {
  test.each([
    ['ArrowRight', 2, 3],
    ['ArrowLeft', 2, 1],
    ['ArrowRight', 4, 4],
    ['ArrowLeft', 0, 0],
    ['Home', 3, 0],
    ['End', 1, 4],
    ['Enter', 1, null],
  ])('%s on index %i of five photos leads to %s', (key, index, next) => {
    expect(indexAfterKey(key, index, 5)).toBe(next)
  })
})

describe('after a deletion', () => {
  const photos = [samplePhoto(3), samplePhoto(2), samplePhoto(1)]
  test.each([
    [0, 'photo2'],
    [1, 'photo1'],
    [2, 'photo2'],
  ])('of the photo at index %i the viewer shows %s', (index, id) => {
    expect(neighbourOf(photos, index)?.id).toBe(id)
  })

  test('of the only photo the viewer shows none', () => {
    expect(neighbourOf([samplePhoto(1)], 0)).toBeNull()
  })
})
