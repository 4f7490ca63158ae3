import {
  cancelSubscription,
  changeSubscription,
  type Invoice,
  listInvoices,
  listPlans,
  openBillingPortal,
  previewChange,
  refundSubscription,
  restoreRemovedPhotos,
  resumeSubscription,
  subscriptionStatus,
  type SubscriptionStatus,
} from '@keepsnap/contract/subscriptions.ts'
import { withdrawalOffer } from '@keepsnap/contract/withdrawals.ts'
import { act, render, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { createFormat } from '../../lib/format.ts'
import { planStatusKey } from './plan-status.ts'
import { pricing } from '../../messages/en/pricing.ts'
import { subscription as text } from '../../messages/en/plans.ts'
import { noResponse, refuse, useFakeServer } from '../../test/fake-server.ts'
import { complimentary, plansForSale, sampleContract, samplePlanStatus, subscribed } from '../../test/samples.ts'
import { openPart, serveSettings } from '../../test/render.tsx'
import { UsageBar } from './Usage.tsx'
import { PlanOverview } from './PlanOverview.tsx'
import { includedFeatures, subscriptionDetails } from './subscription-details.ts'

const server = useFakeServer(() => {
  serveSettings(server)
  server.answer(listPlans, () => plansForSale)
  server.answer(listInvoices, () => [])
})

const serve = (status: SubscriptionStatus) => server.answer(subscriptionStatus, () => status)
const cancelled = () => subscribed('pro_monthly', { cancel_at_period_end: true })
const pastDue = { status: 'past_due', grace_until: '2026-12-29T12:00:00.000Z' } as const
/** Opens the section; `press` presses a button of it. */
async function open(status?: SubscriptionStatus, became_subscriber_at: string | null = null) {
  if (status) serve(status)
  const Part: Parameters<typeof openPart>[1] = ({ user }) => <PlanOverview user={user} />
  const { part: plan, ...page } = await openPart(server, Part, { became_subscriber_at })
  const press = async (name: string) => page.person.click(await plan.findByRole('button', { name }))
  return { ...page, plan, press }
}
const textsOf = (list: HTMLElement) =>
  within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

const having = (part: string): unknown[] => expect.arrayContaining([expect.stringContaining(part)]) as unknown[]
const credit = (credit_cents: number) => subscribed('pro_monthly', { credit_cents })
test.each<[string, SubscriptionStatus, unknown[]]>([
  ['the free plan', samplePlanStatus(1), ['Plan: Free', 'Status: Free, no card needed', 'Billing: $0']],
  [
    'a paid plan',
    subscribed('pro_monthly'),
    [
      'Plan: Pro Monthly',
      'Status: Active',
      'Billing: $14.99 per month',
      'Next payment: $14.99 on December 22, 2026',
      'Subscriber since: March 3, 2026',
    ],
  ],
  ['a larger credit', credit(13_500), having('$14.99 on December 22, 2026. Covered by your credit of $135.00.')],
  ['an equal credit', credit(1_499), having('$14.99 on December 22, 2026. Covered by your credit of $14.99.')],
  [
    'a smaller credit',
    credit(499),
    having('$14.99 on December 22, 2026. Your credit of $4.99 pays part of it; you pay $10.00.'),
  ],
  [
    'a cancelled plan',
    cancelled(),
    [
      'Plan: Pro Monthly',
      'Status: Cancelled',
      'Billing: $14.99 per month, no further payments',
      'Last day: December 22, 2026',
      'Subscriber since: March 3, 2026',
    ],
  ],
  [
    'a missing payment',
    subscribed('pro_monthly', pastDue),
    having('Status: Payment overdue, continues until December 29, 2026'),
  ],
  [
    'a complimentary plan',
    complimentary('pro_yearly', '2027-03-01T12:00:00.000Z'),
    [
      'Plan: Pro Yearly',
      'Status: Complimentary until March 1, 2027',
      'Billing: Free of charge',
      'Afterwards: Free, unless you choose a plan',
    ],
  ],
  [
    'a complimentary plan that is better than the paid one',
    complimentary('pro_yearly', null, subscribed('pro_monthly')),
    [
      'Plan: Pro Yearly',
      'Status: Complimentary',
      'Billing: Free of charge',
      'Paid plan: Pro Monthly, $14.99 per month, paid until December 22, 2026',
      'Subscriber since: March 3, 2026',
    ],
  ],
  [
    'a complimentary plan that is smaller than the paid one',
    {
      ...subscribed('pro_yearly'),
      complimentary: { id: 'pro_monthly', name: 'Pro Monthly', until: '2027-03-01T12:00:00.000Z' },
    },
    having('Complimentary plan: Pro Monthly until March 1, 2027'),
  ],
])('%s is described', (_, status, expected) => {
  const since = status.subscription ? '2026-03-03T10:00:00.000Z' : null
  const details = subscriptionDetails(status, since, { text, pricing, format: createFormat('en-US') })
  expect(details.map(([name, value]) => `${name}: ${value}`)).toEqual(expected)
})

test('a paid plan lists what it includes', () => {
  const features = includedFeatures(subscribed('pro_monthly').plan.features, text.feature, createFormat('en-US'))
  expect(features).toContain('Custom branding')
  expect(features).not.toContain('API access')
})

test.each([
  [60, 'usage--ok'],
  [60.1, 'usage--warn'],
  [80, 'usage--warn'],
  [80.1, 'usage--bad'],
  [130, 'usage--bad'],
])('%d %% of a limit has a bar with the class %s', (percentage, tone) => {
  render(<UsageBar label="Photos" percentage={percentage} used="" left="" />)
  const meter = screen.getByRole('meter', { name: 'Photos' })
  expect(meter.closest('.usage')).toHaveClass(tone)
  expect(meter).toHaveAttribute('value', String(Math.min(100, percentage)))
})

describe('the subscription section', () => {
  test('of the free plan shows facts and usage, leads to the plans and has nothing to cancel', async () => {
    const { plan } = await open()
    expect(await plan.findByRole('link', { name: 'Upgrade Plan' })).toHaveAttribute('href', '/pricing')
    expect(plan.queryByRole('button', { name: 'Cancel Subscription' })).toBeNull()
    expect(plan.getByText('Billing').nextElementSibling).toHaveTextContent('$0')
    expect(server.calls.some((call) => call.includes('invoices'))).toBe(false)
    const included = plan.getByRole('list', { name: 'In your plan' })
    expect(textsOf(included)).toEqual(['10 photos a month', '1 GB of storage', 'Files up to 50 MB'])
    expect(plan.getByText('7 of 10')).toBeVisible()
    expect(plan.getByText('70%, 3 left until December 1, 2026')).toBeVisible()
    expect(plan.getByText('512 MB of 1 GB')).toBeVisible()
    expect(plan.getByRole('meter', { name: 'Photos' })).toHaveAttribute('value', '70')
    expect(plan.queryByText(/removed/)).toBeNull()
  })

  test('says where plans are not sold', async () => {
    const { plan } = await open({ ...samplePlanStatus(1), payments: 'off' })
    expect(await plan.findByText(/This site doesn’t sell plans/)).toBeVisible()
    expect(plan.queryByRole('link', { name: 'Upgrade Plan' })).toBeNull()
  })

  test('is fetched again every 30 seconds', async () => {
    // Without the interval of `waitFor`, which then checks after each change of the document.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { state, plan } = await open()
    await plan.findByText('7 of 10')
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

  test('says that the status could not be fetched, and tries again', async () => {
    server.answer(subscriptionStatus, () => noResponse)
    const { plan, press } = await open()
    expect(await plan.findByRole('alert')).toHaveTextContent('Failed to fetch subscription status')
    serve(samplePlanStatus(1))
    await press('Try Again')
    expect(await plan.findByText('1 of 10')).toBeVisible()
  })

  test('redirects to the sign-in page when the session has expired, and says so there', async () => {
    const { press, person, token, where } = await open(subscribed('pro_monthly'))
    await press('Cancel Subscription')
    server.revoke(token)
    const dialog = within(screen.getByRole('alertdialog'))
    await person.click(dialog.getByRole('button', { name: 'Cancel Subscription' }))
    await waitFor(() => expect(where()).toBe('/login?return=%2Fsettings'))
    expect(await screen.findByText('Session expired. Please log in again.')).toBeVisible()
  })
})

describe('cancelling', () => {
  test('asks first, says that access stays and why it failed, and can be undone', async () => {
    server.answer(cancelSubscription, () => noResponse)
    const { plan, person, press } = await open(subscribed('pro_monthly'))
    expect(await plan.findByRole('link', { name: 'Change Plan' })).toHaveAttribute('href', '/pricing')
    await press('Cancel Subscription')
    const dialog = screen.getByRole('alertdialog', { name: 'Cancel Subscription' })
    expect(dialog).toHaveTextContent('You keep Pro Monthly until December 22, 2026. Nothing more is charged.')
    expect(within(dialog).getByRole('button', { name: 'Keep my plan' })).toBeVisible()
    expect(server.calls).not.toContain('POST /subscriptions/cancel')
    const confirm = within(dialog).getByRole('button', { name: 'Cancel Subscription' })
    await person.click(confirm)
    const failed = 'Failed to cancel subscription. Please try again.'
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(failed)
    server.answer(cancelSubscription, () => cancelled())
    await person.click(confirm)
    const kept = 'Subscription cancelled successfully. You will retain access until the end of your billing period.'
    expect(await plan.findByText(kept)).toBeVisible()
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(plan.queryByRole('button', { name: 'Cancel Subscription' })).toBeNull()
    const after = plan.getByText('What happens next').parentElement!
    expect(after).toHaveTextContent('all of them stay')
    expect(textsOf(after)).toHaveLength(1)
    server.answer(resumeSubscription, () => subscribed('pro_monthly'))
    await press('Resume Subscription')
    expect(await plan.findByText('Your subscription continues.')).toBeVisible()
    expect(plan.getByRole('button', { name: 'Cancel Subscription' })).toBeVisible()
  })

  test('while a payment is missing ends the plan at once, and says so', async () => {
    server.answer(cancelSubscription, () => samplePlanStatus(1))
    const { plan, person, press } = await open(subscribed('pro_monthly', pastDue))
    await press('Cancel Subscription')
    const dialog = screen.getByRole('alertdialog')
    expect(dialog).toHaveTextContent('Pro Monthly ends at once, because its last payment is overdue.')
    await person.click(within(dialog).getByRole('button', { name: 'Cancel Subscription' }))
    expect(await plan.findByText(/^Subscription cancelled successfully. It has ended/)).toBeVisible()
  })

  test('shows what happens to photos that do not fit the free plan, with dates', async () => {
    const current_usage = { photos_uploaded: 0, storage_used_bytes: 3 * 1024 ** 3 }
    const { plan } = await open({ ...cancelled(), current_usage })
    expect(textsOf((await plan.findByText('What happens next')).parentElement!)).toEqual([
      expect.stringMatching(/^December 22, 2026Your plan becomes Free\./),
      expect.stringMatching(/^January 11, 2027 and January 18, 2027We email you/),
      expect.stringMatching(/^January 21, 2027The oldest photos are removed until 1 GB are left\./),
    ])
  })
})

test('who pays monthly can change to yearly after a confirmation that says what it costs', async () => {
  let body: unknown
  server.answer(changeSubscription, (call) => {
    body = call.body
    return subscribed('pro_yearly')
  })
  server.answer(previewChange, () => ({ charged_cents: 742, credit_cents: 0 }))
  const { plan, person, press } = await open(credit(13_500))
  await press('Change to yearly')
  const dialog = screen.getByRole('alertdialog', { name: 'Change to Pro Yearly' })
  expect(
    await within(dialog).findByText(/You pay \$7\.42 today\. After that it renews for \$149\.99 per year\./),
  ).toBeVisible()
  expect(dialog).not.toHaveTextContent('Your credit')
  expect(dialog).toHaveTextContent('1,000 photos a month and 50 GB of storage. API access is included.')
  await person.click(within(dialog).getByRole('button', { name: 'Change Plan' }))
  expect(await plan.findByText('Your plan is Pro Yearly now.')).toBeVisible()
  // As every message of the settings, it ends after three seconds.
  await waitFor(() => expect(plan.queryByText('Your plan is Pro Yearly now.')).toBeNull(), { timeout: 6_000 })
  expect(body).toEqual({ price_id: 'price_pro_yearly' })
  expect(plan.queryByRole('button', { name: 'Change to yearly' })).toBeNull()
})

test.each([
  ['pending', 'status', 'Your payment for Pro Monthly is on its way.'],
  ['failed', 'alert', 'Your payment for Pro Monthly failed, and nothing was charged.'],
] as const)('a payment that takes days and is %s has a sentence', async (state, role, sentence) => {
  const delayed_payment = { state, plan: { id: 'pro_monthly', name: 'Pro Monthly' } }
  const { plan } = await open({ ...samplePlanStatus(1), delayed_payment })
  expect(await plan.findByText(new RegExp(sentence))).toBeVisible()
  expect(plan.getByRole(role)).toHaveTextContent(sentence)
  // No second payment is offered meanwhile.
  expect(plan.queryByRole('link', { name: 'Upgrade Plan' }) !== null).toBe(state === 'failed')
})

describe('a complimentary plan', () => {
  test.each([
    ['beside a paid one leaves that to be cancelled', subscribed('pro_monthly'), true],
    ['alone has nothing to cancel', samplePlanStatus(1), false],
  ])('%s', async (_, base, canCancel) => {
    const { plan } = await open(complimentary('pro_yearly', null, base))
    await plan.findByText('Plan')
    expect(plan.queryByRole('button', { name: 'Cancel Subscription' }) !== null).toBe(canCancel)
  })

  test('that is smaller than the paid one is what follows after a refund or a missing payment', async () => {
    const { plan, press } = await open({
      ...subscribed('pro_yearly', pastDue),
      complimentary: { id: 'pro_monthly', name: 'Pro Monthly', until: null },
      refundable_until: '2026-12-20T12:00:00.000Z',
    })
    expect(await plan.findByRole('alert')).toHaveTextContent('then it becomes Pro Monthly.')
    await press('Ask for my money back')
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
  const refundable_until = '2026-12-20T12:00:00.000Z'
  const paidOnce = '2026-11-22T12:00:00.000Z'

  test('are listed with refunds and links, those beyond the newest six on request', async () => {
    server.answer(listInvoices, () => [
      invoice({ id: 'a', url: 'https://pay.example/in_1' }),
      invoice({ id: 'b', paid_at: '2026-10-22T12:00:00.000Z', refunded_cents: 1499 }),
      invoice({ id: 'c', paid_at: '2026-09-22T12:00:00.000Z', refunded_cents: 500 }),
      ...Array.from({ length: 6 }, (_, index) => invoice({ id: String(index) })),
    ])
    const { plan, press } = await open(subscribed('pro_monthly'))
    const list = await plan.findByRole('list', { name: 'Payments' })
    const newest = textsOf(list)
    expect(newest.slice(0, 3)).toEqual([
      'November 22, 2026$14.99Invoice',
      'October 22, 2026Refunded$14.99',
      'September 22, 2026$5.00 refunded$14.99',
    ])
    const link = within(list).getByRole('link', { name: 'Invoice of November 22, 2026' })
    expect(link).toHaveAttribute('href', 'https://pay.example/in_1')
    expect(newest).toHaveLength(6)
    await press('Show all 9')
    expect(textsOf(list)).toHaveLength(9)
  })

  test('can be refunded also when the subscription has ended', async () => {
    server.answer(listInvoices, () => [invoice({})])
    server.answer(refundSubscription, () => ({ refunded_cents: 1499 }))
    const { plan, person, press } = await open({ ...samplePlanStatus(1), refundable_until }, paidOnce)
    await press('Ask for my money back')
    const dialog = within(screen.getByRole('alertdialog', { name: 'Refund' }))
    expect(dialog.getByText(/^Your plan has already ended\./)).toBeVisible()
    expect(dialog.queryByText(/ends at once|kept for 30 days|Keep my plan/)).toBeNull()
    await person.click(await dialog.findByRole('button', { name: 'Refund $14.99' }))
    expect(await plan.findByText('We’ve refunded $14.99.')).toBeVisible()
  })

  test('that were all refunded are not offered again', async () => {
    server.answer(listInvoices, () => [invoice({ refunded_cents: 1499 })])
    const { plan } = await open({ ...samplePlanStatus(1), refundable_until }, paidOnce)
    expect(await plan.findByText('Refunded')).toBeVisible()
    expect(plan.queryByRole('button', { name: 'Ask for my money back' })).toBeNull()
  })

  test('that were disputed at the bank are not offered, and are marked', async () => {
    server.answer(listInvoices, () => [invoice({ is_disputed: true })])
    const { plan } = await open({ ...samplePlanStatus(1), refundable_until }, paidOnce)
    expect(await plan.findByText('Disputed')).toBeVisible()
    expect(plan.queryByRole('button', { name: 'Ask for my money back' })).toBeNull()
  })

  test('that cannot be loaded can be tried again', async () => {
    server.answer(listInvoices, () => refuse(503, 'no'))
    const { plan, press } = await open(subscribed('pro_monthly'))
    await plan.findByText('Failed to load your payments.')
    server.answer(listInvoices, () => [])
    await press('Try Again')
    expect(await plan.findByText('No payments yet.')).toBeVisible()
  })

  test('can be refunded, after a confirmation with the amount, which says a reason against it', async () => {
    server.answer(listInvoices, () => [invoice({})])
    server.answer(refundSubscription, () => refuse(409, 'It was refunded once already.', 'conflict'))
    const { plan, person, press } = await open({ ...subscribed('pro_monthly'), refundable_until })
    expect(await plan.findByText('Until December 20, 2026 you can get back everything you paid.')).toBeVisible()
    await plan.findByRole('list', { name: 'Payments' })
    await press('Ask for my money back')
    const dialog = screen.getByRole('alertdialog', { name: 'Refund' })
    expect(dialog).toHaveTextContent('$14.99 goes back to the card it came from.')
    expect(dialog).toHaveTextContent('Your subscription ends at once')
    const confirm = within(dialog).getByRole('button', { name: 'End my plan and refund $14.99' })
    await person.click(confirm)
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('It was refunded once already.')
    server.answer(refundSubscription, () => ({ refunded_cents: 1499 }))
    serve(samplePlanStatus(3))
    await person.click(confirm)
    expect(await plan.findByText('We’ve refunded $14.99. Your subscription has ended.')).toBeVisible()
    expect(await plan.findByText('3 of 10')).toBeVisible()
  })

  test('of a contract that can be withdrawn from have the day until when, and lead to the page for it', async () => {
    server.answer(withdrawalOffer, () => ({ name: '', email: '', contract: sampleContract, made: null }))
    const { plan } = await open(subscribed('pro_monthly'))
    expect(await plan.findByText(/without a reason until the end of December 7, 2026/)).toBeVisible()
    expect(plan.getByRole('link', { name: 'Withdraw from contract' })).toHaveAttribute('href', '/withdraw')
  })

  test('with Stripe, card and invoices are on its page', async () => {
    server.answer(openBillingPortal, () => ({ url: 'https://pay.example/portal' }))
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
    const { press } = await open({ ...subscribed('pro_monthly'), payments: 'stripe' })
    await press('Open billing')
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example/portal'))
  })
})

describe('photos over the storage after a larger plan has ended', () => {
  const removal = { photos: 204, bytes: 2.2 * 1024 ** 3, at: '2026-12-22T12:00:00.000Z' }
  const removed = { photos: 3, bytes: 1.8 * 1024 ** 3, until: '2026-12-29T12:00:00.000Z' }

  test('are announced, with the ways to keep them', async () => {
    const { plan } = await open({ ...samplePlanStatus(1), removal })
    expect(await plan.findByText('204 photos will be removed on December 22, 2026.')).toBeVisible()
    expect(plan.getByText(/The oldest ones \(2.2 GB\) don’t fit into your 1 GB of storage any more/)).toBeVisible()
    expect(plan.getByRole('link', { name: 'Open the gallery' })).toHaveAttribute('href', '/gallery')
    expect(plan.queryByRole('button', { name: 'Restore photos' })).toBeNull()
  })

  test('can be restored; the reason of the server is shown, and those that do not fit can be restored later', async () => {
    const reason = 'Your removed photos do not fit into the storage of your plan.'
    server.answer(restoreRemovedPhotos, () => refuse(403, reason, 'quota_storage'))
    const status = samplePlanStatus(1)
    const { plan, press } = await open({ ...status, removed_photos: removed })
    expect(await plan.findByText('3 photos were removed.')).toBeVisible()
    await press('Restore photos')
    expect(await plan.findByText(new RegExp(reason))).toBeVisible()
    expect(plan.getByRole('button', { name: 'Restore photos' })).toBeEnabled()
    server.answer(restoreRemovedPhotos, () => {
      serve({ ...status, removed_photos: { ...removed, photos: 1 } })
      return { restored: 2, remaining: 1 }
    })
    await press('Restore photos')
    expect(await plan.findByText('2 photos restored. 1 photo still doesn’t fit.')).toBeVisible()
    expect(await plan.findByText('1 photo was removed.')).toBeVisible()
    expect(plan.getByText(/It \(1.8 GB\) didn’t fit into your storage/)).toBeVisible()
    expect(plan.getByRole('button', { name: 'Restore photo' })).toBeVisible()
  })
})
