import { expect, test, vi } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { open, useFakeServer } from '../test/fake-server.ts'
import { file, photo, photoOnly } from '../test/samples.ts'

useFakeServer()

test("shows the time in the device's time zone, and its variant of the page's language", () => {
  const localTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
  open(photoOnly())
  expect(document.querySelector('time')?.textContent).toContain(localTime.format(new Date('2026-11-17T22:51:00Z')))
  expect(document.querySelector('time')?.textContent).not.toContain('UTC')
})

test('loads the full-size photo on wide screens only', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  const main = open(photoOnly())
  await eventually(() => expect(main.querySelector('.guest__picture')?.getAttribute('src')).toBe(file.inlineUrl))
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  expect(open(photoOnly()).querySelector('.guest__picture')?.getAttribute('src')).toBe(photo.thumbnailUrl)
})
