import { type ReactNode, useEffect } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Clock, SlidersHorizontal, TriangleAlert, Upload } from 'lucide-react'
import type { SubscriptionStatus, verifySession } from '@keepsnap/contract/subscriptions.ts'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import { planIds, plans } from '@keepsnap/contract/plans.ts'
import { PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { paths, subscriptionSection } from '../../lib/paths.ts'
import { checkout as messages } from '../../messages/en/plans.ts'
import tablePhoto from '../../pictures/table-720.webp'
import codeUrl from '../../pictures/code-home.svg'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Print } from '../../ui/Print.tsx'
import { useApi, useSampleCodeUrl } from '../../lib/app-services.tsx'
import { refusalMessage } from '../../lib/api-errors.ts'
import { Fact } from '../../ui/Fact.tsx'
import { Skeleton, useLastError } from '../../ui/QueryView.tsx'
import { pricing } from '../../messages/en/pricing.ts'
import photo from '../../pictures/dance-1200.webp'
import { photosLeft, usePlanStatus } from './plan-status.ts'
import {
  checkoutParameter,
  checkoutProblem,
  type CheckoutProblem,
  refetchPlan,
  useExpiredToast,
  verifiedSessionQuery,
} from './subscription.ts'
import { isLarger, pricePerInterval } from './offers.ts'
import './checkout-return.css'

/** Where the payment provider returns to: confirms the payment, which starts the plan. */
export function SubscriptionSuccessPage() {
  const checkoutId = useSearchParams()[0].get(checkoutParameter) || null
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
          <Fact key={name} name={name}>
            <Skeleton width="80%" />
          </Fact>
        ))}
      </dl>
    </CheckoutLayout>
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
          <p>
            {text.withdraw}{' '}
            <Link className="link" to={paths.withdraw}>
              {text.withdrawLink}
            </Link>
          </p>
          {status?.refundable_until && <p>{text.refund(format.date(status.refundable_until))}</p>}
          {status?.payments === 'demo' && <p>{text.demo}</p>}
        </>
      }
      art={<DancePrint isPaid />}
    >
      <dl className="checkout__facts tabular-numbers">
        <Fact name={text.plan} translate="no">
          {plan.name}
        </Fact>
        <Fact name={text.price}>{pricePerInterval(plan, { text: priceText, format })}</Fact>
        <Fact name={text.next}>{text.date(format.date(periodEnd))}</Fact>
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
  const isPending = problem === 'pending'
  return (
    <CheckoutLayout
      title={title}
      lead={(problem === 'refused' && reason) || lead}
      icon={
        <span className={isPending ? 'checkout__icon' : 'checkout__icon checkout__icon--warn'}>
          {isPending ? <Clock className="icon" /> : <TriangleAlert className="icon" />}
        </span>
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
          {!isPending && (
            <Link className={buttonClass({ large: true, tone: 'ghost' })} to={paths.pricing}>
              {text.plans}
            </Link>
          )}
        </>
      }
      hint={
        checkoutId !== undefined &&
        problem !== 'refused' &&
        !isPending && (
          <p>
            {text.reference}: <code translate="no">{checkoutId.slice(0, 100)}</code>
          </p>
        )
      }
      art={<DancePrint />}
    />
  )
}

function DancePrint({ isPaid = false }: { isPaid?: boolean }) {
  const { success, cancelled } = useText({ checkout: messages })
  return (
    <SidePrint
      photo={<img src={photo} width="1200" height="800" alt="" />}
      line={isPaid ? success.line : cancelled.stays}
      codeUrl={useSampleCodeUrl()('dance')}
    />
  )
}

const SidePrint = ({ photo, line, codeUrl }: { photo: ReactNode; line: string; codeUrl: string }) => (
  <div aria-hidden="true">
    <Print photo={photo} line={line} code={{ src: codeUrl, alt: '' }} />
  </div>
)

/** Where the payment provider returns to when nothing was paid. */
export function SubscriptionCancelPage() {
  const text = useText({ checkout: messages }).cancelled
  const format = useFormat()
  const { data: status } = usePlanStatus()
  const left = status ? photosLeft(status) : 0
  return (
    <CheckoutLayout
      title={text.title}
      lead={status ? `${text.lead} ${text.planStays(status.plan.name)}` : text.lead}
      actions={
        <>
          <Link className={buttonClass({ tone: 'primary', large: true })} to={paths.pricing}>
            {text.plans}
          </Link>
          <Link className={buttonClass({ large: true })} to={paths.upload}>
            {text.upload}
          </Link>
          <Link className={buttonClass({ large: true, tone: 'ghost' })} to={paths.home}>
            {text.home}
          </Link>
        </>
      }
      art={
        <SidePrint
          photo={<img src={tablePhoto} width="720" height="480" alt="" />}
          line={left > 0 ? text.left(format.count(left)) : text.stays}
          codeUrl={codeUrl}
        />
      }
    />
  )
}

interface Props {
  title: string
  lead: string
  /** Before the heading. */
  icon?: ReactNode
  /** Details between the lead and the actions. */
  children?: ReactNode
  actions: ReactNode
  /** Below the actions. */
  hint?: ReactNode
  art: ReactNode
}

/** A page after a checkout: what happened beside a picture. A change of the state is announced. */
function CheckoutLayout({ title, lead, icon, children, actions, hint, art }: Props) {
  usePageTitle(title)
  return (
    <div className="wrap checkout">
      <div className="checkout__text">
        <div aria-live="polite">
          {icon}
          <PageHeading>{title}</PageHeading>
          <p className="lead">{lead}</p>
        </div>
        {children}
        {actions && <div className="row checkout__actions">{actions}</div>}
        {hint && <div className="small muted checkout__hint">{hint}</div>}
      </div>
      <div className="checkout__art">{art}</div>
    </div>
  )
}
