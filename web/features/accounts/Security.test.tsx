import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { listAllEventGrants, revokeEventGrants } from '@keepsnap/contract/event-archives.ts'
import { endHelpers, listAllHelpers } from '@keepsnap/contract/event-helpers.ts'
import {
  type ApiKey,
  createApiKey,
  createWebhook,
  deleteApiKeys,
  deleteWebhooks,
  listApiKeys,
  listWebhooks,
  type Webhook,
} from '@keepsnap/contract/integrations.ts'
import { subscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import {
  type Archive,
  changePassword,
  confirmPassword,
  deleteAccount,
  deviceOf,
  endOneSession,
  endSessions,
  exportState,
  listSessions,
  requestExport,
} from '@keepsnap/contract/security.ts'
import { noResponse, refuse, useFakeServer } from '../../test/fake-server.ts'
import { noArchive, openPart, openSettings, sampleSessionList, serveSettings, visit } from '../../test/render.tsx'
import { planStatusOf, sampleHelper } from '../../test/samples.ts'
import { DeleteAccount, ExportData } from './ExportAndDeletion.tsx'
import { ChangePassword, Sessions } from './Security.tsx'

describe('AccessReview', () => {
  const sampleKey = (id: string, name: string, created_at: string): ApiKey => ({
    id,
    name,
    key: 'ksnap_...4f9c',
    created_at,
    last_used_at: null,
    expires_at: null,
  })
  const used = '2026-11-14T20:00:00.000Z'
  const webhook = {
    id: 'webhook-1',
    url: 'https://hooks.example.com/keepsnap',
    events: ['photo.ready'],
    enabled: true,
    disabled_because: null,
    failing_since: null,
    gives_up_at: null,
    secret_hint: 'whsec_...3vd=',
    previous_secret_until: null,
    created_at: '2026-01-02T20:00:00.000Z',
    // The sample password was set on November 1, and the one before it on October 1.
    url_set_at: '2026-10-20T20:00:00.000Z',
    last_used_at: used,
  } satisfies Webhook

  let calls: unknown[]
  const server = useFakeServer((server) => {
    serveSettings(server)
    calls = []
    server.answer(subscriptionStatus, () => planStatusOf('pro_yearly'))
    server.answer(listApiKeys, () => [
      sampleKey('key-booth', 'Booth', '2026-01-02T20:00:00.000Z'),
      sampleKey('key-thief', 'Backup', '2026-11-10T20:00:00.000Z'),
    ])
    server.answer(listWebhooks, () => [webhook])
    const note = (name: string) => (call: { body: unknown }) => {
      calls.push([name, call.body])
      return null
    }
    server.answer(deleteApiKeys, note('keys'))
    server.answer(deleteWebhooks, note('webhooks'))
    server.answer(endSessions, () => {
      calls.push('end')
      return null
    })
  })
  const dialog = async (name: string) => within(await screen.findByRole('alertdialog', { name }))
  const selected = (list: HTMLElement): string[] =>
    within(list)
      .getAllByRole('checkbox', { checked: true })
      .map((box) => (box as HTMLInputElement).labels![0]!.textContent)

  test('after a reset, what opens the account is listed with its last use, and deleted by one button', async () => {
    const { token } = server.addUser()
    const { person, where } = await visit(server, { at: '/settings?review=access', token })
    const review = await dialog('Check what else has access')
    const list = review.getByRole('list', { name: 'API keys and webhooks' })
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'API key “Backup”Created on November 10, 2026Never used',
      expect.stringMatching(/^Webhook to hooks\.example\.comCreated on October 20, 2026Last used .*14/),
      'API key “Booth”Created on January 2, 2026Never used',
    ])
    // Since the password before that was set.
    expect(selected(list)).toEqual(['API key “Backup”', 'Webhook to hooks.example.com'])
    server.answer(deleteApiKeys, () => refuse(503, 'The database is down.', 'unavailable'))
    await person.click(review.getByRole('button', { name: 'Delete selected (2)' }))
    expect(await review.findByText('The database is down.')).toBeVisible()
    server.answer(deleteApiKeys, ({ body }) => {
      calls.push(['keys', body])
      return null
    })
    await person.click(review.getByRole('checkbox', { name: /Booth/ }))
    await person.click(review.getByRole('button', { name: 'Delete selected (3)' }))
    expect(await screen.findByText('Deleted. They stop working within a second.')).toBeVisible()
    expect(calls).toEqual([
      ['keys', { ids: ['key-thief', 'key-booth'] }],
      ['webhooks', { ids: ['webhook-1'] }],
    ])
    await waitFor(() => expect(where()).toBe('/settings#safe'))
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  test('in an account with events, links to their photos and helpers are reviewed as well', async () => {
    const { token } = server.addUser({ current_event_id: null })
    server.answer(listAllEventGrants, () => ({
      grants: [
        {
          id: 'grant-thief',
          event_id: 'event-1',
          event_name: 'Lotte & Bram',
          email: 'thief@example.com',
          created_at: '2026-11-10T20:00:00.000Z',
          expires_at: '2027-02-10T20:00:00.000Z',
          revoked_at: null,
          state: 'sent' as const,
          failure: null,
        },
      ],
    }))
    server.answer(revokeEventGrants, ({ body }) => {
      calls.push(['grants', body])
      return null
    })
    server.answer(listAllHelpers, () => ({ helpers: [sampleHelper()] }))
    server.answer(endHelpers, ({ body }) => {
      calls.push(['helpers', body])
      return null
    })
    const { person } = await visit(server, { at: '/settings?review=access', token })
    const review = await dialog('Check what else has access')
    expect(review.getByRole('checkbox', { name: 'Helper Anna of “Lotte & Bram”' })).toBeChecked()
    const box = review.getByRole('checkbox', { name: 'Link to all photos of “Lotte & Bram” for thief@example.com' })
    expect(box).toBeChecked()
    await person.click(review.getByRole('button', { name: /^Delete selected/ }))
    await waitFor(() => expect(calls).toContainEqual(['grants', { ids: ['grant-thief'] }]))
    await waitFor(() => expect(calls).toContainEqual(['helpers', { ids: ['helper1'] }]))
  })

  test('without keys and webhooks there is nothing to review', async () => {
    server.answer(listApiKeys, () => [])
    server.answer(listWebhooks, () => [])
    const { token } = server.addUser()
    await visit(server, { at: '/settings?review=access', token })
    await screen.findByText('Signed in on 2 devices')
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  test('signing out everywhere deletes what was created since the password was set, unless it is kept', async () => {
    const { person, where } = await openSettings(server)
    await person.click(await screen.findByRole('button', { name: 'Sign out everywhere' }))
    const question = await dialog('Sign out everywhere')
    const list = question.getByRole('list', { name: 'API keys and webhooks' })
    expect(selected(list)).toEqual(['API key “Backup”'])
    await person.click(question.getByRole('button', { name: 'Delete selected (1) and sign out' }))
    await waitFor(() => expect(where()).toBe('/login'))
    expect(calls).toEqual([['keys', { ids: ['key-thief'] }], 'end'])
  })

  describe('creating asks for the password when the server does', () => {
    const askOnce = () => {
      let isConfirmed = false
      server.answer(confirmPassword, ({ body }) => {
        calls.push(body)
        if (body.password !== 'Correct1!') return refuse(403, 'This is not your current password.', 'forbidden')
        isConfirmed = true
        return { confirmed_until: used }
      })
      return () => (isConfirmed ? null : refuse(403, 'Please enter your password to go on.', 'confirm_password'))
    }
    const enter = async (
      { person }: Awaited<ReturnType<typeof openSettings>>,
      form: Awaited<ReturnType<typeof dialog>>,
      submit: string,
    ) => {
      const button = form.getByRole('button', { name: submit })
      const send = async () => {
        await waitFor(() => expect(button).not.toHaveAttribute('aria-busy'))
        await person.click(button)
      }
      await send()
      const field = await form.findByLabelText('Your password')
      expect(field).toHaveFocus()
      expect(form.queryByRole('alert')).toBeNull()
      await send()
      expect(form.getByText('Please enter your password.')).toBeVisible()
      await person.type(field, 'Wrong1!x')
      await send()
      expect(await form.findByText('This is not your current password.')).toBeVisible()
      expect(field).toHaveFocus()
      await person.clear(field)
      await person.type(field, 'Correct1!')
      await send()
    }

    test('a key', async () => {
      const refusal = askOnce()
      server.answer(createApiKey, ({ body }) => refusal() ?? sampleKey('key-new', body.name, used))
      const page = await openSettings(server)
      await page.person.click(await screen.findByRole('button', { name: 'Create key' }))
      const form = within(await screen.findByRole('dialog', { name: 'Create an API key' }))
      await page.person.type(form.getByLabelText('Name'), 'Booth 2')
      await enter(page, form, 'Create key')
      expect(await screen.findByRole('region', { name: 'New key: Booth 2' })).toBeVisible()
      expect(calls).toEqual([{ password: 'Wrong1!x' }, { password: 'Correct1!' }])
    })

    test('a webhook', async () => {
      const refusal = askOnce()
      server.answer(createWebhook, ({ body }) => refusal() ?? { ...webhook, ...body, secret: 'whsec_full' })
      const page = await openSettings(server)
      await page.person.click(await screen.findByRole('button', { name: 'Add webhook' }))
      const form = within(await screen.findByRole('dialog', { name: 'Add a webhook' }))
      await page.person.type(form.getByLabelText('URL'), 'https://two.example.com/')
      await enter(page, form, 'Add webhook')
      expect(await screen.findByText('whsec_full')).toBeVisible()
    })
  })
})

describe('Security', () => {
  const server = useFakeServer(serveSettings)

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
          <Sessions onEndedAll={() => {}} />
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
    const open = () => openPart(server, () => <Sessions onEndedAll={() => {}} />)

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
      expect(
        await screen.findByText('Your account has been deleted. We’ve sent you a confirmation email.'),
      ).toBeVisible()
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
})
