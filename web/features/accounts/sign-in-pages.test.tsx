import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { register, signIn } from '@keepsnap/contract/accounts.ts'
import {
  checkResetLink,
  invalidResetTokenDetail,
  invalidVerifyTokenDetail,
  requestPasswordReset,
  resetPassword,
  verifyEmail,
} from '@keepsnap/contract/security.ts'
import { noResponse, refuse, useFakeServer } from '../../test/fake-server.ts'
import { focusedHeading, rendered, visit, type Visit } from '../../test/render.tsx'
import { ApiError, NetworkError } from '../../lib/api-errors.ts'
import { session } from '../../messages/en/accounts.ts'
import { isRegistered, loginMessage, registerMessage } from './sign-in.ts'

describe('LoginPage', () => {
  const server = useFakeServer()

  const email = () => screen.findByLabelText('Email')
  const password = () => screen.getByLabelText('Password')
  const submit = () => screen.getByRole('button', { name: 'Sign In' })

  async function fill({ person }: Visit, address: string, secret: string) {
    await person.click(await email())
    await person.paste(address)
    await person.click(password())
    if (secret) await person.paste(secret)
    await person.click(submit())
  }

  describe('the sign-in page', () => {
    test('signs the user in and opens the home page', async () => {
      server.addUser({ email: 'lotte@example.com', password: 'Correct1!', username: 'lotte' })
      const visitor = await visit(server, { at: '/login' })
      await fill(visitor, ' lotte@example.com ', 'Correct1!')
      expect(await screen.findByRole('heading', { level: 1, name: /Welcome back, lotte/ })).toBeVisible()
      await waitFor(() => expect(visitor.where()).toBe('/'))
      expect(window.localStorage.getItem('token')).toBeTruthy()
    })

    test('returns to the page that redirected here', async () => {
      server.addUser({ email: 'lotte@example.com' })
      const visitor = await visit(server, { at: '/login?return=%2Fgallery%3Fphoto%3D4' })
      await fill(visitor, 'lotte@example.com', 'Correct1!')
      await waitFor(() => expect(visitor.where()).toBe('/gallery?photo=4'))
    })

    test('does nothing when a field is empty, and explains a refusal', async () => {
      server.answer(signIn, () => refuse(403, 'This account is closed.'))
      const visitor = await visit(server, { at: '/login' })
      await fill(visitor, 'lotte@example.com', '')
      expect(server.calls).toEqual([])
      expect(screen.queryByRole('alert')).toBeNull()
      await visitor.person.type(password(), 'secret{Enter}')
      expect(await screen.findByRole('alert')).toHaveTextContent('Login failed: This account is closed.')
      expect(password()).toHaveValue('secret')
      expect(window.localStorage.getItem('token')).toBeNull()
    })

    test('shows the message of the previous page and the password on request, and links to registration', async () => {
      const state = { message: 'Your password has been changed. Please sign in.' }
      const { person, where } = await visit(server, { at: { pathname: '/login', state } })
      expect(await screen.findByText(state.message)).toBeVisible()
      expect(password()).toHaveAttribute('type', 'password')
      await person.click(screen.getByRole('button', { name: 'Show password' }))
      expect(password()).toHaveAttribute('type', 'text')
      await person.click(screen.getByRole('button', { name: 'Hide password' }))
      expect(password()).toHaveAttribute('type', 'password')
      await person.click(await screen.findByRole('link', { name: 'Register' }))
      await focusedHeading('Create your first code')
      await waitFor(() => expect(where()).toBe('/register'))
    })

    test('redirects a user who is already signed in', async () => {
      const { where } = await visit(server, { at: '/login?return=/upload', token: server.addUser().token })
      await waitFor(() => expect(where()).toBe('/upload'))
    })

    test('shows its form when the stored token is refused', async () => {
      const { where } = await visit(server, { at: '/login', token: 'dead' })
      expect(await email()).toBeVisible()
      await waitFor(() => expect(where()).toBe('/login'))
    })
  })
})

describe('RegisterPage', () => {
  const server = useFakeServer()

  const email = () => screen.getByLabelText('Email')
  const password = () => screen.getByLabelText('Password')
  const confirm = () => screen.getByLabelText('Confirm password')
  const submit = () => screen.getByRole('button', { name: 'Register' })

  async function open() {
    const visitor = await visit(server, { at: '/register' })
    await screen.findByLabelText('Email')
    const enter = async (field: HTMLElement, value: string) => {
      await visitor.person.clear(field)
      await visitor.person.click(field)
      await visitor.person.paste(value)
    }
    const fill = async (address: string, secret: string, again = secret) => {
      await enter(email(), address)
      await enter(password(), secret)
      await enter(confirm(), again)
    }
    return { ...visitor, enter, fill }
  }

  test('registration creates an account, signs in and opens the home page', async () => {
    const { fill, person, where } = await open()
    const code = document.querySelector('img[src*="/qr/"]')
    expect(code).toHaveAttribute('src', `${server.origin}/qr/s/dance.svg`)
    await fill('lotte@example.com', 'Kasteel14!')
    await person.click(submit())
    expect(await screen.findByRole('heading', { level: 1, name: /^Welcome, lotte/ })).toBeVisible()
    await waitFor(() => expect(where()).toBe('/'))
  })

  test('the account is created without the time zone of the device when the server does not know it', async () => {
    const sent: unknown[] = []
    server.answer(register, ({ body }) => {
      sent.push(body.time_zone)
      const detail = [{ loc: ['body', 'time_zone'], msg: 'Please give a time zone such as Europe/Brussels' }]
      return body.time_zone === undefined
        ? { access_token: server.addUser().token, token_type: 'bearer' as const }
        : refuse(422, detail, 'invalid')
    })
    const { fill, person, where } = await open()
    await fill('lotte@example.com', 'Kasteel14!')
    await person.click(submit())
    await waitFor(() => expect(where()).toBe('/'))
    expect(sent).toEqual([expect.any(String), undefined])
  })

  test('the rules for passwords are applied: marked when met, with a strength, and told on Enter', async () => {
    const { fill, person } = await open()
    await fill('lotte@example.com', 'kasteel1')
    const items = screen.getAllByRole('listitem').map((item) => item.textContent)
    expect(items.filter((line) => line?.startsWith('met'))).toEqual([
      'met: At least 8 characters',
      'met: One lowercase letter',
      'met: One number',
    ])
    await waitFor(() => expect(screen.getByText('Strength:')).toHaveTextContent('Strength: Weak'))
    expect(submit()).toBeDisabled()
    const sentence = 'Password must contain at least one uppercase letter'
    expect(screen.queryByText(sentence)).toBeNull()
    await person.keyboard('{Enter}')
    expect(screen.getByText(sentence)).toBeVisible()
    expect(password()).toHaveFocus()
    await person.type(password(), 'K!')
    expect(submit()).toBeEnabled()
    expect(screen.getByText('Strength:')).toHaveTextContent('Strength: Strong')
  })

  test('a password that many people use is weak, and is accepted', async () => {
    const { fill, person, where } = await open()
    await fill('lotte@example.com', 'Password123!')
    expect(await screen.findByText('Many people use this password. Choose one that others do not use.')).toBeVisible()
    expect(screen.getByText('Strength:')).toHaveTextContent('Strength: Weak')
    await person.type(password(), 'kasteel')
    expect(screen.getByText('Strength:')).toHaveTextContent('Strength: Very Strong')
    expect(screen.queryByText(/Many people/)).toBeNull()
    await fill('lotte@example.com', 'Password123!')
    await person.click(submit())
    await waitFor(() => expect(where()).toBe('/'))
  })

  test('a missing email address and different passwords are told before anything is sent', async () => {
    const { enter, fill, person } = await open()
    await fill('lotte@', 'Kasteel14!', 'Kasteel15!')
    await person.click(submit())
    expect(screen.getByText(/Please enter an email address/)).toBeVisible()
    await enter(email(), 'lotte@example.com')
    await person.click(submit())
    expect(screen.getByText('Passwords do not match')).toBeVisible()
    expect(confirm()).toHaveFocus()
    expect(confirm()).toBeInvalid()
    expect(server.calls).toEqual([])
  })

  test('a refusal is explained, with a link to sign in for an address in use', async () => {
    server.answer(register, () => refuse(400, 'This email address is already registered.'))
    const { fill, person } = await open()
    await fill('lotte@example.com', 'Kasteel14!')
    await person.click(submit())
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('This email is already registered.')
    expect(within(alert).getByRole('link', { name: 'Sign In' })).toBeVisible()
  })

  test('a signed-in user is redirected to the home page', async () => {
    const { where } = await visit(server, { at: '/register', token: server.addUser().token })
    await waitFor(() => expect(where()).toBe('/'))
  })
})

describe('ForgotPasswordPage', () => {
  let bodies: unknown[]
  const server = useFakeServer((server) => {
    bodies = []
    server.answer(requestPasswordReset, ({ body }) => {
      bodies.push(body)
      return { detail: 'Done.' }
    })
  })

  describe('the page for a forgotten password', () => {
    test('is linked from the sign-in page, which passes the email address on, and confirms the request', async () => {
      const { person, where } = await visit(server, { at: '/login' })
      await person.type(await screen.findByLabelText('Email'), 'lotte@example.com')
      await person.click(screen.getByRole('link', { name: 'Forgot your password?' }))
      await screen.findByRole('heading', { level: 1, name: 'Forgot your password?' })
      await waitFor(() => expect(where()).toBe('/forgot-password'))
      expect(screen.getByLabelText('Email')).toHaveValue('lotte@example.com')
      await person.click(screen.getByRole('button', { name: 'Send the link' }))
      await focusedHeading('Check your email')
      expect(bodies).toEqual([{ email: 'lotte@example.com' }])
      expect(document.querySelector('main')).toHaveTextContent('lotte@example.com')
      await person.click(screen.getByRole('button', { name: 'Use another address' }))
      expect(await screen.findByLabelText('Email')).toHaveValue('')
    })

    test('requires an email address, and shows why the request failed', async () => {
      server.answer(requestPasswordReset, () => refuse(429, 'Too many attempts.'))
      const { person } = await visit(server, { at: '/forgot-password' })
      const field = await screen.findByLabelText('Email')
      await person.type(field, 'lotte{Enter}')
      expect(field).toBeInvalid()
      expect(field).toHaveFocus()
      expect(server.calls).toEqual([])
      await person.type(field, '@example.com{Enter}')
      expect(await screen.findByRole('alert')).toHaveTextContent('Too many attempts.')
      server.answer(requestPasswordReset, () => noResponse)
      await person.type(field, '{Enter}')
      await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('An error occurred. Please try again.'))
      expect(field).toHaveValue('lotte@example.com')
    })
  })
})

describe('ResetPasswordPage', () => {
  let bodies: unknown[]
  const server = useFakeServer((server) => {
    bodies = []
    server.answer(checkResetLink, () => ({ detail: 'Yes.' }))
    server.answer(resetPassword, ({ body }) => {
      bodies.push(body)
      return { detail: 'Done.', has_integrations: false }
    })
  })

  describe('the page of a password reset link', () => {
    const at = '/reset-password?token=abc'
    const fill = async ({ person }: Visit, password: string, confirm = password) => {
      await person.click(await screen.findByLabelText('New password'))
      await person.paste(password)
      await person.click(screen.getByLabelText('Confirm password'))
      await person.paste(confirm)
      await person.click(screen.getByRole('button', { name: 'Set new password' }))
    }

    test('ends the session of this browser and opens the sign-in page, which confirms the change', async () => {
      const { token } = server.addUser()
      const visitor = await visit(server, { at, token })
      await fill(visitor, 'Brand!new1')
      expect(await screen.findByText('Your password has been changed. Please sign in.')).toBeVisible()
      await waitFor(() => expect(visitor.where()).toBe('/login'))
      expect(bodies).toEqual([{ token: 'abc', new_password: 'Brand!new1' }])
      expect(visitor.state.session.state().token).toBeNull()
    })

    test('rejects a link without a token', async () => {
      const { person, where } = await visit(server, { at: '/reset-password?token=' })
      await screen.findByRole('heading', { level: 1, name: 'Invalid Reset Link' })
      const main = document.querySelector('main')
      expect(main).toHaveTextContent('Invalid or missing reset token. Please request a new password reset link.')
      await person.click(screen.getByRole('link', { name: 'Request a new link' }))
      await waitFor(() => expect(where()).toBe('/forgot-password'))
    })

    test('leads to what else opens the account, if there is something', async () => {
      server.answer(resetPassword, () => ({ detail: 'Done.', has_integrations: true }))
      const visitor = await visit(server, { at })
      await fill(visitor, 'Brand!new1')
      expect(await screen.findByText('Your password has been changed. Please sign in.')).toBeVisible()
      await waitFor(() => expect(visitor.where()).toBe('/login?return=%2Fsettings%3Freview%3Daccess'))
    })

    test('rejects passwords that differ or are too weak before sending, and shows strength and rules', async () => {
      const visitor = await visit(server, { at })
      await fill(visitor, 'Brand!new1', 'Brand!new2')
      const again = screen.getByLabelText('Confirm password')
      expect(again).toHaveAccessibleDescription(expect.stringContaining('Passwords do not match'))
      expect(again).toHaveFocus()
      expect(await screen.findByText('Strong')).toBeVisible()
      expect(document.querySelectorAll('.password-rules [data-ok=true]')).toHaveLength(5)
      const field = screen.getByLabelText('New password')
      await visitor.person.clear(field)
      await visitor.person.type(field, 'short{Enter}')
      const sentence = 'Password must be at least 8 characters long'
      expect(field).toHaveAccessibleDescription(expect.stringContaining(sentence))
      expect(field).toHaveFocus()
      expect(bodies).toEqual([])
    })

    test('keeps what was typed while a link that could not be checked is checked again', async () => {
      server.answer(checkResetLink, () => refuse(500, 'x'))
      const { person, state } = await visit(server, { at })
      const field = await screen.findByLabelText('New password')
      await person.type(field, 'Brand!new1')
      server.answer(checkResetLink, () => new Promise(() => {}))
      void state.queryClient.invalidateQueries({ queryKey: ['reset-link'] })
      await rendered()
      expect(state.queryClient.isFetching({ queryKey: ['reset-link'] })).toBe(1)
      expect(field).toBeVisible()
      expect(field).toHaveValue('Brand!new1')
    })

    test('says that the link has expired or was used before a password is typed', async () => {
      server.answer(checkResetLink, () => refuse(400, invalidResetTokenDetail))
      // The check is given up after five seconds. These pass in steps, and a busy machine takes fewer of them.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
      await visit(server, { at })
      await focusedHeading('Invalid Reset Link')
      expect(document.querySelector('main')).toHaveTextContent(invalidResetTokenDetail)
      expect(screen.queryByLabelText('New password')).toBeNull()
      expect(bodies).toEqual([])
    })

    test('shows its form when the link cannot be checked', async () => {
      server.answer(checkResetLink, () => refuse(429, 'Too many requests.', 'rate_limited'))
      await fill(await visit(server, { at }), 'Brand!new1')
      await waitFor(() => expect(bodies).toEqual([{ token: 'abc', new_password: 'Brand!new1' }]))
    })

    test('keeps its form after a failure, and shows that the link was used since', async () => {
      server.answer(resetPassword, () => refuse(422, [{ loc: ['body'], msg: 'Choose another one.' }]))
      const visitor = await visit(server, { at })
      await fill(visitor, 'Brand!new1!')
      expect(await screen.findByRole('alert')).toHaveTextContent('Choose another one.')
      expect(screen.getByLabelText('New password')).toHaveValue('Brand!new1!')
      server.answer(resetPassword, () => refuse(400, invalidResetTokenDetail))
      await visitor.person.click(screen.getByRole('button', { name: 'Set new password' }))
      await focusedHeading('Invalid Reset Link')
      expect(document.querySelector('main')).toHaveTextContent(invalidResetTokenDetail)
    })
  })
})

describe('VerifyEmailPage', () => {
  let bodies: unknown[]
  const server = useFakeServer((server) => {
    bodies = []
    server.answer(verifyEmail, ({ body }) => {
      bodies.push(body)
      return { detail: 'Done.', email: 'marjolein@example.com' }
    })
  })

  describe('the page of an email confirmation link', () => {
    const at = '/verify-email?token=abc'
    const submit = () => screen.findByRole('button', { name: 'Confirm my address' })

    test('sends nothing until the button is clicked, then confirms the address', async () => {
      const { person } = await visit(server, { at })
      const button = await submit()
      expect(server.calls).toEqual([])
      await person.click(button)
      await focusedHeading('Your address is confirmed')
      expect(document.querySelector('main')).toHaveTextContent('marjolein@example.com')
      expect(bodies).toEqual([{ token: 'abc' }])
      expect(within(document.querySelector('main')!).getByRole('link', { name: 'Sign In' })).toBeVisible()
    })

    test('can be submitted again after a failure, and links a signed-in user to the settings', async () => {
      server.answer(verifyEmail, () => noResponse)
      const { person } = await visit(server, { at, token: server.addUser({ email_verified: false }).token })
      await person.click(await submit())
      expect(await screen.findByRole('alert')).toHaveTextContent('An error occurred. Please try again.')
      server.answer(verifyEmail, () => ({ detail: 'Done.', email: 'marjolein@example.com' }))
      await person.click(await submit())
      expect(await screen.findByRole('link', { name: 'Go to Settings' })).toHaveAttribute('href', '/settings')
    })

    test.each([[at], ['/verify-email']])(
      'shows that a link has expired, was used, or has no token: %s',
      async (link) => {
        server.answer(verifyEmail, () => refuse(400, invalidVerifyTokenDetail))
        const { person } = await visit(server, { at: link })
        if (link === at) await person.click(await submit())
        expect(await screen.findByRole('heading', { level: 1, name: 'This link no longer works' })).toBeVisible()
      },
    )
  })
})

describe('sign in', () => {
  const text = session.errors
  const refusal = (status: number, body: unknown = null) => new ApiError(status, body)
  const network = 'Network error. Please check your internet connection.'

  describe('the message about a failed sign-in', () => {
    test.each([
      [new NetworkError('unreachable'), network],
      [new NetworkError('timeout'), network],
      [refusal(401, { detail: 'anything' }), 'Invalid email or password.'],
      [refusal(500, { detail: 'stack trace' }), 'Server error (500): Server error. Please try again later.'],
      [refusal(429, { message: 'Too many attempts.' }), 'Login failed: Too many attempts.'],
      [refusal(422, { detail: [{ loc: ['body'], msg: 'Field required' }] }), 'Login failed: Field required'],
      [refusal(418), 'Login failed: An unknown error occurred.'],
      [refusal(400, { detail: '' }), 'Login failed: An unknown error occurred.'],
      [refusal(400, { detail: { odd: true } }), 'Login failed: An unknown error occurred.'],
    ])('after %s is: %s', (error, sentence) => {
      expect(loginMessage(error, text)).toBe(sentence)
    })
  })

  describe('the message about a failed registration', () => {
    test.each([
      [new NetworkError('unreachable'), network],
      [refusal(400, { detail: 'Email already registered' }), 'This email is already registered.'],
      [refusal(400, { detail: 'This address is Already Registered.' }), 'This email is already registered.'],
      [refusal(400, { detail: 'Something else' }), 'Something else'],
      [refusal(422, { detail: [{ msg: 'Bad address' }, { msg: 'Second' }] }), 'Validation error: Bad address'],
      [refusal(422, { detail: 'Bad address' }), 'Validation error: Bad address'],
      [refusal(422), 'Validation error: Please check your input'],
      [refusal(422, { detail: [] }), 'Validation error: Please check your input'],
      [refusal(502, { detail: 'x' }), 'Server error (502): Server error. Please try again later.'],
      [refusal(429, { detail: 'Slow down.' }), 'Slow down.'],
      [refusal(409), 'Registration failed. Please try again.'],
    ])('after %s is: %s', (error, sentence) => {
      expect(registerMessage(error, text)).toBe(sentence)
    })

    test('suggests signing in only for an address that has an account', () => {
      expect(isRegistered(refusal(400, { detail: 'already registered' }))).toBe(true)
      expect(isRegistered(refusal(422, { detail: 'already registered' }))).toBe(false)
      expect(isRegistered(new NetworkError('timeout'))).toBe(false)
    })
  })
})
