import { setTimeout as delay } from 'node:timers/promises'
import type { User } from '@keepsnap/contract/accounts.ts'
import { changeEmail, sendVerification } from '@keepsnap/contract/security.ts'
import { updateSettings } from '@keepsnap/contract/settings.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hangUp, refuse, startFakeServer, type FakeServer } from '../test/fakeServer.ts'
import { pseudo, visit } from '../test/render.tsx'
import { brand, serveSettings } from '../test/settings.ts'
import { foreignTexts } from '../test/words.ts'

let server: FakeServer
let saved: Partial<User>[]
beforeEach(async () => {
  server = await startFakeServer()
  ;({ saved } = serveSettings(server))
})
afterEach(() => server.close())

const section = (name: string) => screen.findByRole('region', { name })
const open = async (facts: Partial<User> = {}) => {
  const { token, user } = server.addUser(facts)
  const visitor = await visit(server, { at: '/settings', token })
  await screen.findByRole('heading', { level: 1, name: 'Settings' })
  return { ...visitor, token, user }
}
const pro = { subscription_tier: 'pro' } as const

describe('the settings page', () => {
  test('needs a person, and leads back after signing in', async () => {
    const { where } = await visit(server, { at: '/settings' })
    await waitFor(() => expect(where()).toBe('/login?return=%2Fsettings'))
  })

  test('has a link to each section, and marks the one that is read', async () => {
    await open()
    const links = within(screen.getByRole('navigation', { name: 'Settings sections' })).getAllByRole('link')
    expect(links.map(({ textContent }) => textContent)).toEqual([
      'Subscription',
      'Profile',
      'Appearance',
      'Photos',
      'E-mail',
      'API access',
      'Security',
    ])
    for (const link of links) {
      expect(document.querySelector(link.getAttribute('href')!.replace('/settings', ''))).not.toBeNull()
    }
    expect(links.filter((link) => link.getAttribute('aria-current'))).toHaveLength(1)
  })

  test('goes on inside the section that a link leads to', async () => {
    const { person } = await open()
    const links = within(screen.getByRole('navigation', { name: 'Settings sections' }))
    await person.click(links.getByRole('link', { name: 'E-mail' }))
    expect(await section('E-mail')).toHaveFocus()
    await person.tab()
    expect(screen.getByRole('checkbox', { name: 'Product news' })).toHaveFocus()
  })

  test('leads to the sign-in page when a call finds the session dead', async () => {
    const { person, token, where } = await open()
    server.revoke(token)
    await person.click(await screen.findByRole('checkbox', { name: 'Offers' }))
    await waitFor(() => expect(where()).toBe('/login?return=%2Fsettings'))
  })

  test.each([['free'], ['pro']] as const)('says every sentence of a %s plan from the catalogue', async (tier) => {
    const { token } = server.addUser({ ...brand, subscription_tier: tier, email_verified: tier === 'pro' })
    await visit(server, { at: '/settings', token, language: pseudo })
    await screen.findByText(/Ýöü ñééd|Síg|Sígñ öüt évérÿwhéré/)
    await waitFor(() => expect(document.body.textContent?.match(/⟦/g)?.length).toBeGreaterThan(45))
    expect(foreignTexts(document.body)).toEqual([])
  })
})

describe('the subscription', () => {
  test('of the free plan leads to the plans', async () => {
    await open()
    const plan = await section('Subscription')
    expect(within(plan).getByText('Free')).toBeVisible()
    expect(within(plan).getByRole('link', { name: 'Upgrade Plan' })).toHaveAttribute('href', '/#pricing')
    expect(
      within(plan)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['10 photos a month', 'Files up to 50 MB'])
  })

  test('of Pro says since when, and what it brings', async () => {
    await open({ ...pro, became_subscriber_at: '2026-03-03T10:00:00.000Z' })
    const plan = await section('Subscription')
    expect(within(plan).getByText('Pro since March 3, 2026')).toBeVisible()
    expect(within(plan).getByText('Custom branding')).toBeVisible()
    expect(within(plan).queryByRole('link', { name: 'Upgrade Plan' })).toBeNull()
  })

  test('promises keys without a dead control', async () => {
    await open()
    const api = await section('API access')
    expect(within(api).getByText('API keys come with Pro Yearly.')).toBeVisible()
    expect(within(api).getByText(/Keys cannot be made yet/)).toBeVisible()
    expect(within(api).queryByRole('button')).toBeNull()
  })
})

describe('the profile', () => {
  test('shows name and address', async () => {
    const { user } = await open()
    const profile = await section('Profile')
    expect(profile).toHaveTextContent(user.username)
    expect(profile).toHaveTextContent(user.email)
    expect(within(profile).getByText('Confirmed')).toBeVisible()
    expect(within(profile).queryByRole('button', { name: 'Send the letter again' })).toBeNull()
  })

  test('sends the letter of an unconfirmed address again', async () => {
    server.answer(sendVerification, () => ({ detail: 'Sent.' }))
    const { person } = await open({ email_verified: false })
    await person.click(await screen.findByRole('button', { name: 'Send the letter again' }))
    expect(await screen.findByText('A letter is on its way to marjolein@example.com.')).toBeVisible()
    expect(screen.queryByText('Confirmed')).toBeNull()
  })

  test('says why that letter cannot be sent', async () => {
    server.answer(sendVerification, () => refuse(429, 'Too many letters. Try again later.'))
    const { person } = await open({ email_verified: false })
    await person.click(await screen.findByRole('button', { name: 'Send the letter again' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Too many letters. Try again later.')
  })

  test('changes the address by a letter to the new one, with the password as proof', async () => {
    const bodies: unknown[] = []
    server.answer(changeEmail, ({ body }) => {
      bodies.push(body)
      return { detail: 'Sent.' }
    })
    const { person } = await open()
    await person.click(await screen.findByRole('button', { name: 'Change e-mail' }))
    const dialog = await screen.findByRole('dialog', { name: 'Change e-mail' })
    await person.type(within(dialog).getByLabelText('New e-mail'), 'MARJOLEIN@example.com{Enter}')
    expect(within(dialog).getByText('This is the address you have now.')).toBeVisible()
    await person.clear(within(dialog).getByLabelText('New e-mail'))
    await person.type(within(dialog).getByLabelText('New e-mail'), 'new@example.com{Enter}')
    expect(within(dialog).getByText('Please enter your password.')).toBeVisible()
    expect(within(dialog).getByLabelText('Your password')).toHaveFocus()
    await person.keyboard('Correct1!{Enter}')
    expect(await screen.findByText(/A letter is on its way to new@example.com/)).toBeVisible()
    expect(bodies).toEqual([{ email: 'new@example.com', password: 'Correct1!' }])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('says why the address cannot be changed', async () => {
    server.answer(changeEmail, () => refuse(400, 'This email is already registered.', 'already_registered'))
    const { person } = await open()
    await person.click(await screen.findByRole('button', { name: 'Change e-mail' }))
    await person.type(await screen.findByLabelText('New e-mail'), 'new@example.com')
    await person.type(screen.getByLabelText('Your password'), 'Correct1!{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent('This email is already registered.')
  })
})

describe('a switch', () => {
  test('of the e-mail preferences is saved at once, both together, and says so', async () => {
    const { person } = await open({ allow_promotional_emails: true })
    const news = await screen.findByRole('checkbox', { name: 'Product news' })
    await person.click(news)
    expect(news).toBeChecked()
    expect(await screen.findByText('Email preferences updated successfully')).toBeVisible()
    expect(saved).toEqual([{ allow_marketing_emails: true, allow_promotional_emails: true }])
    await waitFor(() => expect(screen.queryByText('Email preferences updated successfully')).toBeNull(), {
      timeout: 4_000,
    })
  })

  test('shows what was chosen in the same moment, not one task later', async () => {
    server.answer(updateSettings, async ({ user, body }) => {
      await delay(50)
      return { ...user!, ...body }
    })
    await open()
    const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Watermark' })
    for (const wanted of [true, false, true]) {
      // Not awaited: whatever comes later would hide a switch that springs back first.
      act(() => box.click())
      expect(box.checked).toBe(wanted)
    }
    expect(await screen.findByText('Watermark setting updated successfully')).toBeVisible()
    expect(box).toBeChecked()
  })

  test('keeps both choices when they are made in one breath', async () => {
    const { person, user } = await open()
    await person.click(await screen.findByRole('checkbox', { name: 'Product news' }))
    await person.click(screen.getByRole('checkbox', { name: 'Offers' }))
    await waitFor(() => expect(saved).toHaveLength(2))
    expect(user).toMatchObject({ allow_marketing_emails: true, allow_promotional_emails: true })
  })

  test.each([
    ['Offers', 'Failed to update email preferences'],
    ['Watermark', 'Failed to update watermark setting'],
    ['Ask for an e-mail address', 'Failed to update email setting. Please try again.'],
  ])('of %s goes back when it cannot be saved', async (name, sentence) => {
    server.answer(updateSettings, () => hangUp)
    const { person } = await open()
    const box = await screen.findByRole('checkbox', { name })
    await person.click(box)
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(box).not.toBeChecked()
  })

  test.each([
    ['Watermark', 'use_logo_as_watermark', 'Watermark setting updated successfully'],
    ['Ask for an e-mail address', 'ask_email_to_receive_photo', 'Email setting updated successfully'],
  ])('of %s is saved alone', async (name, field, sentence) => {
    const { person } = await open()
    await person.click(await screen.findByRole('checkbox', { name }))
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(saved).toEqual([{ [field]: true }])
  })

  test('shows the server’s own words first', async () => {
    server.answer(updateSettings, () => refuse(403, 'Not with this plan.'))
    const { person } = await open()
    await person.click(await screen.findByRole('checkbox', { name: 'Watermark' }))
    expect(await screen.findByText('Not with this plan.')).toBeVisible()
  })
})
