import {
  decideReport,
  exportPhotoRequests,
  listPhotoRequests,
  listReports,
  type PhotoReport,
  type PhotoRequest,
  resendFailedRequests,
  resendPhotoRequest,
} from '@keepsnap/contract/guests.ts'
import { updateSettings } from '@keepsnap/contract/accounts.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { noFilter, requestKeys } from './requests.ts'
import { type FakeServer, noResponse, refuse, useFakeServer } from '../../test/fake-server.ts'
import { visit } from '../../test/render.tsx'
import { sampleReport, sampleRequest, sampleRequestList } from '../../test/samples.ts'
import { waitLimitMs } from '../../test/eventually.ts'

let token: string
const server = useFakeServer((server) => {
  token = server.addUser().token
  server.answer(listReports, () => ({ reports: [] }))
})

const at = '/photo-requests'
const serve = (...requests: PhotoRequest[]) => server.answer(listPhotoRequests, () => sampleRequestList(requests))
const failed = sampleRequest(2, { state: 'failed', failure: 'Mailbox is full' })
/** The table row of a request. */
const row = (number: number) => {
  const found = document.querySelector<HTMLElement>(`[data-request="request${number}"]`)
  if (!found) throw new Error(`no row of request ${number}`)
  return found
}
const rows = () => Array.from(document.querySelectorAll('[data-request]'), (one) => one.getAttribute('data-request'))
const connected = () => waitFor(() => expect(server.calls).toContain('POST /ws/ticket'))
/** Sends a message until the page shows its effect: the live connection may not be open at first. */
const pushUntil = (message: Parameters<FakeServer['push']>[0], check: () => void) =>
  vi.waitFor(
    async () => {
      await act(async () => server.push(message))
      check()
    },
    { timeout: waitLimitMs, interval: 200 },
  )

describe('the list of requests', () => {
  test('is not shown before the reports above it are known, which would push it down', async () => {
    let answerReports = (): void => {}
    const reportsAnswered = new Promise<void>((resolve) => {
      answerReports = resolve
    })
    server.answer(listReports, async () => {
      await reportsAnswered
      return { reports: [sampleReport(1)] }
    })
    serve(sampleRequest(1))
    const { state } = await visit(server, { at, token })
    await waitFor(() => expect(state.queryClient.getQueryData(requestKeys.list(noFilter))).toBeDefined())
    expect(await screen.findByText('Loading...')).toBeInTheDocument()
    expect(rows()).toEqual([])
    answerReports()
    expect(await screen.findByRole('heading', { name: 'Reported photos' })).toBeVisible()
    expect(rows()).toEqual(['request1'])
  })

  test('shows the requester, the photo, the time and the state of each request', async () => {
    serve(sampleRequest(3, { state: 'waiting', due_at: '2026-11-15T09:00:00.000Z' }), failed, sampleRequest(1))
    await visit(server, { at, token })
    expect(await screen.findByText('3 requests, 1 sent, 1 failed, 1 pending')).toBeVisible()
    expect(screen.queryByRole('heading', { name: 'Reported photos' })).toBeNull()
    expect(row(1)).toHaveTextContent('guest1@example.com')
    expect(row(1)).toHaveTextContent('IMG_4001.jpg')
    expect(row(1)).toHaveTextContent('photo1')
    expect(row(1)).toHaveTextContent('Sent')
    expect(row(2)).toHaveTextContent('FailedMailbox is full')
    expect(row(3)).toHaveTextContent('WaitingScheduled for')
    expect(within(row(1)).getByRole('link', { name: 'View Photo' })).toHaveAttribute('href', '/latest')
    expect(within(row(1)).queryByRole('button')).toBeNull()
    expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
      'Requester',
      'Photo',
      'Requested',
      'State',
      'Action',
    ])
  })

  test('is shown when the reports cannot be loaded, also while they are fetched again', async () => {
    serve(sampleRequest(1))
    server.answer(listReports, () => refuse(403, 'No reports', 'forbidden'))
    const { connected } = await visit(server, { at, token })
    await screen.findByText('1 request, 1 sent')
    const shownRow = row(1)
    await connected()
    expect(shownRow).toBeVisible()
  })

  test('says that it failed to load, and keeps its rows when a later refresh fails', async () => {
    server.refuseLiveConnections()
    server.answer(listPhotoRequests, () => noResponse)
    const { person } = await visit(server, { at, token })
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load photo requests. Please try again.')
    serve(sampleRequest(1))
    await person.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText('1 request, 1 sent')).toBeVisible()
    server.answer(listPhotoRequests, () => refuse(503, 'away'))
    const refresh = screen.getByRole('button', { name: 'Refresh' })
    await person.click(refresh)
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load photo requests. Please try again.')
    expect(rows()).toEqual(['request1'])
    serve(sampleRequest(2), sampleRequest(1))
    await waitFor(() => expect(refresh).not.toHaveAttribute('aria-busy'))
    await person.click(refresh)
    expect(await screen.findByText('2 requests, 2 sent')).toBeVisible()
  })

  test('loads older requests by itself, and by a button when that has failed, also during another load', async () => {
    const list = sampleRequestList([sampleRequest(2), sampleRequest(1)])
    const first = {
      refuse: 200,
      body: { ...list, requests: [sampleRequest(2)] },
      headers: { 'x-next-before': 'request2' },
    } as const
    server.answer(listPhotoRequests, ({ query: { before } }) => (before === undefined ? first : refuse(503, 'away')))
    const { person } = await visit(server, { at, token })
    const more = await screen.findByRole('button', { name: 'Show more' })
    expect(screen.getByText('Failed to load more photo requests. Please try again.')).toBeVisible()
    let answer = (): void => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    server.answer(listPhotoRequests, async ({ query: { before } }) => {
      if (before !== undefined) return { ...list, requests: [sampleRequest(1)] }
      await answered
      return first
    })
    await person.click(screen.getByRole('button', { name: 'Refresh' }))
    await person.click(more)
    expect(rows()).toEqual(['request2'])
    answer()
    await waitFor(() => expect(rows()).toEqual(['request2', 'request1']))
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  })

  test('is searched and filtered, says how many were found and what the export has, and shows all again', async () => {
    const anna = sampleRequest(3, { requester_email: 'anna@example.com', state: 'failed', failure: 'Full' })
    const all = sampleRequestList([anna, sampleRequest(2), sampleRequest(1)])
    const next_removal = { at: '2026-12-04T10:00:00.000Z', addresses: 312 }
    server.answer(listPhotoRequests, ({ query: { email = '', state } }) => {
      const found = all.requests.filter(
        (request) => request.requester_email.includes(email) && (state ?? request.state) === request.state,
      )
      return { ...sampleRequestList(found), all: all.all, next_removal }
    })
    const { person } = await visit(server, { at, token })
    const note = /^On Friday.* December.*, 312 addresses will be removed\. Export them first if you need them\./
    expect(await screen.findByText(note)).toBeVisible()
    await person.type(screen.getByRole('searchbox', { name: 'Search by email address' }), 'anna')
    expect(await screen.findByText('1 request found')).toBeVisible()
    expect(rows()).toEqual(['request3'])
    expect(screen.getByText('3 requests, 2 sent, 1 failed')).toBeVisible()
    expect(screen.getByText(/Export CSV contains all requests, not only those found\./)).toBeVisible()
    await person.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'Sent')
    expect(await screen.findByText('No requests match.')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Show all requests' }))
    await waitFor(() => expect(rows()).toHaveLength(3))
    expect(screen.getByRole('searchbox')).toHaveValue('')
  })
})

describe('sending all failed emails again', () => {
  test('asks with their number, tells what was queued, and keeps the question open when it fails', async () => {
    serve(failed, sampleRequest(1))
    server.answer(resendFailedRequests, () => noResponse)
    const { person } = await visit(server, { at, token })
    await person.click(await screen.findByRole('button', { name: 'Send all failed again' }))
    const question = screen.getByRole('alertdialog', { name: 'Send all failed emails again?' })
    expect(question).toHaveTextContent('1 email has failed and will be sent again.')
    const send = within(question).getByRole('button', { name: 'Send again' })
    await person.click(send)
    expect(await within(question).findByText(/Some may have been sent/)).toBeVisible()
    server.answer(resendFailedRequests, () => {
      serve(sampleRequest(1))
      return { queued: 240, waiting: 1, refused: 2, left: 0 }
    })
    await person.click(send)
    const told =
      '240 emails are being sent again. 1 email will be sent later because of a limit. 2 emails can’t be sent again.'
    expect(await screen.findByText(told)).toBeVisible()
    await waitFor(() => expect(rows()).toEqual(['request1']))
    expect(screen.queryByRole('button', { name: 'Send all failed again' })).toBeNull()
  })
})

describe('resending a failed email', () => {
  const resend = () => screen.findByRole('button', { name: 'Resend to guest2@example.com' })

  test('shows it as queued at once', async () => {
    serve(failed)
    let answer: (() => void) | undefined
    server.answer(
      resendPhotoRequest,
      () => new Promise((resolve) => (answer = () => resolve({ ...failed, state: 'queued', failure: null }))),
    )
    const { person } = await visit(server, { at, token })
    await person.click(await resend())
    await waitFor(() => expect(row(2)).toHaveTextContent('Queued'))
    expect(row(2)).not.toHaveTextContent('Mailbox is full')
    expect(screen.getByText('1 request, 0 sent, 1 pending')).toBeVisible()
    await waitFor(() => expect(answer).toBeDefined())
    await act(async () => answer?.())
    // The button has disappeared: keyboard users keep their position.
    await waitFor(() => expect(within(row(2)).getByRole('link', { name: 'View Photo' })).toHaveFocus())
    expect(within(row(2)).queryByRole('button')).toBeNull()
  })

  test('shows it as failed again, with a message, when the server refuses', async () => {
    serve(failed)
    server.answer(resendPhotoRequest, () => refuse(409, 'This address is blocked.', 'conflict'))
    const { person } = await visit(server, { at, token })
    await person.click(await resend())
    expect(await within(row(2)).findByRole('alert')).toHaveTextContent('This address is blocked.')
    expect(row(2)).toHaveTextContent('FailedMailbox is full')
    server.answer(resendPhotoRequest, () => noResponse)
    await person.click(await resend())
    const sentence = 'Failed to resend the email. Please try again.'
    await waitFor(() => expect(within(row(2)).getByRole('alert')).toHaveTextContent(sentence))
    expect(await resend()).toBeVisible()
  })
})

test('the export is fetched with the session token and saved as a file, or says that it failed', async () => {
  const saved: { name: string; href: string }[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push({ name: this.download, href: this.href })
  })
  serve(sampleRequest(1))
  server.answer(exportPhotoRequests, () => refuse(503, 'away'))
  const { person } = await visit(server, { at, token })
  await person.click(await screen.findByRole('button', { name: 'Export CSV' }))
  expect(await screen.findByText('Failed to export photo requests. Please try again.')).toBeVisible()
  expect(saved).toEqual([])
  let sentToken: string | null = null
  server.answer(exportPhotoRequests, ({ token: received }) => {
    sentToken = received
    return { refuse: 200, text: 'requester\r\nguest1@example.com\r\n', headers: { 'content-type': 'text/csv' } }
  })
  await person.click(screen.getByRole('button', { name: 'Export CSV' }))
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(sentToken).toBe(token)
  expect(saved[0]?.name).toMatch(/^photo-requests-\d{4}-\d\d-\d\d\.csv$/)
  expect(saved[0]?.href).toMatch(/^blob:/)
})

test('messages of the live connection add requests, also the first one, and change the state of another', async () => {
  serve()
  await visit(server, { at, token })
  await screen.findByText(/No requests yet/)
  await connected()
  await pushUntil({ action: 'photo_request', request: sampleRequest(1, { state: 'queued' }) }, () =>
    expect(rows()).toEqual(['request1']),
  )
  await pushUntil({ action: 'photo_request', request: sampleRequest(2, { state: 'queued' }) }, () =>
    expect(rows()).toEqual(['request2', 'request1']),
  )
  expect(screen.getByText('2 requests, 0 sent, 2 pending')).toBeVisible()
  await pushUntil({ action: 'photo_request', request: sampleRequest(1) }, () =>
    expect(row(1)).toHaveTextContent('Sent'),
  )
  expect(screen.getByText('2 requests, 1 sent, 1 pending')).toBeVisible()
})

describe('asking for an email address', () => {
  const gateSwitch = () => screen.findByRole('checkbox', { name: 'Ask for an email address' })

  test('is switched on at once, with a confirmation, and back when it could not be saved', async () => {
    serve(sampleRequest(1))
    server.answer(updateSettings, () => refuse(403, 'Not on this account.', 'forbidden'))
    const { person } = await visit(server, { at, token })
    await person.click(await gateSwitch())
    expect(await screen.findByText('Not on this account.')).toBeVisible()
    expect(await gateSwitch()).not.toBeChecked()
    server.answer(updateSettings, ({ user, body }) => ({ ...user!, ...body }))
    await person.click(await gateSwitch())
    expect(await gateSwitch()).toBeChecked()
    expect(await screen.findByText('Email setting updated successfully')).toBeVisible()
    expect(await gateSwitch()).toBeChecked()
  })

  test('is offered by the empty state, which moves the focus to the switch', async () => {
    serve()
    server.answer(updateSettings, ({ user, body }) => ({ ...user!, ...body }))
    const { person } = await visit(server, { at, token })
    expect(await screen.findByText(/No requests yet\. They appear here/)).toBeVisible()
    expect(screen.getByText('0 requests')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Ask for an email address' }))
    expect(await gateSwitch()).toBeChecked()
    expect(await gateSwitch()).toHaveFocus()
    expect(screen.queryByRole('button', { name: 'Ask for an email address' })).toBeNull()
  })

  test('follows a change on another device', async () => {
    serve(sampleRequest(1))
    const { user, token: other } = server.addUser({ email: 'two@example.com' })
    const { connected } = await visit(server, { at, token: other })
    expect(await gateSwitch()).not.toBeChecked()
    await connected()
    user.ask_email_to_receive_photo = true
    act(() => server.push({ action: 'user_update' }))
    await waitFor(() => expect(screen.getByRole('checkbox')).toBeChecked())
  })
})

describe('reported photos', () => {
  const reviewed = (report: PhotoReport, decision: 'hide' | 'keep'): PhotoReport => ({
    ...report,
    open: false,
    hidden: decision === 'hide',
    decision,
    decided_at: '2026-11-14T22:00:00.000Z',
  })
  const report = sampleReport(1, {
    reports: [{ reason: 'child', note: '<b>Please</b> take it down', reported_at: '2026-11-14T21:00:00.000Z' }],
  })

  test('show the reasons, and are hidden with one click and shown again after a confirmation; a failure is told', async () => {
    serve()
    let now = report
    server.answer(listReports, () => ({ reports: [now] }))
    server.answer(decideReport, () => noResponse)
    const { person } = await visit(server, { at, token })
    expect(await screen.findByText('It shows a child')).toBeVisible()
    expect(screen.getByText('<b>Please</b> take it down')).toBeVisible()
    await person.click(await screen.findByRole('button', { name: 'Keep visible' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Your decision couldn’t be saved. Please try again.')
    expect(screen.getByText('Needs review')).toBeVisible()
    server.answer(decideReport, ({ body }) => (now = reviewed(now, body.decision)))
    await person.click(screen.getByRole('button', { name: 'Hide from guests' }))
    expect(await screen.findByText('Hidden. Guests can no longer open it.')).toBeVisible()
    expect(server.calls).toContain('POST /photos/photo1/decision')
    const show = screen.getByRole('button', { name: 'Show again' })
    expect(show).toHaveFocus()
    await person.click(show)
    const confirmation = screen.getByRole('alertdialog', { name: 'Show this photo again?' })
    await person.click(within(confirmation).getByRole('button', { name: 'Show again' }))
    expect(await screen.findByText('Guests can open it. Its reports are closed.')).toBeVisible()
    expect(now.hidden).toBe(false)
  })

  test('are counted in the account menu, and a new report appears automatically', async () => {
    serve()
    const reports: PhotoReport[] = []
    server.answer(listReports, () => ({ reports }))
    const { person } = await visit(server, { at, token })
    await connected()
    expect(screen.getByRole('button', { name: 'Account menu' })).toBeInTheDocument()
    reports.push(report)
    await pushUntil({ action: 'photo_reported', photo_id: 'photo1' }, () =>
      expect(screen.getByText('It shows a child')).toBeVisible(),
    )
    await person.click(await screen.findByRole('button', { name: 'Account menu, 1 photo reported' }))
    expect(screen.getByRole('link', { name: 'Photo Requests 1 photo reported' })).toHaveAttribute('href', at)
  })

  test('that were reviewed before are collapsed; one that the operator hid has only the way to support', async () => {
    serve()
    const byOperator = sampleReport(3, { hidden: true, hidden_by_operator: true, open: false })
    server.answer(listReports, () => ({ reports: [byOperator, sampleReport(2)] }))
    await visit(server, { at, token })
    const list = (await screen.findByText('1 photo reviewed')).closest('details')!
    expect(list.open).toBe(false)
    expect(within(list).getByText('IMG_4003.jpg', { selector: 'h3' })).toBeInTheDocument()
    expect(within(list).getByText('Hidden by the operator')).toBeInTheDocument()
    expect(within(list).getByText('Contact support', { selector: 'a' })).toHaveAttribute('href', '/support')
    expect(within(list).queryByText('Show again')).toBeNull()
  })
})
