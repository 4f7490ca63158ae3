import { siteInfo } from '@keepsnap/contract/site.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { visit } from '../../test/render.tsx'
import { sampleSiteInfo } from '../../test/samples.ts'

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
    expect(await notice()).toHaveTextContent('Analytics is not set up on this site, so nothing is counted either way.')
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
    await person.click(button('Customize'))
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

  test('open from the footer, too', async () => {
    const { person } = await visit(server, { withFrame: true, at: '/login' })
    const footer = screen.getByRole('navigation', { name: 'Footer' })
    await person.click(within(footer).getByRole('button', { name: 'Cookie settings' }))
    expect(await screen.findByRole('dialog', { name: 'Cookie settings' })).toBeVisible()
    expect(screen.getByRole('checkbox', { name: 'Analytics' })).not.toBeChecked()
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
