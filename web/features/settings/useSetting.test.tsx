import type { User } from '@keepsnap/contract/accounts.ts'
import { updateSettings } from '@keepsnap/contract/settings.ts'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { noResponse, refuse, startFakeServer, type FakeServer } from '../../test/fake-server.ts'
import { openSettings, serveSettings } from '../../test/settings-page.ts'

let saved: Partial<User>[]

let server: FakeServer
beforeEach(async () => {
  server = await startFakeServer()
  ;({ saved } = serveSettings(server))
})
afterEach(() => server.close())

describe('a setting', () => {
  test('for emails is saved at once, together with the other, and confirmed', async () => {
    const { person } = await openSettings(server, { allow_promotional_emails: true })
    const news = await screen.findByRole('checkbox', { name: 'Product news' })
    await person.click(news)
    expect(news).toBeChecked()
    expect(await screen.findByText('Email preferences updated successfully')).toBeVisible()
    expect(saved).toEqual([{ allow_marketing_emails: true, allow_promotional_emails: true }])
  })

  test('shows the new value synchronously', async () => {
    const response = Promise.withResolvers<void>()
    server.answer(updateSettings, async ({ user, body }) => {
      await response.promise
      return { ...user!, ...body }
    })
    await openSettings(server)
    const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Watermark' })
    for (const wanted of [true, false, true]) {
      // Not awaited: a later render would hide that the switch showed the old value first.
      act(() => box.click())
      expect(box.checked).toBe(wanted)
    }
    response.resolve()
    expect(await screen.findByText('Watermark setting updated successfully')).toBeVisible()
    expect(box).toBeChecked()
  })

  test('keeps two changes that are made at once', async () => {
    const { person, user } = await openSettings(server)
    await person.click(await screen.findByRole('checkbox', { name: 'Product news' }))
    await person.click(screen.getByRole('checkbox', { name: 'Offers' }))
    await waitFor(() => expect(saved).toHaveLength(2))
    expect(user).toMatchObject({ allow_marketing_emails: true, allow_promotional_emails: true })
  })

  test.each([
    ['Offers', 'Failed to update email preferences'],
    ['Watermark', 'Failed to update watermark setting'],
    ['Ask for an email address', 'Failed to update email setting. Please try again.'],
  ])('for %s is reset when it cannot be saved', async (name, sentence) => {
    server.answer(updateSettings, () => noResponse)
    const { person } = await openSettings(server)
    const box = await screen.findByRole('checkbox', { name })
    await person.click(box)
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(box).not.toBeChecked()
  })

  test.each([
    ['Watermark', 'use_logo_as_watermark', 'Watermark setting updated successfully'],
    ['Ask for an email address', 'ask_email_to_receive_photo', 'Email setting updated successfully'],
  ])('for %s is saved alone', async (name, field, sentence) => {
    const { person } = await openSettings(server)
    await person.click(await screen.findByRole('checkbox', { name }))
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(saved).toEqual([{ [field]: true }])
  })

  test('stays as chosen when the server answers with the success alone', async () => {
    server.answer(updateSettings, () => ({ success: true }) as unknown as User) // instead of the user
    const { person } = await openSettings(server)
    const box = await screen.findByRole('checkbox', { name: 'Watermark' })
    await person.click(box)
    expect(await screen.findByText('Watermark setting updated successfully')).toBeVisible()
    expect(box).toBeChecked()
    expect(screen.getByRole('heading', { name: 'Settings' })).toBeVisible()
  })

  test('shows the explanation of the server, if there is one', async () => {
    server.answer(updateSettings, () => refuse(403, 'Not with this plan.'))
    const { person } = await openSettings(server)
    await person.click(await screen.findByRole('checkbox', { name: 'Watermark' }))
    expect(await screen.findByText('Not with this plan.')).toBeVisible()
  })
})
