import { beforeEach, expect, test, vi } from 'vitest'
import { json, open, useFakeFetch } from '../test/fake-fetch.ts'
import { photo, photoOnly, request } from '../test/samples.ts'

const server = useFakeFetch()
const unfinished = { ...photo, thumbnailUrl: null, width: null, height: null }
const publicPhoto = (more: object) => ({
  processing_complete: false,
  thumbnail_url: null,
  width: null,
  height: null,
  ...more,
})
const advance = (seconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(seconds * 1000)
beforeEach(() => {
  vi.useFakeTimers()
})

test('shows the photo in its aspect ratio when it is ready and stops polling', async () => {
  server.answer(
    json(200, publicPhoto({})),
    json(200, publicPhoto({ processing_complete: true, thumbnail_url: '/t/new', width: 800, height: 1200 })),
  )
  const main = open(request({ processing: true, photo: unfinished }))
  await advance(1.9)
  expect(server.calls).toEqual([])
  await advance(0.2)
  expect(server.calls).toEqual([{ path: `/photos/${photo.id}/public`, body: undefined }])
  await advance(2)
  expect(main.querySelector('.guest__picture')?.getAttribute('src')).toBe('/t/new')
  expect(main.querySelector('.guest__placeholder')?.getAttribute('src')).toContain("width='800' height='1200'")
  expect(main.querySelector('output')?.textContent).toBe('Your photo is ready.')
  document.dispatchEvent(new Event('visibilitychange'))
  await advance(60)
  expect(server.calls).toHaveLength(2)
})

test('polls less often after failures', async () => {
  server.answer(null)
  open(request({ processing: true, photo: unfinished }))
  await advance(600)
  expect(server.calls.length).toBeGreaterThan(15)
  expect(server.calls.length).toBeLessThan(30)
})

test('polls only while the page is visible', async () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  server.answer(json(200, publicPhoto({})))
  open(request({ processing: true, photo: unfinished }))
  await advance(30)
  expect(server.calls).toEqual([])
  hidden.mockReturnValue(false)
  document.dispatchEvent(new Event('visibilitychange'))
  await advance(2.1)
  expect(server.calls).toHaveLength(1)
})

test.each([
  [
    'the photo of an email is ready',
    photoOnly({ file: null, photo: unfinished }),
    json(200, publicPhoto({ processing_complete: true })),
  ],
  ['the photo no longer exists', request({ processing: true, photo: unfinished }), json(404, { code: 'not_found' })],
])('reloads the page when %s', async (_, page, answer) => {
  const reload = vi.spyOn(window.location, 'reload').mockReturnValue()
  server.answer(answer)
  open(page)
  await advance(2.1)
  expect(reload).toHaveBeenCalledOnce()
})

test('shows the download of a direct code without reloading, because its URL is the file itself', async () => {
  server.answer(json(200, publicPhoto({ processing_complete: true, thumbnail_url: '/t/new', width: 3, height: 2 })))
  const main = open(photoOnly({ by: 'code', file: null, photo: unfinished, expiresAt: null }))
  const download = main.querySelector<HTMLElement>('[data-download-when-ready]')!
  expect(download.hidden).toBe(true)
  await advance(2.1)
  expect(download.hidden).toBe(false)
  expect(download.querySelector('a')?.getAttribute('href')).toBe('/request-photo/abc?download=1')
})

test('shows the full-size photo in an app, where a long press saves what is shown', async () => {
  vi.stubGlobal('navigator', { languages: ['en'], userAgent: 'Mozilla/5.0 (Linux; Android 14; K; wv) Instagram 361.0' })
  server.answer(json(200, publicPhoto({ processing_complete: true, thumbnail_url: '/t/new', width: 3, height: 2 })))
  const main = open(photoOnly({ by: 'code', file: null, photo: unfinished, expiresAt: null }))
  await advance(2.1)
  expect(main.querySelector('.guest__picture')?.getAttribute('src')).toBe('/request-photo/abc?inline=1')
})
