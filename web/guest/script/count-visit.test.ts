import { beforeEach, expect, test, vi } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { open, useFakeFetch } from '../test/fake-fetch.ts'
import { file, photo, photoOnly, request } from '../test/samples.ts'

const server = useFakeFetch()
const download = (): string | null | undefined => document.querySelector('.guest__actions a')?.getAttribute('href')
const countedLink = '/g/secret/download'
beforeEach(() => {
  vi.stubGlobal('navigator', { languages: ['en'], userAgent: '' })
})

test.each([
  ['of an email', photoOnly(), ['grant']],
  ['of a code', photoOnly({ by: 'code' }), ['code']],
  ['of a photo that is being processed', photoOnly({ by: 'code', file: null }), ['code']],
  ['on which a photo is requested', request(), ['code']],
  ['on which nothing can be requested', request({ state: 'off' }), ['code']],
  ['that answers a request', request({ state: 'sent', email: 'lotte@example.com' }), []],
  ['that says what is wrong with an address', request({ state: 'bad', problem: 'No' }), []],
])('opening the page %s is counted once', (_, page, by) => {
  open(page)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(server.visits).toEqual(by.map((one) => `/photos/${photo.id}/visits?by=${one}`))
})

test('a page that was opened in advance is counted when it is shown', () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  open(photoOnly())
  expect([server.visits, download()]).toEqual([[], file.downloadUrl])
  hidden.mockReturnValue(false)
  document.dispatchEvent(new Event('visibilitychange'))
  expect([server.visits.length, download()]).toEqual([1, countedLink])
})

test.each(['reload', 'back_forward'])('%s is no new visit', (type) => {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as unknown as PerformanceEntry])
  open(photoOnly())
  expect([server.visits, download()]).toEqual([[], countedLink])
})

test('the page in another language is no new visit', () => {
  window.history.replaceState(null, '', '?lang=nl')
  open(photoOnly())
  window.history.replaceState(null, '', '?')
  expect([server.visits, download()]).toEqual([[], countedLink])
})

test.each([
  ['is lost', () => Promise.reject(new TypeError('Failed to fetch'))],
  // By a node of an earlier version.
  ['is not known', () => Promise.resolve(new Response(null, { status: 404 }))],
])('when the call %s, the next click counts', async (_, answer) => {
  vi.mocked(fetch).mockImplementation(answer)
  open(photoOnly())
  expect(download()).toBe(countedLink)
  await eventually(() => expect(download()).toBe(file.downloadUrl))
})
