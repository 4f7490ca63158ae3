import { checkResetLink, invalidResetTokenDetail, resetPassword } from '@keepsnap/contract/security.ts'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { focusedHeading, rendered, visit, type Visit } from '../../test/render.tsx'

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
