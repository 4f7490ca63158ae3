import { confirmOperator, listAuditEntries, operatorHealth, operatorOverview } from '@keepsnap/contract/operator.ts'
import { operatorIntegrity, startIntegrityCheck } from '@keepsnap/contract/operator-integrity.ts'
import {
  hideReportedPhoto,
  showReportedPhoto,
  listFailedPhotos,
  listReportedPhotos,
  retryFailedPhoto,
} from '@keepsnap/contract/operator-photos.ts'
import {
  activateUser,
  deactivateUser,
  givePlan,
  operatorGetUser,
  operatorListUsers,
  refundUser,
} from '@keepsnap/contract/operator-users.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { noResponse, refuse, startFakeServer, type FakeServer } from '../test/fake-server.ts'
import { pseudo, visit } from '../test/render.tsx'
import {
  healthInTrouble,
  sampleFailedPhoto,
  sampleIntegrityCheck,
  sampleReportedPhoto,
  sampleUserDetail,
} from '../test/sample-operator.ts'
import { passwordRequired, serveOperator } from '../test/serve-operator.ts'
import { untranslatedTexts } from '../test/untranslated.ts'

// Pages are loaded on demand; the first load is slow when many tests run at once.
beforeAll(() => Promise.all([import('./AdminPage.tsx'), import('./OperatorPage.tsx')]))

let server: FakeServer
let token: string
let isConfirmed: () => boolean
beforeEach(async () => {
  server = await startFakeServer()
  token = server.addUser({ id: 'admin', is_admin: true }).token
  ;({ isConfirmed } = serveOperator(server))
})
afterEach(() => server.close())

const at = '/admin'
const press = (name: string) => screen.findByRole('button', { name })
const dialog = () => screen.findByRole('alertdialog')
const inDialog = async (name: string) => within(await dialog()).findByRole('button', { name })
const notFound = 'This page isn’t in the album'
const section = (name: string) => screen.findByRole('region', { name: new RegExp(`^${name}`) })
const expectSection = async (name: string, text: RegExp) => {
  const found = await section(name)
  await waitFor(() => expect(found).toHaveTextContent(text))
}

describe('who sees the page', () => {
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

  test('the account menu links to it for admins only', async () => {
    const { person } = await visit(server, { at: '/gallery', token })
    await person.click(await press('Account menu'))
    await person.click(await screen.findByRole('link', { name: 'Operator' }))
    const heading = await screen.findByRole('heading', { level: 1, name: 'Operator' })
    await waitFor(() => expect(heading).toHaveFocus())
    expect(document.title).toBe('Operator · Keepsnap')
  })

  test('the account menu of others has no link', async () => {
    const user = server.addUser({ email: 'user@example.com' })
    const { person } = await visit(server, { at: '/gallery', token: user.token })
    await person.click(await press('Account menu'))
    await screen.findByRole('link', { name: 'Your Profile' })
    expect(screen.queryByRole('link', { name: 'Operator' })).toBeNull()
  })

  test('disappears for a user who is no longer an admin, at the next response of the server', async () => {
    const admin = server.addUser({ id: 'other', email: 'other@example.com', is_admin: true })
    const { person } = await visit(server, { at, token: admin.token })
    await screen.findByText('212,480')
    admin.user.is_admin = false
    await person.click(await press('Refresh'))
    expect(await screen.findByRole('heading', { level: 1, name: notFound })).toBeVisible()
  })

  test('an admin whose session ends signs in and returns', async () => {
    const { state, where } = await visit(server, { at, token })
    await screen.findByText('212,480')
    act(() => state.session.end('expired'))
    await waitFor(() => expect(where()).toBe('/login?return=%2Fadmin'))
  })
})

describe('what it shows', () => {
  test('what the newest check has found, with the first of each, and a check that is started once', async () => {
    const { person } = await visit(server, { at, token })
    const found = await section('Integrity check')
    await within(found).findByText('Files are missing')
    expect(found).toHaveTextContent(/424,?960 files stored, 500 read and compared/)
    expect(found).toHaveTextContent(/1,?200 files of an earlier version have no checksum/)
    expect(found).toHaveTextContent(/Files are missing2Guests and owners get an error/)
    expect(found).toHaveTextContent(/Delayed emails31.*Since Nov/)
    await person.click(within(found).getByText('Show the first 2'))
    expect(within(found).getByText('full/aaaaaaaaaaaaaaaaaaaaaa (full of photo p1)')).toBeVisible()
    await person.click(within(found).getByRole('button', { name: 'Check now' }))
    expect(await within(found).findByText('A check is running. The result appears here.')).toBeVisible()
    await person.click(within(found).getByRole('button', { name: 'Check now' }))
    expect(server.calls.filter((call) => call === 'POST /api/operator/integrity')).toHaveLength(1)
  })

  test('before the first check, when nothing is wrong, and when a check cannot be started', async () => {
    server.answer(operatorIntegrity, () => ({ running: false, check: null }))
    server.answer(startIntegrityCheck, () => refuse(503, 'no'))
    const { person } = await visit(server, { at, token })
    const found = await section('Integrity check')
    expect(await within(found).findByText(/Nothing has been checked yet/)).toBeVisible()
    await person.click(within(found).getByRole('button', { name: 'Check now' }))
    expect(await within(found).findByText(/couldn’t be started/)).toBeVisible()
    server.answer(operatorIntegrity, () => ({ running: false, check: { ...sampleIntegrityCheck, findings: [] } }))
    await person.click(await press('Refresh'))
    expect(await within(found).findByText('Nothing is missing, damaged or late.')).toBeVisible()
  })

  test('numbers, health, queues, photos, users and the log', async () => {
    await visit(server, { at, token })
    const numbers = await screen.findByText('212,480')
    expect(numbers.closest('dl')).toHaveTextContent(
      /Users1,?84631 new in 7 days.*288 monthly, 167 yearly, 12 complimentary.*Storage1\.42 TB7 MB per photo/,
    )
    await expectSection('Health', /EmailDelivering.*Billing1 past due/)
    await expectSection('Queues', /photos4200\.8 s.*3 idle queues/)
    await expectSection('Photos per day', /Most: 3,?610 on Saturday,? November 14/)
    await expectSection('Failed photos', /Failed photos 9IMG_4371\.tiffThe file ends in the middle of the picture/)
    const failed = await section('Failed photos')
    expect(failed.querySelector('img')).toBeNull()
    expect(within(failed).getByText('Final')).toBeVisible()
    await expectSection('Reported photos', /IMG_4001\.jpgNeeds reviewI’m in it/)
    expect(await screen.findByText('1 to 20 of 45')).toBeVisible()
    await expectSection('Audit log', /admin@example\.comdeactivate accountfotohuis1Chargeback/)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('an alarm when the mail server refuses emails', async () => {
    server.answer(operatorHealth, () => healthInTrouble)
    await visit(server, { at, token })
    expect(await screen.findByRole('alert')).toHaveTextContent(
      /^Emails have been waiting since .*535 5\.7\.8 Authentication credentials invalid$/,
    )
  })

  test('a sentence and a button in place of each part that fails, which loads it again', async () => {
    const endpoints = [
      operatorOverview,
      operatorHealth,
      operatorIntegrity,
      listFailedPhotos,
      listReportedPhotos,
    ] as const
    for (const endpoint of [...endpoints, operatorListUsers, listAuditEntries])
      server.answer(endpoint, () => noResponse)
    const { person } = await visit(server, { at, token })
    await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(7))
    serveOperator(server)
    for (const button of screen.getAllByRole('button', { name: 'Try Again' })) await person.click(button)
    expect(await screen.findByText('212,480')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  })

  test('the previous numbers when a refresh fails', async () => {
    const { person } = await visit(server, { at, token })
    await screen.findByText('212,480')
    server.answer(operatorOverview, () => refuse(503, 'no'))
    await person.click(await press('Refresh'))
    expect(await screen.findByRole('alert')).toHaveTextContent(/^As of .* Newer numbers couldn’t be loaded\.$/)
    expect(screen.getByText('212,480')).toBeVisible()
  })

  test('a sentence in empty lists', async () => {
    const none = { photos: [], total: 0, skip: 0, limit: 8 }
    server.answer(listFailedPhotos, () => none)
    server.answer(listReportedPhotos, () => none)
    server.answer(operatorListUsers, () => ({ users: [], total: 0, skip: 0, limit: 20 }))
    server.answer(listAuditEntries, () => ({ entries: [], has_more: false }))
    const { person } = await visit(server, { at, token })
    expect(await screen.findByText('No failed photos.')).toBeVisible()
    expect(await screen.findByText('No photo has been reported.')).toBeVisible()
    expect(await screen.findByText('Nothing has been done here yet.')).toBeVisible()
    await person.click(screen.getByRole('radio', { name: 'Deactivated' }))
    await person.click(await press('Show all users'))
    const users = await section('Users')
    expect(within(users).getByRole('radio', { name: 'All', checked: true })).toBeVisible()
  })

  test('more photos and entries of the log by Show more', async () => {
    const { person } = await visit(server, { at, token })
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

  test('only sentences from the catalogue', async () => {
    server.answer(operatorHealth, () => healthInTrouble)
    await visit(server, { at: '/admin?user=user1', token, language: pseudo })
    await screen.findByText('user1')
    await waitFor(() => expect(document.querySelectorAll('[data-audit-entry]')).toHaveLength(1))
    await waitFor(() => expect(document.querySelector('.operator-trail')).not.toBeNull())
    expect(untranslatedTexts(document.body)).toEqual([])
  })
})

describe('users', () => {
  test('are found by search and filter, page by page', async () => {
    const { person } = await visit(server, { at, token })
    await person.click(await within(await section('Users')).findByRole('button', { name: 'Next' }))
    expect(await screen.findByText('21 to 40 of 45')).toBeVisible()
    await person.type(screen.getByRole('searchbox', { name: 'Search users' }), 'fotohuis45')
    expect(await screen.findByText('1 to 1 of 1')).toBeVisible()
    await person.type(screen.getByRole('searchbox', { name: 'Search users' }), 'x')
    expect(await screen.findByText(/^No matching users\./)).toBeVisible()
    await person.click(await press('Clear the search'))
    expect(await screen.findByText('1 to 20 of 45')).toBeVisible()
    await person.click(screen.getByRole('radio', { name: 'Past due' }))
    await waitFor(() => expect(server.calls.some((call) => call.includes('filter=past_due'))).toBe(true))
  })

  test('who are past due are one press away from the line about billing', async () => {
    const { person } = await visit(server, { at, token })
    await person.click(await press('View users who are past due'))
    expect(screen.getByRole('radio', { name: 'Past due', checked: true })).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Users' })).toHaveFocus()
  })

  test('open in a drawer with an address of its own', async () => {
    const { person, where } = await visit(server, { at, token })
    const name = await within(await screen.findByRole('table', { name: 'Users' })).findByRole('button', {
      name: 'fotohuis2',
    })
    await person.click(name)
    expect(where()).toBe('/admin?user=user2')
    const drawer = await screen.findByRole('dialog', { name: 'fotohuis2' })
    expect(drawer).toHaveTextContent(/Pro Yearly, paid until March 3, 2027.*3 devices, last used .*API keys2/)
    expect(within(drawer).getByText('742 of 1000', { exact: false })).toBeVisible()
    expect(within(drawer).getByRole('button', { name: 'Refund' })).toBeDisabled()
    await person.click(within(drawer).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(where()).toBe('/admin'))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('that do not exist have a sentence, and one that failed loads again', async () => {
    server.answer(operatorGetUser, () => refuse(404, 'Not found', 'not_found'))
    const { person, where } = await visit(server, { at: '/admin?user=nobody', token })
    expect(await screen.findByText('This account no longer exists.')).toBeVisible()
    await person.click(await press('Close'))
    await waitFor(() => expect(where()).toBe('/admin'))
    server.answer(operatorGetUser, () => noResponse)
    await person.click(
      await within(await screen.findByRole('table', { name: 'Users' })).findByRole('button', { name: 'fotohuis1' }),
    )
    const drawer = await screen.findByRole('dialog')
    const again = await within(drawer).findByRole('button', { name: 'Try Again' })
    serveOperator(server)
    await person.click(again)
    expect(await screen.findByRole('dialog', { name: 'fotohuis1' })).toBeVisible()
  })
})

describe('an action', () => {
  const reason = async () => within(await dialog()).findByRole('textbox', { name: 'Reason (saved in the audit log)' })
  const password = () => screen.findByLabelText('Your password')

  test('asks why, and for the password when the server wants it; a wrong one is told', async () => {
    const sent: unknown[] = []
    server.answer(deactivateUser, ({ body }) => {
      sent.push(body.reason)
      return isConfirmed() ? sampleUserDetail(1, { is_active: false }) : passwordRequired
    })
    const { person } = await visit(server, { at: '/admin?user=user1', token })
    await person.click(await press('Deactivate'))
    expect(await dialog()).toHaveAccessibleName('Deactivate fotohuis1?')
    await person.click(await inDialog('Deactivate'))
    expect(await screen.findByText('Please enter a reason. It is saved in the audit log.')).toBeVisible()
    expect(await reason()).toHaveFocus()
    expect(sent).toEqual([])
    await person.type(await reason(), ' Chargeback ')
    expect(screen.queryByLabelText('Your password')).toBeNull()
    await person.click(await inDialog('Deactivate'))
    await waitFor(async () => expect(await password()).toHaveFocus())
    await person.click(await inDialog('Deactivate'))
    expect(await screen.findByText('Please enter your password.')).toBeVisible()
    await person.type(await password(), 'wrong')
    await person.click(await inDialog('Deactivate'))
    expect(await screen.findByText('Current password is incorrect')).toBeVisible()
    await person.clear(await password())
    await person.type(await password(), 'Correct1!')
    await person.click(await inDialog('Deactivate'))
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
    const { person } = await visit(server, { at: '/admin?user=user1', token })
    await person.click(await press('Refund'))
    await person.type(await reason(), 'Asked')
    await person.click(await inDialog('Refund'))
    expect(await within(await dialog()).findByRole('alert')).toHaveTextContent('There is nothing to refund.')
    server.answer(refundUser, () => ({ refunded_cents: 1499 }))
    await person.click(await inDialog('Refund'))
    expect(await screen.findByText('$14.99 was refunded to fotohuis1.')).toBeVisible()
    expect(server.calls).not.toContain('POST /api/operator/confirmation')
  })

  test('gives a plan until a day, and takes it back', async () => {
    const sent: unknown[] = []
    server.answer(givePlan, ({ body }) => {
      sent.push(body)
      return sampleUserDetail(1, { is_complimentary: true, plan_until: '2999-12-31T23:59:59.999Z' })
    })
    const { person } = await visit(server, { at: '/admin?user=user1', token })
    await person.click(await press('Grant a plan'))
    await person.click(await screen.findByRole('radio', { name: 'Pro Monthly' }))
    await person.type(await screen.findByLabelText('Last day'), '2020-01-01')
    await person.type(await reason(), 'Sponsor')
    await person.click(await inDialog('Grant plan'))
    expect(await screen.findByText('The last day is in the past.')).toBeVisible()
    await person.clear(await screen.findByLabelText('Last day'))
    await person.type(await screen.findByLabelText('Last day'), '2999-12-31')
    server.answer(operatorGetUser, () =>
      sampleUserDetail(1, { is_complimentary: true, plan_until: '2999-12-31T23:59:59.999Z' }),
    )
    await person.click(await inDialog('Grant plan'))
    expect(await screen.findByText('fotohuis1 has Pro Monthly now.')).toBeVisible()
    expect(await screen.findByText('Pro Yearly, complimentary until December 31, 2999')).toBeVisible()
    await person.click(await press('Revoke the plan'))
    await person.type(await reason(), 'Over')
    await person.click(await inDialog('Revoke plan'))
    expect(await screen.findByText('The plan of fotohuis1 has been revoked.')).toBeVisible()
    expect(sent).toEqual([
      { plan: 'pro_monthly', until: '2999-12-31', reason: 'Sponsor' },
      { plan: 'free', until: null, reason: 'Over' },
    ])
  })

  test('activates an account again, but does not deactivate the own one', async () => {
    server.answer(operatorGetUser, () => sampleUserDetail(1, { is_active: false }))
    server.answer(activateUser, () => sampleUserDetail(1))
    const { person } = await visit(server, { at: '/admin?user=user1', token })
    await person.click(await press('Activate'))
    await person.type(await reason(), 'Mistake')
    server.answer(operatorGetUser, () => sampleUserDetail(1, { id: 'admin' }))
    await person.click(await inDialog('Activate'))
    expect(await screen.findByText('fotohuis1 is active again.')).toBeVisible()
    expect(await screen.findByText('This is your own account')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Deactivate' })).toBeDisabled()
  })

  test('retries a failed photo and hides a reported one', async () => {
    const done: string[] = []
    server.answer(retryFailedPhoto, ({ params }) => {
      done.push(`retry ${params.id}`)
      server.answer(listFailedPhotos, () => ({ photos: [sampleFailedPhoto(2)], total: 1, skip: 0, limit: 8 }))
      return { retried: true }
    })
    server.answer(hideReportedPhoto, ({ params, body }) => {
      done.push(`hide ${params.id}: ${body.message}`)
      const hidden = sampleReportedPhoto(1, { hidden: true, open: false })
      server.answer(listReportedPhotos, () => ({ photos: [hidden], total: 1, skip: 0, limit: 8 }))
      return hidden
    })
    const { person } = await visit(server, { at, token })
    await person.click(await press('Retry IMG_4371.tiff'))
    await person.type(await reason(), 'New version')
    await person.click(await inDialog('Retry'))
    expect(await screen.findByText('IMG_4371.tiff is being processed again.')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Retry IMG_4371.tiff' })).toBeNull())
    await person.click(await press('Hide IMG_4001.jpg'))
    await person.type(await screen.findByLabelText('Message to the owner (optional)'), ' Ask the parents. ')
    await person.type(await reason(), 'A child')
    await person.click(await inDialog('Hide from guests'))
    expect(await screen.findByText('IMG_4001.jpg is hidden from guests.')).toBeVisible()
    expect(await within(await section('Reported photos')).findByText('Hidden from guests')).toBeVisible()
    expect(done).toEqual(['retry failed1', 'hide photo1: Ask the parents.'])
  })

  test('shows a photo again that an operator hid, and only such a one', async () => {
    const own = sampleReportedPhoto(2, { hidden: true, open: false })
    const hidden = { hidden: true, hidden_by_operator: true, open: false }
    server.answer(listReportedPhotos, () => ({
      photos: [sampleReportedPhoto(1, hidden), own],
      total: 2,
      skip: 0,
      limit: 8,
    }))
    const sent: object[] = []
    server.answer(showReportedPhoto, ({ body }) => {
      sent.push(body)
      server.answer(listReportedPhotos, () => ({ photos: [sampleReportedPhoto(1), own], total: 2, skip: 0, limit: 8 }))
      return sampleReportedPhoto(1)
    })
    const { person } = await visit(server, { at, token })
    const list = within(await section('Reported photos'))
    expect(await list.findByText('Hidden by the operator')).toBeVisible()
    expect(list.getAllByRole('button', { name: /Show .* again/ })).toHaveLength(1)
    await person.click(await press('Show IMG_4001.jpg again'))
    await person.type(await reason(), 'Mistake')
    await person.click(await inDialog('Show again'))
    expect(await screen.findByText('IMG_4001.jpg is no longer hidden by an operator.')).toBeVisible()
    expect(sent).toEqual([{ reason: 'Mistake' }])
  })

  test('that could not be sent keeps what was typed', async () => {
    server.answer(retryFailedPhoto, () => noResponse)
    server.answer(confirmOperator, () => noResponse)
    const { person } = await visit(server, { at, token })
    await person.click(await press('Retry IMG_4371.tiff'))
    await person.type(await reason(), 'New version')
    await person.click(await inDialog('Retry'))
    expect(await within(await dialog()).findByRole('alert')).toHaveTextContent('That didn’t work. Please try again.')
    server.answer(retryFailedPhoto, () => passwordRequired)
    await person.click(await inDialog('Retry'))
    await person.type(await password(), 'Correct1!')
    await person.click(await inDialog('Retry'))
    expect(await screen.findByText('Your password couldn’t be checked. Please try again.')).toBeVisible()
    expect(await reason()).toHaveValue('New version')
    await person.click(await inDialog('Cancel'))
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })
})
