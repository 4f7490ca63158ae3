import type { Invoice, SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../lib/app-services.tsx'
import { errorMessage } from '../../lib/error-message.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { hasFailed } from '../../lib/query-failure.ts'
import { states } from '../../messages/en/states.ts'
import { subscription as messages } from '../../messages/en/subscription.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { Invoices } from './Invoices.tsx'
import { useSubscriptionErrorMessage } from './problems.ts'
import { RefundDialog } from './RefundDialog.tsx'
import { invoicesQuery, usePortal } from './subscription-queries.ts'

interface Props {
  status: SubscriptionStatus
  /** Whether the user has ever paid for a plan. */
  hasPaid: boolean
  onDone: (message: string) => void
}

/** The refund, the billing portal (card and invoices), and the list of payments. */
export function BillingActions({ status, hasPaid, onDone }: Props) {
  const { subscription, payments } = status
  if (payments === 'off' || (!hasPaid && !subscription)) return null
  return (
    <div className="security-actions subscription__billing">
      <Payments status={status} onDone={onDone} />
      {payments === 'stripe' && <Portal />}
    </div>
  )
}

function Payments({ status, onDone }: Omit<Props, 'hasPaid'>) {
  const { invoices: text, errors } = useText({ subscription: messages })
  const { tryAgain, loading } = useText({ states })
  const { subscription, refundable_until: refundableUntil } = status
  // Changes with each payment and refund: part of the query key.
  const state = [subscription?.plan.id, subscription?.current_period_end, refundableUntil].join(' ')
  const query = useQuery(invoicesQuery(useApi(), state))
  const { data, isFetching, refetch } = query
  const isNotLoaded = !data && hasFailed(query)
  return (
    <>
      {refundableUntil !== null && <Refund status={status} until={refundableUntil} invoices={data} onDone={onDone} />}
      <div className="security-actions__more">
        <p>
          <b>{text.heading}</b>
          {data?.length === 0 && <span>{text.none}</span>}
          {!data && <span>{isNotLoaded ? errors.invoices : loading}</span>}
        </p>
        {isNotLoaded && (
          <Button busy={isFetching} onClick={() => void refetch()}>
            {tryAgain}
          </Button>
        )}
        {data && data.length > 0 && <Invoices invoices={data} />}
      </div>
    </>
  )
}

interface RefundProps {
  status: SubscriptionStatus
  until: string
  invoices: readonly Invoice[] | undefined
  onDone: (message: string) => void
}

function Refund({ status, until, invoices, onDone }: RefundProps) {
  const { refund: text } = useText({ subscription: messages })
  const format = useFormat()
  const [open, setOpen] = useState(false)
  const cents = invoices?.length
    ? invoices.reduce((sum, one) => sum + (one.is_disputed ? 0 : one.amount_cents - one.refunded_cents), 0)
    : null
  if (cents === 0) return null
  return (
    <div>
      <p>
        <b>{text.heading}</b>
        <span>{text.hint(format.date(until))}</span>
      </p>
      <Button onClick={() => setOpen(true)}>{text.open}</Button>
      {open && <RefundDialog status={status} cents={cents} onClose={() => setOpen(false)} onDone={onDone} />}
    </div>
  )
}

function Portal() {
  const { portal: text, errors } = useText({ subscription: messages })
  const portal = usePortal()
  const problem = useSubscriptionErrorMessage(portal.error, errorMessage(portal.error, errors.portal))
  return (
    <div className="security-actions__more">
      <p>
        <b>{text.heading}</b>
        <span>{text.hint}</span>
      </p>
      <Button busy={portal.isPending} onClick={() => portal.mutate()}>
        <ExternalLink className="icon" />
        {text.open}
      </Button>
      {problem !== null && <Note tone="bad">{problem}</Note>}
    </div>
  )
}
