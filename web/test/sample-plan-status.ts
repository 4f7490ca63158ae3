import type { PlanForSale, SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { planIds, plans, type PlanId } from '@keepsnap/contract/plans.ts'

/** A complimentary plan, or the free one, with this much used of it. */
export function planStatusOf(planId: PlanId, used = { photos: 0, storageBytes: 0 }): SubscriptionStatus {
  const { id, name, price_cents, interval_type, features } = plans[planId]
  const { max_photos, storage_gb, max_file_size_mb } = features
  return {
    has_subscription: false,
    subscription: null,
    plan: { id, name, price_cents, interval_type, features },
    complimentary: id === 'free' ? null : { id, name, until: null },
    until: null,
    payments: 'demo',
    refundable_until: null,
    current_usage: { photos_uploaded: used.photos, storage_used_bytes: used.storageBytes },
    plan_limits: { max_photos, storage_gb, max_file_size_mb },
    usage_percentage: {
      photos: (100 * used.photos) / max_photos,
      storage: (100 * used.storageBytes) / (storage_gb * 1024 ** 3),
    },
    month_ends_at: '2026-12-01T12:00:00.000Z',
  }
}

/** The free plan with this many photos uploaded this month and half of the storage used. */
export const samplePlanStatus = (photos: number): SubscriptionStatus =>
  planStatusOf('free', { photos, storageBytes: 512 * 1024 ** 2 })

type Subscription = NonNullable<SubscriptionStatus['subscription']>

/** A paid plan with nothing used. */
export function subscribed(planId: PlanId, fields: Partial<Subscription> = {}): SubscriptionStatus {
  const { id, name, price_cents, interval_type, features } = plans[planId]
  const { max_photos, storage_gb, max_file_size_mb } = features
  return {
    ...samplePlanStatus(0),
    has_subscription: true,
    subscription: {
      plan: { id, name, price_cents, interval_type },
      status: 'active',
      cancel_at_period_end: false,
      current_period_end: '2026-12-22T12:00:00.000Z',
      grace_until: null,
      ...fields,
    },
    plan: { id, name, price_cents, interval_type, features },
    plan_limits: { max_photos, storage_gb, max_file_size_mb },
    usage_percentage: { photos: 0, storage: 5 },
  }
}

/** The same with a complimentary plan that counts. */
export const complimentary = (
  planId: PlanId,
  until: string | null,
  base: SubscriptionStatus = samplePlanStatus(1),
): SubscriptionStatus => ({
  ...base,
  plan: plans[planId],
  complimentary: { id: planId, name: plans[planId].name, until },
  until,
})

/** The plans as listed by a server that sells them. */
export const plansForSale: PlanForSale[] = planIds.map((id) => ({
  ...plans[id],
  stripe_price_id: id === 'free' ? null : `price_${id}`,
}))
