import type { Page } from 'playwright-core'
import type { Invoice, SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { planIds, plans } from '@keepsnap/contract/plans.ts'
import { button, dialogOnly, waitForText, type Screen } from '../screen.ts'

const { features, ...monthly } = plans.pro_monthly
const { max_photos, storage_gb, max_file_size_mb } = features
const end = '2026-12-22T12:00:00.000Z'

/** A paid plan whose photos are nearly used up, with payments by Stripe. */
function status(subscription: Partial<NonNullable<SubscriptionStatus['subscription']>> = {}): SubscriptionStatus {
  return {
    has_subscription: true,
    subscription: {
      plan: monthly,
      status: 'active',
      cancel_at_period_end: false,
      current_period_end: end,
      grace_until: null,
      ...subscription,
    },
    plan: { ...monthly, features },
    complimentary: { id: 'pro_monthly', name: 'Pro Monthly', until: end },
    until: null,
    current_usage: { photos_uploaded: 93, storage_used_bytes: 6.7 * 1024 ** 3 },
    plan_limits: { max_photos, storage_gb, max_file_size_mb },
    usage_percentage: { photos: 93, storage: 67 },
    month_ends_at: '2026-12-01T00:00:00.000Z',
    payments: 'stripe',
    refundable_until: end,
  }
}
const pastDue = status({ status: 'past_due', grace_until: end })
const ended: SubscriptionStatus = {
  ...status(),
  has_subscription: false,
  subscription: null,
  plan: plans.free,
  complimentary: null,
}
const invoices: Invoice[] = [0, 500, 1499].map((refunded_cents, index) => ({
  id: String(index),
  paid_at: end,
  amount_cents: 1499,
  refunded_cents,
  url: 'https://pay.example/invoice',
}))

/** Answers the calls about the plan in the place of the server. */
async function serve(page: Page, json: SubscriptionStatus): Promise<void> {
  await page.route('**/subscriptions/status', (route) => route.fulfill({ json }))
  await page.route('**/subscriptions/invoices', (route) => route.fulfill({ json: invoices }))
  await page.route('**/subscriptions/plans', (route) =>
    route.fulfill({ json: planIds.map((id) => ({ ...plans[id], stripe_price_id: `price_${id}` })) }),
  )
}

/** The owner is warned that few photos of the month are left. */
export const serveUsageWarning = (page: Page): Promise<void> => serve(page, status())

export const planScreens: Screen[] = [
  {
    name: 'Pricing',
    viewer: 'nobody',
    axe: { differsOnDesktop: true },
    async reach(page) {
      await page.goto('/pricing')
      await page.getByText('Can I get my money back?').click()
    },
  },
  {
    name: 'Pricing, with a choice',
    inRecordOnly: true,
    viewer: 'newcomer',
    async reach(page) {
      await page.goto('/pricing?plan=pro_yearly')
      await waitForText(page, 'You chose Pro Yearly')
    },
  },
  {
    name: 'Pricing, without the plans',
    inRecordOnly: true,
    viewer: 'newcomer',
    async reach(page) {
      await page.route('**/subscriptions/plans', (route) => route.fulfill({ status: 403, json: {} }))
      await page.goto('/pricing')
      await waitForText(page, 'Plans can’t be bought right now')
    },
  },
  {
    name: 'Change of the plan',
    inRecordOnly: true,
    viewer: 'newcomer',
    axe: dialogOnly,
    async reach(page) {
      await serve(page, status())
      await page.goto('/pricing')
      await button(page, 'Change Plan').click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'Settings of a subscriber',
    inRecordOnly: true,
    viewer: 'newcomer',
    async reach(page) {
      await serve(page, status())
      await page.goto('/settings')
      await waitForText(page, '$5.00 refunded')
    },
  },
  ...['Cancel Subscription', 'Request a refund'].map((name): Screen => ({
    name: `Settings, ${name}`,
    inRecordOnly: true,
    viewer: 'newcomer',
    axe: dialogOnly,
    async reach(page) {
      await serve(page, status())
      await page.goto('/settings')
      await button(page, name).click()
      await page.getByRole('alertdialog').waitFor()
    },
  })),
  {
    name: 'Settings, money back after the end',
    inRecordOnly: true,
    viewer: 'newcomer',
    axe: dialogOnly,
    async reach(page) {
      await serve(page, ended)
      await page.route('**/user/me', async (route) => {
        const user: unknown = await (await route.fetch()).json()
        await route.fulfill({ json: { ...(user as object), became_subscriber_at: end } }) // what the contract says
      })
      await page.goto('/settings')
      await button(page, 'Request a refund').click()
      await button(page, 'Refund $24.98').waitFor()
    },
  },
  {
    name: 'Settings of a cancelled subscription',
    inRecordOnly: true,
    viewer: 'newcomer',
    async reach(page) {
      await serve(page, { ...status({ cancel_at_period_end: true }), complimentary: null })
      await page.goto('/settings')
      await waitForText(page, 'What happens next')
    },
  },
  {
    name: 'Settings while a payment is missing',
    inRecordOnly: true,
    viewer: 'newcomer',
    async reach(page) {
      await serve(page, pastDue)
      await page.goto('/settings')
      await waitForText(page, 'Your last payment failed.')
    },
  },
  {
    name: 'Profile while a payment is missing',
    inRecordOnly: true,
    viewer: 'newcomer',
    async reach(page) {
      await serve(page, pastDue)
      await page.goto('/profile')
      await waitForText(page, 'Your last payment failed.')
    },
  },
  ...['/settings', '/gallery'].map((path): Screen => ({
    name: `${path} when photos do not fit any more`,
    inRecordOnly: true,
    viewer: 'newcomer',
    async reach(page) {
      const removal = { photos: 120, bytes: 3 * 1024 ** 3, at: end }
      await serve(page, { ...status(), removal, removed_photos: { photos: 20, bytes: 1024 ** 3, until: end } })
      await page.goto(path)
      await waitForText(page, '120 photos will be removed')
    },
  })),
  {
    name: 'Settings with a credit',
    inRecordOnly: true,
    viewer: 'newcomer',
    async reach(page) {
      await serve(page, status({ credit_cents: 13_500 }))
      await page.goto('/settings')
      await waitForText(page, 'Covered by your credit of $135.00.')
    },
  },
  ...['/upload', '/latest'].map((path): Screen => ({
    name: `${path} without a photo left, while a payment is missing`,
    inRecordOnly: true,
    viewer: 'newcomer',
    async reach(page) {
      await serve(page, { ...pastDue, usage_percentage: { photos: 100, storage: 67 } })
      await page.goto(path)
      await waitForText(page, 'All 100 photos of this month are used.')
      await page.getByText(/^(Your last payment failed|Payment overdue)/).waitFor()
    },
  })),
  {
    name: 'Settings without the status',
    inRecordOnly: true,
    viewer: 'newcomer',
    async reach(page) {
      await page.route('**/subscriptions/status', (route) => route.fulfill({ status: 403, json: {} }))
      await page.goto('/settings')
      await waitForText(page, 'Failed to fetch subscription status')
    },
  },
  {
    name: 'After a payment',
    inRecordOnly: true,
    viewer: 'newcomer',
    async reach(page) {
      await serve(page, status())
      await page.route('**/subscriptions/verify-session', (route) =>
        route.fulfill({ json: { plan: monthly, current_period_end: end } }),
      )
      await page.goto('/subscription/success?session_id=cs_1')
      await waitForText(page, 'Welcome to Pro!')
    },
  },
  {
    name: 'After a payment that cannot be confirmed',
    inRecordOnly: true,
    viewer: 'newcomer',
    async reach(page) {
      await page.route('**/subscriptions/verify-session', (route) => route.fulfill({ status: 429, json: {} }))
      await page.goto('/subscription/success?session_id=cs_2')
      await waitForText(page, 'We can’t confirm your payment yet')
    },
  },
  {
    name: 'After a checkout that was left',
    inRecordOnly: true,
    viewer: 'newcomer',
    reach: (page) => page.goto('/subscription/cancel'),
  },
]
