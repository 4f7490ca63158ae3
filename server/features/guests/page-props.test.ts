import { expect, test } from 'vitest'
import { sharedPhoto } from '../../test/sample-photos.ts'
import { createUrls } from '../photos/urls.ts'
import { singleKey } from '../../lib/cryptography.ts'
import { guestFrame, guestLogo, guestPhoto } from './page-props.ts'

const urls = createUrls('http://photos.test', singleKey('a secret of the tests'))
const photo = sharedPhoto({
  filename: 'private name.heic',
  fullType: 'image/png',
  logo: {
    key: 'brand/logo',
    type: 'image/png',
    bytes: 5,
    width: 200,
    height: 100,
    lowContrast: { onPaper: 1, onInk: 0 },
  },
})

test('guests learn nothing about the owner or the uploaded file', () => {
  const props = guestPhoto(photo, urls)
  expect(props).toEqual({
    id: 'photo',
    filename: 'keepsnap-2026-05-01-1020.png',
    thumbnailUrl: 'http://photos.test/t/abc',
    width: 40,
    height: 30,
    thumbhash: 'hash',
  })
})

test('a link preview shows the thumbnail, if there is one', () => {
  const preview = (thumbKey: string | null) =>
    guestFrame('http://photos.test', '/d/code', guestPhoto({ ...photo, thumbKey }, urls)).previewUrl
  expect([preview('thumb/abc'), preview(null)]).toEqual(['http://photos.test/t/abc', null])
  expect(guestFrame('http://photos.test', '/d/code').previewUrl).toBeNull()
})

test('the logo has a public URL, its size and the grounds on which it can be seen', () => {
  const grounds = { light: 'ink', dark: 'none' }
  expect(guestLogo(photo, urls)).toEqual({ url: 'http://photos.test/b/logo', width: 200, height: 100, grounds })
  expect(guestLogo({ ...photo, logo: null }, urls)).toBeNull()
})
