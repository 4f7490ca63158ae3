import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { pricing } from '../../messages/en/pricing.ts'
import { states } from '../../messages/en/states.ts'
import { Button } from '../../ui/Button.tsx'
import { paidPlan } from './offer.ts'
import { PlanAction } from './PlanAction.tsx'
import { CycleChoice, PlanComparison } from './PlanComparison.tsx'
import { markedPlan, pricePerInterval, type BillingCycle } from './prices.ts'
import type { ShownPlan } from './shown-plans.ts'
import { usePlanShop, type PlanShop } from './usePlanShop.ts'

// A chunk of its own: visitors do not need it.
const PlanQuestion = lazy(async () => ({ default: (await import('./PlanQuestion.tsx')).PlanQuestion }))

interface Props {
  /** Renders the head: the heading of the page or section, with the choice of the interval. */
  renderHead: (cycleChoice: ReactNode) => ReactNode
  headings: 'h2' | 'h3'
  /** The plan that a link has named. */
  chosenId?: string | null
}

/** The plans with their prices, and everything that can be done with them: choose, change, pay. */
export function PricingPlans({ renderHead, headings, chosenId = null }: Props) {
  const shop = usePlanShop()
  const chosen = paidPlan(shop.plans, chosenId)
  const [cycle, setCycle] = useState<BillingCycle>(chosen?.interval_type ?? 'month')
  return (
    <>
      {renderHead(<CycleChoice plans={shop.plans} cycle={cycle} onChange={setCycle} />)}
      {shop.outage ? <Outage {...shop.outage} /> : chosen && <ChosenPlan plan={chosen} shop={shop} />}
      <PlanComparison
        plans={shop.plans}
        cycle={cycle}
        marked={shop.ownPlan === undefined ? null : markedPlan(cycle, shop.ownPlan)}
        headings={headings}
        renderAction={(plan, isMarked) => (
          <PlanAction plan={plan} shop={shop} isMarked={isMarked} isPrimary={isMarked && !chosen} />
        )}
      />
      {shop.question && (
        <Suspense>
          <PlanQuestion shop={shop} question={shop.question} />
        </Suspense>
      )}
    </>
  )
}

function Outage({ sentence, retry, isRetrying }: NonNullable<PlanShop['outage']>) {
  const { tryAgain } = useText({ states })
  return (
    <div className="plans__notice row row--between" role="alert">
      <p>{sentence}</p>
      <Button busy={isRetrying} onClick={retry}>
        {tryAgain}
      </Button>
    </div>
  )
}

/** After signing in: the plan that was chosen before, one press from its payment. */
function ChosenPlan({ plan, shop }: { plan: ShownPlan; shop: PlanShop }) {
  const text = useText({ pricing })
  const format = useFormat()
  const offer = shop.offerFor(plan)
  if (offer.kind !== 'buy' && offer.kind !== 'change' && offer.kind !== 'wait') return null
  return (
    <div className="plans__notice row row--between">
      <p>
        <b>{text.chosen(text.names[plan.id], pricePerInterval(plan, { text, format }))}</b>
      </p>
      <Button
        tone="primary"
        large
        busy={offer.kind === 'wait' || shop.isOpening(plan)}
        onClick={() => shop.choose(plan, offer)}
      >
        {offer.kind === 'change' ? text.changePlan : text.toPayment}
      </Button>
    </div>
  )
}
