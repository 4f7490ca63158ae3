import { expect, test, vi } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { createFormat } from '../../lib/format.ts'
import { open, useFakeFetch } from '../test/fake-fetch.ts'
import { enhance } from './enhance.ts'
import { file, photo, photoOnly, rendererIn, show } from '../test/samples.ts'

useFakeFetch()

test("shows the time in the device's time zone, in its variant of the page's language", () => {
  const localTime = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' })
  vi.stubGlobal('navigator', { languages: ['nl-BE', 'en-US'] })
  open(photoOnly())
  expect(document.querySelector('time')?.textContent).toContain(localTime.format(new Date('2026-11-17T22:51:00Z')))
  expect(document.querySelector('time')?.textContent).not.toContain('UTC')
})

test('leaves size and time in the language of the page on a device in another', () => {
  vi.stubGlobal('navigator', { languages: ['en-US'] })
  const main = show(photoOnly(), rendererIn({ tag: 'fr', text: null, format: createFormat('fr') }))
  document.documentElement.lang = 'fr'
  enhance(main)
  expect(main.textContent).toContain('2,4 Mo')
  expect(main.querySelector('time')?.textContent).toMatch(/^(mardi 17|mercredi 18) novembre à \d\d:\d\d$/)
})

test('loads the full-size photo on wide screens only', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  const main = open(photoOnly())
  await eventually(() => expect(main.querySelector('.guest__picture')?.getAttribute('src')).toBe(file.inlineUrl))
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  expect(open(photoOnly()).querySelector('.guest__picture')?.getAttribute('src')).toBe(photo.thumbnailUrl)
})
