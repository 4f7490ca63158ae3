import type { SubscriptionStatus, verifySession } from '@keepsnap/contract/billing.ts'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import { planIds, plans } from '@keepsnap/contract/plans.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Clock, SlidersHorizontal, TriangleAlert, Upload } from 'lucide-react'
import { useEffect } from 'react'
import { Link, useSearchParams } from 'react-router'
import { checkoutProblem, type CheckoutProblem } from '../features/plans/checkout-problem.ts'
import { isLarger } from '../features/plans/offer.ts'
import { checkoutIdIn } from '../features/plans/plan-paths.ts'
import { pricePerInterval } from '../features/plans/prices.ts'
import { usePlanStatus } from '../lib/plan-status.ts'
import { refetchPlan, verifiedSessionQuery } from '../features/plans/subscription-queries.ts'
import { useExpiredToast } from '../features/plans/useExpiredToast.ts'
import { useApi } from '../lib/app-services.tsx'
import { refusalMessage } from '../lib/error-message.ts'
import { useFormat, useText } from '../lib/i18n.tsx'
import { paths, subscriptionSection } from '../lib/paths.ts'
import { useLastError } from '../lib/query-failure.ts'
import { useSampleCodeUrl } from '../lib/sample-code-url.ts'
import { checkout as messages } from '../messages/en/checkout.ts'
import { pricing } from '../messages/en/pricing.ts'
import photo from '../pictures/dance-1200.webp'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Print } from '../ui/Print.tsx'
import { CheckoutLayout } from './CheckoutLayout.tsx'

/** Where the payment provider returns to: confirms the payment, which starts the plan. */
export function SubscriptionSuccessPage() {
  const checkoutId = checkoutIdIn(useSearchParams()[0])
  useExpiredToast()
  return checkoutId === null ? <Problem problem="missing" /> : <Verification checkoutId={checkoutId} />
}

function Verification({ checkoutId }: { checkoutId: string }) {
  const api = useApi()
  const queryClient = useQueryClient()
  const query = useQuery(verifiedSessionQuery(api, checkoutId))
  const { data, isFetching, refetch } = query
  const error = useLastError(query)
  useEffect(() => {
    if (data) refetchPlan(queryClient, api)
  }, [data, queryClient, api])
  if (data) return <Welcome plan={data.plan} periodEnd={data.current_period_end} />
  if (!error) return <Verifying />
  return (
    <Problem
      problem={checkoutProblem(error)}
      reason={refusalMessage(error, '') || null}
      checkoutId={checkoutId}
      retry={{ busy: isFetching, run: () => void refetch() }}
    />
  )
}

function Welcome({ plan, periodEnd }: { plan: Reply<typeof verifySession>['plan']; periodEnd: string }) {
  const text = useText({ checkout: messages }).success
  const priceText = useText({ pricing })
  const format = useFormat()
  const { data: status } = usePlanStatus()
  const better = betterPlan(status, plan.name)
  return (
    <CheckoutLayout
      title={better === null ? text.title : text.coveredTitle}
      lead={better === null ? text.lead : text.coveredLead(plan.name, better)}
      icon={
        <span className="checkout__icon">
          <Check className="icon" />
        </span>
      }
      actions={
        <>
          <Link className={buttonClass({ tone: 'primary', large: true })} to={paths.upload}>
            <Upload className="icon" />
            {text.upload}
          </Link>
          <Link className={buttonClass({ large: true })} to={subscriptionSection}>
            <SlidersHorizontal className="icon" />
            {text.settings}
          </Link>
        </>
      }
      hint={
        <>
          {status?.refundable_until && <p>{text.refund(format.date(status.refundable_until))}</p>}
          {status?.payments === 'demo' && <p>{text.demo}</p>}
        </>
      }
      art={<DancePrint isPaid />}
    >
      <dl className="checkout__facts tabular-numbers">
        <div>
          <dt>{text.plan}</dt>
          <dd translate="no">{plan.name}</dd>
        </div>
        <div>
          <dt>{text.price}</dt>
          <dd>{pricePerInterval(plan, { text: priceText, format })}</dd>
        </div>
        <div>
          <dt>{text.next}</dt>
          <dd>{text.date(format.date(periodEnd))}</dd>
        </div>
      </dl>
    </CheckoutLayout>
  )
}

/** A complimentary plan that counts instead of the one that was just paid, because it includes more. */
function betterPlan(status: SubscriptionStatus | undefined, paid: string): string | null {
  const paidId = planIds.find((id) => plans[id].name === paid)
  const better = planIds.find((id) => id === status?.complimentary?.id)
  return paidId && better && isLarger({ id: better }, { id: paidId }) ? plans[better].name : null
}

function DancePrint({ isPaid = false }: { isPaid?: boolean }) {
  const { success, cancelled } = useText({ checkout: messages })
  const codeUrl = useSampleCodeUrl()
  return (
    <div aria-hidden="true">
      <Print
        photo={<img src={photo} width="1200" height="800" alt="" />}
        line={isPaid ? success.line : cancelled.stays}
        code={{ src: codeUrl('dance'), alt: '' }}
      />
    </div>
  )
}

function Verifying() {
  const { verifying, success } = useText({ checkout: messages })
  return (
    <CheckoutLayout
      title={verifying.title}
      lead={verifying.lead}
      icon={<span className="spin checkout__spin" aria-hidden="true" />}
      actions={null}
      art={<DancePrint />}
    >
      <dl className="checkout__facts" aria-hidden="true">
        {[success.plan, success.price, success.next].map((name) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <span className="skeleton" style={{ display: 'inline-block', width: '80%', height: '1em' }} />
            </dd>
          </div>
        ))}
      </dl>
    </CheckoutLayout>
  )
}

interface ProblemProps {
  problem: CheckoutProblem
  /** The server's explanation, if it refused. */
  reason?: string | null
  checkoutId?: string
  retry?: { busy: boolean; run: () => void }
}

/** Why the payment is not confirmed, and what to do. */
function Problem({ problem, reason = null, checkoutId, retry }: ProblemProps) {
  const text = useText({ checkout: messages }).problems
  const { title, lead } = text[problem]
  const canRetry = retry !== undefined && problem !== 'unknown'
  return (
    <CheckoutLayout
      title={title}
      lead={(problem === 'refused' && reason) || lead}
      icon={
        problem === 'pending' ? (
          <span className="checkout__icon">
            <Clock className="icon" />
          </span>
        ) : (
          <span className="checkout__icon checkout__icon--warn">
            <TriangleAlert className="icon" />
          </span>
        )
      }
      actions={
        <>
          {canRetry && (
            <Button tone="primary" large busy={retry.busy} onClick={retry.run}>
              {text.checkAgain}
            </Button>
          )}
          <Link className={buttonClass({ large: true, tone: canRetry ? 'quiet' : 'primary' })} to={subscriptionSection}>
            {text.settings}
          </Link>
          {problem !== 'pending' && (
            <Link className={buttonClass({ large: true, tone: 'ghost' })} to={paths.pricing}>
              {text.plans}
            </Link>
          )}
        </>
      }
      hint={
        checkoutId !== undefined &&
        problem !== 'refused' &&
        problem !== 'pending' && (
          <p>
            {text.reference}: <code translate="no">{checkoutId.slice(0, 100)}</code>
          </p>
        )
      }
      art={<DancePrint />}
    />
  )
}
