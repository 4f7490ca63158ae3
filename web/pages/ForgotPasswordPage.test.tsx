import { requestPasswordReset } from '@keepsnap/contract/email-links.ts'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { noResponse, refuse, useFakeServer } from '../test/fake-server.ts'
import { focusedHeading, visit } from '../test/render.tsx'

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

  test('requires an email address', async () => {
    const { person } = await visit(server, { at: '/forgot-password' })
    await person.type(await screen.findByLabelText('Email'), 'lotte{Enter}')
    expect(screen.getByLabelText('Email')).toBeInvalid()
    expect(screen.getByLabelText('Email')).toHaveFocus()
    expect(bodies).toEqual([])
  })

  test.each([
    [refuse(429, 'Too many attempts.'), 'Too many attempts.'],
    [refuse(500, undefined), 'An error occurred. Please try again.'],
    [noResponse, 'An error occurred. Please try again.'],
  ] as const)('shows why the request failed', async (answer, sentence) => {
    server.answer(requestPasswordReset, () => answer)
    const { person } = await visit(server, { at: '/forgot-password' })
    await person.type(await screen.findByLabelText('Email'), 'lotte@example.com{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence)
    expect(screen.getByLabelText('Email')).toHaveValue('lotte@example.com')
  })
})
