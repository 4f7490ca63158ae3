import { subscriptionStatus, type SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { queryOptions, useQuery, type QueryClient, type UseQueryResult } from '@tanstack/react-query'
import type { Api } from './api.ts'
import { useApi, useSessionState } from './app-services.tsx'
import { readStatus } from './plan-features.ts'
import { refetchQueries } from './refetch-query.ts'

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
