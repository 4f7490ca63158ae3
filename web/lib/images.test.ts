import { beforeEach, expect, test, vi } from 'vitest'
import { loadImage } from './images.ts'

beforeEach(() => void vi.useFakeTimers())

test('returns the decoded image', async () => {
  vi.spyOn(HTMLImageElement.prototype, 'decode').mockResolvedValue()
  expect((await loadImage('/a.jpg', 1_000))?.getAttribute('src')).toBe('/a.jpg')
})

test('returns null for an image that cannot be decoded, or not in time', async () => {
  const decode = vi.spyOn(HTMLImageElement.prototype, 'decode')
  decode.mockRejectedValueOnce(new Error('broken'))
  expect(await loadImage('/broken.jpg', 1_000)).toBeNull()
  decode.mockReturnValueOnce(new Promise(() => {}))
  const slow = loadImage('/slow.jpg', 1_000)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await slow).toBeNull()
})

test('returns an image that is loaded but that the browser does not decode', async () => {
  vi.spyOn(HTMLImageElement.prototype, 'decode').mockImplementation(function (this: HTMLImageElement) {
    this.dispatchEvent(new Event('load'))
    return new Promise(() => {})
  })
  const image = loadImage('/hidden.jpg', 60_000)
  await vi.advanceTimersByTimeAsync(3_000)
  expect((await image)?.getAttribute('src')).toBe('/hidden.jpg')
  expect(vi.getTimerCount()).toBe(0)
})
