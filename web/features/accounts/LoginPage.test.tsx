import { signIn } from '@keepsnap/contract/accounts.ts'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { focusedHeading, visit, type Visit } from '../../test/render.tsx'

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
