import type { WebhookDelivery } from '@keepsnap/contract/webhooks.ts'
import { Check, Clock, Minus, TriangleAlert } from 'lucide-react'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { webhooks as messages } from '../../messages/en/webhooks.ts'
import { isRedirect, displayStateOf, type DeliveryDisplayState } from './delivery-state.ts'

const looks = {
  delivered: { icon: Check, tone: 'badge--ok' },
  failed: { icon: TriangleAlert, tone: 'badge--bad' },
  retrying: { icon: Clock, tone: 'badge--warn' },
  waiting: { icon: Clock, tone: 'badge--warn' },
  cancelled: { icon: Minus, tone: '' },
} as const satisfies Record<DeliveryDisplayState, unknown>

/** What the last attempt led to: a badge, and below it the time that it took or why there was no answer. */
export function DeliveryStatus({ delivery }: { delivery: WebhookDelivery }) {
  const { deliveries: text } = useText({ webhooks: messages })
  const format = useFormat()
  const look = displayStateOf(delivery)
  const last = delivery.attempts.at(-1)
  const { icon: Icon, tone } = looks[look]
  const names: Record<DeliveryDisplayState, string> = {
    delivered: String(last?.status ?? ''),
    failed: String(last?.status ?? text.noResponse),
    retrying: last?.status ? `${text.waiting} · ${last.status}` : text.waiting,
    waiting: text.waiting,
    cancelled: text.notSent,
  }
  const detail = last && (last.error ?? (isRedirect(last) ? text.redirect : text.ms(format.count(last.duration_ms))))
  return (
    <>
      <span className={`badge ${tone}`}>
        <Icon className="icon" />
        {names[look]}
      </span>
      {detail && <span className="tiny muted delivery-detail">{detail}</span>}
    </>
  )
}
