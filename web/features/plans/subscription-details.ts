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
  const price = subscription && pricePerInterval(subscription.plan, { text: pricing, format })
  const end = subscription && format.date(subscription.current_period_end)
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
    default:
      // The other three are states of a subscription.
      if (!subscription || price === null || end === null) return [planFact]
      return [
        planFact,
        [facts.status, paidState(billingState, subscription, { text, pricing, format })],
        ...billingDetails(
          billingState,
          { price, end, next: nextPayment(subscription, { text, pricing, format }) },
          text,
        ),
        ...(complimentary
          ? [
              [
                facts.complimentary,
                complimentary.until
                  ? text.planUntil(complimentary.name, format.date(complimentary.until))
                  : complimentary.name,
              ] satisfies DetailRow,
            ]
          : []),
        ...sinceFact,
      ]
  }
}

type Subscription = NonNullable<SubscriptionStatus['subscription']>

function paidState(billingState: BillingState, subscription: Subscription, { text, format }: Localization): string {
  const { states } = text
  if (billingState === 'cancelled') return states.cancelled
  if (billingState === 'past-due')
    return states.pastDue(format.date(subscription.grace_until ?? subscription.current_period_end))
  return states.active
}

/** What is paid next, and how much of it from a credit. */
function nextPayment({ plan, current_period_end, credit_cents = 0 }: Subscription, { text, format }: Localization) {
  const cents = plan.price_cents
  const payment = text.nextPayment(format.price(cents), format.date(current_period_end))
  if (credit_cents <= 0) return payment
  const credit = format.price(credit_cents)
  if (credit_cents >= cents) return `${payment}. ${text.creditPays(credit)}`
  return `${payment}. ${text.creditPaysPart(credit, format.price(cents - credit_cents))}`
}

function billingDetails(
  billingState: BillingState,
  { price, end, next }: { price: string; end: string; next: string },
  text: Catalogue['subscription'],
): DetailRow[] {
  const { facts } = text
  if (billingState === 'cancelled')
    return [
      [facts.billing, text.noMorePayments(price)],
      [facts.lastDay, text.date(end)],
    ]
  if (billingState === 'past-due') return [[facts.billing, price]]
  return [
    [facts.billing, price],
    [facts.next, next],
  ]
}

/** Beside a complimentary plan: one that is paid as well, and what comes afterwards. */
function otherPlans({ subscription, until }: SubscriptionStatus, { text, pricing, format }: Localization): DetailRow[] {
  const { facts } = text
  const paid: DetailRow[] = subscription
    ? [
        [
          facts.paid,
          text.otherPlan(
            subscription.plan.name,
            pricePerInterval(subscription.plan, { text: pricing, format }),
            format.date(subscription.current_period_end),
          ),
        ],
      ]
    : []
  const afterwards: DetailRow[] = until
    ? [[facts.afterwards, subscription ? text.afterwards.paid(subscription.plan.name) : text.afterwards.free]]
    : []
  return [...paid, ...afterwards]
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
