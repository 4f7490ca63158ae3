import { changeEmail, sendVerification } from '@keepsnap/contract/security.ts'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { openPart, serveSettings } from '../../test/render.tsx'
import { ProfileInfo } from './ProfileSection.tsx'

const server = useFakeServer(serveSettings)

const open = (email_verified: boolean) =>
  openPart(server, ({ user }) => <ProfileInfo user={user} />, { email_verified })

test('the profile shows the email address, which is confirmed', async () => {
  const { part, user } = await open(true)
  expect(document.querySelector('.settings-section__body')).toHaveTextContent(user.email)
  expect(part.getByText('Confirmed')).toBeVisible()
  expect(part.queryByRole('button', { name: 'Resend email' })).toBeNull()
})

test('the confirmation email is sent again, or says why it cannot be', async () => {
  server.answer(sendVerification, () => refuse(429, 'Too many emails. Try again later.'))
  const { part, person } = await open(false)
  const resend = part.getByRole('button', { name: 'Resend email' })
  await person.click(resend)
  expect(await part.findByRole('alert')).toHaveTextContent('Too many emails. Try again later.')
  server.answer(sendVerification, () => ({ detail: 'Sent.' }))
  await person.click(resend)
  expect(await screen.findByText('We’ve sent an email to marjolein@example.com.')).toBeVisible()
  expect(screen.queryByText('Confirmed')).toBeNull()
})

test('the email address is changed after checking the password, or it says why not', async () => {
  const bodies: unknown[] = []
  server.answer(changeEmail, () => refuse(400, 'This email is already registered.', 'already_registered'))
  const { part, person } = await open(true)
  await person.click(part.getByRole('button', { name: 'Change email' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Change email' }))
  const field = dialog.getByLabelText('New email')
  await person.type(field, 'MARJOLEIN@example.com{Enter}')
  expect(dialog.getByText('This is already your address.')).toBeVisible()
  await person.clear(field)
  await person.type(field, 'new@example.com{Enter}')
  expect(dialog.getByText('Please enter your password.')).toBeVisible()
  expect(dialog.getByLabelText('Your password')).toHaveFocus()
  await person.keyboard('Correct1!{Enter}')
  expect(await screen.findByRole('alert')).toHaveTextContent('This email is already registered.')
  server.answer(changeEmail, ({ body }) => {
    bodies.push(body)
    return { detail: 'Sent.' }
  })
  await person.keyboard('{Enter}')
  expect(await screen.findByText(/We’ve sent an email to new@example.com/)).toBeVisible()
  expect(bodies).toEqual([{ email: 'new@example.com', password: 'Correct1!' }])
  expect(screen.queryByRole('dialog')).toBeNull()
})
