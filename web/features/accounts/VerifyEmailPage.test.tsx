import { invalidVerifyTokenDetail, verifyEmail } from '@keepsnap/contract/security.ts'
import { screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { noResponse, refuse, useFakeServer } from '../../test/fake-server.ts'
import { focusedHeading, visit } from '../../test/render.tsx'

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

  test.each([[at], ['/verify-email']])('shows that a link has expired, was used, or has no token: %s', async (link) => {
    server.answer(verifyEmail, () => refuse(400, invalidVerifyTokenDetail))
    const { person } = await visit(server, { at: link })
    if (link === at) await person.click(await submit())
    expect(await screen.findByRole('heading', { level: 1, name: 'This link no longer works' })).toBeVisible()
  })
})
