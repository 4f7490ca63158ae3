import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { currentUser } from '@keepsnap/contract/accounts.ts'
import { subscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { noResponse, refuse, useFakeServer } from '../../test/fake-server.ts'
import { openSettings, serveSettings, visit } from '../../test/render.tsx'
import { planStatusOf } from '../../test/samples.ts'
import { planStatusQuery, subscriptionKey } from '../plans/plan-status.ts'

describe('ProfilePage', () => {
  const server = useFakeServer()

  test('the profile shows name, email address and plan, and links to the settings', async () => {
    const { token, user } = server.addUser({ subscription_tier: 'pro' })
    const { person, where } = await visit(server, { at: '/profile', token })
    const main = document.querySelector('main')
    await waitFor(() => expect(main).toHaveTextContent(user.email))
    expect(main).toHaveTextContent('marjolein')
    await waitFor(() => expect(main).toHaveTextContent('Subscription tierPro Monthly'))
    await person.click(screen.getByRole('link', { name: 'Edit Profile' }))
    await waitFor(() => expect(where()).toBe('/settings'))
  })

  test('a profile that failed to load can be loaded again', async () => {
    server.answer(currentUser, () => refuse(500, 'Broken'))
    const { token, user } = server.addUser()
    const { person } = await visit(server, { at: '/profile', token })
    expect(await screen.findByText('Failed to load your profile information.')).toBeVisible()
    server.answer(currentUser, () => user)
    await person.click(screen.getByRole('button', { name: 'Try Again' }))
    await waitFor(() => expect(document.querySelector('main')).toHaveTextContent(user.email))
  })

  test.each([[undefined], ['dead']])(
    'without a valid session (token: %s) the profile redirects to the sign-in page',
    async (token) => {
      const { where } = await visit(server, { at: '/profile', ...(token && { token }) })
      await waitFor(() => expect(where()).toBe('/login?return=%2Fprofile'))
    },
  )
})

describe('SettingsPage', () => {
  const server = useFakeServer(serveSettings)

  const section = (name: string) => screen.findByRole('region', { name })

  test('says that the profile could not be loaded, and tries again', async () => {
    server.answer(currentUser, () => noResponse)
    const { person } = await visit(server, { at: '/settings', token: server.addUser().token })
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load your profile information.')
    server.answer(currentUser, ({ user }) => user ?? refuse(401, 'no'))
    await person.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  })

  describe('the settings page', () => {
    test('has a link to each section, marks the current one, and moves the focus to the one that is opened', async () => {
      const { person } = await openSettings(server)
      const links = within(screen.getByRole('navigation', { name: 'Settings sections' })).getAllByRole('link')
      expect(links.map(({ textContent }) => textContent)).toEqual([
        'Subscription',
        'Ready for tonight?',
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
      await person.click(links.find(({ textContent }) => textContent === 'Email')!)
      expect(await section('Email')).toHaveFocus()
      await person.tab()
      expect(screen.getByRole('checkbox', { name: 'Product news' })).toHaveFocus()
    })

    test('shows no upgrade prompt before the plan is known, and none when it cannot be fetched', async () => {
      const answer = Promise.withResolvers<ReturnType<typeof planStatusOf>>()
      server.answer(subscriptionStatus, () => answer.promise)
      const { state } = await visit(server, {
        at: '/settings',
        token: server.addUser({ subscription_tier: 'free', use_logo_as_watermark: true }).token,
      })
      const prompts = () => screen.queryAllByText(/part of Pro Yearly|Put your brand on every photo|takes effect once/)
      await section('Appearance')
      expect(prompts()).toEqual([])
      answer.resolve(planStatusOf('free'))
      await waitFor(() => expect(prompts()).toHaveLength(3))
      server.answer(subscriptionStatus, () => refuse(500, 'no'))
      await state.queryClient.resetQueries({ queryKey: subscriptionKey })
      expect(await screen.findAllByText(/We can’t tell what your plan includes right now/)).toHaveLength(2)
      expect(prompts()).toEqual([])
    })

    test('follows a change of the plan without a reload', async () => {
      let plan = planStatusOf('free')
      server.answer(subscriptionStatus, () => plan)
      const { state, connected } = await openSettings(server)
      expect(await screen.findByText('Put your brand on every photo')).toBeVisible()
      await connected()
      plan = planStatusOf('pro_yearly')
      act(() => server.push({ action: 'plan_updated', type: 'plan_updated' }))
      await waitFor(() => expect(screen.queryByText('Put your brand on every photo')).toBeNull())
      expect(await screen.findByLabelText('Upload logo')).toBeInTheDocument()
      // Pro Yearly has no upgrade prompts.
      const links = within(await section('API access')).getAllByRole('link')
      expect(links.map((link) => link.getAttribute('href'))).toEqual(['/api-docs'])
      expect(within(await section('Appearance')).queryByRole('link')).toBeNull()
      expect(state.queryClient.getQueryData(planStatusQuery(state.api).queryKey)).toEqual(plan)
    })
  })
})
