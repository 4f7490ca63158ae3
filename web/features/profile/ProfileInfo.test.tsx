import { changeEmail, sendVerification } from '@keepsnap/contract/security.ts'
import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { refuse, startFakeServer, type FakeServer } from '../../test/fake-server.ts'
import { openSettings, serveSettings } from '../../test/settings-page.ts'

let server: FakeServer
beforeEach(async () => {
  server = await startFakeServer()
  serveSettings(server)
})
afterEach(() => server.close())

const section = (name: string) => screen.findByRole('region', { name })

describe('the profile section', () => {
  test('shows the email address', async () => {
    const { user } = await openSettings(server)
    const profile = await section('Profile')
    expect(profile).toHaveTextContent(user.email)
    expect(within(profile).getByText('Confirmed')).toBeVisible()
    expect(within(profile).queryByRole('button', { name: 'Resend email' })).toBeNull()
  })

  test('sends the confirmation email again', async () => {
    server.answer(sendVerification, () => ({ detail: 'Sent.' }))
    const { person } = await openSettings(server, { email_verified: false })
    await person.click(await screen.findByRole('button', { name: 'Resend email' }))
    expect(await screen.findByText('We’ve sent an email to marjolein@example.com.')).toBeVisible()
    expect(screen.queryByText('Confirmed')).toBeNull()
  })

  test('shows why that email cannot be sent', async () => {
    server.answer(sendVerification, () => refuse(429, 'Too many emails. Try again later.'))
    const { person } = await openSettings(server, { email_verified: false })
    await person.click(await screen.findByRole('button', { name: 'Resend email' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Too many emails. Try again later.')
  })

  test('changes the email address, after checking the password', async () => {
    const bodies: unknown[] = []
    server.answer(changeEmail, ({ body }) => {
      bodies.push(body)
      return { detail: 'Sent.' }
    })
    const { person } = await openSettings(server)
    await person.click(await screen.findByRole('button', { name: 'Change email' }))
    const dialog = await screen.findByRole('dialog', { name: 'Change email' })
    await person.type(within(dialog).getByLabelText('New email'), 'MARJOLEIN@example.com{Enter}')
    expect(within(dialog).getByText('This is already your address.')).toBeVisible()
    await person.clear(within(dialog).getByLabelText('New email'))
    await person.type(within(dialog).getByLabelText('New email'), 'new@example.com{Enter}')
    expect(within(dialog).getByText('Please enter your password.')).toBeVisible()
    expect(within(dialog).getByLabelText('Your password')).toHaveFocus()
    await person.keyboard('Correct1!{Enter}')
    expect(await screen.findByText(/We’ve sent an email to new@example.com/)).toBeVisible()
    expect(bodies).toEqual([{ email: 'new@example.com', password: 'Correct1!' }])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('shows why the address cannot be changed', async () => {
    server.answer(changeEmail, () => refuse(400, 'This email is already registered.', 'already_registered'))
    const { person } = await openSettings(server)
    await person.click(await screen.findByRole('button', { name: 'Change email' }))
    await person.type(await screen.findByLabelText('New email'), 'new@example.com')
    await person.type(screen.getByLabelText('Your password'), 'Correct1!{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent('This email is already registered.')
  })
})
