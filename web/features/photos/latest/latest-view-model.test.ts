import { describe, expect, test } from 'vitest'
import { mediaUrl } from '../../../lib/media-url.ts'
import { failedPhoto, processingPhoto, samplePhoto } from '../../../test/sample-photos.ts'
import { latestViewModelOf, latestVisiblePhoto, otherPhotos, photoToShow } from './latest-view-model.ts'

const media = (url: string) => mediaUrl(url, 'http://booth.local')
const direct = { ask_email_to_receive_photo: false }
const asksForEmail = { ask_email_to_receive_photo: true }

describe('the view model of the latest photo', () => {
  test('holds the full image and the direct QR code of a ready photo', () => {
    expect(latestViewModelOf(samplePhoto(1), direct, media)).toMatchObject({
      kind: 'ready',
      width: 1500,
      height: 1000,
      full: 'http://booth.local/media/photo1?s=signed',
      thumb: 'http://booth.local/t/photo1',
      qrCode: 'http://booth.local/qr/d/photo1.svg',
      byEmail: false,
    })
  })

  test('holds the QR code for email when the owner asks for email addresses', () => {
    expect(latestViewModelOf(samplePhoto(1), asksForEmail, media)).toMatchObject({
      qrCode: 'http://booth.local/qr/r/photo1.svg',
      byEmail: true,
    })
  })

  test.each([
    ['a photo in processing', processingPhoto(1), 'processing'],
    ['a failed photo', failedPhoto(1), 'failed'],
  ])('holds no code for %s', (_, photo, kind) => {
    expect(latestViewModelOf(photo, direct, media)).toMatchObject({
      kind,
      qrCode: null,
      full: null,
      thumb: null,
      width: 3,
      height: 2,
    })
  })

  test('holds the thumbnail and the size before processing is complete', () => {
    const photo = processingPhoto(1, { thumbnail_url: 'http://photos.example/t/early', width: 800, height: 1200 })
    expect(latestViewModelOf(photo, direct, media)).toMatchObject({
      thumb: 'http://booth.local/t/early',
      width: 800,
      height: 1200,
      qrCode: null,
    })
  })

  test('has another key only when something visible changes', () => {
    const { key } = latestViewModelOf(samplePhoto(1), direct, media)
    expect(latestViewModelOf(samplePhoto(1, { size_bytes: 7 }), direct, media).key).toBe(key)
    for (const other of [
      latestViewModelOf(samplePhoto(2), direct, media),
      latestViewModelOf(samplePhoto(1), asksForEmail, media),
      latestViewModelOf(processingPhoto(1), direct, media),
      latestViewModelOf(samplePhoto(1, { b2_url: 'http://photos.example/media/photo1?s=other' }), direct, media),
    ]) {
      expect(other.key).not.toBe(key)
    }
  })
})

describe('the photo to show', () => {
  const takenAt = (seconds: number) => ({ created_at: new Date(Date.UTC(2026, 10, 14, 20, 0, seconds)).toISOString() })
  const before = samplePhoto(1, takenAt(0))
  test.each([
    ['is the newest when that is ready', samplePhoto(2, takenAt(5)), 'photo2'],
    [
      'is the one that is ready while a newer one of the same burst is processed',
      processingPhoto(2, takenAt(5)),
      'photo1',
    ],
    ['is one in processing when nothing else came within seconds', processingPhoto(2, takenAt(20)), 'photo2'],
    ['is one that failed', failedPhoto(2, takenAt(5)), 'photo2'],
  ])('%s', (_, newest, id) => {
    expect(photoToShow(newest, [newest, before]).id).toBe(id)
  })

  test('is not one of the burst that is hidden or in processing, too', () => {
    const newest = processingPhoto(4, takenAt(9))
    const others = [processingPhoto(3, takenAt(8)), samplePhoto(2, { ...takenAt(7), hidden: true }), before]
    expect(photoToShow(newest, [newest, ...others]).id).toBe('photo1')
    expect(photoToShow(newest, [newest]).id).toBe('photo4')
  })
})

describe('the other photos', () => {
  const recent = [
    processingPhoto(9),
    samplePhoto(8),
    failedPhoto(7),
    samplePhoto(6),
    samplePhoto(5),
    samplePhoto(4),
    samplePhoto(3),
  ]
  const idsBeside = (shown: number, max = 4) => otherPhotos(samplePhoto(shown), recent, max).map(({ id }) => id)

  test.each([
    ['are the four newest that have a code', 9, ['photo8', 'photo6', 'photo5', 'photo4']],
    ['do not include the photo that is shown', 8, ['photo6', 'photo5', 'photo4', 'photo3']],
    ['include newer ones', 4, ['photo8', 'photo6', 'photo5', 'photo3']],
  ])('%s', (_, shown, ids) => {
    expect(idsBeside(shown)).toEqual(ids)
  })

  test('are none when the maximum is zero', () => {
    expect(idsBeside(9, 0)).toEqual([])
  })

  test('do not include photos that are hidden from guests', () => {
    const photos = [samplePhoto(8), samplePhoto(6, { hidden: true }), samplePhoto(5)]
    expect(otherPhotos(samplePhoto(9), photos, 4).map(({ id }) => id)).toEqual(['photo8', 'photo5'])
  })
})

describe('the latest visible photo', () => {
  const hidden = (number: number) => samplePhoto(number, { hidden: true })
  test.each([
    ['is the newest', samplePhoto(3), [samplePhoto(3), samplePhoto(2)], 'photo3'],
    ['is not a hidden one', hidden(3), [hidden(3), hidden(2), samplePhoto(1)], 'photo1'],
    ['is unknown while only a hidden one is known', hidden(3), undefined, undefined],
    ['does not exist when all are hidden', hidden(3), [hidden(3), hidden(2)], null],
    ['does not exist without photos', null, [], null],
    ['is unknown before the first answer', undefined, undefined, undefined],
  ])('%s', (_, latest, recent, id) => {
    const photo = latestVisiblePhoto(latest, recent)
    expect(photo ? photo.id : photo).toBe(id)
  })
})
