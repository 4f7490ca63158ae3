import type { Webhook } from '@keepsnap/contract/webhooks.ts'
import { Pencil } from 'lucide-react'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { errorMessage } from '../../lib/error-message.ts'
import { useTemporaryMessage } from '../../lib/temporary-message.ts'
import { webhooks as messages } from '../../messages/en/webhooks.ts'
import { Button } from '../../ui/Button.tsx'
import { SaveStatus } from '../../ui/SaveStatus.tsx'
import { useWebhookActions } from './queries.ts'
import type { OpenDialog } from './WebhookDialogs.tsx'

interface Props {
  webhook: Webhook
  hasAccess: boolean
  /** The element that contains the log. */
  logId: string
  isLogOpen: boolean
  onToggleLog: (isOpen: boolean) => void
  openDialog: (dialog: OpenDialog) => void
}

/** One webhook: its URL and events, its state, and its actions. */
export function WebhookRow({ webhook, hasAccess, logId, isLogOpen, onToggleLog, openDialog }: Props) {
  const text = useText({ webhooks: messages })
  const { id, url, events, enabled } = webhook
  const actions = useWebhookActions()
  const [message, showMessage] = useTemporaryMessage()
  const onError = (error: Error): void => showMessage({ tone: 'bad', text: errorMessage(error, text.genericError) })
  const sendTest = (): void =>
    actions.test.mutate(id, {
      onError,
      onSuccess() {
        showMessage({ tone: 'ok', text: text.testSent })
        onToggleLog(true)
      },
    })
  const switchOn = (): void =>
    actions.change.mutate(
      { id, url, events, enabled: true },
      { onError, onSuccess: () => showMessage({ tone: 'ok', text: text.switchedOn }) },
    )
  return (
    <li>
      <div className="webhook-list__about">
        <p className="webhook-list__url">
          <b translate="no">{url}</b>
          <StateBadge webhook={webhook} hasAccess={hasAccess} />
        </p>
        <p className="small muted" translate="no">
          {events.join(', ')}
        </p>
        {hasAccess && <StateDetails webhook={webhook} />}
      </div>
      <div className="row webhook-list__actions">
        {hasAccess && enabled && (
          <Button aria-label={text.testOf(url)} busy={actions.test.isPending} onClick={sendTest}>
            {text.test}
          </Button>
        )}
        {hasAccess && !enabled && (
          <Button aria-label={text.switchOnNamed(url)} busy={actions.change.isPending} onClick={switchOn}>
            {text.switchOn}
          </Button>
        )}
        <Button
          tone="ghost"
          aria-label={text.logOf(url)}
          aria-expanded={isLogOpen}
          aria-controls={logId}
          onClick={() => onToggleLog(!isLogOpen)}
        >
          {text.log}
        </Button>
        <EditButton webhook={webhook} hasAccess={hasAccess} openDialog={openDialog} />
      </div>
      <SaveStatus message={message} />
    </li>
  )
}

function EditButton({
  webhook: { id, url },
  hasAccess,
  openDialog,
}: Pick<Props, 'webhook' | 'hasAccess' | 'openDialog'>) {
  const text = useText({ webhooks: messages })
  if (!hasAccess)
    return (
      <Button tone="danger" onClick={() => openDialog({ kind: 'delete', id })}>
        {text.form.delete}
      </Button>
    )
  return (
    <Button tone="ghost" icon aria-label={text.edit(url)} onClick={() => openDialog({ kind: 'edit', id })}>
      <Pencil className="icon" />
    </Button>
  )
}

function StateBadge({ webhook, hasAccess }: { webhook: Webhook; hasAccess: boolean }) {
  const { state } = useText({ webhooks: messages })
  if (webhook.disabled_because === 'failing') return <span className="badge badge--bad">{state.switchedOff}</span>
  if (!webhook.enabled) return <span className="badge">{state.off}</span>
  if (!hasAccess) return <span className="badge">{state.paused}</span>
  if (webhook.failing_since !== null) return <span className="badge badge--warn">{state.failing}</span>
  return <span className="badge badge--ok">{state.on}</span>
}

function StateDetails({ webhook }: { webhook: Webhook }) {
  const text = useText({ webhooks: messages })
  const format = useFormat()
  const { enabled, disabled_because, failing_since, gives_up_at, previous_secret_until } = webhook
  const sentences = [
    disabled_because === 'failing' && text.gaveUp,
    disabled_because === 'owner' && text.offHint,
    enabled && failing_since !== null && text.failingSince(format.dateTime(failing_since)),
    enabled && gives_up_at !== null && text.givesUp(format.dateTime(gives_up_at)),
    previous_secret_until !== null && text.bothSecrets(format.dateTime(previous_secret_until)),
  ].filter((sentence) => sentence !== false)
  if (sentences.length === 0) return null
  return <p className="small muted">{sentences.join(' ')}</p>
}
