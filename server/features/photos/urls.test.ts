import { afterEach, expect, test, vi } from 'vitest'
import { singleKey } from '../../lib/cryptography.ts'
import { type HiddenThumbnail, type SignedImage, createUrls } from './urls.ts'

const urls = createUrls('https://photos.example.com', singleKey('a secret key of the tests'))
const image: SignedImage = { photoId: 'photo-1', fullKey: 'full/key-1', mediaEpoch: 3, hiddenAt: null }
const hidden: HiddenThumbnail = { thumbKey: 'thumb/key-2', hiddenAt: new Date(1_700_000_000_123), reader: 'owner' }
const signatureOf = (url: string): string => new URL(url).searchParams.get('s') ?? ''

test('signatures never change: URLs that were shared before keep working', () => {
  expect(urls.fullImage(image)).toBe('https://photos.example.com/media/key-1?s=FidWgmKwJVvDTxsfcfzVcO')
  expect(urls.thumbnail('thumb/key-2')).toBe('https://photos.example.com/t/key-2')
  expect(urls.hiddenThumbnail(hidden)).toMatch(/^https:\/\/photos\.example\.com\/t\/key-2\?s=[\w-]{22}$/)
})

test('a signature is valid for one photo, one image and one media epoch', () => {
  const signature = signatureOf(urls.fullImage(image))
  expect(urls.isFullImageSignature(image, signature)).toBe(true)
  for (const change of [
    { photoId: 'photo-2' },
    { fullKey: 'full/key-2' },
    { mediaEpoch: 4 },
    { hiddenAt: new Date(5) },
  ])
    expect(urls.isFullImageSignature({ ...image, ...change }, signature)).toBe(false)
  expect(urls.isFullImageSignature(image, '')).toBe(false)
  expect(urls.isScreenImageSignature(image, signature)).toBe(false)
})

test('while a photo is hidden, a signature is valid for the time since when, and for one reader', () => {
  const signature = signatureOf(urls.hiddenThumbnail(hidden))
  expect(urls.isThumbnailSignature(hidden, signature)).toBe(true)
  for (const change of [
    { thumbKey: 'thumb/key-1' },
    { hiddenAt: new Date(1_700_000_000_124) },
    { reader: 'operator' as const },
  ])
    expect(urls.isThumbnailSignature({ ...hidden, ...change }, signature)).toBe(false)
  // The signature of before photos were hidden with a time.
  expect(urls.isThumbnailSignature(hidden, '4YB10Lor0kpZLCx5QyRdnm')).toBe(false)
  const hiddenImage = { ...image, hiddenAt: hidden.hiddenAt }
  const ofHidden = signatureOf(urls.fullImage(hiddenImage))
  expect([urls.isFullImageSignature(hiddenImage, ofHidden), urls.isFullImageSignature(image, ofHidden)]).toEqual([
    true,
    false,
  ])
  expect(urls.isFullImageSignature({ ...hiddenImage, hiddenAt: new Date() }, ofHidden)).toBe(false)
})

afterEach(() => void vi.useRealTimers())

test('pictures of a review can be looked at for a day, not by who has kept their addresses', () => {
  const reviewed = { photoId: 'photo-1', thumbKey: 'thumb/key-1', fullKey: 'full/key-1', mediaEpoch: 3 }
  const hour = 3_600_000
  const madeAt = Date.UTC(2026, 10, 14, 23, 59)
  vi.useFakeTimers({ now: madeAt, toFake: ['Date'] })
  const { thumbnail, screen } = urls.reviewImages(reviewed)
  const isValid = (of = reviewed) => [
    urls.isReviewSignature('thumb', of, signatureOf(thumbnail!)),
    urls.isReviewSignature('screen', of, signatureOf(screen!)),
  ]
  expect([isValid(), isValid({ ...reviewed, mediaEpoch: 4 })]).toEqual([
    [true, true],
    [false, false],
  ])
  expect(urls.isReviewSignature('screen', reviewed, signatureOf(thumbnail!))).toBe(false)
  vi.setSystemTime(madeAt + 12 * hour)
  expect(isValid()).toEqual([true, true])
  vi.setSystemTime(madeAt + 24 * hour)
  expect(isValid()).toEqual([false, false])
})
