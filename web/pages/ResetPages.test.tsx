import {
  badResetToken,
  badVerifyToken,
  requestPasswordReset,
  resetPassword,
  verifyEmail,
} from '@keepsnap/contract/security.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hangUp, refuse, startFakeServer, type FakeServer } from '../test/fakeServer.ts'
import { pseudo, visit, type Visit } from '../test/render.tsx'
import { foreignTexts } from '../test/words.ts'

let server: FakeServer
let bodies: unknown[]
beforeEach(async () => {
  server = await startFakeServer()
  bodies = []
  const done = ({ body }: { body: unknown }) => {
    bodies.push(body)
    return { detail: 'Done.' }
  }
  server.answer(requestPasswordReset, done)
  server.answer(resetPassword, done)
  server.answer(verifyEmail, ({ body }) => {
    bodies.push(body)
    return { detail: 'Done.', email: 'marjolein@example.com' }
  })
})
afterEach(() => server.close())

const heading = (name: RegExp | string) => screen.findByRole('heading', { level: 1, name })

const focused = async (name: string) => {
  const found = await heading(name)
  await waitFor(() => expect(found).toHaveFocus())
}

describe('a forgotten password', () => {
  test('is a link on the sign-in page, which passes the address on; afterwards the page says where to look', async () => {
    const { person, where } = await visit(server, { at: '/login' })
    await person.type(await screen.findByLabelText('Email'), 'lotte@example.com')
    await person.click(screen.getByRole('link', { name: 'Forgot your password?' }))
    await heading('Forgot your password?')
    await waitFor(() => expect(where()).toBe('/forgot-password'))
    expect(screen.getByLabelText('Email')).toHaveValue('lotte@example.com')
    await person.click(screen.getByRole('button', { name: 'Send the link' }))
    await focused('Check your email')
    expect(bodies).toEqual([{ email: 'lotte@example.com' }])
    expect(document.querySelector('main')).toHaveTextContent('lotte@example.com')
    await person.click(screen.getByRole('button', { name: 'Use another address' }))
    expect(await screen.findByLabelText('Email')).toHaveValue('')
  })

  test('needs an address', async () => {
    const { person } = await visit(server, { at: '/forgot-password' })
    await person.type(await screen.findByLabelText('Email'), 'lotte{Enter}')
    expect(screen.getByLabelText('Email')).toBeInvalid()
    expect(screen.getByLabelText('Email')).toHaveFocus()
    expect(bodies).toEqual([])
  })

  test.each([
    [refuse(429, 'Too many attempts.'), 'Too many attempts.'],
    [refuse(500, undefined), 'An error occurred. Please try again.'],
    [hangUp, 'An error occurred. Please try again.'],
  ] as const)('that cannot be asked for says why', async (answer, sentence) => {
    server.answer(requestPasswordReset, () => answer)
    const { person } = await visit(server, { at: '/forgot-password' })
    await person.type(await screen.findByLabelText('Email'), 'lotte@example.com{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence)
    expect(screen.getByLabelText('Email')).toHaveValue('lotte@example.com')
  })
})

describe('a link that sets a new password', () => {
  const at = '/reset-password?token=abc'
  const fill = async ({ person }: Visit, password: string, confirm = password) => {
    await person.type(await screen.findByLabelText('New password'), password)
    await person.type(screen.getByLabelText('Confirm password'), confirm)
    await person.click(screen.getByRole('button', { name: 'Set new password' }))
  }

  test('leads to the sign-in page, which says that it worked, and ends the session of this browser', async () => {
    const { token } = server.addUser()
    const visitor = await visit(server, { at, token })
    await fill(visitor, 'Brand!new1')
    expect(await screen.findByText('Your password has been changed. Please sign in.')).toBeVisible()
    await waitFor(() => expect(visitor.where()).toBe('/login'))
    expect(bodies).toEqual([{ token: 'abc', new_password: 'Brand!new1' }])
    expect(visitor.state.session.state().token).toBeNull()
  })

  test.each(['/reset-password', '/reset-password?token='])('without its token is not valid: %s', async (address) => {
    const { person, where } = await visit(server, { at: address })
    await heading('Invalid Reset Link')
    const main = document.querySelector('main')
    expect(main).toHaveTextContent('Invalid or missing reset token. Please request a new password reset link.')
    await person.click(screen.getByRole('link', { name: 'Request a new link' }))
    await waitFor(() => expect(where()).toBe('/forgot-password'))
  })

  test.each([
    ['Brand!new1', 'Brand!new2', 'Passwords do not match', 'Confirm password'],
    ['short', 'short', 'Password must be at least 8 characters long', 'New password'],
  ])('refuses %s and %s by itself: %s', async (password, confirm, sentence, label) => {
    await fill(await visit(server, { at }), password, confirm)
    expect(screen.getByLabelText(label)).toHaveAccessibleDescription(expect.stringContaining(sentence))
    expect(screen.getByLabelText(label)).toHaveFocus()
    expect(bodies).toEqual([])
  })

  test('shows how strong the password is and which rules it meets', async () => {
    const { person } = await visit(server, { at })
    await person.type(await screen.findByLabelText('New password'), 'Brand!new1')
    expect(screen.getByText('Strong')).toBeVisible()
    expect(document.querySelectorAll('.rules [data-ok=true]')).toHaveLength(5)
  })

  test('that is too old or used turns into an invalid one', async () => {
    server.answer(resetPassword, () => refuse(400, badResetToken))
    await fill(await visit(server, { at }), 'Brand!new1!')
    await focused('Invalid Reset Link')
    expect(document.querySelector('main')).toHaveTextContent(badResetToken)
  })

  test.each([
    [refuse(422, [{ loc: ['body'], msg: 'Choose another one.' }]), 'Choose another one.'],
    [hangUp, 'An error occurred. Please try again.'],
  ] as const)('can be used again after another failure', async (answer, sentence) => {
    server.answer(resetPassword, () => answer)
    await fill(await visit(server, { at }), 'Brand!new1!')
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence)
    expect(screen.getByLabelText('New password')).toHaveValue('Brand!new1!')
  })
})

describe('a link that confirms an address', () => {
  const at = '/verify-email?token=abc'
  const press = () => screen.findByRole('button', { name: 'Confirm my address' })

  test('spends nothing when its page is opened, and confirms when the button is pressed', async () => {
    const { person } = await visit(server, { at })
    const button = await press()
    expect(server.calls).toEqual([])
    await person.click(button)
    await focused('Your address is confirmed')
    expect(document.querySelector('main')).toHaveTextContent('marjolein@example.com')
    expect(bodies).toEqual([{ token: 'abc' }])
    expect(within(document.querySelector('main')!).getByRole('link', { name: 'Sign In' })).toBeVisible()
  })

  test('leads a signed-in person to the settings', async () => {
    const { token } = server.addUser({ email_verified: false })
    const { person } = await visit(server, { at, token })
    await person.click(await press())
    expect(await screen.findByRole('link', { name: 'Go to Settings' })).toHaveAttribute('href', '/settings')
  })

  test('that is too old, used, or without a token says so', async () => {
    server.answer(verifyEmail, () => refuse(400, badVerifyToken))
    const { person } = await visit(server, { at })
    await person.click(await press())
    await focused('This link no longer works')
    await visit(server, { at: '/verify-email' })
    expect(await screen.findAllByRole('heading', { level: 1, name: 'This link no longer works' })).toHaveLength(2)
  })

  test('can be pressed again after a failure', async () => {
    server.answer(verifyEmail, () => hangUp)
    const { person } = await visit(server, { at })
    await person.click(await press())
    expect(await screen.findByRole('alert')).toHaveTextContent('An error occurred. Please try again.')
    expect(await press()).toBeEnabled()
  })
})

test.each([
  ['/forgot-password', 6],
  ['/reset-password', 4],
  ['/reset-password?token=abc', 10],
  ['/verify-email', 3],
  ['/verify-email?token=abc', 3],
])('every sentence of %s comes from the catalogue', async (at, count) => {
  await visit(server, { at, language: pseudo })
  await screen.findByRole('heading', { level: 1 })
  await waitFor(() => expect(document.body.textContent?.match(/⟦/g)?.length).toBeGreaterThan(count))
  expect(foreignTexts(document.body)).toEqual([])
})
