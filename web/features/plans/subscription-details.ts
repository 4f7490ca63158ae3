import type { SubscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import type { Format } from '../../lib/format.ts'
import type { Catalogue } from '../../messages/en.ts'
import { planName, pricePerInterval } from './offers.ts'

/** The billing state of the effective plan. */
export type BillingState = 'free' | 'complimentary' | 'active' | 'cancelled' | 'past-due'

/** How the user has the effective plan: free, complimentary, or paid, and in which state. */
export function billingStateOf({ plan, subscription, complimentary }: SubscriptionStatus): BillingState {
  if (subscription === null || subscription.plan.id !== plan.id)
    return complimentary?.id === plan.id ? 'complimentary' : 'free'
  if (subscription.status === 'past_due') return 'past-due'
  return subscription.cancel_at_period_end ? 'cancelled' : 'active'
}

interface Localization {
  text: Catalogue['subscription']
  pricing: Catalogue['pricing']
  format: Format
}
type DetailRow = [name: string, value: string]

/** What the settings say about plan and billing, in order. `since`: when the user first paid for a plan. */
export function subscriptionDetails(
  status: SubscriptionStatus,
  since: string | null,
  { text, pricing, format }: Localization,
): DetailRow[] {
  const { plan, subscription, complimentary, until } = status
  const { facts, states } = text
  const billingState = billingStateOf(status)
  const planFact: DetailRow = [facts.plan, planName(plan, pricing.names)]
  const sinceFact: DetailRow[] = since === null ? [] : [[facts.since, text.date(format.date(since))]]
  switch (billingState) {
    case 'free':
      return [planFact, [facts.status, states.free], [facts.billing, text.free]]
    case 'complimentary':
      return [
        planFact,
        [facts.status, until ? states.complimentaryUntil(format.date(until)) : states.complimentary],
        [facts.billing, text.freeOfCharge],
        ...otherPlans(status, { text, pricing, format }),
        ...sinceFact,
      ]
    default: {
      // The other three are states of a subscription.
      if (!subscription) return [planFact]
      const rows = [planFact, ...paidDetails(billingState, subscription, { text, pricing, format })]
      if (complimentary) {
        const { name, until: end } = complimentary
        rows.push([facts.complimentary, end ? text.planUntil(name, format.date(end)) : name])
      }
      return [...rows, ...sinceFact]
    }
  }
}

type Subscription = NonNullable<SubscriptionStatus['subscription']>

function paidDetails(
  billingState: BillingState,
  subscription: Subscription,
  { text, pricing, format }: Localization,
): DetailRow[] {
  const { facts, states } = text
  const price = pricePerInterval(subscription.plan, { text: pricing, format })
  const end = format.date(subscription.current_period_end)
  if (billingState === 'cancelled')
    return [
      [facts.status, states.cancelled],
      [facts.billing, text.noMorePayments(price)],
      [facts.lastDay, text.date(end)],
    ]
  if (billingState === 'past-due') {
    const until = subscription.grace_until
    return [
      [facts.status, states.pastDue(until === null ? end : format.date(until))],
      [facts.billing, price],
    ]
  }
  return [
    [facts.status, states.active],
    [facts.billing, price],
    [facts.next, nextPayment(subscription, text, format)],
  ]
}

/** What is paid next, and how much of it from a credit. */
function nextPayment(
  { plan, current_period_end, credit_cents = 0 }: Subscription,
  text: Catalogue['subscription'],
  format: Format,
): string {
  const cents = plan.price_cents
  const payment = text.nextPayment(format.price(cents), format.date(current_period_end))
  if (credit_cents <= 0) return payment
  const credit = format.price(credit_cents)
  if (credit_cents >= cents) return `${payment}. ${text.creditPays(credit)}`
  return `${payment}. ${text.creditPaysPart(credit, format.price(cents - credit_cents))}`
}

/** Beside a complimentary plan: one that is paid as well, and what comes afterwards. */
function otherPlans({ subscription, until }: SubscriptionStatus, { text, pricing, format }: Localization): DetailRow[] {
  const { facts } = text
  const rows: DetailRow[] = []
  if (subscription) {
    const { plan, current_period_end: end } = subscription
    const price = pricePerInterval(plan, { text: pricing, format })
    rows.push([facts.paid, text.otherPlan(plan.name, price, format.date(end))])
  }
  if (until)
    rows.push([facts.afterwards, subscription ? text.afterwards.paid(subscription.plan.name) : text.afterwards.free])
  return rows
}

/** What the plan includes, as a list. */
export function includedFeatures(
  { max_photos, storage_gb, max_file_size_mb, ...has }: SubscriptionStatus['plan']['features'],
  text: Catalogue['subscription']['feature'],
  format: Format,
): string[] {
  return [
    text.photos(format.count(max_photos)),
    text.storage(format.count(storage_gb)),
    text.files(format.count(max_file_size_mb)),
    has.custom_branding && text.branding,
    has.analytics && text.analytics,
    has.priority_support && text.support,
    has.api_access && text.api,
  ].filter((feature) => feature !== false)
}

/** What Free keeps, when a paid plan ends. */
export const freeLimits = plans.free.features
