import { currentUser } from '@keepsnap/contract/accounts.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { noResponse, refuse, startFakeServer, type FakeServer } from '../test/fake-server.ts'
import { pseudo, visit } from '../test/render.tsx'
import { openSettings, serveSettings, withImages } from '../test/settings-page.ts'
import { untranslatedTexts } from '../test/untranslated.ts'

let server: FakeServer
beforeEach(async () => {
  server = await startFakeServer()
  serveSettings(server)
})
afterEach(() => server.close())

const section = (name: string) => screen.findByRole('region', { name })

test('says that the profile could not be loaded, and tries again', async () => {
  const { token } = server.addUser()
  server.answer(currentUser, () => noResponse)
  const { person } = await visit(server, { at: '/settings', token })
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load your profile information.')
  server.answer(currentUser, ({ user }) => user ?? refuse(401, 'no'))
  await person.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
})

describe('the settings page', () => {
  test('requires a user, and returns after signing in', async () => {
    const { where } = await visit(server, { at: '/settings' })
    await waitFor(() => expect(where()).toBe('/login?return=%2Fsettings'))
  })

  test('has a link to each section, and marks the current one', async () => {
    await openSettings(server)
    const links = within(screen.getByRole('navigation', { name: 'Settings sections' })).getAllByRole('link')
    expect(links.map(({ textContent }) => textContent)).toEqual([
      'Subscription',
      'Profile',
      'Appearance',
      'Photos',
      'Email',
      'API access',
      'Security',
    ])
    for (const link of links) {
      expect(document.querySelector(link.getAttribute('href')!.replace('/settings', ''))).not.toBeNull()
    }
    expect(links.filter((link) => link.getAttribute('aria-current'))).toHaveLength(1)
  })

  test('moves the focus to the section that a link opens', async () => {
    const { person } = await openSettings(server)
    const links = within(screen.getByRole('navigation', { name: 'Settings sections' }))
    await person.click(links.getByRole('link', { name: 'Email' }))
    expect(await section('Email')).toHaveFocus()
    await person.tab()
    expect(screen.getByRole('checkbox', { name: 'Product news' })).toHaveFocus()
  })

  test('redirects to the sign-in page when the session has ended', async () => {
    const { person, token, where } = await openSettings(server)
    server.revoke(token)
    await person.click(await screen.findByRole('checkbox', { name: 'Offers' }))
    await waitFor(() => expect(where()).toBe('/login?return=%2Fsettings'))
  })

  test.each([['free'], ['pro']] as const)('takes every sentence of a %s plan from the catalogue', async (tier) => {
    const { token } = server.addUser({ ...withImages, subscription_tier: tier, email_verified: tier === 'pro' })
    await visit(server, { at: '/settings', token, language: pseudo })
    await screen.findByText(/Ýöü ñééd|Síg|Sígñ öüt évérÿwhéré/)
    await waitFor(() => expect(document.body.textContent?.match(/⟦/g)?.length).toBeGreaterThan(45))
    expect(untranslatedTexts(document.body)).toEqual([])
  })

  test('announces API keys without a control', async () => {
    await openSettings(server)
    const api = await section('API access')
    expect(within(api).getByText('API keys come with Pro Yearly.')).toBeVisible()
    expect(within(api).getByText(/API keys aren’t available yet/)).toBeVisible()
    expect(within(api).queryByRole('button')).toBeNull()
  })
})
