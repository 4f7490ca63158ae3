import type { PlanId } from '@keepsnap/contract/plans.ts'
import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { pricing } from '../../messages/en/pricing.ts'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { featuresOf, priceOf, proSaving, type BillingCycle } from './prices.ts'
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
  /** The plan that stands out, and why: it is the visitor's own, or recommended. */
  marked: { id: PlanId; isOwn: boolean } | null
  /** The level of the names of the plans. */
  headings: 'h2' | 'h3'
  /** The action at the bottom of a plan's card. */
  renderAction: (plan: ShownPlan, isMarked: boolean) => ReactNode
}

/** The plans side by side. */
export function PlanComparison({ plans, cycle, marked, headings, renderAction }: Props) {
  const text = useText({ pricing })
  const flag = marked && (marked.isOwn ? text.yourPlan : text.marked[cycle])
  return (
    <>
      <div className="plans">
        {plans.map((plan) => (
          <PlanCard
            key={plan.id}
            plan={plan}
            cycle={cycle}
            saving={proSaving(plans)}
            flag={plan.id === marked?.id ? flag : null}
            Heading={headings}
          >
            {renderAction(plan, plan.id === marked?.id)}
          </PlanCard>
        ))}
      </div>
      <p className="plans__vat small muted">{text.vat}</p>
    </>
  )
}

interface CardProps {
  plan: ShownPlan
  cycle: BillingCycle
  saving: number
  /** Why it stands out; null if it does not. */
  flag: string | null
  Heading: 'h2' | 'h3'
  children: ReactNode
}

function PlanCard({ plan, cycle, saving, flag, Heading, children }: CardProps) {
  const text = useText({ pricing })
  const format = useFormat()
  const price = priceOf(plan, { cycle, saving }, { text, format })
  return (
    <section className={flag === null ? 'card plan' : 'card plan plan--recommended'}>
      {flag !== null && <span className="badge badge--accent plan__flag">{flag}</span>}
      <Heading className="plan__name">{text.names[plan.id]}</Heading>
      <p className="plan__price">
        <b>{price.amount}</b>
        <span>{price.per}</span>
      </p>
      <p className="plan__terms">{price.terms}</p>
      <ul>
        {featuresOf(plan, { text, format }).map((feature) => (
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
