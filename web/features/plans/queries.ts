import { subscriptionStatus, type SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { Api } from '../../lib/api.ts'
import { useApi, useSessionState } from '../../lib/app-services.tsx'
import { readStatus } from '../../lib/plan-features.ts'
import { planStatusKey } from './plan-status-key.ts'

const refetchMs = 30_000

const statusQuery = (api: Api) =>
  queryOptions({
    queryKey: planStatusKey,
    queryFn: async ({ signal }) => readStatus(await api.call(subscriptionStatus, {}, { signal })),
    refetchInterval: refetchMs,
    staleTime: refetchMs,
  })

/** The plan of the user and how much of it is used. Fetched only for signed-in users. */
export function usePlanStatus(): UseQueryResult<SubscriptionStatus> {
  const { token } = useSessionState()
  return useQuery({ ...statusQuery(useApi()), enabled: token !== null })
}

/** From this share of the month's photos, owners are warned. */
export const warningPercent = 80

export const photosLeft = ({ current_usage, plan_limits }: SubscriptionStatus): number =>
  Math.max(0, plan_limits.max_photos - current_usage.photos_uploaded)
