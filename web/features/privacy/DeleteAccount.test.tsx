import { deleteAccount } from '@keepsnap/contract/privacy.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { refuse, startFakeServer, type FakeServer } from '../../test/fake-server.ts'
import type { Visit } from '../../test/render.tsx'
import { openSettings, serveSettings } from '../../test/settings-page.ts'

let server: FakeServer
beforeEach(async () => {
  server = await startFakeServer()
  serveSettings(server)
})
afterEach(() => server.close())

describe('deleting the account', () => {
  const dialog = async ({ person }: Visit) => {
    await person.click(await screen.findByRole('button', { name: 'Delete my account' }))
    return within(await screen.findByRole('alertdialog', { name: 'Delete my account' }))
  }

  test('lists what will be deleted, requires the password, and signs out', async () => {
    const bodies: unknown[] = []
    server.answer(deleteAccount, ({ body }) => {
      bodies.push(body)
      return null
    })
    const page = await openSettings(server, { photo_count: 42 })
    const confirmation = await dialog(page)
    expect(confirmation.getByText('your 42 photos')).toBeVisible()
    await page.person.click(confirmation.getByRole('button', { name: 'Delete my account' }))
    expect(confirmation.getByText('Please enter your password.')).toBeVisible()
    expect(bodies).toEqual([])
    await page.person.type(confirmation.getByLabelText('Your password'), 'Correct1!{Enter}')
    await waitFor(() => expect(page.where()).toBe('/login'))
    expect(bodies).toEqual([{ password: 'Correct1!' }])
    expect(page.state.session.state().token).toBeNull()
    expect(await screen.findByText('Your account has been deleted. We’ve sent you a confirmation email.')).toBeVisible()
  })

  test('says so also when another call is refused before the response to the deletion arrives', async () => {
    const page = await openSettings(server)
    server.answer(deleteAccount, async () => {
      server.revoke(page.token)
      await page.state.queryClient.refetchQueries({ queryKey: ['user', 'me'] })
      return null
    })
    const confirmation = await dialog(page)
    await page.person.type(confirmation.getByLabelText('Your password'), 'Correct1!{Enter}')
    expect(await screen.findByText('Your account has been deleted. We’ve sent you a confirmation email.')).toBeVisible()
    await waitFor(() => expect(page.where()).toBe('/login'))
  })

  test('does not happen with a wrong password or after Cancel', async () => {
    server.answer(deleteAccount, () => refuse(403, 'This is not your password.', 'forbidden'))
    const page = await openSettings(server, { photo_count: 42 })
    const confirmation = await dialog(page)
    await page.person.type(confirmation.getByLabelText('Your password'), 'wrong{Enter}')
    expect(await confirmation.findByRole('alert')).toHaveTextContent('This is not your password.')
    await page.person.click(confirmation.getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await waitFor(() => expect(page.where()).toBe('/settings'))
  })
})
