import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { loginPathTo, paths, subscriptionSection } from '../../lib/paths.ts'
import { pricing } from '../../messages/en/pricing.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import type { Offer } from './offer.ts'
import { choicePath } from './plan-paths.ts'
import type { ShownPlan } from './shown-plans.ts'
import type { PlanShop } from './usePlanShop.ts'

interface Props {
  plan: ShownPlan
  shop: PlanShop
  /** Its card stands out, and says why. */
  isMarked: boolean
  isPrimary: boolean
}

/** The button at the bottom of a plan's card, or why there is none. */
export function PlanAction({ plan, shop, isMarked, isPrimary }: Props) {
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

function PlanButton({ plan, offer, shop, isPrimary }: Omit<Props, 'isMarked'> & { offer: Offer }): ReactNode {
  const text = useText({ pricing })
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
    default:
      return <PlanNote offer={offer} />
  }
}

/** The plan of the user; a card that stands out has said so. */
function OwnPlan({ offer, isMarked }: Pick<Props, 'isMarked'> & { offer: Extract<Offer, { kind: 'current' }> }) {
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

/** What a card says instead of a button. */
function PlanNote({ offer }: { offer: Offer }): ReactNode {
  const text = useText({ pricing })
  const format = useFormat()
  switch (offer.kind) {
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
