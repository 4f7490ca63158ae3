import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { pricing } from '../../messages/en/pricing.ts'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { featuresOf, markedPlan, priceOf, proSaving, type BillingCycle } from './prices.ts'
import type { ShownPlan } from './shown-plans.ts'
import './plans.css'

interface CycleProps {
  plans: readonly ShownPlan[]
  cycle: BillingCycle
  onChange: (cycle: BillingCycle) => void
}

/** Monthly or yearly: decides which paid plan is marked, and what it is compared in. */
export function CycleChoice({ plans, cycle, onChange }: CycleProps) {
  const text = useText({ pricing })
  return (
    <SegmentedControl
      legend={text.cycle}
      value={cycle}
      onChange={onChange}
      options={[
        { value: 'month', label: text.cycles.month },
        {
          value: 'year',
          label: (
            <>
              {text.cycles.year} <span className="badge badge--ok">{text.save(proSaving(plans))}</span>
            </>
          ),
        },
      ]}
    />
  )
}

interface Props {
  plans: readonly ShownPlan[]
  cycle: BillingCycle
  /** The level of the names of the plans. */
  headings: 'h2' | 'h3'
  /** The action at the bottom of a plan's card. */
  renderAction: (plan: ShownPlan, isMarked: boolean) => ReactNode
}

/** The plans side by side. */
export function PlanComparison({ plans, cycle, headings, renderAction }: Props) {
  return (
    <div className="plans">
      {plans.map((plan) => (
        <PlanCard key={plan.id} plan={plan} cycle={cycle} saving={proSaving(plans)} Heading={headings}>
          {renderAction(plan, plan.id === markedPlan[cycle])}
        </PlanCard>
      ))}
    </div>
  )
}

interface CardProps {
  plan: ShownPlan
  cycle: BillingCycle
  saving: number
  Heading: 'h2' | 'h3'
  children: ReactNode
}

function PlanCard({ plan, cycle, saving, Heading, children }: CardProps) {
  const text = useText({ pricing })
  const price = priceOf(plan, { cycle, saving }, { text, format: useFormat() })
  const isMarked = plan.id === markedPlan[cycle]
  return (
    <section className={isMarked ? 'card plan plan--recommended' : 'card plan'}>
      {isMarked && <span className="badge badge--accent plan__flag">{text.marked[cycle]}</span>}
      <Heading className="plan__name">{text.names[plan.id]}</Heading>
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
      <div className="plan__action">{children}</div>
    </section>
  )
}
