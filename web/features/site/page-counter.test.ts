import { describe, expect, test, vi } from 'vitest'
import { createPageCounter } from './page-counter.ts'

const host = 'https://stats.example'
const matomo = { provider: 'matomo', host, site: '3' } as const
const plausible = { provider: 'plausible', host, site: 'photos.example' } as const

/** A page whose scripts are not loaded, at an address that must not be sent. */
function openPage(referrer = ''): Window {
  const parsed = new DOMParser().parseFromString('<head></head>', 'text/html')
  Object.defineProperty(parsed, 'referrer', { value: referrer, configurable: true })
  const location = new URL('https://photos.example/reset-password?token=secret#x')
  // Only what the counter uses.
  return { document: parsed, location, localStorage: window.localStorage } as unknown as Window
}
const scripts = (page: Window) => Array.from(page.document.querySelectorAll('script'), ({ src }) => src)
const policies = (page: Window) =>
  Array.from(page.document.querySelectorAll('meta'), ({ content }) => content).join('; ')

describe('before the first view', () => {
  test('nothing is loaded, and stopping says that nothing ran', () => {
    const page = openPage()
    const counter = createPageCounter(page, 'https://photos.example')
    counter.pause()
    expect(counter.stop()).toBe(false)
    expect([scripts(page), policies(page)]).toEqual([[], ''])
  })
})

describe('Matomo', () => {
  test('is loaded once, without cookies, and told the path of each page', () => {
    const page = openPage('https://search.example/?q=anna@example.com')
    const counter = createPageCounter(page, 'https://photos.example')
    counter.count(matomo, { path: '/reset-password', address: '/reset-password' })
    counter.count(matomo, { path: '/gallery', address: '/gallery' })
    expect(scripts(page)).toEqual([`${host}/matomo.js`])
    expect(page['_paq']).toEqual([
      ['requireConsent'],
      ['disableCookies'],
      ['disablePerformanceTracking'],
      ['setTrackerUrl', `${host}/matomo.php`],
      ['setSiteId', '3'],
      ['setConsentGiven', false],
      ['setReferrerUrl', 'https://search.example/'],
      ['setCustomUrl', 'https://photos.example/reset-password'],
      ['setDocumentTitle', '/reset-password'],
      ['trackPageView'],
      ['setReferrerUrl', 'https://photos.example/reset-password'],
      ['setCustomUrl', 'https://photos.example/gallery'],
      ['setDocumentTitle', '/gallery'],
      ['trackPageView'],
    ])
  })

  test('is opted out when consent is withdrawn, cut off, and told nothing more', () => {
    const page = openPage()
    const counter = createPageCounter(page, 'https://photos.example')
    counter.count(matomo, { path: '/', address: '/' })
    expect(counter.stop()).toBe(true)
    expect(page['_paq']).toContainEqual(['optUserOut'])
    expect(policies(page)).toContain("connect-src 'self' https://photos.example wss://photos.example")
    expect(policies(page)).not.toContain('stats.example')
    const commands = Array.from(page['_paq'] as unknown as unknown[])
    counter.count(matomo, { path: '/gallery', address: '/gallery' })
    expect([counter.stop(), page['_paq']]).toEqual([false, commands])
  })
})

describe('Plausible', () => {
  test('is loaded once, for page views that the app sends, and waits in its queue', () => {
    const page = openPage('https://search.example/?q=anna@example.com')
    const counter = createPageCounter(page, 'https://photos.example')
    counter.count(plausible, { path: '/', address: '/' })
    counter.pause()
    counter.count(plausible, { path: '/gallery', address: '/gallery' })
    expect(scripts(page)).toEqual([`${host}/js/script.manual.js`])
    expect(Object.fromEntries(Object.entries(page.document.querySelector('script')!.dataset))).toEqual({
      domain: 'photos.example',
      api: `${host}/api/event`,
    })
    expect(page.plausible?.q).toEqual([
      ['pageview', { u: 'https://photos.example/' }],
      ['pageview', { u: 'https://photos.example/gallery' }],
    ])
    expect(page.document.referrer).toBe('https://search.example/')
  })

  test('ignores the page that is not counted, so that it stops measuring the last one', () => {
    const page = openPage()
    const counter = createPageCounter(page, 'https://photos.example')
    counter.count(plausible, { path: '/', address: '/' })
    const flags: unknown[] = []
    const loaded = vi.fn<() => void>(() => void flags.push(window.localStorage.getItem('plausible_ignore')))
    page.plausible = loaded
    counter.pause()
    counter.count(plausible, { path: '/gallery', address: '/gallery' })
    expect([flags, window.localStorage.getItem('plausible_ignore')]).toEqual([['true', null], null])
    counter.stop()
    page.plausible?.('pageview', { u: 'x' })
    expect(loaded).toHaveBeenCalledTimes(2)
  })
})

test.each(['_pk_id.1.1fff', '_pk_ses.1.1fff', 'mtm_consent_removed'])(
  'the cookie %s is removed, others stay',
  (name) => {
    document.cookie = `${name}=1; path=/`
    document.cookie = 'other=1; path=/'
    createPageCounter(window, window.location.origin).stop()
    const names = document.cookie.split('; ').map((cookie) => cookie.split('=')[0])
    expect([names.includes(name), names.includes('other')]).toEqual([false, true])
    document.cookie = 'other=; expires=Thu, 01 Jan 1970 00:00:00 GMT; path=/'
  },
)
