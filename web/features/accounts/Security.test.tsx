import {
  type Archive,
  changePassword,
  deleteAccount,
  deviceOf,
  endOneSession,
  endSessions,
  exportState,
  listSessions,
  requestExport,
} from '@keepsnap/contract/security.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { noResponse, refuse, useFakeServer } from '../../test/fake-server.ts'
import { noArchive, openPart, openSettings, sampleSessionList, serveSettings } from '../../test/render.tsx'
import { DeleteAccount, ExportData } from './ExportAndDeletion.tsx'
import { ChangePassword, Sessions } from './Security.tsx'

const server = useFakeServer(serveSettings)
const noAccess = { list: null, selected: 0, deleteSelected: () => Promise.resolve() }

type Page = Pick<Awaited<ReturnType<typeof openSettings>>, 'person' | 'state' | 'token'>
/** Revokes the session, and lets another call be refused because of it. */
async function refuseAnotherCall({ state, token }: Page): Promise<null> {
  server.revoke(token)
  await state.queryClient.refetchQueries({ queryKey: ['user', 'me'] })
  return null
}

describe('changing the password', () => {
  const open = () =>
    openPart(server, () => (
      <>
        <ChangePassword />
        <Sessions access={noAccess} onEndedAll={() => {}} />
      </>
    ))
  const fill = async ({ person }: Page, current: string, next: string, confirm = next) => {
    await person.click(await screen.findByRole('button', { name: 'Change password' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Change password' }))
    for (const [label, value] of Object.entries({ Current: current, New: next, Confirm: confirm })) {
      await person.click(dialog.getByLabelText(`${label} password`))
      if (value) await person.paste(value)
    }
    await person.click(dialog.getByRole('button', { name: 'Set new password' }))
    return dialog
  }

  test('continues the session with its new token', async () => {
    const bodies: unknown[] = []
    const next = server.addUser({ email: 'marjolein@example.com' })
    server.answer(changePassword, ({ body }) => {
      bodies.push(body)
      return { access_token: next.token, token_type: 'bearer' as const }
    })
    const visitor = await open()
    await fill(visitor, 'Correct1!', 'Brand!new1')
    expect(await screen.findByText('Your password has been changed. Other devices are signed out.')).toBeVisible()
    expect(bodies).toEqual([{ current_password: 'Correct1!', new_password: 'Brand!new1' }])
    expect(visitor.state.session.state().token).toBe(next.token)
    // The page stays in place, and so does the focus.
    expect(screen.getByRole('region', { name: 'Part' })).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    // Cached data is fetched again: the other devices are signed out.
    await waitFor(() => expect(server.calls.filter((call) => call === 'GET /user/sessions')).toHaveLength(2))
  })

  test.each([
    ['', 'Brand!new1', 'Brand!new1', 'Please enter your current password.'],
    ['Correct1!', 'brand', 'brand', 'Password must be at least 8 characters long'],
    ['Correct1!', 'Brand!new1', 'Brand!new2', 'Passwords do not match'],
  ])('rejects %j, %j, %j before sending', async (current, next, confirm, sentence) => {
    const dialog = await fill(await open(), current, next, confirm)
    expect(dialog.getByText(sentence)).toBeVisible()
    expect(server.calls).not.toContain('POST /user/password')
  })

  test('shows why the server refused', async () => {
    server.answer(changePassword, () => refuse(400, 'This is not your current password.'))
    const page = await open()
    const dialog = await fill(page, 'Wrong1!x', 'Brand!new1')
    expect(await dialog.findByRole('alert')).toHaveTextContent('This is not your current password.')
    server.answer(changePassword, () => noResponse)
    await page.person.click(dialog.getByRole('button', { name: 'Set new password' }))
    await waitFor(() => expect(dialog.getByRole('alert')).toHaveTextContent('An error occurred. Please try again.'))
  })
})

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox', 'Linux'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0', 'Edge', 'Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15', 'Safari', 'Mac'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1', 'Safari', 'iPhone'],
  ['Mozilla/5.0 (Linux; Android 15; K) Chrome/141.0.0.0 Mobile Safari/537.36', 'Chrome', 'Android'],
  ['curl/8.5.0', null, null],
  [null, null, null],
])('%s is %s on %s', (agent, browser, system) => {
  expect(deviceOf(agent)).toEqual({ browser, system })
})

describe('the list of devices', () => {
  const open = () => openPart(server, () => <Sessions access={noAccess} onEndedAll={() => {}} />)

  test('can be loaded again after a failure', async () => {
    server.answer(listSessions, () => refuse(500, undefined))
    const { person } = await open()
    expect(await screen.findByText('The list of devices couldn’t be loaded.')).toBeVisible()
    server.answer(listSessions, () => sampleSessionList)
    await person.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText('Signed in on 2 devices')).toBeVisible()
  })

  test('is counted, can be shown, and each device can be signed out', async () => {
    server.answer(endOneSession, () => refuse(503, 'The database is down.'))
    const { person } = await open()
    expect(await screen.findByText('Signed in on 2 devices')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Show devices' }))
    const [current, other] = within(document.querySelector<HTMLElement>('.session-list')!).getAllByRole('listitem')
    expect(current).toHaveTextContent('Firefox on Linux')
    expect(within(current!).getByText('This device')).toBeVisible()
    expect(within(current!).queryByRole('button')).toBeNull()
    await person.click(within(other!).getByRole('button', { name: 'Sign out: Safari on iPhone' }))
    expect(await screen.findByText('The database is down.')).toBeVisible()
    expect(screen.getByText('Signed in on 2 devices')).toBeVisible()
    const ended: string[] = []
    server.answer(endOneSession, ({ params }) => {
      ended.push(params.id)
      return null
    })
    await person.click(await screen.findByRole('button', { name: 'Sign out: Safari on iPhone' }))
    expect(await screen.findByText('Signed in on 1 device')).toBeVisible()
    expect(screen.getByText('The device has been signed out.')).toBeVisible()
    expect(ended).toEqual(['s2'])
    // The button was removed together with its row.
    expect(screen.getByRole('list', { name: 'Signed in on 1 device' })).toHaveFocus()
  })

  test('signs out all of them after a confirmation, also when another call is refused before the response', async () => {
    const page = await openSettings(server)
    server.answer(endSessions, () => refuseAnotherCall(page))
    await page.person.click(await screen.findByRole('button', { name: 'Sign out everywhere' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Sign out everywhere' })
    await page.person.click(within(dialog).getByRole('button', { name: 'Sign out everywhere' }))
    expect(await screen.findByText('You’re signed out on all devices.')).toBeVisible()
    await waitFor(() => expect(page.where()).toBe('/login'))
    expect(page.state.session.state()).toEqual({ token: null, endReason: null })
  })
})

describe('the data export', () => {
  const open = () => openPart(server, ({ user }) => <ExportData email={user.email} />)

  test('is requested, polled while it is being prepared, and shown as ready', async () => {
    // Without the interval of `waitFor`, which then checks after each change of the document.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    let archive: Archive = noArchive
    server.answer(exportState, () => archive)
    server.answer(requestExport, () => {
      archive = { ...noArchive, state: 'queued', requested_at: '2026-11-14T20:00:00.000Z' }
      return archive
    })
    const { person } = await open()
    await person.click(await screen.findByRole('button', { name: 'Export my data' }))
    expect(await screen.findByText(/We’ll email the link to marjolein@example.com/)).toBeVisible()
    archive = { ...archive, state: 'ready', expires_at: '2026-11-21T20:00:00.000Z', size_bytes: 3 * 1024 ** 2 }
    act(() => void vi.advanceTimersByTime(4_000))
    expect(await screen.findByText(/Your file of 3 MB is ready/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Create a new file' })).toBeEnabled()
  })

  test('can be requested again after a failure', async () => {
    server.answer(exportState, () => ({ ...noArchive, state: 'failed' as const }))
    server.answer(requestExport, () => refuse(429, 'One file a day.'))
    const { person } = await open()
    expect(await screen.findByText('The file couldn’t be created. Please try again.')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Export my data' }))
    expect(await screen.findByText('One file a day.')).toBeVisible()
  })
})

describe('deleting the account', () => {
  const dialog = async ({ person }: Page) => {
    await person.click(await screen.findByRole('button', { name: 'Delete my account' }))
    return within(await screen.findByRole('alertdialog', { name: 'Delete my account' }))
  }

  test('requires the password, and signs out, also when another call is refused before the response', async () => {
    const bodies: unknown[] = []
    const page = await openSettings(server)
    server.answer(deleteAccount, ({ body }) => {
      bodies.push(body)
      return refuseAnotherCall(page)
    })
    const confirmation = await dialog(page)
    await page.person.click(confirmation.getByRole('button', { name: 'Delete my account' }))
    expect(confirmation.getByText('Please enter your password.')).toBeVisible()
    expect(bodies).toEqual([])
    await page.person.type(confirmation.getByLabelText('Your password'), 'Correct1!{Enter}')
    expect(await screen.findByText('Your account has been deleted. We’ve sent you a confirmation email.')).toBeVisible()
    await waitFor(() => expect(page.where()).toBe('/login'))
    expect(bodies).toEqual([{ password: 'Correct1!' }])
    expect(page.state.session.state().token).toBeNull()
  })

  test('lists what will be deleted, and does not happen with a wrong password or after Cancel', async () => {
    server.answer(deleteAccount, () => refuse(403, 'This is not your password.', 'forbidden'))
    const page = await openPart(server, () => <DeleteAccount photos={42} onDeleted={() => expect.unreachable()} />)
    const confirmation = await dialog(page)
    expect(confirmation.getByText('your 42 photos')).toBeVisible()
    await waitFor(() => expect(server.calls.filter((call) => call === 'GET /user/me').length).toBeGreaterThan(1))
    await page.person.type(confirmation.getByLabelText('Your password'), 'wrong{Enter}')
    expect(await confirmation.findByRole('alert')).toHaveTextContent('This is not your password.')
    await page.person.click(confirmation.getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(page.state.session.state().token).toBe(page.token)
  })
})
