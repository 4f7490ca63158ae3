import { describe, expect, test } from 'vitest'
import { failedPhoto, processingPhoto, samplePhoto } from '../../test/photos.ts'
import { codeFilename, codeOf, drawingOf, stateOf } from './codes.ts'

const asks = { ask_email_to_receive_photo: true }
const gives = { ask_email_to_receive_photo: false }

describe('the code that a photo is shown with', () => {
  test.each([
    ['the direct one', samplePhoto(1), gives, 'http://photos.example/qr/d/photo1'],
    ['the one for e-mail when the owner asks for addresses', samplePhoto(1), asks, 'http://photos.example/qr/r/photo1'],
    ['none while it is being processed', processingPhoto(1), gives, null],
    ['none for e-mail while it is being processed', processingPhoto(1), asks, null],
    ['none when it has failed', failedPhoto(1), gives, null],
    ['none when guests do not get it', samplePhoto(1, { hidden: true }), gives, null],
    ['none when it has failed after all', samplePhoto(1, { processing_failed: true }), gives, null],
  ])('is %s', (_, photo, user, address) => {
    expect(codeOf(photo, user)).toBe(address)
  })

  test.each([
    ['http://a.example/qr/d/abc', 'http://a.example/qr/d/abc.svg'],
    ['http://a.example/qr/d/abc.png', 'http://a.example/qr/d/abc.svg'],
    ['http://a.example/qr/d/abc?x=1', 'http://a.example/qr/d/abc.svg?x=1'],
  ])('has a drawing: %s', (address, drawing) => {
    expect(drawingOf(address)).toBe(drawing)
  })

  test.each([
    ['IMG_4374.jpg', 'IMG_4374-code.png'],
    ['Ballonnen ingang, avond.heic', 'Ballonnen ingang, avond-code.png'],
    ['no ending', 'no ending-code.png'],
  ])('is saved beside %s as %s', (name, file) => {
    expect(codeFilename(name)).toBe(file)
  })
})

test.each([
  [samplePhoto(1), 'ready'],
  [processingPhoto(1), 'processing'],
  [failedPhoto(1), 'failed'],
  [processingPhoto(1, { processing: false }), 'processing'],
])('a photo is ready, processing or failed', (photo, state) => {
  expect(stateOf(photo)).toBe(state)
})
