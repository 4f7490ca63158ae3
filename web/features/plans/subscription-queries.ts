import {
  cancelSubscription,
  changeSubscription,
  listInvoices,
  listPlans,
  openBillingPortal,
  openCheckout,
  previewChange,
  refundSubscription,
  resumeSubscription,
  verifySession,
  type SubscriptionStatus,
} from '@keepsnap/contract/billing.ts'
import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { isTransient } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import { useApi } from '../../lib/app-services.tsx'
import { currentUserQuery } from '../../lib/current-user.ts'
import { leavePage } from '../../lib/leave-page.ts'
import { readStatus } from '../../lib/plan-features.ts'
import { returnUrls } from './plan-paths.ts'
import { planStatusKey, refetchSubscription, subscriptionKey } from '../../lib/plan-status.ts'
import { hasFailed } from '../../lib/query-failure.ts'
import { contractPlans, readPlans, type ShownPlan } from './shown-plans.ts'

/** A longer timeout: the server waits for the payment provider. */
const callOptions = { timeoutMs: 40_000 }

interface Plans {
  plans: readonly ShownPlan[]
  /** Whether these are the server's; otherwise the contract's, without prices that can be bought. */
  isListed: boolean
  failed: boolean
  retry: () => void
  isRetrying: boolean
}

/** The plans that are sold. */
export function usePlans(): Plans {
  const api = useApi()
  const query = useQuery({
    queryKey: ['plans'],
    queryFn: async ({ signal }) => readPlans(await api.call(listPlans, {}, { signal })),
    staleTime: 5 * 60_000,
  })
  const { data } = query
  return {
    plans: data ?? contractPlans,
    isListed: data !== undefined,
    failed: hasFailed(query) && data === undefined,
    retry: () => void query.refetch(),
    isRetrying: query.isFetching,
  }
}

/** Opens the checkout of a price and leaves the app. A second press while it is being opened does nothing. */
export function useCheckout() {
  const api = useApi()
  const queryClient = useQueryClient()
  const isOpening = useRef(false)
  const { mutate, reset, isPending, isSuccess, error, variables } = useMutation({
    async mutationFn(priceId: string) {
      const body = { price_id: priceId, ...returnUrls(window.location.origin) }
      const { checkout_url } = await api.call(openCheckout, { body }, callOptions)
      leavePage(checkout_url)
    },
    onError(failure) {
      isOpening.current = false
      console.error('The checkout could not be opened:', failure)
      // The user may have subscribed in another tab.
      void queryClient.invalidateQueries({ queryKey: planStatusKey })
    },
  })
  useEffect(() => {
    // The browser may restore this page from its back/forward cache.
    const onPageShow = ({ persisted }: PageTransitionEvent): void => {
      if (!persisted) return
      isOpening.current = false
      reset()
    }
    window.addEventListener('pageshow', onPageShow)
    return () => window.removeEventListener('pageshow', onPageShow)
  }, [reset])
  return {
    open(priceId: string): void {
      if (isOpening.current) return
      isOpening.current = true
      mutate(priceId)
    },
    /** The price whose checkout is being opened, until the browser has left. */
    openingPrice: isPending || isSuccess ? variables : null,
    /** Why the last attempt failed, and of which price. */
    failure: error && { error, priceId: variables },
  }
}

/** The checkout of the return URL. Idempotent: each reload sends the same request and gets the same response. */
export const verifiedSessionQuery = (api: Api, sessionId: string) =>
  queryOptions({
    queryKey: ['checkout', sessionId],
    queryFn: ({ signal }) => api.call(verifySession, { body: { session_id: sessionId } }, { signal, ...callOptions }),
    staleTime: Infinity,
    retry: (failures, error) => failures < 2 && isTransient(error),
    refetchOnWindowFocus: false,
  })

/** The plan may have changed: fetches what depends on it. */
export function refetchPlan(queryClient: QueryClient, api: Api): void {
  refetchSubscription(queryClient)
  void queryClient.invalidateQueries({ queryKey: currentUserQuery(api).queryKey })
}

// `onDone` is called before the new status is shown, which may remove the component that made the call.
export const useCancel = (onDone: () => void) =>
  useStatusChange((api) => api.call(cancelSubscription, {}, callOptions), onDone)
export const useResume = (onDone: () => void) =>
  useStatusChange((api) => api.call(resumeSubscription, {}, callOptions), onDone)
export const useChangePlan = (onDone: () => void) =>
  useStatusChange(
    (api, priceId: string) => api.call(changeSubscription, { body: { price_id: priceId } }, callOptions),
    onDone,
  )

/** What a change to this price would charge now. Asked again each time the dialog opens: it depends on the time. */
export const changePreviewQuery = (api: Api, priceId: string) =>
  queryOptions({
    queryKey: [...subscriptionKey, 'change', priceId],
    queryFn: ({ signal }) => api.call(previewChange, { body: { price_id: priceId } }, { signal, ...callOptions }),
    gcTime: 0,
    retry: (failures, error) => failures < 1 && isTransient(error),
  })

/** A call that changes the subscription and answers with the new status, which all pages show then. */
function useStatusChange<Input = void>(
  change: (api: Api, input: Input) => Promise<SubscriptionStatus>,
  onDone: () => void,
) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => change(api, input),
    async onSuccess(status) {
      await queryClient.cancelQueries({ queryKey: planStatusKey })
      onDone()
      queryClient.setQueryData(planStatusKey, readStatus(status))
      void queryClient.invalidateQueries({ queryKey: currentUserQuery(api).queryKey })
    },
    onError: () => queryClient.invalidateQueries({ queryKey: planStatusKey }),
  })
}

/** Refunds everything that was paid, and ends the plan. `onDone` is called with the cents. */
export function useRefund(onDone: (cents: number) => void) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api.call(refundSubscription, {}, callOptions),
    onSuccess: ({ refunded_cents }) => onDone(refunded_cents),
    onSettled: () => refetchPlan(queryClient, api),
  })
}

/** Opens the payment provider's page for card and invoices. */
export function usePortal() {
  const api = useApi()
  return useMutation({
    mutationFn: async () => leavePage((await api.call(openBillingPortal, {}, callOptions)).url),
  })
}

/** The user's payments. `state` changes with every payment, which invalidates the list. */
export const invoicesQuery = (api: Api, state: string) =>
  queryOptions({
    queryKey: [...subscriptionKey, 'invoices', state],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.call(listInvoices, {}, { signal, ...callOptions }),
    staleTime: 5 * 60_000,
    retry: (failures, error) => failures < 1 && isTransient(error),
  })
