import type { WebhookAttempt, WebhookDelivery } from '@keepsnap/contract/webhooks.ts'
import { useId } from 'react'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { webhooks as messages } from '../../messages/en/webhooks.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { isReplayable, readableBody } from './delivery-state.ts'

interface Props {
  /** Open while there is one. */
  delivery: WebhookDelivery | undefined
  onReplay: ((delivery: WebhookDelivery) => void) | undefined
  onClose: () => void
}

/** Everything about a delivery: its attempts, the last answer, and what is sent. */
export function DeliveryDialog({ delivery, onReplay, onClose }: Props) {
  const { delivery: text, deliveries } = useText({ webhooks: messages })
  const titleId = useId()
  return (
    <Dialog open={delivery !== undefined} onClose={onClose} className="dialog webhook-dialog" aria-labelledby={titleId}>
      {delivery && (
        <>
          <h2 id={titleId}>
            <code translate="no">{delivery.type}</code>
          </h2>
          <DeliveryDetails delivery={delivery} />
          <div className="dialog__actions">
            <Button onClick={onClose}>{text.close}</Button>
            {onReplay && isReplayable(delivery) && (
              <Button tone="primary" onClick={() => onReplay(delivery)}>
                {deliveries.replay}
              </Button>
            )}
          </div>
        </>
      )}
    </Dialog>
  )
}

function DeliveryDetails({ delivery }: { delivery: WebhookDelivery }) {
  const { delivery: text } = useText({ webhooks: messages })
  const format = useFormat()
  const { message_id: messageId, created_at: at, attempts, body } = delivery
  const last = attempts.at(-1)
  return (
    <div className="stack delivery-details">
      <p className="small muted">
        <code translate="no">{messageId}</code>
        <br />
        <time dateTime={at}>{`${format.date(at)}, ${format.clock(Date.parse(at))}`}</time>
      </p>
      <h3 className="label">{text.attempts}</h3>
      {attempts.length === 0 ? (
        <p className="small muted">{text.none}</p>
      ) : (
        <ol className="delivery-attempts small tabular-numbers">
          {attempts.map((attempt) => (
            <AttemptItem key={attempt.at} attempt={attempt} />
          ))}
        </ol>
      )}
      {last?.status != null && (
        <>
          <h3 className="label">{text.answered}</h3>
          {last.response ? (
            <code className="code delivery-code" translate="no">
              {last.response}
            </code>
          ) : (
            <p className="small muted">{text.noAnswer}</p>
          )}
        </>
      )}
      <h3 className="label">{text.sent}</h3>
      <code className="code delivery-code" translate="no">
        {readableBody(body)}
      </code>
    </div>
  )
}

function AttemptItem({ attempt: { at, status, error, duration_ms: ms } }: { attempt: WebhookAttempt }) {
  const { deliveries: text } = useText({ webhooks: messages })
  const format = useFormat()
  return (
    <li>
      <time dateTime={at}>{`${format.date(at)}, ${format.clock(Date.parse(at))}`}</time>
      <b>{status ?? text.noResponse}</b>
      <span className="muted">{text.ms(format.count(ms))}</span>
      {error !== null && <span className="delivery-attempts__error">{error}</span>}
    </li>
  )
}
