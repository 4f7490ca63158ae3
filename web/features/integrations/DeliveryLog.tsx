import { type ComponentProps, useId, useState } from 'react'
import { Check, Clock, Minus, TriangleAlert } from 'lucide-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Webhook, WebhookAttempt, WebhookDelivery } from '@keepsnap/contract/integrations.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { webhooks as messages } from '../../messages/en/integrations.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { useApi } from '../../lib/app-services.tsx'
import { errorMessage } from '../../lib/api-errors.ts'
import { LoadFailedNote, LoadMore, QueryView } from '../../ui/QueryView.tsx'
import { SaveStatus, useTemporaryMessage } from '../../ui/SaveStatus.tsx'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { deliveriesQuery, type DeliveryFilter, useReplay } from './webhooks.ts'

interface Props {
  webhook: Webhook
  mayReplay: boolean
}

/** What was sent to a webhook, newest first. It changes while deliveries wait. */
export function DeliveryLog({ webhook, mayReplay }: Props) {
  const { deliveries: text, logOf } = useText({ webhooks: messages })
  const headingId = useId()
  const [filter, setFilter] = useState<DeliveryFilter>('all')
  return (
    <section className="stack delivery-log" aria-labelledby={headingId}>
      <div className="row row--between">
        <h4 id={headingId} className="delivery-log__heading">
          {logOf(new URL(webhook.url).host)}
        </h4>
        <SegmentedControl
          legend={text.show}
          value={filter}
          options={[
            { value: 'all', label: text.all },
            { value: 'failed', label: text.failedOnly },
          ]}
          onChange={setFilter}
        />
      </div>
      <Deliveries webhook={webhook} filter={filter} mayReplay={mayReplay} />
      <p className="tiny muted">{text.kept}</p>
    </section>
  )
}

function Deliveries({ webhook, filter, mayReplay }: Props & { filter: DeliveryFilter }) {
  const { deliveries: text } = useText({ webhooks: messages })
  const query = useInfiniteQuery(deliveriesQuery(useApi(), webhook.id, filter))
  return (
    <ListView query={query} text={text}>
      {({ pages }) => {
        const list = pages.flatMap(({ deliveries }) => deliveries)
        if (list.length === 0) return <p className="muted">{filter === 'failed' ? text.emptyFailed : text.empty}</p>
        return (
          <>
            <DeliveryTable webhook={webhook} list={list} mayReplay={mayReplay} />
            <LoadMore query={query} label={text.more} />
          </>
        )
      }}
    </ListView>
  )
}

type ListViewProps<Data> = Pick<ComponentProps<typeof QueryView<Data>>, 'query' | 'children'>

/** A list, or in its place that it is being loaded or could not be. */
export const ListView = <Data,>({
  text,
  ...view
}: ListViewProps<Data> & { text: { loading: string; failed: string } }) => (
  <QueryView
    {...view}
    loading={
      <>
        <output className="visually-hidden">{text.loading}</output>
        <span className="skeleton webhooks__skeleton" aria-hidden="true" />
      </>
    }
    failed={text.failed}
    renderFailed={(failure) => <LoadFailedNote {...failure} />}
  />
)

const columns = ['when', 'event', 'response', 'attempts', 'action'] as const

function DeliveryTable({ webhook, list, mayReplay }: Props & { list: readonly WebhookDelivery[] }) {
  const { deliveries: text, logOf, genericError } = useText({ webhooks: messages })
  const [shown, setShown] = useState<WebhookDelivery | null>(null)
  const [message, showMessage] = useTemporaryMessage()
  const replay = useReplay(webhook.id)
  const replayDelivery = ({ id }: WebhookDelivery): void => {
    setShown(null)
    replay.mutate(id, {
      onSuccess: () => showMessage({ tone: 'ok', text: text.replayed }),
      onError: (error) => showMessage({ tone: 'bad', text: errorMessage(error, genericError) }),
    })
  }
  return (
    <>
      <div className="card card-table deliveries">
        <table className="table" aria-label={logOf(webhook.url)}>
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col" className={`deliveries__column--${name}`}>
                  {name === 'action' ? (
                    <span className="visually-hidden">{text.columns[name]}</span>
                  ) : (
                    text.columns[name]
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {list.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                delivery={delivery}
                isBusy={replay.isPending && replay.variables === delivery.id}
                onReplay={mayReplay ? replayDelivery : undefined}
                onShow={setShown}
              />
            ))}
          </tbody>
        </table>
      </div>
      <SaveStatus message={message} />
      <DeliveryDialog
        // Newer deliveries can take its place in the list.
        delivery={shown ? (list.find(({ id }) => id === shown.id) ?? shown) : undefined}
        onReplay={mayReplay ? replayDelivery : undefined}
        onClose={() => setShown(null)}
      />
    </>
  )
}

interface DeliveryRowProps {
  delivery: WebhookDelivery
  isBusy: boolean
  /** Undefined while nothing can be sent again. */
  onReplay: ((delivery: WebhookDelivery) => void) | undefined
  onShow: (delivery: WebhookDelivery) => void
}

/** One delivery: a row of the table. On narrow screens the styles turn it into a card. */
function DeliveryRow({ delivery, isBusy, onReplay, onShow }: DeliveryRowProps) {
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

function HappenedAt({ time }: { time: string }) {
  const format = useFormat()
  return (
    <time className="delivery-time" dateTime={time} translate="no">
      <span>{format.date(time)}</span>
      <span className="muted">{format.clock(Date.parse(time))}</span>
    </time>
  )
}

/** `retrying`: waits after a failed attempt. */
const looks = {
  delivered: { icon: Check, tone: 'badge--ok' },
  failed: { icon: TriangleAlert, tone: 'badge--bad' },
  retrying: { icon: Clock, tone: 'badge--warn' },
  waiting: { icon: Clock, tone: 'badge--warn' },
  cancelled: { icon: Minus, tone: '' },
} as const

/** What the last attempt led to: a badge, and below it the time that it took or why there was no answer. */
function DeliveryStatus({ delivery }: { delivery: WebhookDelivery }) {
  const { deliveries: text } = useText({ webhooks: messages })
  const format = useFormat()
  const last = delivery.attempts.at(-1)
  const look = delivery.state === 'waiting' && last ? 'retrying' : delivery.state
  const { icon: Icon, tone } = looks[look]
  const names = {
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

interface DeliveryDialogProps {
  /** Open while there is one. */
  delivery: WebhookDelivery | undefined
  onReplay: ((delivery: WebhookDelivery) => void) | undefined
  onClose: () => void
}

/** Everything about a delivery: its attempts, the last answer, and what is sent. */
function DeliveryDialog({ delivery, onReplay, onClose }: DeliveryDialogProps) {
  const { delivery: text, deliveries } = useText({ webhooks: messages })
  return (
    <Dialog
      open={delivery !== undefined}
      onClose={onClose}
      className="dialog webhook-dialog"
      title={<code translate="no">{delivery?.type}</code>}
    >
      {delivery && <DeliveryDetails delivery={delivery} />}
      <div className="dialog__actions">
        <Button onClick={onClose}>{text.close}</Button>
        {delivery && onReplay && isReplayable(delivery) && (
          <Button tone="primary" onClick={() => onReplay(delivery)}>
            {deliveries.replay}
          </Button>
        )}
      </div>
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

/** Not tests, which can be sent anew, nor waiting deliveries, which are sent anyway. */
const isReplayable = ({ state, type }: WebhookDelivery): boolean => type !== 'webhook.test' && state !== 'waiting'

const isRedirect = ({ status }: WebhookAttempt): boolean => status !== null && status >= 300 && status < 400

/** The body as indented JSON; unchanged when it is not JSON. */
function readableBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
