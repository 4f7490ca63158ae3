import { webhookLimits } from '@keepsnap/contract/limits.ts'
import type { Webhook } from '@keepsnap/contract/webhooks.ts'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { useApi } from '../../lib/app-services.tsx'
import type { UserPlan } from '../../lib/plan-status.ts'
import { hasFailed } from '../../lib/query-failure.ts'
import { states } from '../../messages/en/states.ts'
import { webhooks as messages } from '../../messages/en/webhooks.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { DeliveryLog } from './DeliveryLog.tsx'
import { webhooksQuery } from './queries.ts'
import { WebhookDialogs, type OpenDialog } from './WebhookDialogs.tsx'
import { WebhookRow } from './WebhookRow.tsx'
import './webhooks.css'

/** The webhooks of the account and the log of one of them. Without API access only what exists already. */
export function Webhooks({ plan }: { plan: UserPlan }) {
  const text = useText({ webhooks: messages })
  const format = useFormat()
  const headingId = useId()
  const query = useQuery(webhooksQuery(useApi()))
  const { data: list, isFetching, refetch } = query
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const hasAccess = plan.features.api_access
  if (!hasAccess && !list?.length) return null
  const isFull = (list?.length ?? 0) >= webhookLimits.webhooksMax
  const addButton = (
    <Button onClick={() => setDialog({ kind: 'create' })}>
      <Plus className="icon" />
      {text.add}
    </Button>
  )
  return (
    <section className="webhooks stack" aria-labelledby={headingId}>
      <div className="row row--between">
        <div>
          <h3 id={headingId}>{text.heading}</h3>
          <p className="small muted">{text.lead}</p>
        </div>
        {hasAccess && list && list.length > 0 && !isFull && addButton}
      </div>
      {!hasAccess && <Note tone="plain">{text.noAccess}</Note>}
      {list ? (
        <WebhookList list={list} hasAccess={hasAccess} openDialog={setDialog} addButton={addButton} />
      ) : (
        <ListNotLoaded failed={hasFailed(query)} busy={isFetching} onRetry={() => void refetch()} />
      )}
      {isFull && <p className="small muted">{text.full(format.count(webhookLimits.webhooksMax))}</p>}
      <WebhookDialogs dialog={dialog} list={list ?? []} setDialog={setDialog} />
    </section>
  )
}

interface ListNotLoadedProps {
  failed: boolean
  busy: boolean
  onRetry: () => void
}

function ListNotLoaded({ failed, busy, onRetry }: ListNotLoadedProps) {
  const text = useText({ webhooks: messages })
  const { tryAgain } = useText({ states })
  if (!failed)
    return (
      <>
        <output className="visually-hidden">{text.loading}</output>
        <span className="skeleton webhooks__skeleton" aria-hidden="true" />
      </>
    )
  return (
    <>
      <Note tone="bad">{text.failed}</Note>
      <Button busy={busy} onClick={onRetry}>
        {tryAgain}
      </Button>
    </>
  )
}

interface ListProps {
  list: readonly Webhook[]
  hasAccess: boolean
  openDialog: (dialog: OpenDialog) => void
  addButton: ReactNode
}

function WebhookList({ list, hasAccess, openDialog, addButton }: ListProps) {
  const text = useText({ webhooks: messages })
  const [openLogId, setOpenLogId] = useState<string | null>(null)
  const logId = useId()
  const webhookWithLog = list.find(({ id }) => id === openLogId)
  if (list.length === 0)
    return (
      <div className="card webhooks__empty">
        <p>{text.empty}</p>
        {addButton}
      </div>
    )
  return (
    <>
      <ul className="card webhook-list">
        {list.map((webhook) => (
          <WebhookRow
            key={webhook.id}
            webhook={webhook}
            hasAccess={hasAccess}
            logId={logId}
            isLogOpen={webhook.id === openLogId}
            onToggleLog={(isOpen) => setOpenLogId(isOpen ? webhook.id : null)}
            openDialog={openDialog}
          />
        ))}
      </ul>
      <div id={logId} hidden={!webhookWithLog}>
        {webhookWithLog && (
          <DeliveryLog
            key={webhookWithLog.id}
            webhook={webhookWithLog}
            mayReplay={hasAccess && webhookWithLog.enabled}
          />
        )}
      </div>
    </>
  )
}
