import { useState } from 'react'
import { useSessionState } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { pricing } from '../../messages/en/pricing.ts'
import { errorMessage } from '../../lib/error-message.ts'
import { offerOf, type Offer, type PricingVisitor } from './offer.ts'
import { usePlanStatus } from '../../lib/plan-status.ts'
import { hasFailed } from '../../lib/query-failure.ts'
import type { ShownPlan } from './shown-plans.ts'
import { useCheckout, usePlans } from './subscription-queries.ts'

/** The confirmation that is open: of a change, or of paying while the plan is free. */
export type Question =
  | { about: 'change'; plan: ShownPlan; priceId: string }
  | { about: 'free-now'; plan: ShownPlan; priceId: string; freeUntil: string }

/** The plans, the offer on each card, and the actions of its button. */
export interface PlanShop {
  plans: readonly ShownPlan[]
  /** The id of the visitor's plan: null when they are not signed in, undefined while it is not known. */
  ownPlan: string | null | undefined
  offerFor(plan: ShownPlan): Offer
  choose(plan: ShownPlan, offer: Offer): void
  isOpening(plan: ShownPlan): boolean
  /** Why the checkout of this plan could not be opened. */
  problemOf(plan: ShownPlan): string | null
  /** Why nothing can be bought now, and how to try again. */
  outage: { sentence: string; retry: () => void; isRetrying: boolean } | null
  question: Question | null
  pay(priceId: string): void
  closeQuestion(): void
}

export function usePlanShop(): PlanShop {
  const text = useText({ pricing })
  const { token } = useSessionState()
  const { plans, isListed, failed, retry, isRetrying } = usePlans()
  const status = usePlanStatus()
  const checkout = useCheckout()
  const [question, setQuestion] = useState<Question | null>(null)
  const viewer: PricingVisitor = token === null ? { signedIn: false } : { signedIn: true, status: status.data }
  const hasNoStatus = token !== null && hasFailed(status) && status.data === undefined
  return {
    plans,
    ownPlan: token === null ? null : status.data?.plan.id,
    offerFor: (plan) => offerOf(plan, viewer, isListed),
    choose(plan, offer) {
      if (offer.kind === 'change') setQuestion({ about: 'change', plan, priceId: offer.priceId })
      if (offer.kind !== 'buy') return
      const { priceId, freeUntil } = offer
      if (freeUntil === null) checkout.open(priceId)
      else setQuestion({ about: 'free-now', plan, priceId, freeUntil })
    },
    isOpening: (plan) => plan.stripe_price_id !== null && plan.stripe_price_id === checkout.openingPrice,
    problemOf: ({ stripe_price_id: priceId }) =>
      checkout.failure && checkout.failure.priceId === priceId
        ? errorMessage(checkout.failure.error, text.checkoutFailed)
        : null,
    outage: hasNoStatus
      ? { sentence: text.statusFailed, retry: () => void status.refetch(), isRetrying: status.isFetching }
      : failed && token !== null
        ? { sentence: text.plansFailed, retry, isRetrying }
        : null,
    question,
    pay(priceId) {
      setQuestion(null)
      checkout.open(priceId)
    },
    closeQuestion: () => setQuestion(null),
  }
}
