import { describe, expect, test } from 'vitest'
import { mediaUrl } from '../../../lib/media.ts'
import { failedPhoto, processingPhoto, samplePhoto } from '../../../test/photos.ts'
import { faceOf, photosBefore, stagePhotoOf } from './face.ts'

const here = (address: string) => mediaUrl(address, 'http://booth.local')
const gives = { ask_email_to_receive_photo: false }
const asks = { ask_email_to_receive_photo: true }

describe('what the stage shows of a photo', () => {
  test('is the photo with its direct code', () => {
    expect(faceOf(samplePhoto(1), gives, here)).toMatchObject({
      kind: 'ready',
      width: 1500,
      height: 1000,
      full: 'http://booth.local/media/photo1?s=signed',
      thumb: 'http://booth.local/t/photo1',
      code: 'http://booth.local/qr/d/photo1.svg',
      byEmail: false,
    })
  })

  test('is the code for e-mail when the owner asks for addresses', () => {
    expect(faceOf(samplePhoto(1), asks, here)).toMatchObject({
      code: 'http://booth.local/qr/r/photo1.svg',
      byEmail: true,
    })
  })

  test.each([
    ['is being processed', processingPhoto(1), 'processing'],
    ['has failed', failedPhoto(1), 'failed'],
  ])('has no code while it %s', (_, photo, kind) => {
    expect(faceOf(photo, gives, here)).toMatchObject({ kind, code: null, full: null, thumb: null, width: 3, height: 2 })
  })

  test('has its thumbnail before it is complete', () => {
    const early = processingPhoto(1, { thumbnail_url: 'http://photos.example/t/early', width: 800, height: 1200 })
    expect(faceOf(early, gives, here)).toMatchObject({
      thumb: 'http://booth.local/t/early',
      width: 800,
      height: 1200,
      code: null,
    })
  })

  test('is the same until something that can be seen changes', () => {
    const key = faceOf(samplePhoto(1), gives, here).key
    expect(faceOf(samplePhoto(1, { size_bytes: 7 }), gives, here).key).toBe(key)
    for (const other of [
      faceOf(samplePhoto(2), gives, here),
      faceOf(samplePhoto(1), asks, here),
      faceOf(processingPhoto(1), gives, here),
      faceOf(samplePhoto(1, { b2_url: 'http://photos.example/media/photo1?s=other' }), gives, here),
    ]) {
      expect(other.key).not.toBe(key)
    }
  })
})

describe('the small prints', () => {
  const recent = [
    processingPhoto(9),
    samplePhoto(8),
    failedPhoto(7),
    samplePhoto(6),
    samplePhoto(5),
    samplePhoto(4),
    samplePhoto(3),
  ]
  const numbers = (stage: number, most = 4) => photosBefore(samplePhoto(stage), recent, most).map(({ id }) => id)

  test.each([
    ['are the four before the newest that have a code', 9, ['photo8', 'photo6', 'photo5', 'photo4']],
    ['leave the photo on the stage out', 8, ['photo6', 'photo5', 'photo4', 'photo3']],
    ['are older than the photo on the stage', 4, ['photo3']],
    ['are none before the first', 3, []],
  ])('%s', (_, stage, ids) => {
    expect(numbers(stage)).toEqual(ids)
  })

  test('can be none at all', () => {
    expect(numbers(9, 0)).toEqual([])
  })

  test('leave out what is hidden from guests', () => {
    const hidden = [samplePhoto(8), samplePhoto(6, { hidden: true }), samplePhoto(5)]
    expect(photosBefore(samplePhoto(9), hidden, 4).map(({ id }) => id)).toEqual(['photo8', 'photo5'])
  })
})

describe('the photo for the stage', () => {
  const hidden = (number: number) => samplePhoto(number, { hidden: true })
  test.each([
    ['is the newest', samplePhoto(3), [samplePhoto(3), samplePhoto(2)], 'photo3'],
    ['is never a hidden one', hidden(3), [hidden(3), hidden(2), samplePhoto(1)], 'photo1'],
    ['is not known while only a hidden one is', hidden(3), undefined, undefined],
    ['is none when all are hidden', hidden(3), [hidden(3), hidden(2)], null],
    ['is none without photos', null, [], null],
    ['is not known before an answer', undefined, undefined, undefined],
  ])('%s', (_, latest, recent, id) => {
    const photo = stagePhotoOf(latest, recent)
    expect(photo ? photo.id : photo).toBe(id)
  })
})
