import { subscriptionStatus, type SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { storageBytes } from '@keepsnap/contract/plans.ts'
import type { Dependencies } from '../../dependencies.ts'
import { planOf } from '../../domain/plans.ts'
import { unauthorized } from '../../faults.ts'
import type { Serve } from '../../http/serve.ts'
import { usageOf, type UsageRow } from './queries.ts'

/** What a user's plan includes, and how much of it is used. */
export function billing(serve: Serve, { db }: Pick<Dependencies, 'db'>): void {
  serve(subscriptionStatus, async (_, { actor }) => {
    const usage = await usageOf(db, actor.userId)
    if (!usage) throw unauthorized()
    return statusView(usage)
  })
}

const percentOf = (used: number, limit: number): number => Math.round((1000 * used) / limit) / 10

function statusView(usage: UsageRow): SubscriptionStatus {
  const plan = planOf(usage)
  const { id, name, price_cents, interval_type, features } = plan
  const { max_photos, storage_gb, max_file_size_mb } = features
  return {
    has_subscription: false,
    subscription: null,
    plan: { id, name, price_cents, interval_type, features },
    until: id === 'free' ? null : (usage.granted_until?.toISOString() ?? null),
    current_usage: { photos_uploaded: usage.photos, storage_used_bytes: usage.bytes },
    plan_limits: { max_photos, storage_gb, max_file_size_mb },
    usage_percentage: {
      photos: percentOf(usage.photos, max_photos),
      storage: percentOf(usage.bytes, storageBytes(plan)),
    },
    month_ends_at: usage.monthEndsAt.toISOString(),
  }
}
