import { afterEach, describe, expect, test, vi } from 'vitest'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { siteInfo } from '@keepsnap/contract/site.ts'
import { openStorage } from '../../lib/storage.ts'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { visit } from '../../test/render.tsx'
import { sampleSiteInfo } from '../../test/samples.ts'
import { createPageCounter } from './page-counter.ts'
import { createCookieDecisions, isDecisionValid, parseDecision } from './cookie-preferences.ts'

describe('page counter', () => {
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

  test('nothing is loaded before the first view, and stopping says that nothing ran', () => {
    const page = openPage()
    const counter = createPageCounter(page, 'https://photos.example')
    counter.pause()
    expect(counter.stop()).toBe(false)
    expect([scripts(page), policies(page)]).toEqual([[], ''])
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
})

describe('cookie preferences', () => {
  const essential = '{"functional":true,"tracking":false}'
  const all = '{"functional":true,"tracking":true}'
  const details = '{"at":"2026-11-23T10:00:00.000Z","analytics":"https://stats.example"}'
  const decidedAt = Date.parse('2026-11-23T10:00:00.000Z')

  describe('the stored choice', () => {
    test.each([
      ['nothing', null, null],
      ['no JSON', '{"functional":true', null],
      ['a list', '[true]', null],
      ['an object without the choice', '{"functional":true}', null],
      ['another type', '{"functional":true,"tracking":"yes"}', null],
      [
        'essential switched off, which cannot be',
        '{"functional":false,"tracking":false}',
        { functional: true, tracking: false },
      ],
      ['more fields', '{"functional":true,"tracking":true,"x":1}', { functional: true, tracking: true }],
    ])('%s', (_, stored, preferences) => {
      expect(parseDecision(stored, details)?.preferences ?? null).toEqual(preferences)
    })

    test.each([
      ['kept', details, decidedAt, 'https://stats.example'],
      ['kept, without analytics', '{"at":"2026-11-23T10:00:00.000Z","analytics":null}', decidedAt, null],
      ['lost', null, null, undefined],
      ['broken', '{', null, undefined],
      ['of other types', '{"at":1,"analytics":2}', null, undefined],
      ['of no day', '{"at":"soon"}', null, undefined],
    ])('with details that are %s', (_, stored, at, analyticsHost) => {
      expect(parseDecision(all, stored)).toMatchObject({ decidedAt: at, analyticsHost })
    })
  })

  describe('a choice is valid', () => {
    const day = 24 * 60 * 60 * 1000
    const host = 'https://stats.example'
    test.each([
      ['on the same day', all, details, host, 0, true],
      ['for a year', all, details, host, 365 * day, true],
      ['no longer than a year', essential, details, host, 366 * day, false],
      ['not when the clock was years ahead', all, details, host, -366 * day, false],
      ['when its time is not known', all, null, host, 9999 * day, true],
      ['not for other analytics than it was about', all, details, 'https://other.example', 0, false],
      ['not for analytics that were set up later', all, '{"analytics":null}', host, 0, false],
      ['as a no for any analytics', essential, details, 'https://other.example', 0, true],
      ['while no analytics are set up', all, details, null, 0, true],
    ])('%s', (_, preferences, stored, analyticsHost, later, isValid) => {
      const decision = parseDecision(preferences, stored)
      expect(isDecisionValid(decision, { analyticsHost, now: decidedAt + later })).toBe(isValid)
    })
  })

  describe('choosing', () => {
    const open = () =>
      createCookieDecisions(
        openStorage(() => window.localStorage),
        window,
        () => decidedAt,
      )

    test('is stored as one object, with its details beside it', () => {
      expect(open().current()).toBeNull()
      open().decide(true, 'https://stats.example')
      expect(window.localStorage.getItem('cookie_preferences')).toBe(all)
      expect(JSON.parse(window.localStorage.getItem('cookie_decision') ?? '')).toEqual(JSON.parse(details))
      expect(open().current()?.preferences.tracking).toBe(true)
    })

    test.each([
      ['changes', all, true],
      ['is removed', null, undefined],
    ])('follows the other tabs when the choice %s', (_, stored, tracking) => {
      const decisions = open()
      decisions.decide(false, null)
      const listener = vi.fn<() => void>()
      decisions.subscribe(listener)
      if (stored === null) window.localStorage.clear()
      else window.localStorage.setItem('cookie_preferences', stored)
      window.dispatchEvent(new StorageEvent('storage', { key: stored === null ? null : 'cookie_preferences' }))
      expect([decisions.current()?.preferences.tracking, listener.mock.calls.length]).toEqual([tracking, 1])
      window.dispatchEvent(new StorageEvent('storage', { key: 'theme' }))
      expect(listener).toHaveBeenCalledTimes(1)
    })

    test('lasts until the page is closed where storage is blocked', () => {
      const closed = openStorage(() => {
        throw new DOMException('denied', 'SecurityError')
      })
      const decisions = createCookieDecisions(closed, window)
      decisions.decide(false, null)
      expect(decisions.current()?.preferences.tracking).toBe(false)
      const next = createCookieDecisions(
        openStorage(() => window.localStorage),
        window,
      )
      expect(next.current()).toBeNull()
    })
  })
})

describe('CookieConsent', () => {
  const server = useFakeServer(() => withAnalytics(matomo))
  afterEach(() => {
    document.head.querySelectorAll('script, meta').forEach((element) => element.remove())
    delete window['_paq']
  })

  const matomo = { provider: 'matomo', host: 'https://stats.example', site: '3' } as const
  const withAnalytics = (analytics: typeof matomo | null) =>
    server.answer(siteInfo, () => ({ ...sampleSiteInfo, analytics }))
  const notice = () => screen.findByRole('region', { name: 'Cookie Notice' })
  const button = (name: string) => screen.getByRole('button', { name })
  const stored = () => JSON.parse(window.localStorage.getItem('cookie_preferences') ?? 'null') as unknown
  const trackedPages = () =>
    Array.from((window['_paq'] ?? []) as unknown as unknown[][])
      .filter(([name]) => name === 'setCustomUrl')
      .map(([, url]) => new URL(String(url)).pathname)

  describe('the notice', () => {
    test.each([
      ['Essential Only', false],
      ['Accept All', true],
    ])('goes with %s, and a small button remains', async (name, tracking) => {
      const { person } = await visit(server, { withFrame: true, at: '/login', cookies: null })
      const region = await notice()
      expect(stored()).toBeNull()
      // Both answers look the same, and come before the navigation.
      const [essential, all] = within(region).getAllByRole('button')
      expect([essential?.textContent, all?.textContent]).toEqual(['Essential Only', 'Accept All'])
      expect(essential?.className).toBe(all?.className)
      const nav = screen.getByRole('navigation', { name: 'Main' })
      expect(region.compareDocumentPosition(nav) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
      await person.click(button(name))
      expect(stored()).toEqual({ functional: true, tracking })
      expect(screen.queryByRole('region', { name: 'Cookie Notice' })).toBeNull()
      expect(screen.getAllByRole('button', { name: 'Cookie settings' })).toHaveLength(2)
      expect(document.querySelector('main')).toHaveFocus()
      expect(trackedPages()).toEqual(tracking ? ['/login'] : [])
    })

    test('says so where analytics is not set up, and appears also when that is not known', async () => {
      server.answer(siteInfo, () => refuse(400, 'no'))
      const unknown = await visit(server, { withFrame: true, at: '/login', cookies: null })
      await unknown.person.click(within(await notice()).getByRole('button', { name: 'Accept All' }))
      expect(window['_paq']).toBeUndefined()
      cleanup()
      window.localStorage.clear()
      withAnalytics(null)
      const { person } = await visit(server, { withFrame: true, at: '/login', cookies: null })
      expect(await notice()).toHaveTextContent(
        'Analytics is not set up on this site, so nothing is counted either way.',
      )
      await person.click(button('Accept All'))
      expect([stored(), window['_paq']]).toEqual([{ functional: true, tracking: true }, undefined])
    })

    test('does not appear on the big screen, where nothing is counted either', async () => {
      const { person } = await visit(server, { withFrame: true, at: '/demo-screen', cookies: null })
      await screen.findByRole('heading', { level: 1 })
      expect(screen.queryByRole('region', { name: 'Cookie Notice' })).toBeNull()
      expect(server.calls).not.toContain('GET /site')
      await person.click(screen.getByRole('link', { name: /^Keepsnap/ }))
      expect(await notice()).toBeVisible()
      await person.click(screen.getByRole('link', { name: 'See the big screen' }))
      await waitFor(() => expect(screen.queryByRole('region', { name: 'Cookie Notice' })).toBeNull())
    })
  })

  describe('the settings', () => {
    test('begin with analytics off, essential always on, and store what was chosen', async () => {
      const { person } = await visit(server, { withFrame: true, at: '/login', cookies: null })
      await notice()
      await person.click(button('Customize'))
      await person.click(button('Close'))
      expect([await notice(), stored()]).toEqual([expect.anything(), null])
      // Also from the footer.
      const footer = within(screen.getByRole('navigation', { name: 'Footer' }))
      await person.click(footer.getByRole('button', { name: 'Cookie settings' }))
      const dialog = screen.getByRole('dialog', { name: 'Cookie settings' })
      const [essential, analytics] = ['Essential', 'Analytics'].map((name) =>
        within(dialog).getByRole('checkbox', { name }),
      )
      expect(essential).toBeChecked()
      expect(essential).toBeDisabled()
      expect(analytics).not.toBeChecked()
      expect(analytics).toHaveAccessibleDescription(/Matomo at stats\.example/)
      await person.click(analytics!)
      expect(stored()).toBeNull()
      await person.click(button('Save Preferences'))
      expect(stored()).toEqual({ functional: true, tracking: true })
      expect([screen.queryByRole('dialog'), trackedPages()]).toEqual([null, ['/login']])
    })

    test('withdraw consent: opts out and reloads the page', async () => {
      const reload = vi.spyOn(window.location, 'reload').mockReturnValue(undefined)
      const { person } = await visit(server, { withFrame: true, at: '/login', cookies: { tracking: true } })
      await waitFor(() => expect(trackedPages()).toEqual(['/login']))
      await person.click((await screen.findAllByRole('button', { name: 'Cookie settings' }))[0]!)
      expect(screen.getByRole('checkbox', { name: 'Analytics' })).toBeChecked()
      await person.click(screen.getByRole('checkbox', { name: 'Analytics' }))
      await person.click(button('Save Preferences'))
      expect(stored()).toEqual({ functional: true, tracking: false })
      expect(window['_paq']).toContainEqual(['optUserOut'])
      expect(reload).toHaveBeenCalledTimes(1)
    })
  })

  describe('with consent', () => {
    test('each page is counted by its path alone, but the big screen is not', async () => {
      const { person } = await visit(server, {
        withFrame: true,
        at: '/reset-password?token=secret',
        cookies: { tracking: true },
      })
      await waitFor(() => expect(trackedPages()).toEqual(['/reset-password']))
      await person.click(screen.getByRole('link', { name: 'Keepsnap' }))
      await person.click(await screen.findByRole('link', { name: 'See the big screen' }))
      await screen.findByRole('heading', { level: 1, name: /screen/i })
      await person.click(screen.getByRole('link', { name: 'Pricing' }))
      await waitFor(() => expect(trackedPages()).toEqual(['/reset-password', '/', '/pricing']))
      expect(JSON.stringify(window['_paq'])).not.toContain('secret')
    })

    test('an address without a page is counted as 404, because it may contain anything', async () => {
      await visit(server, { withFrame: true, at: '/g/secret-of-a-guest', cookies: { tracking: true } })
      await waitFor(() => expect(trackedPages()).toEqual(['/404']))
      expect(JSON.stringify(window['_paq'])).not.toContain('secret')
    })

    test('nothing more is counted here when another tab withdraws it', async () => {
      const reload = vi.spyOn(window.location, 'reload')
      const { person } = await visit(server, { withFrame: true, at: '/login', cookies: { tracking: true } })
      await waitFor(() => expect(trackedPages()).toEqual(['/login']))
      window.localStorage.setItem('cookie_preferences', '{"functional":true,"tracking":false}')
      window.dispatchEvent(new StorageEvent('storage', { key: 'cookie_preferences' }))
      await waitFor(() => expect(window['_paq']).toContainEqual(['optUserOut']))
      await person.click(screen.getByRole('link', { name: 'Pricing' }))
      await screen.findByRole('heading', { level: 1 })
      expect([trackedPages(), reload.mock.calls]).toEqual([['/login'], []])
    })
  })
})
