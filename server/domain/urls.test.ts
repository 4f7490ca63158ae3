import { expect, test } from 'vitest'
import { createUrls, type SignedImage } from './urls.ts'
import { singleKey } from '../lib/secret-keys.ts'

const urls = createUrls('https://photos.example.com', singleKey('a secret key of the tests'))
const image: SignedImage = { photoId: 'photo-1', fullKey: 'full/key-1', mediaEpoch: 3 }

test('signatures never change: URLs that were shared before keep working', () => {
  expect(urls.fullImage(image)).toBe('https://photos.example.com/media/key-1?s=FidWgmKwJVvDTxsfcfzVcO')
  expect(urls.thumbnail('thumb/key-2')).toBe('https://photos.example.com/t/key-2')
  expect(urls.thumbnail('thumb/key-2', true)).toBe('https://photos.example.com/t/key-2?s=4YB10Lor0kpZLCx5QyRdnm')
})

test('a signature is valid for one photo, one image and one media epoch', () => {
  const signature = new URL(urls.fullImage(image)).searchParams.get('s') ?? ''
  expect(urls.isFullImageSignature(image, signature)).toBe(true)
  for (const change of [{ photoId: 'photo-2' }, { fullKey: 'full/key-2' }, { mediaEpoch: 4 }])
    expect(urls.isFullImageSignature({ ...image, ...change }, signature)).toBe(false)
  expect(urls.isFullImageSignature(image, '')).toBe(false)
  expect(urls.isThumbnailSignature('thumb/key-2', '4YB10Lor0kpZLCx5QyRdnm')).toBe(true)
  expect(urls.isThumbnailSignature('thumb/key-1', '4YB10Lor0kpZLCx5QyRdnm')).toBe(false)
})
