import {
  cancelSubscription,
  changeSubscription,
  listInvoices,
  listPlans,
  openBillingPortal,
  refundSubscription,
  resumeSubscription,
  subscriptionStatus,
  type Invoice,
  type SubscriptionStatus,
} from '@keepsnap/contract/billing.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { planStatusKey } from '../../lib/plan-status.ts'
import { noResponse, refuse, startFakeServer, type FakeServer } from '../../test/fake-server.ts'
import { complimentary, plansForSale, samplePlanStatus, subscribed } from '../../test/sample-plan-status.ts'
import { pseudo, visit } from '../../test/render.tsx'
import { openSettings, serveSettings } from '../../test/settings-page.ts'
import { untranslatedTexts } from '../../test/untranslated.ts'

let server: FakeServer
beforeEach(async () => {
  server = await startFakeServer()
  serveSettings(server)
  server.answer(listPlans, () => plansForSale)
  server.answer(listInvoices, () => [])
})
afterEach(() => server.close())

const section = async () => within(await screen.findByRole('region', { name: 'Subscription' }))
const serve = (status: SubscriptionStatus) => server.answer(subscriptionStatus, () => status)
const cancelled = () => subscribed('pro_monthly', { cancel_at_period_end: true })

/** The facts about plan and billing, as `name: value`. */
async function facts(): Promise<string[]> {
  const plan = await screen.findByRole('region', { name: 'Subscription' })
  await within(plan).findByText('Plan')
  return Array.from(plan.querySelectorAll('dl div'), ({ children }) =>
    Array.from(children, ({ textContent }) => textContent).join(': '),
  )
}

describe('the subscription section', () => {
  test('of the free plan leads to the plans and has nothing to cancel', async () => {
    await openSettings(server)
    const plan = await section()
    expect(await plan.findByRole('link', { name: 'Upgrade Plan' })).toHaveAttribute('href', '/pricing')
    expect(plan.queryByRole('button', { name: 'Cancel Subscription' })).toBeNull()
    expect(await facts()).toEqual(['Plan: Free', 'Status: Free, no card needed', 'Billing: $0'])
    expect(server.calls.some((call) => call.includes('invoices'))).toBe(false)
    const included = within(plan.getByRole('list', { name: 'In your plan' })).getAllByRole('listitem')
    expect(included.map(({ textContent }) => textContent)).toEqual([
      '10 photos a month',
      '1 GB of storage',
      'Files up to 50 MB',
    ])
  })

  test('says where plans are not sold', async () => {
    serve({ ...samplePlanStatus(1), payments: 'off' })
    await openSettings(server)
    const plan = await section()
    expect(await plan.findByText(/This site doesn’t sell plans/)).toBeVisible()
    expect(plan.queryByRole('link', { name: 'Upgrade Plan' })).toBeNull()
  })

  test('of a paid plan shows the next payment and since when it is paid', async () => {
    serve(subscribed('pro_monthly'))
    await openSettings(server, { became_subscriber_at: '2026-03-03T10:00:00.000Z' })
    const plan = await section()
    expect(await plan.findByRole('link', { name: 'Change Plan' })).toHaveAttribute('href', '/pricing')
    expect(await facts()).toEqual([
      'Plan: Pro Monthly',
      'Status: Active',
      'Billing: $14.99 per month',
      'Next payment: $14.99 on December 22, 2026',
      'Subscriber since: March 3, 2026',
    ])
    expect(plan.getByText('Custom branding')).toBeVisible()
    expect(plan.queryByText('API access')).toBeNull()
  })

  test.each([
    [13_500, '$14.99 on December 22, 2026. Covered by your credit of $135.00.'],
    [1_499, '$14.99 on December 22, 2026. Covered by your credit of $14.99.'],
    [499, '$14.99 on December 22, 2026. Your credit of $4.99 pays part of it; you pay $10.00.'],
  ])('with a credit of %i cents says what it pays', async (credit_cents, next) => {
    serve(subscribed('pro_monthly', { credit_cents }))
    await openSettings(server)
    expect(await facts()).toContain(`Next payment: ${next}`)
  })

  test('shows what is used of the month and the storage', async () => {
    await openSettings(server)
    const plan = await section()
    expect(await plan.findByText('7 of 10')).toBeVisible()
    expect(plan.getByText('70%, 3 left until December 1, 2026')).toBeVisible()
    expect(plan.getByText('512 MB of 1 GB')).toBeVisible()
    expect(plan.getByRole('meter', { name: 'Photos' })).toHaveAttribute('value', '70')
  })

  test('is fetched again every 30 seconds', async () => {
    // Without the interval of `waitFor`, which then checks after each change of the document.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { state } = await openSettings(server)
    const plan = await section()
    const fetchesAfter = (ms: number): number => {
      act(() => void vi.advanceTimersByTime(ms))
      return state.queryClient.isFetching({ queryKey: planStatusKey })
    }
    for (const photos of [8, 9]) {
      serve(samplePlanStatus(photos))
      expect([fetchesAfter(29_999), fetchesAfter(1)]).toEqual([0, 1])
      expect(await plan.findByText(`${photos} of 10`)).toBeVisible()
    }
  })

  test.each([
    [60, 'usage--ok'],
    [60.1, 'usage--warn'],
    [80, 'usage--warn'],
    [80.1, 'usage--bad'],
    [130, 'usage--bad'],
  ])('of $0 % has a bar with the class $1', async (photos, tone) => {
    const status = samplePlanStatus(1)
    serve({ ...status, usage_percentage: { ...status.usage_percentage, photos } })
    await openSettings(server)
    const meter = await (await section()).findByRole('meter', { name: 'Photos' })
    expect(meter.closest('.usage')).toHaveClass(tone)
    expect(meter).toHaveAttribute('value', String(Math.min(100, photos)))
  })

  test('shows defaults where the status has no limits and features', async () => {
    const { plan_limits: _, plan, ...status } = samplePlanStatus(1)
    serve({ ...status, plan: { ...plan, features: '{}' } } as unknown as SubscriptionStatus) // incomplete on purpose
    await openSettings(server)
    expect(await (await section()).findByText('1 of 10')).toBeVisible()
  })

  test.each([
    ['a failing server', refuse(500, 'no')],
    ['no connection', noResponse],
  ] as const)('says that the status could not be fetched (%s), and tries again', async (_, outcome) => {
    server.answer(subscriptionStatus, () => outcome)
    const { person } = await openSettings(server)
    const plan = await section()
    expect(await plan.findByRole('alert')).toHaveTextContent('Failed to fetch subscription status')
    serve(samplePlanStatus(1))
    await person.click(plan.getByRole('button', { name: 'Try Again' }))
    expect(await plan.findByText('1 of 10')).toBeVisible()
  })

  test('redirects to the sign-in page when the session has expired, and says so there', async () => {
    serve(subscribed('pro_monthly'))
    const { person, token, where } = await openSettings(server)
    const plan = await section()
    await person.click(await plan.findByRole('button', { name: 'Cancel Subscription' }))
    server.revoke(token)
    const dialog = within(screen.getByRole('alertdialog'))
    await person.click(dialog.getByRole('button', { name: 'Cancel Subscription' }))
    await waitFor(() => expect(where()).toBe('/login?return=%2Fsettings'))
    expect(await screen.findByText('Session expired. Please log in again.')).toBeVisible()
  })
})

describe('cancelling', () => {
  test('asks first, says that access stays, and then offers to resume', async () => {
    serve(subscribed('pro_monthly'))
    server.answer(cancelSubscription, () => cancelled())
    const { person } = await openSettings(server)
    const plan = await section()
    await person.click(await plan.findByRole('button', { name: 'Cancel Subscription' }))
    const dialog = screen.getByRole('alertdialog', { name: 'Cancel Subscription' })
    expect(dialog).toHaveTextContent('You keep Pro Monthly until December 22, 2026. Nothing more is charged.')
    expect(within(dialog).getByRole('button', { name: 'Keep my plan' })).toBeVisible()
    expect(server.calls).not.toContain('POST /subscriptions/cancel')
    await person.click(within(dialog).getByRole('button', { name: 'Cancel Subscription' }))
    expect(
      await plan.findByText(
        'Subscription cancelled successfully. You will retain access until the end of your billing period.',
      ),
    ).toBeVisible()
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(plan.queryByRole('button', { name: 'Cancel Subscription' })).toBeNull()
    expect(plan.getByRole('button', { name: 'Resume Subscription' })).toBeVisible()
    expect((await facts()).slice(1)).toEqual([
      'Status: Cancelled',
      'Billing: $14.99 per month, no further payments',
      'Last day: December 22, 2026',
    ])
  })

  test.each([
    ['a failing server', refuse(500, 'no')],
    ['a refusal', refuse(409, 'There is no subscription.', 'conflict')],
    ['no connection', noResponse],
  ] as const)('says that it failed (%s), and the subscription stays', async (_, outcome) => {
    serve(subscribed('pro_monthly'))
    server.answer(cancelSubscription, () => outcome)
    const { person } = await openSettings(server)
    await person.click(await (await section()).findByRole('button', { name: 'Cancel Subscription' }))
    const dialog = within(screen.getByRole('alertdialog'))
    await person.click(dialog.getByRole('button', { name: 'Cancel Subscription' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent('Failed to cancel subscription. Please try again.')
  })

  test('while a payment is missing ends the plan at once, and says so', async () => {
    serve(subscribed('pro_monthly', { status: 'past_due', grace_until: '2026-12-29T12:00:00.000Z' }))
    server.answer(cancelSubscription, () => samplePlanStatus(1))
    const { person } = await openSettings(server)
    const plan = await section()
    await person.click(await plan.findByRole('button', { name: 'Cancel Subscription' }))
    const dialog = screen.getByRole('alertdialog')
    expect(dialog).toHaveTextContent('Pro Monthly ends at once, because its last payment is overdue.')
    await person.click(within(dialog).getByRole('button', { name: 'Cancel Subscription' }))
    expect(await plan.findByText(/^Subscription cancelled successfully. It has ended/)).toBeVisible()
  })

  test('can be undone', async () => {
    serve(cancelled())
    server.answer(resumeSubscription, () => subscribed('pro_monthly'))
    const { person } = await openSettings(server)
    const plan = await section()
    await person.click(await plan.findByRole('button', { name: 'Resume Subscription' }))
    expect(await plan.findByText('Your subscription continues.')).toBeVisible()
    expect(plan.getByRole('button', { name: 'Cancel Subscription' })).toBeVisible()
  })

  test('shows what happens to photos that do not fit the free plan, with dates', async () => {
    const status = cancelled()
    serve({ ...status, current_usage: { photos_uploaded: 0, storage_used_bytes: 3 * 1024 ** 3 } })
    await openSettings(server)
    const after = (await (await section()).findByText('What happens next')).parentElement!
    expect(
      within(after)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      expect.stringMatching(/^December 22, 2026Your plan becomes Free\./),
      expect.stringMatching(/^January 11, 2027 and January 18, 2027We email you/),
      expect.stringMatching(/^January 21, 2027The oldest photos are removed until 1 GB are left\./),
    ])
  })

  test('says that all photos stay when they fit the free plan', async () => {
    serve(cancelled())
    await openSettings(server)
    const after = (await (await section()).findByText('What happens next')).parentElement!
    expect(after).toHaveTextContent('all of them stay')
    expect(within(after).getAllByRole('listitem')).toHaveLength(1)
  })
})

test('who pays monthly can change to yearly after a confirmation that says what it costs', async () => {
  serve(subscribed('pro_monthly', { credit_cents: 13_500 }))
  let body: unknown
  server.answer(changeSubscription, (call) => {
    body = call.body
    return subscribed('pro_yearly')
  })
  const { person } = await openSettings(server)
  const plan = await section()
  await person.click(await plan.findByRole('button', { name: 'Change to yearly' }))
  const dialog = screen.getByRole('alertdialog', { name: 'Change to Pro Yearly' })
  expect(dialog).toHaveTextContent('You pay $149.99 today, less the unused part of the period')
  expect(dialog).toHaveTextContent('Your credit of $135.00 is used as well.')
  expect(dialog).toHaveTextContent('1000 photos a month and 50 GB of storage. API access is included.')
  await person.click(within(dialog).getByRole('button', { name: 'Change Plan' }))
  expect(await plan.findByText('Your plan is Pro Yearly now.')).toBeVisible()
  expect(body).toEqual({ price_id: 'price_pro_yearly' })
  expect(plan.queryByRole('button', { name: 'Change to yearly' })).toBeNull()
})

describe('a complimentary plan', () => {
  test('says until when it counts and what comes afterwards', async () => {
    serve(complimentary('pro_yearly', '2027-03-01T12:00:00.000Z'))
    await openSettings(server)
    expect(await facts()).toEqual([
      'Plan: Pro Yearly',
      'Status: Complimentary until March 1, 2027',
      'Billing: Free of charge',
      'Afterwards: Free, unless you choose a plan',
    ])
    expect((await section()).queryByRole('button', { name: 'Cancel Subscription' })).toBeNull()
  })

  test('that is better than the paid one shows both, and the paid one can be cancelled', async () => {
    serve(complimentary('pro_yearly', null, subscribed('pro_monthly')))
    await openSettings(server)
    expect(await facts()).toEqual([
      'Plan: Pro Yearly',
      'Status: Complimentary',
      'Billing: Free of charge',
      'Paid plan: Pro Monthly, $14.99 per month, paid until December 22, 2026',
    ])
    expect((await section()).getByRole('button', { name: 'Cancel Subscription' })).toBeVisible()
  })

  test('that is smaller than the paid one stands beside it', async () => {
    serve({
      ...subscribed('pro_yearly'),
      complimentary: { id: 'pro_monthly', name: 'Pro Monthly', until: '2027-03-01T12:00:00.000Z' },
    })
    await openSettings(server)
    expect(await facts()).toContain('Complimentary plan: Pro Monthly until March 1, 2027')
  })

  test('that is smaller than the paid one is what follows after a refund or a missing payment', async () => {
    serve({
      ...subscribed('pro_yearly', { status: 'past_due', grace_until: '2026-12-29T12:00:00.000Z' }),
      complimentary: { id: 'pro_monthly', name: 'Pro Monthly', until: null },
      refundable_until: '2026-12-20T12:00:00.000Z',
    })
    const { person } = await openSettings(server)
    const plan = await section()
    expect(await plan.findByRole('alert')).toHaveTextContent('then it becomes Pro Monthly.')
    await person.click(plan.getByRole('button', { name: 'Request a refund' }))
    const dialog = screen.getByRole('alertdialog', { name: 'Refund' })
    expect(dialog).toHaveTextContent('your plan becomes Pro Monthly.')
    expect(dialog).not.toHaveTextContent('kept for 30 days')
  })
})

describe('payments', () => {
  const invoice = (fields: Partial<Invoice>): Invoice => ({
    id: 'in_1',
    paid_at: '2026-11-22T12:00:00.000Z',
    amount_cents: 1499,
    refunded_cents: 0,
    url: null,
    ...fields,
  })
  const refundable = { ...subscribed('pro_monthly'), refundable_until: '2026-12-20T12:00:00.000Z' }

  test('are listed with refunds and links', async () => {
    serve(subscribed('pro_monthly'))
    server.answer(listInvoices, () => [
      invoice({ id: 'a', url: 'https://pay.example/in_1' }),
      invoice({ id: 'b', paid_at: '2026-10-22T12:00:00.000Z', refunded_cents: 1499 }),
      invoice({ id: 'c', paid_at: '2026-09-22T12:00:00.000Z', refunded_cents: 500 }),
    ])
    await openSettings(server)
    const list = await (await section()).findByRole('list', { name: 'Payments' })
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'November 22, 2026$14.99Invoice',
      'October 22, 2026Refunded$14.99',
      'September 22, 2026$5.00 refunded$14.99',
    ])
    expect(within(list).getByRole('link', { name: 'Invoice of November 22, 2026' })).toHaveAttribute(
      'href',
      'https://pay.example/in_1',
    )
  })

  test('can be refunded also when the subscription has ended', async () => {
    serve({ ...samplePlanStatus(1), refundable_until: '2026-12-20T12:00:00.000Z' })
    server.answer(listInvoices, () => [invoice({})])
    server.answer(refundSubscription, () => ({ refunded_cents: 1499 }))
    const { person } = await openSettings(server, { became_subscriber_at: '2026-11-22T12:00:00.000Z' })
    const plan = await section()
    await person.click(await plan.findByRole('button', { name: 'Request a refund' }))
    const dialog = within(screen.getByRole('alertdialog', { name: 'Refund' }))
    expect(dialog.getByText(/^Your plan has already ended\./)).toBeVisible()
    expect(dialog.queryByText(/ends at once|kept for 30 days|Keep my plan/)).toBeNull()
    await person.click(await dialog.findByRole('button', { name: 'Refund $14.99' }))
    expect(await plan.findByText('We’ve refunded $14.99.')).toBeVisible()
  })

  test('that were all refunded are not offered again', async () => {
    serve({ ...samplePlanStatus(1), refundable_until: '2026-12-20T12:00:00.000Z' })
    server.answer(listInvoices, () => [invoice({ refunded_cents: 1499 })])
    await openSettings(server, { became_subscriber_at: '2026-11-22T12:00:00.000Z' })
    const plan = await section()
    expect(await plan.findByText('Refunded')).toBeVisible()
    expect(plan.queryByRole('button', { name: 'Request a refund' })).toBeNull()
  })

  test('beyond the newest six are shown on request', async () => {
    serve(subscribed('pro_monthly'))
    server.answer(listInvoices, () => Array.from({ length: 9 }, (_, index) => invoice({ id: String(index) })))
    const { person } = await openSettings(server)
    const plan = await section()
    const list = await plan.findByRole('list', { name: 'Payments' })
    expect(within(list).getAllByRole('listitem')).toHaveLength(6)
    await person.click(plan.getByRole('button', { name: 'Show all 9' }))
    expect(within(list).getAllByRole('listitem')).toHaveLength(9)
  })

  test('that cannot be loaded can be tried again', async () => {
    serve(subscribed('pro_monthly'))
    server.answer(listInvoices, () => refuse(503, 'no'))
    const { person } = await openSettings(server)
    const plan = await section()
    await plan.findByText('Failed to load your payments.')
    server.answer(listInvoices, () => [])
    await person.click(plan.getByRole('button', { name: 'Try Again' }))
    expect(await plan.findByText('No payments yet.')).toBeVisible()
  })

  test('can be refunded, after a confirmation with the amount', async () => {
    serve(refundable)
    server.answer(listInvoices, () => [invoice({})])
    server.answer(refundSubscription, () => ({ refunded_cents: 1499 }))
    const { person } = await openSettings(server)
    const plan = await section()
    expect(await plan.findByText('Until December 20, 2026 you can get back everything you paid.')).toBeVisible()
    await plan.findByRole('list', { name: 'Payments' })
    await person.click(plan.getByRole('button', { name: 'Request a refund' }))
    const dialog = screen.getByRole('alertdialog', { name: 'Refund' })
    expect(dialog).toHaveTextContent('$14.99 goes back to the card it came from.')
    expect(dialog).toHaveTextContent('Your subscription ends at once')
    serve(samplePlanStatus(3))
    await person.click(within(dialog).getByRole('button', { name: 'End my plan and refund $14.99' }))
    expect(await plan.findByText('We’ve refunded $14.99. Your subscription has ended.')).toBeVisible()
    expect(await plan.findByText('3 of 10')).toBeVisible()
  })

  test('say why they cannot be refunded', async () => {
    serve(refundable)
    server.answer(refundSubscription, () => refuse(409, 'It was refunded once already.', 'conflict'))
    const { person } = await openSettings(server)
    await person.click(await (await section()).findByRole('button', { name: 'Request a refund' }))
    const dialog = within(screen.getByRole('alertdialog'))
    await person.click(dialog.getByRole('button', { name: /^End my plan/ }))
    expect(await dialog.findByRole('alert')).toHaveTextContent('It was refunded once already.')
  })

  test('with Stripe, card and invoices are on its page', async () => {
    serve({ ...subscribed('pro_monthly'), payments: 'stripe' })
    server.answer(openBillingPortal, () => ({ url: 'https://pay.example/portal' }))
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
    const { person } = await openSettings(server)
    await person.click(await (await section()).findByRole('button', { name: 'Open billing' }))
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example/portal'))
  })

  test('that are missing say until when the plan goes on, and how to pay', async () => {
    const grace = { status: 'past_due', grace_until: '2026-12-29T12:00:00.000Z' } as const
    serve({ ...subscribed('pro_monthly', grace), payments: 'stripe' })
    await openSettings(server)
    const plan = await section()
    expect(await plan.findByRole('alert')).toHaveTextContent(
      'Your last payment failed. Your plan continues until December 29, 2026',
    )
    expect(plan.getByRole('button', { name: 'Update card' })).toBeVisible()
    expect(await facts()).toContain('Status: Payment overdue, continues until December 29, 2026')
  })
})

test('takes every sentence from the catalogue', async () => {
  const status = subscribed('pro_monthly', { cancel_at_period_end: true })
  serve({
    ...status,
    current_usage: { photos_uploaded: 3, storage_used_bytes: 3 * 1024 ** 3 },
    refundable_until: '2026-12-20T12:00:00.000Z',
    payments: 'stripe',
  })
  const { token } = server.addUser({ became_subscriber_at: '2026-03-03T10:00:00.000Z' })
  await visit(server, { at: '/settings', token, language: pseudo })
  await screen.findByText(/^⟦Whát háppéñs ñé/)
  await screen.findByText(/^⟦Nö páÿméñts ÿét/)
  expect(untranslatedTexts(document.querySelector('#plan')!)).toEqual([])
})
