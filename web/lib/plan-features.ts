import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import type { PlanFeatures } from '@keepsnap/contract/plans.ts'

/** The features of a plan: an object, or a string containing JSON. What is missing has a default; docs/behaviour.md section 9. */
export function readFeatures(features: unknown): PlanFeatures {
  const fields = fieldsOf(features)
  return {
    max_photos: limitOf(fields['max_photos'], 10),
    storage_gb: limitOf(fields['storage_gb'], 1),
    max_file_size_mb: limitOf(fields['max_file_size_mb'], 50),
    custom_branding: fields['custom_branding'] === true,
    analytics: fields['analytics'] === true,
    priority_support: fields['priority_support'] === true,
    api_access: fields['api_access'] === true,
  }
}

const limitOf = (value: unknown, missing: number): number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : missing

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

/** The status with complete features and limits. */
export function readStatus(status: SubscriptionStatus): SubscriptionStatus {
  const { max_photos, storage_gb, max_file_size_mb } = readFeatures(status.plan_limits)
  return {
    ...status,
    plan: { ...status.plan, features: readFeatures(status.plan.features) },
    plan_limits: { max_photos, storage_gb, max_file_size_mb },
  }
}
