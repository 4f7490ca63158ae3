import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import type { Format } from '../../lib/format.ts'
import type { Catalogue } from '../../messages/en.ts'
import { planName, pricePerInterval } from './prices.ts'

/** How the plan that counts is held. */
export type Holding = 'free' | 'complimentary' | 'active' | 'cancelled' | 'past-due'

/** How the user holds the plan that counts. */
export function holdingOf({ plan, subscription, complimentary }: SubscriptionStatus): Holding {
  if (subscription?.plan.id !== plan.id) return complimentary?.id === plan.id ? 'complimentary' : 'free'
  if (subscription.status === 'past_due') return 'past-due'
  return subscription.cancel_at_period_end ? 'cancelled' : 'active'
}

interface Localization {
  text: Catalogue['subscription']
  pricing: Catalogue['pricing']
  format: Format
}
type Fact = [name: string, value: string]

/** What the settings say about plan and billing, in order. `since`: when the user first paid for a plan. */
export function subscriptionFacts(
  status: SubscriptionStatus,
  since: string | null,
  { text, pricing, format }: Localization,
): Fact[] {
  const { plan, subscription, complimentary, until } = status
  const { facts, states } = text
  const holding = holdingOf(status)
  const planFact: Fact = [facts.plan, planName(plan, pricing.names)]
  const sinceFact: Fact[] = since === null ? [] : [[facts.since, text.date(format.date(since))]]
  const price = subscription && pricePerInterval(subscription.plan, { text: pricing, format })
  const end = subscription && format.date(subscription.current_period_end)
  switch (holding) {
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
        [facts.status, paidState(holding, subscription, { text, pricing, format })],
        ...billingFacts(holding, { price, end, next: nextPayment(subscription, { text, pricing, format }) }, text),
        ...(complimentary
          ? [
              [
                facts.complimentary,
                complimentary.until
                  ? text.planUntil(complimentary.name, format.date(complimentary.until))
                  : complimentary.name,
              ] satisfies Fact,
            ]
          : []),
        ...sinceFact,
      ]
  }
}

type Subscription = NonNullable<SubscriptionStatus['subscription']>

function paidState(holding: Holding, subscription: Subscription, { text, format }: Localization): string {
  const { states } = text
  if (holding === 'cancelled') return states.cancelled
  if (holding === 'past-due')
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

function billingFacts(
  holding: Holding,
  { price, end, next }: { price: string; end: string; next: string },
  text: Catalogue['subscription'],
): Fact[] {
  const { facts } = text
  if (holding === 'cancelled')
    return [
      [facts.billing, text.noMorePayments(price)],
      [facts.lastDay, text.date(end)],
    ]
  if (holding === 'past-due') return [[facts.billing, price]]
  return [
    [facts.billing, price],
    [facts.next, next],
  ]
}

/** Beside a complimentary plan: one that is paid as well, and what comes afterwards. */
function otherPlans({ subscription, until }: SubscriptionStatus, { text, pricing, format }: Localization): Fact[] {
  const { facts } = text
  const paid: Fact[] = subscription
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
  const afterwards: Fact[] = until
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
