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

test.each([
  ['in a browser', true, 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_2) Version/18.2 Mobile/15E148 Safari/604.1', false],
  ['on plain http', false, 'Mozilla/5.0 (Linux; Android 14; K) Chrome/131.0.0.0 Mobile Safari/537.36', true],
  ['in an app on Android', true, 'Mozilla/5.0 (Linux; Android 14; K; wv) Chrome/131.0.0.0 Mobile Safari/537.36', true],
  [
    'in an app on iOS',
    true,
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605 Mobile/15E148',
    true,
  ],
])(
  'shows the image for screens as soon as it is loaded, and %s the full-size photo then: %s',
  async (_, isSecure, agent, isFull) => {
    vi.stubGlobal('isSecureContext', isSecure)
    vi.stubGlobal('navigator', { languages: ['en'], userAgent: agent })
    const decoded: string[] = []
    vi.spyOn(HTMLImageElement.prototype, 'decode').mockImplementation(async function (this: HTMLImageElement) {
      decoded.push(this.getAttribute('src') ?? '')
    })
    const main = open(photoOnly())
    const picture = (): string | null | undefined => main.querySelector('.guest__picture')?.getAttribute('src')
    expect(picture()).toBe(photo.thumbnailUrl)
    await eventually(() => expect(picture()).toBe(isFull ? file.inlineUrl : file.screenUrl))
    expect(decoded).toEqual(isFull ? [file.screenUrl, file.inlineUrl] : [file.screenUrl])
  },
)

const instagram =
  'Mozilla/5.0 (Linux; Android 14; Phone; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0 Mobile Safari/537.36 Instagram 361.0 Android'
const facebook =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/490.0]'
const chrome = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36'

test.each([
  ['Instagram', instagram, photoOnly(), true],
  ['Facebook on an iPhone', facebook, photoOnly({ ios: true }), true],
  ['Instagram, once the photo is processed', instagram, photoOnly({ by: 'code', file: null }), true],
  ['a browser', chrome, photoOnly(), false],
])('in %s, a tap on Save is followed by another way: %s', (_, userAgent, page, isFollowed) => {
  vi.stubGlobal('navigator', { languages: ['en'], userAgent })
  const main = open(page)
  const status = (): string | null | undefined => main.querySelector('.guest__status')?.textContent
  expect(status()).toBe('')
  const save = main.querySelector('.guest__actions a')!
  save.addEventListener('click', (event) => event.preventDefault())
  save.querySelector('svg')!.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
  const advice = 'Nothing happened? Press and hold the picture, or open this page in your browser.'
  expect(status()).toBe(isFollowed ? advice : '')
})
