import { expect, test } from 'vitest'
import { failedPhoto, processingPhoto, samplePhoto } from '../../test/sample-photos.ts'
import { photoStateOf } from './photo-state.ts'

test.each([
  ['ready', samplePhoto(1)],
  ['processing', processingPhoto(1)],
  ['processing', processingPhoto(1, { processing: false })],
  ['failed', failedPhoto(1)],
])('the state of a photo is %s', (state, photo) => {
  expect(photoStateOf(photo)).toBe(state)
})
