import { useState } from 'react'
import { Link } from 'react-router'
import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import type { Invoice, SubscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { subscription as messages } from '../../messages/en/plans.ts'
import { ActionRow } from '../../ui/ActionRow.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { errorMessage } from '../../lib/api-errors.ts'
import { paths } from '../../lib/paths.ts'
import { pricing } from '../../messages/en/pricing.ts'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { useApi } from '../../lib/app-services.tsx'
import { hasFailed } from '../../ui/QueryView.tsx'
import { states } from '../../messages/en/frame.ts'
import { Note } from '../../ui/Note.tsx'
import { invoicesQuery, usePortal, useRefund, useSubscriptionErrorMessage } from './subscription.ts'
import { freeLimits } from './subscription-details.ts'
import { useBelgianDate, withdrawalOfferQuery } from './withdrawal.ts'

interface Props {
  status: SubscriptionStatus
  onDone: (message: string) => void
}

/** The refund, the billing portal (card and invoices), and the list of payments. `hasPaid`: whether the user has ever paid. */
export function BillingActions({ status, hasPaid, onDone }: Props & { hasPaid: boolean }) {
  const { subscription, payments } = status
  if (payments === 'off' || (!hasPaid && !subscription)) return null
  return (
    <div className="security-actions subscription__billing">
      {subscription && <Withdrawal />}
      <Payments status={status} onDone={onDone} />
      {payments === 'stripe' && <Portal />}
    </div>
  )
}

/** During the days in which the contract can be withdrawn from: where. */
function Withdrawal() {
  const { withdraw: text } = useText({ subscription: messages })
  const belgianDate = useBelgianDate()
  const { data } = useQuery(withdrawalOfferQuery(useApi()))
  if (!data?.contract || data.contract.is_over) return null
  return (
    <ActionRow name={text.heading} hint={text.hint(belgianDate(data.contract.until))}>
      <Link className={buttonClass({})} to={paths.withdraw}>
        {text.open}
      </Link>
    </ActionRow>
  )
}

function Payments({ status, onDone }: Props) {
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

interface RefundProps extends Props {
  until: string
  invoices: readonly Invoice[] | undefined
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
    <ActionRow name={text.heading} hint={text.hint(format.date(until))}>
      <Button onClick={() => setOpen(true)}>{text.open}</Button>
      {open && <RefundDialog status={status} cents={cents} onClose={() => setOpen(false)} onDone={onDone} />}
    </ActionRow>
  )
}

/** Asks before everything that was paid is refunded, which ends the plan at once unless it has ended already. `cents`: what was paid, if that is known. */
function RefundDialog({ status, cents, onClose, onDone }: Props & { cents: number | null; onClose: () => void }) {
  const { refund: text, actions, demo, done, errors } = useText({ subscription: messages })
  const { names } = useText({ pricing })
  const format = useFormat()
  const { complimentary, payments, subscription } = status
  const hasEnded = subscription === null
  const refund = useRefund((refunded) => {
    onClose()
    if (refunded === 0) return onDone(done.nothingToRefund)
    onDone((hasEnded ? done.refundedAfterEnd : done.refunded)(format.price(refunded)))
  })
  const problem = useSubscriptionErrorMessage(refund.error, errorMessage(refund.error, errors.refund))
  const amount = cents === null ? null : format.price(cents)
  return (
    <ConfirmDialog
      open
      title={text.title}
      question={amount === null ? text.everything : text.amount(amount)}
      details={
        <>
          <p>{hasEnded ? text.ended : text.ends(complimentary?.name ?? names.free)}</p>
          {!complimentary && !hasEnded && <p>{text.photos(format.count(freeLimits.storage_gb))}</p>}
          {payments === 'demo' && <p className="small muted">{demo}</p>}
        </>
      }
      confirm={submitText(text, amount, hasEnded)}
      dismiss={hasEnded ? actions.notNow : actions.keep}
      problem={problem}
      busy={refund.isPending}
      onConfirm={() => refund.mutate()}
      onClose={onClose}
    />
  )
}

const submitText = (text: (typeof messages)['refund'], amount: string | null, hasEnded: boolean): string => {
  if (amount === null) return hasEnded ? text.submitEndedAll : text.submitAll
  return hasEnded ? text.submitEnded(amount) : text.submit(amount)
}

function Portal() {
  const { portal: text, errors } = useText({ subscription: messages })
  const portal = usePortal()
  const problem = useSubscriptionErrorMessage(portal.error, errorMessage(portal.error, errors.portal))
  return (
    <ActionRow name={text.heading} hint={text.hint} className="security-actions__more">
      <Button busy={portal.isPending} onClick={() => portal.mutate()}>
        <ExternalLink className="icon" />
        {text.open}
      </Button>
      {problem !== null && <Note tone="bad">{problem}</Note>}
    </ActionRow>
  )
}

const firstShown = 6

/** What was paid, newest first. */
function Invoices({ invoices }: { invoices: readonly Invoice[] }) {
  const { invoices: text } = useText({ subscription: messages })
  const format = useFormat()
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? invoices : invoices.slice(0, firstShown)
  return (
    <>
      <ul className="session-list subscription__invoices tabular-numbers" aria-label={text.heading} tabIndex={-1}>
        {shown.map((invoice) => (
          <li key={invoice.id}>
            <span className="subscription__invoice-date">
              {text.date(format.date(invoice.paid_at))}
              <RefundBadge invoice={invoice} />
            </span>
            <b>{format.price(invoice.amount_cents)}</b>
            {invoice.url !== null && (
              <a
                className="link"
                href={invoice.url}
                target="_blank"
                rel="noreferrer"
                aria-label={text.openOf(format.date(invoice.paid_at))}
              >
                {text.open}
              </a>
            )}
          </li>
        ))}
      </ul>
      {shown.length < invoices.length && (
        <Button tone="ghost" onClick={() => setShowsAll(true)}>
          {text.more(format.count(invoices.length))}
        </Button>
      )}
    </>
  )
}

function RefundBadge({ invoice: { amount_cents, refunded_cents, is_disputed } }: { invoice: Invoice }) {
  const { invoices: text } = useText({ subscription: messages })
  const format = useFormat()
  if (is_disputed) return <span className="badge badge--warn">{text.disputed}</span>
  if (refunded_cents === 0) return null
  return (
    <span className="badge">
      {refunded_cents >= amount_cents ? text.refunded : text.partlyRefunded(format.price(refunded_cents))}
    </span>
  )
}
