import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { plans, type PlanFeatures } from '@keepsnap/contract/plans.ts'

/** Defaults for fields that the server leaves out: those of the free plan. */
const defaultFeatures = plans.free.features

/** Reads plan features from an object or a JSON string; missing fields get defaults. docs/behaviour.md section 9. */
export function readFeatures(features: unknown): PlanFeatures {
  const fields = fieldsOf(features)
  return {
    max_photos: limitOf(fields['max_photos'], defaultFeatures.max_photos),
    storage_gb: limitOf(fields['storage_gb'], defaultFeatures.storage_gb),
    max_file_size_mb: limitOf(fields['max_file_size_mb'], defaultFeatures.max_file_size_mb),
    custom_branding: flagOf(fields['custom_branding'], defaultFeatures.custom_branding),
    analytics: flagOf(fields['analytics'], defaultFeatures.analytics),
    priority_support: flagOf(fields['priority_support'], defaultFeatures.priority_support),
    api_access: flagOf(fields['api_access'], defaultFeatures.api_access),
  }
}

const limitOf = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : otherwise

const flagOf = (value: unknown, otherwise: boolean): boolean => (typeof value === 'boolean' ? value : otherwise)

function fieldsOf(features: unknown): Record<string, unknown> {
  let value = features
  if (typeof features === 'string') {
    try {
      value = JSON.parse(features)
    } catch {
      return {}
    }
  }
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {} // only read, each field checked
}

/** Values of the fields that a server may leave out. */
function defaultStatus(): Partial<SubscriptionStatus> {
  const now = new Date()
  const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1))
  return {
    subscription: null,
    complimentary: null,
    until: null,
    refundable_until: null,
    payments: 'stripe',
    month_ends_at: nextMonth.toISOString(),
  }
}

/** The status with complete features and limits, and defaults for missing fields. */
export function readStatus(status: SubscriptionStatus): SubscriptionStatus {
  const { max_photos, storage_gb, max_file_size_mb } = readFeatures(status.plan_limits)
  return {
    ...defaultStatus(),
    ...status,
    plan: { ...status.plan, features: readFeatures(status.plan.features) },
    plan_limits: { max_photos, storage_gb, max_file_size_mb },
  }
}
