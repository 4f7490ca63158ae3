import { register } from '@keepsnap/contract/accounts.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { visit } from '../../test/render.tsx'

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
  server.answer(register, () => refuse(409, 'Not now.'))
  await person.click(submit())
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Not now.'))
  expect(within(screen.getByRole('alert')).queryByRole('link')).toBeNull()
})

test('a signed-in user is redirected to the home page', async () => {
  const { where } = await visit(server, { at: '/register', token: server.addUser().token })
  await waitFor(() => expect(where()).toBe('/'))
})
