import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { samplePhoto } from '../../../test/sample-photos.ts'
import { useSlideshow } from './useSlideshow.ts'

const minute = 60_000
const photos = [3, 2, 1].map((number) => samplePhoto(number))
const start = { minutes: 1, newestId: 'photo3', paused: false, photos }

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse(photos[0]!.created_at) })
})
afterEach(() => {
  vi.useRealTimers()
})
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const openShow = (changes: Partial<typeof start> = {}) => {
  const { result, rerender } = renderHook((options) => useSlideshow(options), {
    initialProps: { ...start, ...changes },
  })
  return {
    shown: () => result.current?.id ?? null,
    change: (next: Partial<typeof start>) => rerender({ ...start, ...next }),
  }
}

describe('the slideshow', () => {
  test('starts after the quiet minutes, goes on every fifteen seconds, and ends when a photo arrives', async () => {
    const { shown, change } = openShow()
    await pass(minute - 1)
    expect(shown()).toBeNull()
    const seen: (string | null)[] = []
    for (let slide = 0; slide < 4; slide++) {
      await pass(slide === 0 ? 1 : 15_000)
      seen.push(shown())
    }
    expect(seen).toEqual(['photo1', 'photo2', 'photo3', 'photo1'])
    change({ newestId: 'photo4', photos: [samplePhoto(4), ...photos] })
    expect(shown()).toBeNull()
    await pass(minute)
    expect(shown()).toBe('photo1')
  })

  test('leaves a photo at once when it is hidden or deleted', async () => {
    const { shown, change } = openShow()
    await pass(minute)
    change({ photos: [photos[0]!, photos[1]!, samplePhoto(1, { hidden: true })] })
    expect(shown()).toBeNull()
    await pass(15_000)
    expect(shown()).toBe('photo2')
    change({ photos: [photos[0]!] })
    expect(shown()).toBeNull()
  })

  test.each([{ minutes: 0 }, { paused: true }])('does not start with %o', async (changes) => {
    const { shown } = openShow(changes)
    await pass(10 * minute)
    expect(shown()).toBeNull()
  })
})
