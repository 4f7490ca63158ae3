import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
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
  type SubscriptionStatus,
  verifySession,
} from '@keepsnap/contract/subscriptions.ts'
import { ApiError, errorMessage, isTransient, isUnauthorized } from '../../lib/api-errors.ts'
import { paths } from '../../lib/paths.ts'
import { currentUserQuery, useApi, useSession, useSessionState } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { subscription } from '../../messages/en/plans.ts'
import type { Catalogue } from '../../messages/en.ts'
import type { Api } from '../../lib/api.ts'
import { leavePage } from '../../lib/urls.ts'
import { hasFailed } from '../../ui/QueryView.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { pricing } from '../../messages/en/pricing.ts'
import { planStatusKey, readStatus, refetchSubscription, subscriptionKey, usePlanStatus } from './plan-status.ts'
import { contractPlans, type Offer, offerOf, readPlans, type ShownPlan } from './offers.ts'

/** The plans that are sold. */
export function usePlans() {
  const api = useApi()
  const query = useQuery({
    queryKey: ['plans'],
    queryFn: async ({ signal }) => readPlans(await api.call(listPlans, {}, { signal })),
    staleTime: 5 * 60_000,
  })
  const { data } = query
  return {
    plans: data ?? contractPlans,
    /** Whether these are the server's; otherwise the contract's, without prices that can be bought. */
    isListed: data !== undefined,
    failed: hasFailed(query) && data === undefined,
    retry: () => void query.refetch(),
    isRetrying: query.isFetching,
  }
}

/** Opens the checkout of a price and leaves the app. A second press while it is being opened does nothing. */
function useCheckout() {
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

/** The confirmation that is open: of a change, or of paying while the plan is free. */
export type Question =
  | { about: 'change'; plan: ShownPlan; priceId: string }
  | { about: 'free-now'; plan: ShownPlan; priceId: string; freeUntil: string }

export type PlanShop = ReturnType<typeof usePlanShop>

/** The plans, the offer on each card, and the actions of its button. */
export function usePlanShop() {
  const text = useText({ pricing })
  const { token } = useSessionState()
  const { plans, isListed, failed, retry, isRetrying } = usePlans()
  const status = usePlanStatus()
  const checkout = useCheckout()
  const [question, setQuestion] = useState<Question | null>(null)
  const hasNoStatus = token !== null && hasFailed(status) && status.data === undefined
  return {
    plans,
    /** The id of the visitor's plan: null when they are not signed in, undefined while it is not known. */
    ownPlan: token === null ? null : status.data?.plan.id,
    offerFor: (plan: ShownPlan) => offerOf(plan, token === null ? null : status.data, isListed),
    choose(plan: ShownPlan, offer: Offer): void {
      if (offer.kind === 'change') setQuestion({ about: 'change', plan, priceId: offer.priceId })
      if (offer.kind !== 'buy') return
      const { priceId, freeUntil } = offer
      if (freeUntil === null) checkout.open(priceId)
      else setQuestion({ about: 'free-now', plan, priceId, freeUntil })
    },
    isOpening: (plan: ShownPlan) => plan.stripe_price_id !== null && plan.stripe_price_id === checkout.openingPrice,
    /** Why the checkout of this plan could not be opened. */
    problemOf: ({ stripe_price_id: priceId }: ShownPlan) =>
      checkout.failure && checkout.failure.priceId === priceId
        ? errorMessage(checkout.failure.error, text.checkoutFailed)
        : null,
    /** Why nothing can be bought now, and how to try again. */
    outage: hasNoStatus
      ? { sentence: text.statusFailed, retry: () => void status.refetch(), isRetrying: status.isFetching }
      : failed && token !== null
        ? { sentence: text.plansFailed, retry, isRetrying }
        : null,
    question,
    pay(priceId: string): void {
      setQuestion(null)
      checkout.open(priceId)
    },
    closeQuestion: () => setQuestion(null),
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

/**
 * Why a checkout is not confirmed. `late`: the payment may have gone through. `refused`: it grants no plan, and the server
 * says why. `pending`: the payment takes days and is on its way. `unknown`: this user has no
 * such checkout. `missing`: the URL contains no checkout id.
 */
export type CheckoutProblem = 'late' | 'pending' | 'refused' | 'unknown' | 'missing'

export function checkoutProblem(error: unknown): CheckoutProblem {
  if (!(error instanceof ApiError)) return 'late'
  if (error.code === 'payment_pending') return 'pending'
  if (error.status === 409) return 'refused'
  return error.status === 404 || error.status === 422 ? 'unknown' : 'late'
}

/** A longer timeout: the server waits for the payment provider. */
const callOptions = { timeoutMs: 40_000 }

/** The plans, with one of them chosen before signing in: see `PricingPage`. */
export const choicePath = (planId: string): string => `${paths.pricing}?${new URLSearchParams({ plan: planId })}`

/** The query parameter with the id of the checkout that the payment provider returns from. */
export const checkoutParameter = 'session_id'

/** Where the payment provider returns to; it fills in the id of the checkout. */
const returnUrls = (origin: string) => ({
  success_url: `${origin}${paths.subscriptionSuccess}?${checkoutParameter}={CHECKOUT_SESSION_ID}`,
  cancel_url: origin + paths.subscriptionCancel,
})

export function subscriptionErrorMessage(
  { error, token }: { error: unknown; token: string | null },
  fallback: string,
  text: Catalogue['subscription']['errors'],
): string {
  if (token === null) return text.noToken
  return isUnauthorized(error) ? text.expired : fallback
}

/** The message about a failed call of the subscription; null without one. */
export function useSubscriptionErrorMessage(error: unknown, fallback: string): string | null {
  const { errors } = useText({ subscription })
  const { token } = useSessionState()
  return error ? subscriptionErrorMessage({ error, token }, fallback, errors) : null
}

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

/** When the session expires, the app shows the sign-in page: a toast there says why. */
export function useExpiredToast(): void {
  const session = useSession()
  const toast = useToast()
  const { expired } = useText({ subscription }).errors
  useEffect(
    () =>
      session.subscribe(() => {
        if (session.state().endReason === 'expired') toast({ text: expired, tone: 'bad' })
      }),
    [session, toast, expired],
  )
}
