import { register } from '@keepsnap/contract/accounts.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { noResponse, refuse, useFakeServer } from '../test/fake-server.ts'
import { visit, type Visit } from '../test/render.tsx'

const server = useFakeServer()

const password = () => screen.getByLabelText('Password')
const confirm = () => screen.getByLabelText('Confirm password')
const submit = () => screen.getByRole('button', { name: 'Register' })

async function fill({ person }: Visit, address: string, secret: string, again = secret) {
  const email = await screen.findByLabelText('Email')
  for (const [field, value] of new Map([
    [email, address],
    [password(), secret],
    [confirm(), again],
  ])) {
    if (!value) continue
    await person.click(field)
    await person.paste(value)
  }
}

describe('the registration page', () => {
  test('creates an account, signs in and opens the home page', async () => {
    const visitor = await visit(server, { at: '/register' })
    await fill(visitor, 'lotte@example.com', 'Kasteel14!')
    await visitor.person.click(submit())
    expect(await screen.findByRole('heading', { level: 1, name: /^Welcome, lotte/ })).toBeVisible()
    await waitFor(() => expect(visitor.where()).toBe('/'))
  })

  test('creates the account without the time zone of the device when the server does not know it', async () => {
    const visitor = await visit(server, { at: '/register' })
    const sent: unknown[] = []
    server.answer(register, ({ body }) => {
      sent.push(body.time_zone)
      const detail = [{ loc: ['body', 'time_zone'], msg: 'Please give a time zone such as Europe/Brussels' }]
      return body.time_zone === undefined
        ? { access_token: server.addUser().token, token_type: 'bearer' as const }
        : refuse(422, detail, 'invalid')
    })
    await fill(visitor, 'lotte@example.com', 'Kasteel14!')
    await visitor.person.click(submit())
    await waitFor(() => expect(visitor.where()).toBe('/'))
    expect(sent).toEqual([expect.any(String), undefined])
  })

  test.each([
    ['Short1!', 'Password must be at least 8 characters long'],
    ['alllower1!', 'Password must contain at least one uppercase letter'],
    ['ALLUPPER1!', 'Password must contain at least one lowercase letter'],
    ['NoNumber!', 'Password must contain at least one number'],
    ['NoSpecial1', 'Password must contain at least one special character'],
    ['short', 'Password must be at least 8 characters long'],
  ])('keeps the button disabled for %s, and shows on Enter: %s', async (secret, sentence) => {
    const visitor = await visit(server, { at: '/register' })
    await fill(visitor, 'lotte@example.com', secret)
    expect(submit()).toBeDisabled()
    expect(screen.queryByText(sentence)).toBeNull()
    await visitor.person.keyboard('{Enter}')
    expect(screen.getByText(sentence)).toBeVisible()
    expect(password()).toHaveFocus()
    expect(server.calls).toEqual([])
  })

  test('enables the button once every rule is met', async () => {
    const visitor = await visit(server, { at: '/register' })
    await fill(visitor, '', 'Kasteel14', '')
    expect(submit()).toBeDisabled()
    await visitor.person.type(password(), '!')
    expect(submit()).toBeEnabled()
  })

  test('reports different passwords', async () => {
    const visitor = await visit(server, { at: '/register' })
    await fill(visitor, 'lotte@example.com', 'Kasteel14!', 'Kasteel15!')
    await visitor.person.click(submit())
    expect(screen.getByText('Passwords do not match')).toBeVisible()
    expect(confirm()).toHaveFocus()
    expect(confirm()).toBeInvalid()
    expect(server.calls).toEqual([])
  })

  test.each(['', 'lotte', 'lotte@', 'a@b@c.example'])('asks for an email address when given %j', async (address) => {
    const visitor = await visit(server, { at: '/register' })
    await fill(visitor, address, 'Kasteel14!')
    await visitor.person.click(submit())
    expect(screen.getByText(/Please enter an email address/)).toBeVisible()
    expect(server.calls).toEqual([])
  })

  test('marks each rule that is met', async () => {
    const visitor = await visit(server, { at: '/register' })
    await fill(visitor, '', 'kasteel1', '')
    const met = screen
      .getAllByRole('listitem')
      .map((item) => item.textContent)
      .filter((line) => line?.startsWith('met'))
    expect(met).toEqual(['met: At least 8 characters', 'met: One lowercase letter', 'met: One number'])
  })

  test.each([
    ['abc', 'Very Weak'],
    ['abcdefgh', 'Weak'],
    ['Abcdefgh', 'Medium'],
    ['Abcdefg1!', 'Strong'],
    ['Abcdefghijk1!', 'Very Strong'],
  ])('rates the password %s as %s', async (secret, label) => {
    const visitor = await visit(server, { at: '/register' })
    await fill(visitor, '', secret, '')
    expect(screen.getByText('Strength:')).toHaveTextContent(`Strength: ${label}`)
  })

  test.each([
    [
      'an address in use',
      refuse(400, 'This email address is already registered.'),
      'This email is already registered.',
    ],
    [
      'invalid input',
      refuse(422, [{ loc: ['body', 'email'], msg: 'No such domain' }]),
      'Validation error: No such domain',
    ],
    ['a broken server', refuse(502, 'x'), 'Server error (502): Server error. Please try again later.'],
    ['anything else', refuse(409, 'Not now.'), 'Not now.'],
    ['no connection', noResponse, 'Network error. Please check your internet connection.'],
  ] as const)('explains %s', async (_, outcome, sentence) => {
    server.answer(register, () => outcome)
    const visitor = await visit(server, { at: '/register' })
    await fill(visitor, 'lotte@example.com', 'Kasteel14!')
    await visitor.person.click(submit())
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent(sentence)
    expect(within(alert).queryByRole('link', { name: 'Sign In' }) !== null).toBe(sentence.includes('registered'))
  })

  test('redirects a signed-in user to the home page', async () => {
    const { token } = server.addUser()
    const { where } = await visit(server, { at: '/register', token })
    await waitFor(() => expect(where()).toBe('/'))
  })
})
