import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { plans } from '@keepsnap/contract/plans.ts'

/** The free plan with this many photos uploaded this month and half of the storage used. */
export function samplePlanStatus(photos: number): SubscriptionStatus {
  const { id, name, price_cents, interval_type, features } = plans.free
  const { max_photos, storage_gb, max_file_size_mb } = features
  return {
    has_subscription: false,
    subscription: null,
    plan: { id, name, price_cents, interval_type, features },
    complimentary: null,
    until: null,
    payments: 'demo',
    refundable_until: null,
    current_usage: { photos_uploaded: photos, storage_used_bytes: 512 * 1024 ** 2 },
    plan_limits: { max_photos, storage_gb, max_file_size_mb },
    usage_percentage: { photos: (100 * photos) / max_photos, storage: 50 },
    month_ends_at: '2026-12-01T12:00:00.000Z',
  }
}
