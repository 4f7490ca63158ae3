import type { Language } from '@keepsnap/contract/languages.ts'
import { expect, test, vi } from 'vitest'
import { applyAccountLanguage, chooseLanguage } from './language-choice.ts'

/** A page with a cookie jar that holds one cookie at most, as far as the choice is concerned. */
function pageAt(path: string, { cookie = '', hasCookies = true }: { cookie?: string; hasCookies?: boolean } = {}) {
  const jar = { cookie }
  const location = {
    href: `http://keepsnap.test${path}`,
    protocol: 'http:',
    search: new URL(path, 'http://x').search,
    reload: vi.fn<() => void>(),
  }
  const document = {
    get cookie(): string {
      return jar.cookie
    },
    set cookie(value: string) {
      if (hasCookies) jar.cookie = value.split(';')[0] ?? ''
    },
  }
  const history = {
    state: { key: 'x' },
    replaceState: vi.fn<(state: unknown, title: string, url: URL) => void>((_, __, url) => {
      location.href = url.href
      location.search = url.search
    }),
  }
  // The parts that the choice uses.
  const page = { document, location, history } as unknown as Window
  return { page, jar, location, history }
}

test('a choice is stored for a year, and the same page loads again without ?lang=', () => {
  const { page, jar, location, history } = pageAt('/pricing?lang=fr&plan=pro#faq', { cookie: 'language=en' })
  chooseLanguage(page, 'nl')
  expect([jar.cookie, location.href]).toEqual(['language=nl', 'http://keepsnap.test/pricing?plan=pro#faq'])
  expect(history.replaceState).toHaveBeenCalledWith({ key: 'x' }, '', expect.any(URL))
  expect(location.reload).toHaveBeenCalledTimes(1)
})

test('without cookies, a choice holds for the page', () => {
  const { page, location } = pageAt('/pricing', { hasCookies: false })
  chooseLanguage(page, 'nl')
  expect(location.href).toBe('http://keepsnap.test/pricing?lang=nl')
})

test.each<[string, Language | null, string, string, number]>([
  ['the language of the account is shown on a new device', 'fr', '/gallery', '', 1],
  ['it is not when it is the language of the page', 'en', '/gallery', '', 0],
  ['it is not while the account has none', null, '/gallery', '', 0],
  ['a choice made on this device wins', 'fr', '/gallery', 'language=en', 0],
  ['?lang= wins', 'fr', '/gallery?lang=en', '', 0],
])('%s', (_, language, path, cookie, reloads) => {
  const { page, location } = pageAt(path, { cookie })
  applyAccountLanguage(page, language)
  expect(location.reload).toHaveBeenCalledTimes(reloads)
})

test.each([true, false])('the page loads again once only; with cookies: %s', (hasCookies) => {
  const { page, location } = pageAt('/gallery', { hasCookies })
  for (let loads = 0; loads < 3; loads += 1) applyAccountLanguage(page, 'fr')
  expect(location.reload).toHaveBeenCalledTimes(1)
})
