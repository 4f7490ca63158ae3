import { expect, test } from 'vitest'
import { createUrls } from '../../domain/urls.ts'
import { sharedPhoto } from '../../test/sample-photos.ts'
import { publicPhotoView } from './public-photo-view.ts'
import { singleKey } from '../../lib/secret-keys.ts'

const urls = createUrls('http://photos.test', singleKey('a secret of the tests'))
const photo = sharedPhoto({ emailRequired: true })

test('guests get neither the owner, the code, the name of the file nor a full-size URL', () => {
  expect(publicPhotoView(photo, urls)).toEqual({
    id: 'photo',
    filename: 'keepsnap-2026-05-01-1020.jpg',
    thumbnail_url: 'http://photos.test/t/abc',
    width: 40,
    height: 30,
    thumbhash: 'hash',
    ask_email_to_receive_photo: true,
    processing: false,
    processing_complete: true,
    processing_failed: false,
    created_at: '2026-05-01T10:20:00.000Z',
  })
})

test('there is no thumbnail before the photo is ready', () => {
  expect(publicPhotoView({ ...photo, state: 'processing' }, urls)).toMatchObject({
    thumbnail_url: null,
    processing: true,
    processing_complete: false,
  })
})
