import { deleteAccount, exportState, requestExport, type Archive } from '@keepsnap/contract/privacy.ts'
import { changePassword, endOneSession, endSessions, listSessions } from '@keepsnap/contract/security.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hangUp, refuse, startFakeServer, type FakeServer } from '../test/fakeServer.ts'
import { visit } from '../test/render.tsx'
import { noArchive, sampleSessions, serveSettings } from '../test/settings.ts'

let server: FakeServer
beforeEach(async () => {
  server = await startFakeServer()
  serveSettings(server)
})
afterEach(() => server.close())

const open = async () => {
  const { token, user } = server.addUser({ photo_count: 42 })
  const visitor = await visit(server, { at: '/settings', token })
  await screen.findByRole('heading', { level: 1, name: 'Settings' })
  return { ...visitor, user }
}

describe('the password', () => {
  const fill = async ({ person }: Awaited<ReturnType<typeof open>>, current: string, next: string, confirm = next) => {
    await person.click(await screen.findByRole('button', { name: 'Change password' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Change password' }))
    for (const [label, value] of Object.entries({ Current: current, New: next, Confirm: confirm })) {
      await person.click(dialog.getByLabelText(`${label} password`))
      await person.paste(value)
    }
    await person.click(dialog.getByRole('button', { name: 'Set new password' }))
    return dialog
  }

  test('is changed, and the session goes on under its new token', async () => {
    const bodies: unknown[] = []
    const next = server.addUser({ email: 'marjolein@example.com' })
    server.answer(changePassword, ({ body }) => {
      bodies.push(body)
      return { access_token: next.token, token_type: 'bearer' as const }
    })
    const visitor = await open()
    await fill(visitor, 'Correct1!', 'Brand!new1')
    // Nothing of the page goes away meanwhile, nor the place of the keyboard.
    expect(screen.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
    expect(await screen.findByText('Your password has been changed. Other devices are signed out.')).toBeVisible()
    expect(bodies).toEqual([{ current_password: 'Correct1!', new_password: 'Brand!new1' }])
    expect(visitor.state.session.state().token).toBe(next.token)
    expect(screen.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    // What is known is asked for again: the other devices are signed out.
    await waitFor(() => expect(server.calls.filter((call) => call === 'GET /user/sessions')).toHaveLength(2))
  })

  test.each([
    ['', 'Brand!new1', 'Brand!new1', 'Please enter your current password.'],
    ['Correct1!', 'brand', 'brand', 'Password must be at least 8 characters long'],
    ['Correct1!', 'Brand!new1', 'Brand!new2', 'Passwords do not match'],
  ])('is refused by the page itself: %j, %j, %j', async (current, next, confirm, sentence) => {
    const dialog = await fill(await open(), current, next, confirm)
    expect(dialog.getByText(sentence)).toBeVisible()
    expect(server.calls).not.toContain('POST /user/password')
  })

  test.each([
    [refuse(400, 'This is not your current password.'), 'This is not your current password.'],
    [hangUp, 'An error occurred. Please try again.'],
  ] as const)('stays when the server refuses', async (answer, sentence) => {
    server.answer(changePassword, () => answer)
    const dialog = await fill(await open(), 'Wrong1!x', 'Brand!new1')
    expect(await dialog.findByRole('alert')).toHaveTextContent(sentence)
  })
})

describe('the devices', () => {
  test('are counted, listed when asked for, and signed out one by one', async () => {
    const ended: string[] = []
    server.answer(endOneSession, ({ params }) => {
      ended.push(params.id)
      return null
    })
    const { person } = await open()
    expect(await screen.findByText('Signed in on 2 devices')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Show devices' }))
    const [here, other] = within(document.querySelector<HTMLElement>('.keys')!).getAllByRole('listitem')
    expect(here).toHaveTextContent('Firefox on Linux')
    expect(within(here!).getByText('This device')).toBeVisible()
    expect(within(here!).queryByRole('button')).toBeNull()
    await person.click(within(other!).getByRole('button', { name: 'Sign out: Safari on iPhone' }))
    expect(await screen.findByText('Signed in on 1 device')).toBeVisible()
    expect(screen.getByText('That device is signed out.')).toBeVisible()
    expect(ended).toEqual(['s2'])
    // The button that was pressed went with its row.
    expect(screen.getByRole('list', { name: 'Signed in on 1 device' })).toHaveFocus()
  })

  test('are all signed out after a question, this one as well', async () => {
    server.answer(endSessions, () => null)
    const { person, where, state } = await open()
    await person.click(await screen.findByRole('button', { name: 'Sign out everywhere' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Sign out everywhere' })
    await person.click(within(dialog).getByRole('button', { name: 'Sign out everywhere' }))
    await waitFor(() => expect(where()).toBe('/login'))
    expect(state.session.state().token).toBeNull()
    expect(await screen.findByText('You are signed out everywhere.')).toBeVisible()
  })

  test('that could not be signed out stay listed, with the reason', async () => {
    server.answer(endOneSession, () => refuse(503, 'The database is away.'))
    const { person } = await open()
    await person.click(await screen.findByRole('button', { name: 'Show devices' }))
    await person.click(screen.getByRole('button', { name: 'Sign out: Safari on iPhone' }))
    expect(await screen.findByText('The database is away.')).toBeVisible()
    expect(screen.getByText('Signed in on 2 devices')).toBeVisible()
  })

  test('can be asked for again when the list does not come', async () => {
    server.answer(listSessions, () => refuse(500, undefined))
    const { person } = await open()
    expect(await screen.findByText('The list of devices could not be loaded.')).toBeVisible()
    server.answer(listSessions, () => ({ sessions: sampleSessions }))
    await person.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText('Signed in on 2 devices')).toBeVisible()
  })
})

describe('the data', () => {
  test('is asked for, followed while it is made, and said to be ready', async () => {
    let archive: Archive = noArchive
    server.answer(exportState, () => archive)
    server.answer(requestExport, () => {
      archive = { ...noArchive, state: 'queued', requested_at: '2026-11-14T20:00:00.000Z' }
      return archive
    })
    const { person } = await open()
    await person.click(await screen.findByRole('button', { name: 'Export my data' }))
    expect(await screen.findByText(/The link goes to marjolein@example.com/)).toBeVisible()
    archive = { ...archive, state: 'ready', expires_at: '2026-11-21T20:00:00.000Z', size_bytes: 3 * 1024 ** 2 }
    expect(await screen.findByText(/Your file of 3 MB is ready/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Make a new file' })).toBeEnabled()
  })

  test('that could not be collected can be asked for again', async () => {
    server.answer(exportState, () => ({ ...noArchive, state: 'failed' as const }))
    server.answer(requestExport, () => refuse(429, 'One file a day.'))
    const { person } = await open()
    expect(await screen.findByText('The file could not be made. Please try again.')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Export my data' }))
    expect(await screen.findByText('One file a day.')).toBeVisible()
  })
})

describe('the end of an account', () => {
  const dialog = async ({ person }: Awaited<ReturnType<typeof open>>) => {
    await person.click(await screen.findByRole('button', { name: 'Delete my account' }))
    return within(await screen.findByRole('alertdialog', { name: 'Delete my account' }))
  }

  test('names what goes with it, asks for the password, and signs out', async () => {
    const bodies: unknown[] = []
    server.answer(deleteAccount, ({ body }) => {
      bodies.push(body)
      return null
    })
    const visitor = await open()
    const box = await dialog(visitor)
    expect(box.getByText('your 42 photos')).toBeVisible()
    await visitor.person.click(box.getByRole('button', { name: 'Delete my account' }))
    expect(box.getByText('Please enter your password.')).toBeVisible()
    expect(bodies).toEqual([])
    await visitor.person.type(box.getByLabelText('Your password'), 'Correct1!{Enter}')
    await waitFor(() => expect(visitor.where()).toBe('/login'))
    expect(bodies).toEqual([{ password: 'Correct1!' }])
    expect(visitor.state.session.state().token).toBeNull()
    expect(await screen.findByText('Your account is deleted. A letter confirms it.')).toBeVisible()
  })

  test('does not come with a wrong password, nor when somebody cancels', async () => {
    server.answer(deleteAccount, () => refuse(403, 'This is not your password.', 'forbidden'))
    const visitor = await open()
    const box = await dialog(visitor)
    await visitor.person.type(box.getByLabelText('Your password'), 'wrong{Enter}')
    expect(await box.findByRole('alert')).toHaveTextContent('This is not your password.')
    await visitor.person.click(box.getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await waitFor(() => expect(visitor.where()).toBe('/settings'))
  })
})
