import { changeSupportMessage, getSupportMessage, listSupportMessages } from '@keepsnap/contract/operator-support.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refuse, startFakeServer, type FakeServer } from '../../test/fake-server.ts'
import { pseudo, visit } from '../../test/render.tsx'
import { serveOperator } from '../../test/serve-operator.ts'
import { untranslatedTexts } from '../../test/untranslated.ts'

// Pages are loaded on demand; the first load is slow when many tests run at once.
beforeAll(() => Promise.all([import('../../pages/OperatorPage.tsx'), import('./SupportInbox.tsx')]))

let server: FakeServer
let token: string
beforeEach(async () => {
  server = await startFakeServer()
  token = server.addUser({ id: 'admin', is_admin: true }).token
  serveOperator(server)
})
afterEach(() => server.close())

const inbox = async () => within(await screen.findByRole('region', { name: 'Support' }))
const rows = () => document.querySelectorAll('[data-support-message]').length
const openFirst = async (person: Awaited<ReturnType<typeof visit>>['person']) => {
  await person.click(
    await (await inbox()).findByRole('button', { name: 'Open “Question 1 & more” from Marjolein Vandenbroucke' }),
  )
  return within(await screen.findByRole('dialog', { name: 'Question 1 & more' }))
}

describe('the inbox of messages to support', () => {
  test('lists the open messages in pages, with their number in the overview', async () => {
    const { person } = await visit(server, { at: '/admin', token })
    expect((await screen.findByText('Messages to answer')).parentElement).toHaveTextContent('31 with priority')
    const list = await inbox()
    expect(await list.findByText('1 to 10 of 12', { exact: false })).toBeVisible()
    expect(rows()).toBe(10)
    expect(list.getAllByText('Priority')).toHaveLength(1)
    await person.click(list.getByRole('button', { name: 'Next' }))
    await waitFor(() => expect(rows()).toBe(2))
    await person.click(list.getByRole('radio', { name: 'Answered 0' }))
    expect(await list.findByText(/No answered messages/)).toBeVisible()
  })

  test('shows the full message, and replies to it by email', async () => {
    const { person, where } = await visit(server, { at: '/admin', token })
    const drawer = await openFirst(person)
    expect(await drawer.findByText(/The screen of hall 1 is dark\.\s+What now\?/)).toBeVisible()
    expect(drawer.getByRole('link', { name: 'Reply by email' })).toHaveAttribute(
      'href',
      'mailto:sender1@example.com?subject=Re%3A%20Question%201%20%26%20more',
    )
    await person.click(drawer.getByRole('button', { name: /marjolein/ }))
    expect(where()).toBe('/admin?user=user1')
  })

  test('moves a message to another list and back', async () => {
    const { person } = await visit(server, { at: '/admin', token })
    const drawer = await openFirst(person)
    await person.click(await drawer.findByRole('button', { name: 'Mark as answered' }))
    expect(await drawer.findByText('Answered', { selector: '.badge' })).toBeVisible()
    await person.click(drawer.getByRole('button', { name: 'Reopen' }))
    expect(await drawer.findByText('Open', { selector: '.badge' })).toBeVisible()
    await person.click(await drawer.findByRole('button', { name: 'Suspected spam' }))
    await person.click(await drawer.findByRole('button', { name: 'Not spam' }))
    expect(await drawer.findByText('Open', { selector: '.badge' })).toBeVisible()
  })

  test('deletes a message with the password and a reason', async () => {
    const { person } = await visit(server, { at: '/admin', token })
    const drawer = await openFirst(person)
    await person.click(await drawer.findByRole('button', { name: 'Delete' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete this message?' }))
    await person.type(dialog.getByLabelText('Reason (saved in the audit log)'), 'They asked for it')
    await person.click(dialog.getByRole('button', { name: 'Delete message' }))
    await person.type(await dialog.findByLabelText('Your password'), 'Correct1!')
    await person.click(dialog.getByRole('button', { name: 'Delete message' }))
    expect(await screen.findByText('The message was deleted')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await (await inbox()).findByText('1 to 10 of 11', { exact: false })).toBeVisible()
  })

  test('shows failures to load or change a message, and that one was deleted', async () => {
    server.answer(listSupportMessages, () => refuse(503, 'x', 'unavailable'))
    const { person } = await visit(server, { at: '/admin', token })
    expect(await (await inbox()).findByText('Failed to load the messages.')).toBeVisible()
    serveOperator(server)
    await person.click((await inbox()).getByRole('button', { name: 'Try Again' }))
    server.answer(changeSupportMessage, () => refuse(503, 'The database is away.', 'unavailable'))
    const drawer = await openFirst(person)
    await person.click(await drawer.findByRole('button', { name: 'Mark as answered' }))
    expect(await drawer.findByText('The database is away.')).toBeVisible()
    await person.keyboard('{Escape}')
    server.answer(getSupportMessage, () => refuse(404, 'x', 'not_found'))
    await person.click(await (await inbox()).findByRole('button', { name: /Open “Question 2/ }))
    expect(await screen.findByText('This message does not exist any more.')).toBeVisible()
  })

  test('has every sentence from the catalogue', async () => {
    await visit(server, { at: '/admin', token, language: pseudo })
    await waitFor(() => expect(rows()).toBe(10))
    const button = document.querySelector<HTMLButtonElement>('[data-support-message] button')!
    button.click()
    await waitFor(() => expect(document.querySelector('.operator-inbox__text')).not.toBeNull())
    expect(untranslatedTexts(document.querySelector<HTMLElement>('#support')!)).toEqual([])
  })
})
