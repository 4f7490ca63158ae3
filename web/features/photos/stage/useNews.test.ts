import { describe, expect, test } from 'vitest'
import { failedPhoto, processingPhoto, samplePhoto } from '../../../test/photos.ts'
import { newsOf } from './useNews.ts'

describe('what is said about the latest photo', () => {
  test.each([
    ['a newer one was received', samplePhoto(1), samplePhoto(2), 'received'],
    ['the first of all was received', null, processingPhoto(1), 'received'],
    ['it has become ready', processingPhoto(1), samplePhoto(1), 'changed'],
    ['it has failed', processingPhoto(1), failedPhoto(1), 'changed'],
    [
      'nothing when its thumbnail is there',
      processingPhoto(1),
      processingPhoto(1, { thumbnail_url: 'http://a.example/t' }),
      null,
    ],
    ['nothing when it is the same', samplePhoto(1), samplePhoto(1), null],
    ['nothing when the newest was deleted', samplePhoto(2), samplePhoto(1), null],
    ['nothing when the last was deleted', samplePhoto(1), null, null],
  ])('%s', (_, before, now, news) => {
    expect(newsOf(before, now)).toBe(news)
  })
})
