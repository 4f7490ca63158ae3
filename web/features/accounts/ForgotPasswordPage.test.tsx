import { requestPasswordReset } from '@keepsnap/contract/security.ts'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { noResponse, refuse, useFakeServer } from '../../test/fake-server.ts'
import { focusedHeading, visit } from '../../test/render.tsx'

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
