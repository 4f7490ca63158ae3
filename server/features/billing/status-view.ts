import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { isPlanId, plans, storageBytes } from '@keepsnap/contract/plans.ts'
import { planOf } from '../../domain/plans.ts'
import type { UsageRow } from './queries.ts'

const percentOf = (used: number, limit: number): number => Math.round((1000 * used) / limit) / 10

function complimentaryView({ grantedPlan, grantedUntil }: UsageRow): SubscriptionStatus['complimentary'] {
  if (grantedPlan === null || !isPlanId(grantedPlan)) return null
  const { id, name } = plans[grantedPlan]
  return { id, name, until: grantedUntil?.toISOString() ?? null }
}

function subscriptionView(usage: UsageRow): SubscriptionStatus['subscription'] {
  const { paidPlan, paidStatus, currentPeriodEnd, paidUntil, creditCents } = usage
  // A row of `paid_plans` has all of them.
  if (paidPlan === null || paidStatus === null || currentPeriodEnd === null || paidUntil === null) return null
  const { id, name, price_cents, interval_type } = planOf({ plan: paidPlan })
  return {
    plan: { id, name, price_cents, interval_type },
    status: paidStatus,
    cancel_at_period_end: usage.cancelAtPeriodEnd ?? false,
    current_period_end: currentPeriodEnd.toISOString(),
    grace_until: paidStatus === 'past_due' ? paidUntil.toISOString() : null,
    ...(creditCents && { credit_cents: creditCents }),
  }
}

function delayedView({
  delayedState: state,
  delayedPlan,
  paidPlan,
}: UsageRow): Pick<SubscriptionStatus, 'delayed_payment'> {
  if (state === null || delayedPlan === null || !isPlanId(delayedPlan)) return {}
  if (state === 'failed' && paidPlan !== null) return {}
  const { id, name } = plans[delayedPlan]
  return { delayed_payment: { state, plan: { id, name } } }
}

/** The status of a user's plan as the API returns it. */
export function statusView(usage: UsageRow, payments: SubscriptionStatus['payments']): SubscriptionStatus {
  const plan = planOf(usage)
  const { id, name, price_cents, interval_type, features } = plan
  const { max_photos, storage_gb, max_file_size_mb } = features
  const complimentary = complimentaryView(usage)
  const subscription = subscriptionView(usage)
  return {
    has_subscription: subscription !== null,
    subscription,
    plan: { id, name, price_cents, interval_type, features },
    complimentary,
    until: complimentary?.id === id ? complimentary.until : null,
    current_usage: { photos_uploaded: usage.photos, storage_used_bytes: usage.bytes },
    plan_limits: { max_photos, storage_gb, max_file_size_mb },
    usage_percentage: {
      photos: percentOf(usage.photos, max_photos),
      storage: percentOf(usage.bytes, storageBytes(plan)),
    },
    month_ends_at: usage.monthEndsAt.toISOString(),
    payments,
    refundable_until: usage.refundableUntil?.toISOString() ?? null,
    ...delayedView(usage),
  }
}
