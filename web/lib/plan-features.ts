import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { plans, type PlanFeatures } from '@keepsnap/contract/plans.ts'

/** Defaults for fields that the server leaves out: those of the free plan. */
const defaultFeatures = plans.free.features

/** Reads plan features from an object or a JSON string; missing fields get defaults. */
export function readFeatures(features: unknown): PlanFeatures {
  const fields = fieldsOf(features)
  const read = Object.entries(defaultFeatures).map(([name, otherwise]) => [
    name,
    isValid(fields[name], typeof otherwise) ? fields[name] : otherwise,
  ])
  return Object.fromEntries(read) as PlanFeatures // the names and types of the defaults
}

const isValid = (value: unknown, type: string): boolean =>
  typeof value === type && (typeof value !== 'number' || (Number.isFinite(value) && value >= 0))

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
const defaultStatus = (now = new Date()) => ({
  subscription: null,
  complimentary: null,
  until: null,
  refundable_until: null,
  month_ends_at: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString(),
})

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
