import { planIds, plans, type Plan, type PlanId } from '@keepsnap/contract/plans.ts'
import { Check, Minus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { featuresOf, markedPlan, priceOf, proSaving, type Cycle } from './prices.ts'
import { pricing } from '../../messages/en/pricing.ts'

interface Props {
  headingId: string
  /** The action at the bottom of a plan's card. */
  renderAction: (plan: PlanId, isMarked: boolean) => ReactNode
}

/** The three plans side by side. The choice of interval decides which paid plan is marked, and what it is compared in. */
export function PlanComparison({ headingId, renderAction }: Props) {
  const [cycle, setCycle] = useState<Cycle>('month')
  const text = useText({ pricing })
  return (
    <>
      <div className="plans-head">
        <h2 id={headingId} className="section-heading">
          {text.heading}
        </h2>
        <SegmentedControl
          legend={text.cycle}
          value={cycle}
          onChange={setCycle}
          options={[
            { value: 'month', label: text.cycles.month },
            { value: 'year', label: <YearlyLabel /> },
          ]}
        />
      </div>
      <div className="plans">
        {planIds.map((id) => (
          <PlanCard key={id} plan={plans[id]} cycle={cycle}>
            {renderAction(id, id === markedPlan[cycle])}
          </PlanCard>
        ))}
      </div>
    </>
  )
}

function YearlyLabel() {
  const text = useText({ pricing })
  return (
    <>
      {text.cycles.year} <span className="badge badge--ok">{text.save(proSaving())}</span>
    </>
  )
}

function PlanCard({ plan, cycle, children }: { plan: Plan; cycle: Cycle; children: ReactNode }) {
  const text = useText({ pricing })
  const price = priceOf(plan, cycle, { text, format: useFormat() })
  const isMarked = plan.id === markedPlan[cycle]
  return (
    <section className={isMarked ? 'card plan plan--recommended' : 'card plan'}>
      {isMarked && <span className="badge badge--accent plan__flag">{text.marked[cycle]}</span>}
      <h3>{text.names[plan.id]}</h3>
      <p className="plan__price">
        <b>{price.amount}</b>
        <span>{price.per}</span>
      </p>
      <p className="plan__terms">{price.terms}</p>
      <ul>
        {featuresOf(plan, text).map((feature) => (
          <li key={feature.text} className={feature.included ? undefined : 'plan__missing-feature'}>
            {feature.included ? <Check className="icon" /> : <Minus className="icon" />}
            <span>
              {!feature.included && <span className="visually-hidden">{text.notIncluded}</span>}
              {feature.text}
            </span>
          </li>
        ))}
      </ul>
      {children}
    </section>
  )
}
