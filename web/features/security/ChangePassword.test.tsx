import { changePassword } from '@keepsnap/contract/security.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { noResponse, refuse, startFakeServer, type FakeServer } from '../../test/fake-server.ts'
import type { Visit } from '../../test/render.tsx'
import { openSettings, serveSettings } from '../../test/settings-page.ts'

let server: FakeServer
beforeEach(async () => {
  server = await startFakeServer()
  serveSettings(server)
})
afterEach(() => server.close())

describe('changing the password', () => {
  const fill = async ({ person }: Visit, current: string, next: string, confirm = next) => {
    await person.click(await screen.findByRole('button', { name: 'Change password' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Change password' }))
    for (const [label, value] of Object.entries({ Current: current, New: next, Confirm: confirm })) {
      await person.click(dialog.getByLabelText(`${label} password`))
      await person.paste(value)
    }
    await person.click(dialog.getByRole('button', { name: 'Set new password' }))
    return dialog
  }

  test('continues the session with its new token', async () => {
    const bodies: unknown[] = []
    const next = server.addUser({ email: 'marjolein@example.com' })
    server.answer(changePassword, ({ body }) => {
      bodies.push(body)
      return { access_token: next.token, token_type: 'bearer' as const }
    })
    const visitor = await openSettings(server)
    await fill(visitor, 'Correct1!', 'Brand!new1')
    // The page stays in place, and so does the focus.
    expect(screen.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
    expect(await screen.findByText('Your password has been changed. Other devices are signed out.')).toBeVisible()
    expect(bodies).toEqual([{ current_password: 'Correct1!', new_password: 'Brand!new1' }])
    expect(visitor.state.session.state().token).toBe(next.token)
    expect(screen.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    // Cached data is fetched again: the other devices are signed out.
    await waitFor(() => expect(server.calls.filter((call) => call === 'GET /user/sessions')).toHaveLength(2))
  })

  test.each([
    ['', 'Brand!new1', 'Brand!new1', 'Please enter your current password.'],
    ['Correct1!', 'brand', 'brand', 'Password must be at least 8 characters long'],
    ['Correct1!', 'Brand!new1', 'Brand!new2', 'Passwords do not match'],
  ])('rejects %j, %j, %j before sending', async (current, next, confirm, sentence) => {
    const dialog = await fill(await openSettings(server), current, next, confirm)
    expect(dialog.getByText(sentence)).toBeVisible()
    expect(server.calls).not.toContain('POST /user/password')
  })

  test.each([
    [refuse(400, 'This is not your current password.'), 'This is not your current password.'],
    [noResponse, 'An error occurred. Please try again.'],
  ] as const)('shows why the server refused', async (answer, sentence) => {
    server.answer(changePassword, () => answer)
    const dialog = await fill(await openSettings(server), 'Wrong1!x', 'Brand!new1')
    expect(await dialog.findByRole('alert')).toHaveTextContent(sentence)
  })
})
