import type { WebhookDelivery } from '@keepsnap/contract/webhooks.ts'
import { Check, Clock, Minus, TriangleAlert } from 'lucide-react'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { webhooks as messages } from '../../messages/en/webhooks.ts'
import { Button } from '../../ui/Button.tsx'
import { type DeliveryDisplayState, displayStateOf, isRedirect, isReplayable } from './delivery-state.ts'

interface Props {
  delivery: WebhookDelivery
  isBusy: boolean
  /** Undefined while nothing can be sent again. */
  onReplay: ((delivery: WebhookDelivery) => void) | undefined
  onShow: (delivery: WebhookDelivery) => void
}

function HappenedAt({ time }: { time: string }) {
  const format = useFormat()
  return (
    <time className="delivery-time" dateTime={time} translate="no">
      <span>{format.date(time)}</span>
      <span className="muted">{format.clock(Date.parse(time))}</span>
    </time>
  )
}

/** One delivery: a row of the table. On narrow screens the styles turn it into a card. */
export function DeliveryRow({ delivery, isBusy, onReplay, onShow }: Props) {
  const { deliveries: text } = useText({ webhooks: messages })
  const format = useFormat()
  const { type, message_id: messageId, created_at: at, attempts, next_attempt_at: next, state } = delivery
  return (
    <tr>
      <td className="tabular-numbers">
        <HappenedAt time={at} />
      </td>
      <td>
        <button
          type="button"
          className="delivery-event"
          aria-label={text.details(type)}
          onClick={() => onShow(delivery)}
        >
          <code translate="no">{type}</code>
        </button>
        {delivery.is_replay && <span className="badge delivery-replay">{text.replayOf}</span>}
        <code className="tiny muted ellipsis delivery-id" translate="no">
          {messageId}
        </code>
      </td>
      <td>
        <DeliveryStatus delivery={delivery} />
      </td>
      <td className="tabular-numbers">
        <span className="delivery-attempt-count">
          {text.attempts(format.count(attempts.length), attempts.length === 1)}
        </span>
        {state === 'waiting' && next !== null && attempts.length > 0 && (
          <span className="tiny muted delivery-detail">{text.next(format.time(next))}</span>
        )}
      </td>
      <td className="delivery-actions">
        {onReplay && isReplayable(delivery) && (
          <Button
            tone={state === 'delivered' ? 'ghost' : 'quiet'}
            aria-label={text.replayNamed(type, format.clock(Date.parse(at)))}
            busy={isBusy}
            onClick={() => onReplay(delivery)}
          >
            {text.replay}
          </Button>
        )}
      </td>
    </tr>
  )
}

const looks = {
  delivered: { icon: Check, tone: 'badge--ok' },
  failed: { icon: TriangleAlert, tone: 'badge--bad' },
  retrying: { icon: Clock, tone: 'badge--warn' },
  waiting: { icon: Clock, tone: 'badge--warn' },
  cancelled: { icon: Minus, tone: '' },
} as const satisfies Record<DeliveryDisplayState, unknown>

/** What the last attempt led to: a badge, and below it the time that it took or why there was no answer. */
function DeliveryStatus({ delivery }: { delivery: WebhookDelivery }) {
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
        <span>{names[look]}</span>
      </span>
      {detail && <span className="tiny muted delivery-detail">{detail}</span>}
    </>
  )
}
