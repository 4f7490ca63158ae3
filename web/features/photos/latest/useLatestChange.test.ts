import { describe, expect, test } from 'vitest'
import { failedPhoto, processingPhoto, samplePhoto } from '../../../test/sample-photos.ts'
import { latestChange } from './useLatestChange.ts'

describe('the change of the latest photo', () => {
  test.each([
    ['is "received" for a newer photo', samplePhoto(1), samplePhoto(2), 'received'],
    ['is "received" for the first photo of all', null, samplePhoto(1), 'received'],
    ['is not announced while a new photo cannot be seen yet', samplePhoto(1), processingPhoto(2), null],
    ['is "received" when processing is complete', processingPhoto(1), samplePhoto(1), 'received'],
    ['is "changed" when a failed photo is processed again', failedPhoto(1), processingPhoto(1), 'changed'],
    ['is "changed" when processing failed', processingPhoto(1), failedPhoto(1), 'changed'],
    [
      'is not announced when only the thumbnail is new',
      processingPhoto(1),
      processingPhoto(1, { thumbnail_url: 'http://a.example/t' }),
      null,
    ],
    ['is not announced when nothing changed', samplePhoto(1), samplePhoto(1), null],
    ['is not announced when the newest photo was deleted', samplePhoto(2), samplePhoto(1), null],
    ['is not announced when the last photo was deleted', samplePhoto(1), null, null],
  ])('%s', (_, before, now, change) => {
    expect(latestChange(before, now)).toBe(change)
  })
})
