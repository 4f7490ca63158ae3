import { type QueryClient, queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { type SubscriptionStatus, subscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { type PlanFeatures, plans } from '@keepsnap/contract/plans.ts'
import type { Api } from '../../lib/api.ts'
import { useApi, useSessionState } from '../../lib/app-services.tsx'
import { refetchQueries } from '../../lib/refetch-query.ts'

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

const refetchMs = 30_000
export type UserPlan = SubscriptionStatus['plan']

/** Queries whose keys begin with it are fetched again when the plan changes, such as the invoices. */
export const subscriptionKey = ['subscription'] as const
export const planStatusKey = [...subscriptionKey, 'status'] as const

export const planStatusQuery = (api: Api) =>
  queryOptions({
    queryKey: planStatusKey,
    queryFn: async ({ signal }) => readStatus(await api.call(subscriptionStatus, {}, { signal })),
    refetchInterval: refetchMs,
    staleTime: refetchMs,
  })

/**
 * The plan of the signed-in user, what it includes, and how much of it is used. While it loads, `data` is undefined: pages
 * show neither a limit nor an upgrade prompt.
 */
export function usePlanStatus(): UseQueryResult<SubscriptionStatus> {
  const { token } = useSessionState()
  return useQuery({ ...planStatusQuery(useApi()), enabled: token !== null })
}

/** Call after photos were added or deleted: pages that show the usage refetch it. */
export const refetchUsage = (queryClient: QueryClient): void =>
  refetchQueries(queryClient, planStatusKey, { afterwards: true })

/** Call after the plan changed. A fetch in progress, which may still return the previous plan, is repeated. */
export const refetchSubscription = (queryClient: QueryClient): void => refetchQueries(queryClient, subscriptionKey)

export const photosLeft = ({ current_usage, plan_limits }: SubscriptionStatus): number =>
  Math.max(0, plan_limits.max_photos - current_usage.photos_uploaded)

export const storageLeftBytes = ({ current_usage, plan_limits }: SubscriptionStatus): number =>
  Math.max(0, plan_limits.storage_gb * 1024 ** 3 - current_usage.storage_used_bytes)
