import { describe, expect, test } from 'vitest'
import { failedPhoto, processingPhoto, samplePhoto } from '../../../test/sample-photos.ts'
import { nextSlide, tonightPhotos } from './slideshow.ts'

const now = Date.parse(samplePhoto(0).created_at) + 12 * 3_600_000
const photos = [
  samplePhoto(4),
  processingPhoto(3),
  samplePhoto(2, { hidden: true }),
  failedPhoto(1),
  samplePhoto(0),
  samplePhoto(-1),
]

describe('the slideshow', () => {
  test('shows the photos of the last twelve hours that guests may see, oldest first', () => {
    expect(tonightPhotos(photos, now).map(({ id }) => id)).toEqual(['photo0', 'photo4'])
  })

  test('goes through 200 photos once each, and starts again', () => {
    const tonight = Array.from({ length: 200 }, (_, number) => samplePhoto(number))
    const ids: string[] = []
    for (let shown = nextSlide(tonight, null); ids.length < 200; shown = nextSlide(tonight, shown!)) ids.push(shown!.id)
    expect(new Set(ids).size).toBe(200)
    expect(nextSlide(tonight, tonight.at(-1)!)?.id).toBe('photo0')
  })

  test('shows each of the photos that came in the same millisecond', () => {
    const { created_at } = samplePhoto(2)
    const tonight = tonightPhotos([samplePhoto(3, { created_at }), samplePhoto(2), samplePhoto(1)], now)
    const second = nextSlide(tonight, tonight[0]!)
    expect([tonight[0], second, nextSlide(tonight, second!)].map((photo) => photo?.id)).toEqual([
      'photo1',
      'photo2',
      'photo3',
    ])
  })

  test('goes on after a photo that was deleted meanwhile', () => {
    expect(nextSlide([samplePhoto(1), samplePhoto(3)], samplePhoto(2))?.id).toBe('photo3')
    expect(nextSlide([], samplePhoto(2))).toBeUndefined()
  })
})
