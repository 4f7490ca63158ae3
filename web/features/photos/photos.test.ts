import { singleKey } from '../../../server/lib/cryptography.ts'
import { createUrls } from '../../../server/features/photos/urls.ts'
import { describe, expect, test } from 'vitest'
import { failedPhoto, processingPhoto, samplePhoto } from '../../test/samples.ts'
import { linkOfCode, photoStateOf, placeholderOf, qrCodeFilename, qrCodeUrlOf, svgUrlOf } from './photo-state.ts'

test.each([
  ['ready', samplePhoto(1)],
  ['processing', processingPhoto(1)],
  ['processing', processingPhoto(1, { processing: false })],
  ['failed', failedPhoto(1)],
])('the state of a photo is %s', (state, photo) => {
  expect(photoStateOf(photo)).toBe(state)
})

const asksForEmail = { ask_email_to_receive_photo: true }
const direct = { ask_email_to_receive_photo: false }

describe('the QR code of a photo', () => {
  test.each([
    ['leads to the photo', samplePhoto(1), direct, 'http://photos.example/qr/d/photo1'],
    [
      'leads to the request page when the owner asks for email addresses',
      samplePhoto(1),
      asksForEmail,
      'http://photos.example/qr/r/photo1',
    ],
    ['does not exist during processing', processingPhoto(1), direct, null],
    ['does not exist when processing failed', failedPhoto(1), direct, null],
    ['does not exist for a hidden photo', samplePhoto(1, { hidden: true }), direct, null],
    ['does not exist when it is marked as failed', samplePhoto(1, { processing_failed: true }), direct, null],
  ])('%s', (_, photo, user, url) => {
    expect(qrCodeUrlOf(photo, user)).toBe(url)
  })

  test.each([
    ['http://a.example/qr/d/abc', 'http://a.example/qr/d/abc.svg'],
    ['http://a.example/qr/d/abc.png', 'http://a.example/qr/d/abc.svg'],
    ['http://a.example/qr/d/abc?x=1', 'http://a.example/qr/d/abc.svg?x=1'],
  ])('%s has the SVG URL %s', (url, svgUrl) => {
    expect(svgUrlOf(url)).toBe(svgUrl)
  })

  test('contains the link that is copied', () => {
    const urls = createUrls('https://photos.example:8443', singleKey('secret'))
    expect(linkOfCode(urls.directQr('a_b-c'))).toBe(urls.directDownload('a_b-c'))
    expect(linkOfCode(urls.requestQr('a_b-c'))).toBe(urls.requestPage('a_b-c'))
  })

  test.each([
    ['IMG_4374.jpg', 'IMG_4374-code.png'],
    ['Ballonnen ingang, avond.heic', 'Ballonnen ingang, avond-code.png'],
    ['no extension', 'no extension-code.png'],
  ])('of %s is saved as %s', (photoName, filename) => {
    expect(qrCodeFilename(photoName)).toBe(filename)
  })
})

test('a ThumbHash becomes an image', () => {
  expect(placeholderOf('1QcSHQRnh493V4dIh4eXh1h4kJUI')).toMatch(/^data:image\/png;base64,/)
})

test.each([null, '', 'no base64!'])('without a valid ThumbHash (%s) there is no image', (thumbhash) => {
  expect(placeholderOf(thumbhash)).toBeNull()
})
