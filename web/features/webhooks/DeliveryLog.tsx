import type { Webhook, WebhookDelivery } from '@keepsnap/contract/webhooks.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { useApi } from '../../lib/app-services.tsx'
import { errorMessage } from '../../lib/error-message.ts'
import { hasFailed } from '../../lib/query-failure.ts'
import { useTemporaryMessage } from '../../lib/temporary-message.ts'
import { states } from '../../messages/en/states.ts'
import { webhooks as messages } from '../../messages/en/webhooks.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { SaveStatus } from '../../ui/SaveStatus.tsx'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { DeliveryDialog } from './DeliveryDialog.tsx'
import { DeliveryRow } from './DeliveryRow.tsx'
import { deliveriesQuery, useReplay, type DeliveryFilter } from './queries.ts'

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
  const { tryAgain } = useText({ states })
  const query = useInfiniteQuery(deliveriesQuery(useApi(), webhook.id, filter))
  const { data, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query
  const list = data?.pages.flatMap(({ deliveries }) => deliveries)
  if (!list && hasFailed(query))
    return (
      <>
        <Note tone="bad">{text.failed}</Note>
        <Button busy={isFetching} onClick={() => void refetch()}>
          {tryAgain}
        </Button>
      </>
    )
  if (!list)
    return (
      <>
        <output className="visually-hidden">{text.loading}</output>
        <span className="skeleton webhooks__skeleton" aria-hidden="true" />
      </>
    )
  if (list.length === 0) return <p className="muted">{filter === 'failed' ? text.emptyFailed : text.empty}</p>
  return (
    <>
      <DeliveryTable webhook={webhook} list={list} mayReplay={mayReplay} />
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {text.more}
        </Button>
      )}
    </>
  )
}

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
      <div className="card deliveries">
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
