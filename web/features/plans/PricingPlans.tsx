import { Check, Minus } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { loginPathTo, paths, subscriptionSection } from '../../lib/paths.ts'
import { pricing } from '../../messages/en/pricing.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { states } from '../../messages/en/frame.ts'
import {
  type BillingCycle,
  featuresOf,
  markedPlan,
  type Offer,
  paidPlan,
  priceOf,
  pricePerInterval,
  proSaving,
  type ShownPlan,
} from './offers.ts'
import { useSessionState } from '../../lib/app-services.tsx'
import { choicePath, type PlanShop, usePlanShop } from './subscription.ts'
import './pricing.css'

// A chunk of its own: visitors do not need it.
const PlanQuestion = lazy(async () => ({ default: (await import('./ChangePlanDialog.tsx')).PlanQuestion }))

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
  const text = useText({ pricing })
  const saving = proSaving(shop.plans)
  // The plan that stands out: the visitor's own, or a recommended one.
  const marked = shop.ownPlan === undefined ? null : markedPlan(cycle, shop.ownPlan)
  return (
    <>
      {renderHead(
        // Decides which paid plan is marked, and what it is compared in.
        <SegmentedControl
          legend={text.cycle}
          value={cycle}
          onChange={setCycle}
          options={[
            { value: 'month', label: text.cycles.month },
            {
              value: 'year',
              label: (
                <>
                  {text.cycles.year} <span className="badge badge--ok">{text.save(saving)}</span>
                </>
              ),
            },
          ]}
        />,
      )}
      {shop.outage ? <Outage {...shop.outage} /> : chosen && <ChosenPlan plan={chosen} shop={shop} />}
      <div className="plans">
        {shop.plans.map((plan) => {
          const isMarked = plan.id === marked?.id
          return (
            <PlanCard
              key={plan.id}
              plan={plan}
              cycle={cycle}
              saving={saving}
              flag={isMarked ? (marked.isOwn ? text.yourPlan : text.marked[cycle]) : null}
              Heading={headings}
            >
              <PlanAction plan={plan} shop={shop} isMarked={isMarked} isPrimary={isMarked && !chosen} />
            </PlanCard>
          )
        })}
      </div>
      <p className="plans__vat small muted">{text.vat}</p>
      {shop.question && (
        <Suspense>
          <PlanQuestion shop={shop} question={shop.question} />
        </Suspense>
      )}
    </>
  )
}

/** The comparison of the plans on the home page. */
export function HomePlans({ headingId }: { headingId: string }) {
  const text = useText({ pricing })
  const { token } = useSessionState()
  return (
    <>
      <PricingPlans
        headings="h3"
        renderHead={(cycleChoice) => (
          <div className="plans-head">
            <h2 id={headingId} className="section-heading">
              {text.heading}
            </h2>
            {cycleChoice}
          </div>
        )}
      />
      {token === null && <p className="plans-note small muted">{text.startsFree}</p>}
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

interface PlanActionProps {
  plan: ShownPlan
  shop: PlanShop
  /** Its card stands out, and says why. */
  isMarked: boolean
  isPrimary: boolean
}

/** The button at the bottom of a plan's card, or why there is none. */
function PlanAction({ plan, shop, isMarked, isPrimary }: PlanActionProps) {
  const offer = shop.offerFor(plan)
  const problem = shop.problemOf(plan)
  if (offer.kind === 'current') return <OwnPlan offer={offer} isMarked={isMarked} />
  return (
    <>
      <PlanButton plan={plan} offer={offer} shop={shop} isPrimary={isPrimary} />
      {problem && <Note tone="bad">{problem}</Note>}
    </>
  )
}

interface PlanButtonProps {
  plan: ShownPlan
  offer: Offer
  shop: PlanShop
  isPrimary: boolean
}

function PlanButton({ plan, offer, shop, isPrimary }: PlanButtonProps): ReactNode {
  const text = useText({ pricing })
  const format = useFormat()
  const look = { tone: isPrimary ? 'primary' : 'quiet', block: true } as const
  const choose = text.choose(text.names[plan.id])
  switch (offer.kind) {
    case 'register':
      return (
        <Link className={buttonClass(look)} to={paths.register}>
          {text.getStarted}
        </Link>
      )
    case 'sign-in':
      return (
        <Link className={buttonClass(look)} to={loginPathTo(choicePath(plan.id))}>
          {choose}
        </Link>
      )
    case 'wait':
      return (
        <Button {...look} disabled={shop.outage !== null} busy={shop.outage === null}>
          {choose}
        </Button>
      )
    case 'buy':
      return (
        <Button {...look} busy={shop.isOpening(plan)} onClick={() => shop.choose(plan, offer)}>
          {choose}
        </Button>
      )
    case 'change':
      return (
        <Button {...look} onClick={() => shop.choose(plan, offer)}>
          {text.changePlan}
        </Button>
      )
    case 'paid':
      return <p className="plan__note">{text.paidUntil(format.date(offer.until))}</p>
    case 'not-sold':
      return <p className="plan__note">{text.notSold}</p>
    case 'paused':
      return <p className="plan__note">{text.paused}</p>
    case 'pending':
      return <p className="plan__note">{text.pending}</p>
    case 'pay-first':
      return (
        <p className="plan__note">
          {text.payFirst}{' '}
          <Link className="link" to={subscriptionSection}>
            {text.toSettings}
          </Link>
        </p>
      )
    default:
      return null
  }
}

/** The plan of the user; a card that stands out has said so. */
function OwnPlan({ offer, isMarked }: { offer: Extract<Offer, { kind: 'current' }>; isMarked: boolean }) {
  const text = useText({ pricing })
  const format = useFormat()
  const { endsAt, isComplimentary, until } = offer
  if (isMarked && !endsAt && !isComplimentary) return null
  return (
    <p className="plan__current">
      <Check className="icon" />
      <span>
        {!isMarked && <b>{text.yourPlan}</b>}
        {endsAt && <span>{text.endsOn(format.date(endsAt))}</span>}
        {isComplimentary && <span>{until ? text.complimentaryUntil(format.date(until)) : text.complimentary}</span>}
      </span>
    </p>
  )
}
