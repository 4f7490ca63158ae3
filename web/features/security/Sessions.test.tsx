import { endOneSession, endSessions, listSessions } from '@keepsnap/contract/security.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { refuse, startFakeServer, type FakeServer } from '../../test/fake-server.ts'
import { openSettings, sampleSessions, serveSettings } from '../../test/settings-page.ts'

let server: FakeServer
beforeEach(async () => {
  server = await startFakeServer()
  serveSettings(server)
})
afterEach(() => server.close())

describe('the list of devices', () => {
  test('is counted, can be shown, and each device can be signed out', async () => {
    const ended: string[] = []
    server.answer(endOneSession, ({ params }) => {
      ended.push(params.id)
      return null
    })
    const { person } = await openSettings(server)
    expect(await screen.findByText('Signed in on 2 devices')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Show devices' }))
    const [current, other] = within(document.querySelector<HTMLElement>('.session-list')!).getAllByRole('listitem')
    expect(current).toHaveTextContent('Firefox on Linux')
    expect(within(current!).getByText('This device')).toBeVisible()
    expect(within(current!).queryByRole('button')).toBeNull()
    await person.click(within(other!).getByRole('button', { name: 'Sign out: Safari on iPhone' }))
    expect(await screen.findByText('Signed in on 1 device')).toBeVisible()
    expect(screen.getByText('The device has been signed out.')).toBeVisible()
    expect(ended).toEqual(['s2'])
    // The button was removed together with its row.
    expect(screen.getByRole('list', { name: 'Signed in on 1 device' })).toHaveFocus()
  })

  test('signs out all devices, including this one, after a confirmation', async () => {
    server.answer(endSessions, () => null)
    const { person, where, state } = await openSettings(server)
    await person.click(await screen.findByRole('button', { name: 'Sign out everywhere' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Sign out everywhere' })
    await person.click(within(dialog).getByRole('button', { name: 'Sign out everywhere' }))
    await waitFor(() => expect(where()).toBe('/login'))
    expect(state.session.state().token).toBeNull()
    expect(await screen.findByText('You’re signed out on all devices.')).toBeVisible()
  })

  test('says so also when another call is refused before the response to signing out arrives', async () => {
    const { person, where, state, token } = await openSettings(server)
    server.answer(endSessions, async () => {
      server.revoke(token)
      await state.queryClient.refetchQueries({ queryKey: ['user', 'me'] })
      return null
    })
    await person.click(await screen.findByRole('button', { name: 'Sign out everywhere' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Sign out everywhere' })
    await person.click(within(dialog).getByRole('button', { name: 'Sign out everywhere' }))
    expect(await screen.findByText('You’re signed out on all devices.')).toBeVisible()
    await waitFor(() => expect(where()).toBe('/login'))
    expect(state.session.state()).toEqual({ token: null, endReason: null })
  })

  test('keeps a device that could not be signed out, and shows why', async () => {
    server.answer(endOneSession, () => refuse(503, 'The database is down.'))
    const { person } = await openSettings(server)
    await screen.findByText('Signed in on 2 devices')
    await person.click(screen.getByRole('button', { name: 'Show devices' }))
    await person.click(screen.getByRole('button', { name: 'Sign out: Safari on iPhone' }))
    expect(await screen.findByText('The database is down.')).toBeVisible()
    expect(screen.getByText('Signed in on 2 devices')).toBeVisible()
  })

  test('can be loaded again after a failure', async () => {
    server.answer(listSessions, () => refuse(500, undefined))
    const { person } = await openSettings(server)
    expect(await screen.findByText('The list of devices couldn’t be loaded.')).toBeVisible()
    server.answer(listSessions, () => ({ sessions: sampleSessions }))
    await person.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText('Signed in on 2 devices')).toBeVisible()
  })
})
