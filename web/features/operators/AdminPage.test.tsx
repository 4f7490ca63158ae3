import {
  activateUser,
  confirmOperator,
  deactivateUser,
  deleteUser,
  exportUser,
  givePlan,
  listAuditEntries,
  operatorGetUser,
  operatorHealth,
  operatorIntegrity,
  operatorListUsers,
  operatorOverview,
  refundUser,
  startIntegrityCheck,
  type UserFilter,
} from '@keepsnap/contract/operators.ts'
import { getBusinessInvoice, listBusinessInvoices } from '@keepsnap/contract/operator-invoices.ts'
import {
  changeSupportMessage,
  deleteReportedPhoto,
  eraseGuest,
  findEmails,
  findPhoto,
  getSupportMessage,
  hideReportedPhoto,
  listFailedPhotos,
  listReportedPhotos,
  listSupportMessages,
  retryFailedPhoto,
  sendEmailAgain,
  showReportedPhoto,
} from '@keepsnap/contract/operator-support.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { type ComponentType, useState } from 'react'
import { beforeAll, describe, expect, test } from 'vitest'
import { BusinessInvoices } from './BusinessInvoices.tsx'
import { AuditLogSection } from './AuditLogSection.tsx'
import { FailedPhotos, ReportedPhotos } from './PhotoSections.tsx'
import { EmailAlarm } from './HealthSection.tsx'
import { IntegritySection } from './IntegritySection.tsx'
import { LookupSection } from './LookupSection.tsx'
import { Overview } from './Overview.tsx'
import { SupportInbox } from './SupportInbox.tsx'
import { UserDrawer } from './UserDrawer.tsx'
import { UsersSection } from './UsersSection.tsx'
import { WithdrawalsSection } from './WithdrawalsSection.tsx'
import { noResponse, refuse, useFakeServer } from '../../test/fake-server.ts'
import { focusedHeading, pseudo, visit } from '../../test/render.tsx'
import {
  healthInTrouble,
  passwordRequired,
  sampleAddress,
  sampleFailedPhoto,
  sampleIntegrityCheck,
  sampleReportedPhoto,
  sampleUserDetail,
  serveOperator,
} from '../../test/operators.ts'
import { untranslatedTexts } from '../../test/translated-text.ts'

// Pages are loaded on demand; the first load is slow when many tests run at once.
beforeAll(() => Promise.all([import('./AdminPage.tsx'), import('./OperatorPage.tsx')]))

let token: string
let isConfirmed: () => boolean
const server = useFakeServer(() => {
  token = server.addUser({ id: 'admin', is_admin: true }).token
  ;({ isConfirmed } = serveOperator(server))
})

const at = '/admin'
const open = (part?: ComponentType) => visit(server, { at, token, ...(part && { part }) })
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const section = (name: string) => screen.findByRole('region', { name: new RegExp(`^${name}`) })
const notFound = 'This page isn’t in the album'
const nothing = (): void => {}

test.each([
  ['nobody who is signed in', null],
  ['a user', false],
])('%s gets the page for paths that do not exist, and no request is sent', async (_, is_admin) => {
  const user = server.addUser({ email: 'user@example.com' })
  await visit(server, { at, ...(is_admin !== null && { token: user.token }) })
  expect(await screen.findByRole('heading', { level: 1, name: notFound })).toBeVisible()
  expect(document.title).toBe('Page not found · Keepsnap')
  expect(server.calls.filter((call) => call.includes('operator'))).toEqual([])
})

describe('the whole page', () => {
  const expectSection = async (name: string, text: RegExp) => {
    const found = await section(name)
    await waitFor(() => expect(found).toHaveTextContent(text))
  }

  test('is linked in the account menu for admins only, and has numbers, health, queues, photos, users and the log', async () => {
    const user = server.addUser({ email: 'user@example.com' })
    const part = () => <h1>Elsewhere</h1>
    const { person, state } = await visit(server, { at: '/gallery', token: user.token, part })
    await person.click(await button('Account menu'))
    await screen.findByRole('link', { name: 'Your Profile' })
    expect(screen.queryByRole('link', { name: 'Operator' })).toBeNull()
    await person.keyboard('{Escape}')
    act(() => state.session.begin(token))
    await person.click(await button('Account menu'))
    await person.click(await screen.findByRole('link', { name: 'Operator' }))
    await focusedHeading('Operator')
    expect(document.title).toBe('Operator · Keepsnap')
    const numbers = await screen.findByText('212,480')
    expect(numbers.closest('dl')).toHaveTextContent(
      /Users1,?84631 new in 7 days.*288 monthly, 167 yearly, 12 complimentary.*Storage1\.42 TB7 MB per photo/,
    )
    expect((await screen.findByText('Messages to answer')).parentElement).toHaveTextContent('31 with priority')
    await expectSection('Health', /EmailDelivering.*Billing1 past due/)
    await expectSection('Queues', /photos4200\.8 s.*3 idle queues/)
    await expectSection('Photos per day', /Most: 3,?610 on Saturday,? November 14/)
    await expectSection('Failed photos', /Failed photos 9IMG_4371\.tiffThe file ends in the middle of the picture/)
    const failed = await section('Failed photos')
    expect(failed.querySelector('img')).toBeNull()
    expect(within(failed).getByText('Final')).toBeVisible()
    await expectSection('Reported photos', /IMG_4001\.jpgNeeds reviewI’m in it/)
    expect(await screen.findByText('1 to 3 of 3')).toBeVisible()
    await expectSection('Audit log', /admin@example\.comdeactivate accountfotohuis1Chargeback/)
    expect(screen.queryByRole('alert')).toBeNull()
    // Users who are past due are one press away from the line about billing.
    await person.click(await button('View users who are past due'))
    expect(screen.getByRole('radio', { name: 'Past due', checked: true })).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Users' })).toHaveFocus()
  })

  test('keeps its numbers when a refresh fails, and disappears for a user who is no longer an admin', async () => {
    const admin = server.addUser({ id: 'other', email: 'other@example.com', is_admin: true })
    const { person } = await visit(server, { at, token: admin.token })
    await screen.findByText('212,480')
    server.answer(operatorOverview, () => refuse(503, 'no'))
    const refresh = await button('Refresh')
    await person.click(refresh)
    expect(await screen.findByRole('alert')).toHaveTextContent(/^As of .* Newer numbers couldn’t be loaded\.$/)
    expect(screen.getByText('212,480')).toBeVisible()
    await waitFor(() => expect(refresh).not.toHaveAttribute('aria-busy'))
    admin.user.is_admin = false
    await person.click(refresh)
    expect(await screen.findByRole('heading', { level: 1, name: notFound })).toBeVisible()
  })

  test('has a sentence and a button in place of each part that fails, which loads it again', async () => {
    const endpoints = [
      operatorOverview,
      operatorHealth,
      operatorIntegrity,
      listFailedPhotos,
      listReportedPhotos,
    ] as const
    for (const endpoint of [...endpoints, operatorListUsers, listAuditEntries])
      server.answer(endpoint, () => noResponse)
    const { person } = await open()
    await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(7))
    serveOperator(server)
    for (const tryAgain of screen.getAllByRole('button', { name: 'Try Again' })) await person.click(tryAgain)
    expect(await screen.findByText('212,480')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  })

  test('has a sentence in empty lists; an admin whose session ends signs in and returns', async () => {
    const none = { photos: [], total: 0, skip: 0, limit: 8 }
    server.answer(listFailedPhotos, () => none)
    server.answer(listReportedPhotos, () => none)
    server.answer(operatorListUsers, () => ({ users: [], total: 0, skip: 0, limit: 20 }))
    server.answer(listAuditEntries, () => ({ entries: [], has_more: false }))
    const { person, state, where } = await open()
    expect(await screen.findByText('No failed photos.')).toBeVisible()
    expect(await screen.findByText('No photo has been reported.')).toBeVisible()
    expect(await screen.findByText('Nothing has been done here yet.')).toBeVisible()
    await person.click(screen.getByRole('radio', { name: 'Deactivated' }))
    await person.click(await button('Show all users'))
    const users = await section('Users')
    expect(within(users).getByRole('radio', { name: 'All', checked: true })).toBeVisible()
    act(() => state.session.end('expired'))
    await waitFor(() => expect(where()).toBe('/login?return=%2Fadmin'))
  })

  test('opens users in a drawer with an address of its own, also one that does not exist or fails to load', async () => {
    server.answer(operatorGetUser, () => refuse(404, 'Not found', 'not_found'))
    const { person, where } = await visit(server, { at: '/admin?user=nobody', token })
    expect(await screen.findByText('This account no longer exists.')).toBeVisible()
    await person.click(await button('Close'))
    await waitFor(() => expect(where()).toBe('/admin'))
    server.answer(operatorGetUser, () => noResponse)
    const users = within(await screen.findByRole('table', { name: 'Users' }))
    await person.click(await users.findByRole('button', { name: 'fotohuis2' }))
    expect(where()).toBe('/admin?user=user2')
    const again = await within(await screen.findByRole('dialog')).findByRole('button', { name: 'Try Again' })
    serveOperator(server)
    await person.click(again)
    const drawer = await screen.findByRole('dialog', { name: 'fotohuis2' })
    expect(drawer).toHaveTextContent(/Pro Yearly, paid until March 3, 2027.*3 devices, last used .*API keys2/)
    expect(within(drawer).getByText('742 of 1,000', { exact: false })).toBeVisible()
    expect(within(drawer).getByRole('button', { name: 'Refund' })).toBeDisabled()
    await person.click(within(drawer).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(where()).toBe('/admin'))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('has only sentences from the catalogue', async () => {
    server.answer(operatorHealth, () => healthInTrouble)
    const { person } = await visit(server, { at: '/admin?user=user1', token, language: pseudo })
    await screen.findByText('user1')
    await waitFor(() => expect(document.querySelectorAll('[data-audit-entry]')).toHaveLength(1))
    await waitFor(() => expect(document.querySelector('.operator-trail')).not.toBeNull())
    await waitFor(() => expect(document.querySelectorAll('[data-support-message]')).toHaveLength(10))
    act(() => document.querySelector<HTMLButtonElement>('[data-support-message] button')!.click())
    await waitFor(() => expect(document.querySelector('.operator-inbox__text')).not.toBeNull())
    for (const [part, typed] of [...document.querySelectorAll('.operator-lookup form')].entries()) {
      await person.type(typed.querySelector('input')!, `anna${part}@guest.test{Enter}`)
    }
    await waitFor(() => expect(document.querySelectorAll('[data-email], [data-found-photo]')).toHaveLength(5))
    expect(untranslatedTexts(document.body)).toEqual([])
  })
})

test('an alarm is shown when the mail server refuses emails', async () => {
  server.answer(operatorHealth, () => healthInTrouble)
  await open(EmailAlarm)
  expect(await screen.findByRole('alert')).toHaveTextContent(
    /^Emails have been waiting since .*535 5\.7\.8 Authentication credentials invalid$/,
  )
})

describe('the check of integrity', () => {
  test('has what the newest one has found, with the first of each, and can be started once', async () => {
    const { person } = await open(IntegritySection)
    const found = await section('Integrity check')
    await within(found).findByText('Files are missing')
    expect(found).toHaveTextContent(/424,?960 files stored, 500 read and compared/)
    expect(found).toHaveTextContent(/1,?200 files of an earlier version have no checksum/)
    expect(found).toHaveTextContent('3 names in the store are not Keepsnap’s, such as full/ab/.photo.jpg.a1B2c3')
    expect(found).toHaveTextContent(/Files are missing2Guests and owners get an error/)
    expect(found).toHaveTextContent(/Delayed emails31.*Since Nov/)
    await person.click(within(found).getByText('Show the first 2'))
    expect(within(found).getByText('full/aaaaaaaaaaaaaaaaaaaaaa (full of photo p1)')).toBeVisible()
    await person.click(within(found).getByRole('button', { name: 'Check now' }))
    expect(await within(found).findByText('A check is running. The result appears here.')).toBeVisible()
    await person.click(within(found).getByRole('button', { name: 'Check now' }))
    expect(server.calls.filter((call) => call === 'POST /api/operator/integrity')).toHaveLength(1)
  })

  test('says that there was none, that it cannot be started, and that nothing is wrong', async () => {
    server.answer(operatorIntegrity, () => ({ running: false, check: null }))
    server.answer(startIntegrityCheck, () => refuse(503, 'no'))
    const { person, state } = await open(IntegritySection)
    expect(await screen.findByText(/Nothing has been checked yet/)).toBeVisible()
    await person.click(await button('Check now'))
    expect(await screen.findByText(/couldn’t be started/)).toBeVisible()
    server.answer(operatorIntegrity, () => ({ running: false, check: { ...sampleIntegrityCheck, findings: [] } }))
    await act(() => state.queryClient.invalidateQueries())
    expect(await screen.findByText('Nothing is missing, damaged or late.')).toBeVisible()
  })
})

test('more photos and entries of the log are shown by Show more', async () => {
  const { person } = await open(() => (
    <>
      <FailedPhotos onOpenUser={nothing} />
      <AuditLogSection onOpenUser={nothing} />
    </>
  ))
  const failed = await section('Failed photos')
  await person.click(await within(failed).findByRole('button', { name: 'Show more' }))
  expect(await within(failed).findByText('IMG_4379.tiff')).toBeVisible()
  expect(within(failed).queryByRole('button', { name: 'Show more' })).toBeNull()
  const log = await section('Audit log')
  await person.click(await within(log).findByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(log.querySelectorAll('[data-audit-entry]')).toHaveLength(2))
  await person.click(within(log).getByRole('radio', { name: 'Admin keys' }))
  await waitFor(() => expect(server.calls.some((call) => call.includes('by=admin+key'))).toBe(true))
})

test('users are found by search and filter, page by page', async () => {
  serveOperator(server, 45)
  function Users() {
    const [filter, setFilter] = useState<UserFilter>('all')
    return <UsersSection filter={filter} onFilter={setFilter} onOpen={nothing} headingRef={null} />
  }
  const { person } = await open(Users)
  await person.click(await button('Next'))
  expect(await screen.findByText('21 to 40 of 45')).toBeVisible()
  await person.click(screen.getByRole('searchbox', { name: 'Search users' }))
  await person.paste('fotohuis45')
  expect(await screen.findByText('1 to 1 of 1')).toBeVisible()
  await person.keyboard('x')
  expect(await screen.findByText(/^No matching users\./)).toBeVisible()
  await person.click(await button('Clear the search'))
  expect(await screen.findByText('1 to 20 of 45')).toBeVisible()
  await person.click(screen.getByRole('radio', { name: 'Past due' }))
  await waitFor(() => expect(server.calls.some((call) => call.includes('filter=past_due'))).toBe(true))
})

describe('an action', () => {
  const dialog = () => screen.findByRole('alertdialog')
  const reason = async () => within(await dialog()).findByRole('textbox', { name: 'Reason (saved in the audit log)' })
  const password = () => screen.findByLabelText('Your password')
  /** Opens parts of the page. `press` presses a button, `confirm` one of the dialog, after a reason was entered. */
  async function openActions(part: ComponentType) {
    const page = await open(part)
    const { person } = page
    const press = async (name: string) => person.click(await button(name))
    const confirm = async (name: string, why?: string) => {
      if (why !== undefined) {
        await person.click(await reason())
        await person.paste(why)
      }
      await person.click(await within(await dialog()).findByRole('button', { name }))
    }
    return { ...page, press, confirm }
  }
  const Drawer = () => (
    <>
      <Overview />
      <UserDrawer userId="user1" onClose={nothing} />
    </>
  )

  test('on withdrawals accepts, finds the contract of an account, or closes with a note', async () => {
    const { person, press, confirm } = await openActions(() => <WithdrawalsSection onOpenUser={nothing} />)
    const row = async (id: string) =>
      waitFor(() => {
        const found = document.querySelector<HTMLElement>(`[data-withdrawal=${id}]`)
        expect(found).not.toBeNull()
        return found!
      })
    expect(await row('found')).toHaveTextContent(
      /Waiting.*Pro Monthly of last week.*fotohuis1.*made on November 15, 2026/,
    )
    expect(await row('lost')).toHaveTextContent(/No contract found.*: overdue.*None has this address/)
    await press('End plan and refund: Ann Peeters')
    await confirm('End plan and refund', 'Wrote from the same address')
    await person.type(await password(), 'Correct1!')
    await confirm('End plan and refund')
    expect(await screen.findByText('The plan ends, and Ann Peeters is refunded.')).toBeVisible()
    await press('Find the account: Bart Claes')
    await confirm('Find contract', 'Wrote to support')
    expect(await screen.findByText('Please enter the email address of the account.')).toBeVisible()
    const email = await screen.findByLabelText('Email address of the account')
    await person.type(email, 'nobody@example.com')
    await confirm('Find contract')
    expect(await screen.findByText('No account has this email address.')).toBeVisible()
    await person.clear(email)
    await person.type(email, 'ann@example.com')
    await confirm('Find contract')
    await waitFor(async () => expect(await row('lost')).toHaveTextContent(/Waiting.*fotohuis1/))
    await press('Nothing to do: Bart Claes')
    await confirm('Close', 'The same contract')
    expect(await screen.findByText('No open withdrawals.', { exact: false })).toBeVisible()
    await person.click(screen.getByRole('radio', { name: 'Closed 2' }))
    expect(await row('lost')).toHaveTextContent(/Closed.*The same contract/)
    expect(await row('found')).toHaveTextContent(/Refunded.*by an operator.*\$14\.99/)
  })

  test('asks why, and for the password when the server wants it; a wrong one is told', async () => {
    const sent: unknown[] = []
    server.answer(deactivateUser, ({ body }) => {
      sent.push(body.reason)
      return isConfirmed() ? sampleUserDetail(1, { is_active: false }) : passwordRequired
    })
    const { person, press, confirm } = await openActions(Drawer)
    await press('Deactivate')
    expect(await dialog()).toHaveAccessibleName('Deactivate fotohuis1?')
    await confirm('Deactivate')
    expect(await screen.findByText('Please enter a reason. It is saved in the audit log.')).toBeVisible()
    expect(await reason()).toHaveFocus()
    expect(sent).toEqual([])
    expect(screen.queryByLabelText('Your password')).toBeNull()
    await confirm('Deactivate', ' Chargeback ')
    await waitFor(async () => expect(await password()).toHaveFocus())
    await confirm('Deactivate')
    expect(await screen.findByText('Please enter your password.')).toBeVisible()
    await person.type(await password(), 'wrong')
    await confirm('Deactivate')
    expect(await screen.findByText('Current password is incorrect')).toBeVisible()
    await person.clear(await password())
    await person.type(await password(), 'Correct1!')
    await confirm('Deactivate')
    expect(await screen.findByText('fotohuis1 is deactivated.')).toBeVisible()
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(sent).toEqual(['Chargeback', 'Chargeback'])
    // The drawer shows the new state, and the lists are fetched again.
    await waitFor(() =>
      expect(server.calls.filter((call) => call === 'GET /api/operator/overview').length).toBeGreaterThan(1),
    )
  })

  test('needs no password again within its time, and a refusal stays in the dialog', async () => {
    server.answer(refundUser, () => refuse(409, 'There is nothing to refund.', 'conflict'))
    server.answer(operatorGetUser, () => ({ ...sampleUserDetail(1), refundable_until: '2026-12-02T10:00:00.000Z' }))
    const { press, confirm } = await openActions(Drawer)
    await press('Refund')
    await confirm('Refund', 'Asked')
    expect(await within(await dialog()).findByRole('alert')).toHaveTextContent('There is nothing to refund.')
    server.answer(refundUser, () => ({ refunded_cents: 1499 }))
    await confirm('Refund')
    expect(await screen.findByText('$14.99 was refunded to fotohuis1.')).toBeVisible()
    expect(server.calls).not.toContain('POST /api/operator/confirmation')
  })

  test('shows payments that were disputed, with what can be done', async () => {
    const dispute = {
      id: 'du_1',
      amount_cents: 1499,
      reason: 'product_not_received',
      opened_at: '2026-11-22T10:00:00.000Z',
    }
    server.answer(operatorGetUser, () => ({
      ...sampleUserDetail(1),
      disputes: [
        { ...dispute, state: 'open' as const, respond_by: '2026-11-29T10:00:00.000Z' },
        { ...dispute, id: 'du_2', state: 'lost' as const, respond_by: null },
      ],
    }))
    await openActions(Drawer)
    const item = async (state: string) => (await screen.findByText(state, { selector: '.badge' })).closest('li')
    const disputed = '$14.99, disputed on November 22, 2026: product not received.'
    expect(await item('Open')).toHaveTextContent(`${disputed} Evidence can be sent to the payment provider until`)
    expect(await item('Lost')).toHaveTextContent(`${disputed} The subscription was cancelled without a refund.`)
  })

  test('gives a plan until a day, and takes it back', async () => {
    const sent: unknown[] = []
    const given = sampleUserDetail(1, { is_complimentary: true, plan_until: '2999-12-31T23:59:59.999Z' })
    server.answer(givePlan, ({ body }) => {
      sent.push(body)
      return given
    })
    const { person, press, confirm } = await openActions(Drawer)
    await press('Grant a plan')
    await person.click(await screen.findByRole('radio', { name: 'Pro Monthly' }))
    await person.type(await screen.findByLabelText('Last day'), '2020-01-01')
    await confirm('Grant plan', 'Sponsor')
    expect(await screen.findByText('The last day is in the past.')).toBeVisible()
    await person.clear(await screen.findByLabelText('Last day'))
    await person.type(await screen.findByLabelText('Last day'), '2999-12-31')
    server.answer(operatorGetUser, () => given)
    await confirm('Grant plan')
    expect(await screen.findByText('fotohuis1 has Pro Monthly now.')).toBeVisible()
    expect(await screen.findByText('Pro Yearly, complimentary until December 31, 2999')).toBeVisible()
    await press('Revoke the plan')
    await confirm('Revoke plan', 'Over')
    expect(await screen.findByText('The plan of fotohuis1 has been revoked.')).toBeVisible()
    expect(sent).toEqual([
      { plan: 'pro_monthly', until: '2999-12-31', reason: 'Sponsor' },
      { plan: 'free', until: null, reason: 'Over' },
    ])
  })

  test('activates an account again, but does not deactivate the own one', async () => {
    server.answer(operatorGetUser, () => sampleUserDetail(1, { is_active: false }))
    server.answer(activateUser, () => sampleUserDetail(1))
    const { press, confirm } = await openActions(Drawer)
    await press('Activate')
    await reason()
    server.answer(operatorGetUser, () => sampleUserDetail(1, { id: 'admin' }))
    await confirm('Activate', 'Mistake')
    expect(await screen.findByText('fotohuis1 is active again.')).toBeVisible()
    expect(await screen.findAllByText('This is your own account')).toHaveLength(2)
    for (const name of ['Deactivate', 'Delete']) expect(screen.getByRole('button', { name })).toBeDisabled()
  })

  test('deletes an account in two steps, the second with its address, and closes the drawer', async () => {
    const sent: unknown[] = []
    server.answer(deleteUser, ({ body }) => {
      sent.push(body)
      return { deleted: true }
    })
    let isClosed = false
    const { person, press, confirm } = await openActions(() => (
      <UserDrawer userId="user1" onClose={() => (isClosed = true)} />
    ))
    await press('Delete')
    expect(await dialog()).toHaveAccessibleName('Delete fotohuis1?')
    expect(await dialog()).toHaveTextContent(/This deletes 18,?204 photos/)
    await confirm('Continue')
    expect(await screen.findByRole('alertdialog', { name: 'Delete fotohuis1 for good?' })).toBeVisible()
    await person.type(await screen.findByLabelText('Email address of the account'), 'fotohuis2@example.com')
    await confirm('Delete account', 'Ticket 7')
    expect(await screen.findByText('This is not the email address of the account.')).toBeVisible()
    expect(sent).toEqual([])
    await person.clear(await screen.findByLabelText('Email address of the account'))
    await person.type(await screen.findByLabelText('Email address of the account'), 'Fotohuis1@example.com')
    await confirm('Delete account')
    expect(await screen.findByText('fotohuis1 has been deleted.')).toBeVisible()
    expect([isClosed, sent]).toEqual([true, [{ email: 'Fotohuis1@example.com', reason: 'Ticket 7' }]])
  })

  test('exports an account, and the drawer has what it paid', async () => {
    server.answer(exportUser, () => ({ url: 'javascript:void 0', expires_at: '2026-11-22T21:00:00.000Z' }))
    const { press, confirm } = await openActions(Drawer)
    const payments = (await screen.findByRole('heading', { name: 'Payments' })).nextElementSibling
    expect(payments).toHaveTextContent(
      /First payment on March 3, 2025Pro Yearly, active, since March 3, 2026, period until March 3, 2027, not renewedPro Monthly, from March 3, 2025 to March 3, 2026\$14\.99 refunded on March 4, 2026Refund of March 5, 2026, not confirmed yet/,
    )
    await press('Export')
    await confirm('Download', 'Ticket 7')
    expect(await screen.findByText('The download has started.')).toBeVisible()
  })

  test('deletes a reported photo', async () => {
    const deleted: string[] = []
    server.answer(deleteReportedPhoto, ({ params, body }) => {
      deleted.push(`${params.id}: ${body.reason}`)
      server.answer(listReportedPhotos, () => ({ photos: [], total: 0, skip: 0, limit: 8 }))
      return { deleted: true }
    })
    const { press, confirm } = await openActions(() => <ReportedPhotos onOpenUser={nothing} />)
    await press('Delete IMG_4001.jpg')
    expect(await dialog()).toHaveAccessibleName('Delete this photo for good?')
    await confirm('Delete photo', 'A child')
    expect(await screen.findByText('IMG_4001.jpg has been deleted.')).toBeVisible()
    expect(await screen.findByText('No photo has been reported.')).toBeVisible()
    expect(deleted).toEqual(['photo1: A child'])
  })

  test('finds the emails to an address, sends one again, and erases the guest', async () => {
    const done: string[] = []
    const opened: string[] = []
    server.answer(sendEmailAgain, ({ params, body }) => {
      done.push(`send ${params.id}: ${body.reason}`)
      return sampleAddress('ann@guest.test').emails[0]!
    })
    server.answer(eraseGuest, ({ body }) => {
      done.push(`erase ${body.address}: ${body.reason}`)
      const none = {
        emails: [],
        total: 0,
        guest_emails: 0,
        requests: 0,
        support_messages: 0,
        unsubscribed: true,
        account: null,
      }
      server.answer(findEmails, () => none)
      return { emails: 4, requests: 3, support_messages: 1, report_notes: 0 }
    })
    const { person, press, confirm } = await openActions(() => <LookupSection onOpenUser={(id) => opened.push(id)} />)
    await press('Find emails')
    expect(server.calls.some((call) => call.includes('/emails'))).toBe(false)
    await person.type(await screen.findByLabelText('Email address'), ' ann@guest.test {Enter}')
    const part = within(await section('Emails to an address'))
    const rows = await part.findAllByRole('listitem')
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^photoWaitingWritten .*, next try .*, 3 attemptsThe receiving server asks to wait/),
      expect.stringMatching(/^photoSentWritten .*, sent .*, 1 attempt/),
      expect.stringMatching(/^photoFailed.*The mailbox is full\./),
      expect.stringMatching(/^support-receivedSending/),
    ])
    expect(part.getByText('3 photo requests, 1 message to support, not unsubscribed')).toBeVisible()
    expect(part.getAllByRole('button', { name: /^Send the email/ })).toHaveLength(3)
    await person.click(part.getAllByRole('button', { name: 'Open the account of fotohuis1' })[0]!)
    await person.click(part.getAllByRole('button', { name: /^Send the email “photo”/ })[2]!)
    await confirm('Send again', 'Ticket 6')
    expect(await screen.findByText('The email is being sent.')).toBeVisible()
    await press('Erase this guest')
    expect(await dialog()).toHaveTextContent(
      'ann@guest.test is deleted: 3 photo requests, 4 emails, 1 message to support',
    )
    await confirm('Erase', 'Ticket 7')
    expect(await screen.findByText('The guest has been erased.')).toBeVisible()
    expect(await part.findByText('No emails to this address.')).toBeVisible()
    expect(part.queryByRole('button', { name: 'Erase this guest' })).toBeNull()
    expect([opened, done]).toEqual([['user1'], ['send email3: Ticket 6', 'erase ann@guest.test: Ticket 7']])
  })

  test('finds a photo, and says when there is none or it cannot be looked for', async () => {
    const { person, press } = await openActions(() => <LookupSection onOpenUser={nothing} />)
    const field = await screen.findByLabelText('ID, code or link')
    await person.type(field, 'https://photos.test/d/abc{Enter}')
    const part = await section('A photo')
    await within(part).findByText('IMG_4001.jpg')
    expect(part).toHaveTextContent(
      /Ownerfotohuis1FileIMG_4001\.jpgStateReadyUploaded.*Processed.*Hidden by an operator.*Reports1/,
    )
    await person.clear(field)
    await person.type(field, 'nothing')
    await press('Find photo')
    expect(await within(part).findByText(/^No photo was found\./)).toBeVisible()
    server.answer(findPhoto, () => noResponse)
    await person.type(field, '2{Enter}')
    expect(await within(part).findByRole('alert')).toBeVisible()
    server.answer(findEmails, () =>
      refuse(422, [{ loc: ['query', 'address'], msg: 'Please enter a full email address.' }], 'invalid'),
    )
    await person.type(await screen.findByLabelText('Email address'), 'ann{Enter}')
    expect(await screen.findByText('Please enter a full email address.')).toBeVisible()
  })

  test('retries a failed photo; one that could not be sent keeps what was typed', async () => {
    server.answer(retryFailedPhoto, () => noResponse)
    server.answer(confirmOperator, () => noResponse)
    const { person, press, confirm } = await openActions(() => <FailedPhotos onOpenUser={nothing} />)
    await press('Retry IMG_4371.tiff')
    await confirm('Retry', 'New version')
    expect(await within(await dialog()).findByRole('alert')).toHaveTextContent('That didn’t work. Please try again.')
    server.answer(retryFailedPhoto, () => passwordRequired)
    await confirm('Retry')
    await person.type(await password(), 'Correct1!')
    await confirm('Retry')
    expect(await screen.findByText('Your password couldn’t be checked. Please try again.')).toBeVisible()
    expect(await reason()).toHaveValue('New version')
    await confirm('Cancel')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    const retried: string[] = []
    server.answer(retryFailedPhoto, ({ params }) => {
      retried.push(params.id)
      server.answer(listFailedPhotos, () => ({ photos: [sampleFailedPhoto(2)], total: 1, skip: 0, limit: 8 }))
      return { retried: true }
    })
    await press('Retry IMG_4371.tiff')
    await confirm('Retry', 'New version')
    expect(await screen.findByText('IMG_4371.tiff is being processed again.')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Retry IMG_4371.tiff' })).toBeNull())
    expect(retried).toEqual(['failed1'])
  })

  test('hides a reported photo, and shows one again that an operator hid, and only such a one', async () => {
    const own = sampleReportedPhoto(2, { hidden: true, open: false })
    const serve = (first: ReturnType<typeof sampleReportedPhoto>) =>
      server.answer(listReportedPhotos, () => ({ photos: [first, own], total: 2, skip: 0, limit: 8 }))
    serve(sampleReportedPhoto(1))
    const done: string[] = []
    server.answer(hideReportedPhoto, ({ params, body }) => {
      done.push(`hide ${params.id}: ${body.message}`)
      const hidden = sampleReportedPhoto(1, { hidden: true, hidden_by_operator: true, open: false })
      serve(hidden)
      return hidden
    })
    server.answer(showReportedPhoto, ({ params, body }) => {
      done.push(`show ${params.id}: ${body.reason}`)
      serve(sampleReportedPhoto(1))
      return sampleReportedPhoto(1)
    })
    const { person, press, confirm } = await openActions(() => <ReportedPhotos onOpenUser={nothing} />)
    await press('Hide IMG_4001.jpg')
    await person.click(await screen.findByLabelText('Message to the owner (optional)'))
    await person.paste(' Ask the parents. ')
    await confirm('Hide from guests', 'A child')
    expect(await screen.findByText('IMG_4001.jpg is hidden from guests.')).toBeVisible()
    const list = within(await section('Reported photos'))
    expect(await list.findByText('Hidden by the operator')).toBeVisible()
    expect(list.getByText('Hidden from guests')).toBeVisible()
    expect(list.getAllByRole('button', { name: /Show .* again/ })).toHaveLength(1)
    await press('Show IMG_4001.jpg again')
    await confirm('Show again', 'Mistake')
    expect(await screen.findByText('IMG_4001.jpg is no longer hidden by an operator.')).toBeVisible()
    expect(done).toEqual(['hide photo1: Ask the parents.', 'show photo1: Mistake'])
  })
})

describe('the inbox of messages to support', () => {
  const opened: string[] = []
  async function openInbox() {
    const { person } = await open(() => <SupportInbox onOpenUser={(id) => opened.push(id)} />)
    const inbox = within(await section('Support'))
    const openMessage = async (name: string | RegExp) => person.click(await inbox.findByRole('button', { name }))
    const openFirst = async () => {
      await openMessage('Open “Question 1 & more” from Marjolein Vandenbroucke')
      return within(await screen.findByRole('dialog', { name: 'Question 1 & more' }))
    }
    return { person, inbox, openMessage, openFirst }
  }
  const rows = () => document.querySelectorAll('[data-support-message]').length

  test('lists the open messages in pages', async () => {
    const { person, inbox } = await openInbox()
    expect(await inbox.findByText('1 to 10 of 12', { exact: false })).toBeVisible()
    expect(rows()).toBe(10)
    expect(inbox.getAllByText('Priority')).toHaveLength(1)
    await person.click(inbox.getByRole('button', { name: 'Next' }))
    await waitFor(() => expect(rows()).toBe(2))
    await person.click(inbox.getByRole('radio', { name: 'Answered 0' }))
    expect(await inbox.findByText(/No answered messages/)).toBeVisible()
  })

  test('shows the full message, replies to it by email, and moves it to another list and back', async () => {
    const { person, openFirst } = await openInbox()
    const drawer = await openFirst()
    expect(await drawer.findByText(/The screen of hall 1 is dark\.\s+What now\?/)).toBeVisible()
    expect(drawer.getByRole('link', { name: 'Reply by email' })).toHaveAttribute(
      'href',
      'mailto:sender1@example.com?subject=Re%3A%20Question%201%20%26%20more',
    )
    await person.click(await drawer.findByRole('button', { name: 'Mark as answered' }))
    expect(await drawer.findByText('Answered', { selector: '.badge' })).toBeVisible()
    await person.click(drawer.getByRole('button', { name: 'Reopen' }))
    expect(await drawer.findByText('Open', { selector: '.badge' })).toBeVisible()
    await person.click(await drawer.findByRole('button', { name: 'Suspected spam' }))
    await person.click(await drawer.findByRole('button', { name: 'Not spam' }))
    expect(await drawer.findByText('Open', { selector: '.badge' })).toBeVisible()
    await person.click(drawer.getByRole('button', { name: /marjolein/ }))
    expect(opened).toEqual(['user1'])
  })

  test('deletes a message with the password and a reason', async () => {
    const { person, inbox, openFirst } = await openInbox()
    await person.click(await (await openFirst()).findByRole('button', { name: 'Delete' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete this message?' }))
    await person.type(dialog.getByLabelText('Reason (saved in the audit log)'), 'Asked')
    await person.click(dialog.getByRole('button', { name: 'Delete message' }))
    await person.type(await dialog.findByLabelText('Your password'), 'Correct1!')
    await person.click(dialog.getByRole('button', { name: 'Delete message' }))
    expect(await screen.findByText('The message was deleted')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await inbox.findByText('1 to 10 of 11', { exact: false })).toBeVisible()
  })

  test('shows failures to load or change a message, and that one was deleted', async () => {
    server.answer(listSupportMessages, () => refuse(503, 'x', 'unavailable'))
    const { person, inbox, openMessage, openFirst } = await openInbox()
    expect(await inbox.findByText('Failed to load the messages.')).toBeVisible()
    serveOperator(server)
    await person.click(inbox.getByRole('button', { name: 'Try Again' }))
    server.answer(changeSupportMessage, () => refuse(503, 'The database is away.', 'unavailable'))
    const drawer = await openFirst()
    await person.click(await drawer.findByRole('button', { name: 'Mark as answered' }))
    expect(await drawer.findByText('The database is away.')).toBeVisible()
    await person.keyboard('{Escape}')
    server.answer(getSupportMessage, () => refuse(404, 'x', 'not_found'))
    await openMessage(/Open “Question 2/)
    expect(await screen.findByText('This message does not exist any more.')).toBeVisible()
  })
})

describe('invoices of businesses', () => {
  test('those that wait say for what and how it is completed; a rate is entered, and a document downloaded', async () => {
    const { person } = await open(() => <BusinessInvoices onOpenUser={nothing} />)
    const found = within(await section('Invoices of businesses'))
    const row = async (number: string) => (await found.findByText(number)).closest('tr')!
    expect(
      found.getByText(/This is a hand-over to your Peppol provider; Keepsnap does not send invoices to Peppol\./),
    ).toBeVisible()
    const waiting = await row('A1B2-0002')
    expect(found.getByText('1 waits')).toBeVisible()
    expect(waiting).toHaveTextContent('Missing: rate of the euro.')
    expect(await row('A1B2-0001')).toHaveTextContent(/Fête & Fils SRLBE0123456749.*\$14\.99with .*2\.60 VAT/)
    await person.click(within(waiting).getByRole('button', { name: 'Rate of A1B2-0002' }))
    const dialog = within(await screen.findByRole('alertdialog'))
    await person.type(dialog.getByLabelText('Euros for 1 USD'), '86')
    await person.clear(dialog.getByLabelText('Euros for 1 USD'))
    await person.type(dialog.getByLabelText('Reason (saved in the audit log)'), 'ECB')
    await person.click(dialog.getByRole('button', { name: 'Save rate' }))
    expect(dialog.getByText('Enter how many euros 1 USD was worth, such as 0.8642.')).toBeVisible()
    await person.type(dialog.getByLabelText('Euros for 1 USD'), '0,8642')
    await person.click(dialog.getByRole('button', { name: 'Save rate' }))
    await person.type(await dialog.findByLabelText('Your password'), 'Correct1!')
    await person.click(dialog.getByRole('button', { name: 'Save rate' }))
    expect(await screen.findByText('The rate of A1B2-0002 was saved')).toBeVisible()
    await waitFor(() => expect(waiting).toHaveTextContent(/0\.8642Entered here/))
    await waitFor(() => expect(found.queryByText('1 waits')).toBeNull())
    server.answer(getBusinessInvoice, () =>
      refuse(409, 'This invoice waits for something that is missing.', 'conflict'),
    )
    await person.click(found.getByRole('button', { name: 'Download XML of A1B2-0001' }))
    expect(await found.findByRole('alert')).toHaveTextContent('This invoice waits for something that is missing.')
  })

  test('without any, and when they cannot be loaded, a sentence says so', async () => {
    server.answer(listBusinessInvoices, () => ({ invoices: [], waiting: 0, total: 0, skip: 0, limit: 10 }))
    await open(() => <BusinessInvoices onOpenUser={nothing} />)
    expect(await screen.findByText('No business has paid yet. Its invoices appear here when one does.')).toBeVisible()
  })
})
