import type { Invoice } from '@keepsnap/contract/billing.ts'
import { useState } from 'react'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { subscription as messages } from '../../messages/en/subscription.ts'
import { Button } from '../../ui/Button.tsx'

const firstShown = 6

/** What was paid, newest first. */
export function Invoices({ invoices }: { invoices: readonly Invoice[] }) {
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
