import { Pencil, Plus, TriangleAlert } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { webhookLimits } from '@keepsnap/contract/limits.ts'
import {
  type Webhook,
  type WebhookEventType,
  webhookEventTypes,
  type WebhookWithSecret,
} from '@keepsnap/contract/integrations.ts'
import { confirmPassword } from '@keepsnap/contract/security.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { eventMenu } from '../../messages/en/events.ts'
import { webhooks as messages } from '../../messages/en/integrations.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmAction, ConfirmDialog, Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { useApi, useCurrentUser } from '../../lib/app-services.tsx'
import { errorMessage } from '../../lib/api-errors.ts'
import { security } from '../../messages/en/settings.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { usePasswordConfirmation } from '../../ui/usePasswordConfirmation.tsx'
import { SaveStatus, useTemporaryMessage } from '../../ui/SaveStatus.tsx'
import type { UserPlan } from '../plans/plan-status.ts'
import { Note } from '../../ui/Note.tsx'
import { EventField } from '../events/EventField.tsx'
import { hasEvents, useEventName } from '../events/events.ts'
import { useWebhookActions, webhooksQuery } from './webhooks.ts'
import { DeliveryLog, ListView } from './DeliveryLog.tsx'
import './webhooks.css'

/** The webhooks of the account and the log of one of them. Without API access only what exists already. */
export function Webhooks({ plan }: { plan: UserPlan }) {
  const text = useText({ webhooks: messages })
  const format = useFormat()
  const headingId = useId()
  const query = useQuery(webhooksQuery(useApi()))
  const { data: list } = query
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
      <ListView query={query} text={text}>
        {(loaded) => <WebhookList list={loaded} hasAccess={hasAccess} openDialog={setDialog} addButton={addButton} />}
      </ListView>
      {isFull && <p className="small muted">{text.full(format.count(webhookLimits.webhooksMax))}</p>}
      <WebhookDialogs dialog={dialog} list={list ?? []} setDialog={setDialog} />
    </section>
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
function WebhookRow({ webhook, hasAccess, logId, isLogOpen, onToggleLog, openDialog }: Props) {
  const text = useText({ webhooks: messages })
  const { id, url, events, enabled } = webhook
  const { onlyEvent, webhookGone } = useText({ eventMenu })
  const nameOf = useEventName()
  const ofEvent = webhook.event_id === undefined ? {} : { event_id: webhook.event_id }
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
      { id, url, events, enabled: true, ...ofEvent },
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
        {webhook.event_id != null && (
          <p className="small muted">{webhook.event_gone ? webhookGone : onlyEvent(nameOf(webhook.event_id))}</p>
        )}
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
        {hasAccess ? (
          <Button tone="ghost" icon aria-label={text.edit(url)} onClick={() => openDialog({ kind: 'edit', id })}>
            <Pencil className="icon" />
          </Button>
        ) : (
          <Button tone="danger" onClick={() => openDialog({ kind: 'delete', id })}>
            {text.form.delete}
          </Button>
        )}
      </div>
      <SaveStatus message={message} />
    </li>
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

/** Which dialog is open, and what it is about. */
type OpenDialog =
  | { kind: 'create' }
  | { kind: 'edit' | 'replace' | 'delete'; id: string }
  | { kind: 'secret'; webhook: WebhookWithSecret }

interface DialogsProps {
  dialog: OpenDialog | null
  list: readonly Webhook[]
  setDialog: (dialog: OpenDialog | null) => void
}

/** The dialogs about webhooks, of which at most one is open. */
function WebhookDialogs({ dialog, list, setDialog }: DialogsProps) {
  const { form, delete: deletion, genericError } = useText({ webhooks: messages })
  const { remove } = useWebhookActions()
  const toast = useToast()
  const webhook = dialog && 'id' in dialog ? list.find(({ id }) => id === dialog.id) : undefined
  const close = (): void => setDialog(null)
  const showSecret = (created: WebhookWithSecret): void => setDialog({ kind: 'secret', webhook: created })
  const isForm = dialog?.kind === 'create' || (dialog?.kind === 'edit' && webhook !== undefined)
  return (
    <>
      <Dialog
        open={isForm}
        onClose={close}
        className="dialog webhook-dialog"
        title={dialog?.kind === 'edit' ? form.edit : form.create}
      >
        <WebhookForm webhook={webhook} setDialog={setDialog} onCreated={showSecret} onClose={close} />
      </Dialog>
      <ReplaceSecret
        webhook={dialog?.kind === 'replace' ? webhook : undefined}
        onReplaced={showSecret}
        onClose={close}
      />
      <ConfirmAction
        open={dialog?.kind === 'delete' && webhook !== undefined}
        title={deletion.title}
        question={deletion.question(webhook ? new URL(webhook.url).host : '')}
        confirm={deletion.confirm}
        action={remove}
        input={webhook?.id ?? ''}
        problemOf={(error) => errorMessage(error, genericError)}
        onDone={() => toast({ text: deletion.done })}
        onClose={close}
      />
      <SecretDialog webhook={dialog?.kind === 'secret' ? dialog.webhook : undefined} onClose={close} />
    </>
  )
}

interface FormProps {
  /** The one that is changed; otherwise a new one. */
  webhook: Webhook | undefined
  setDialog: DialogsProps['setDialog']
  onCreated: (webhook: WebhookWithSecret) => void
  onClose: () => void
}

/** URL and events of a webhook; of one that exists also the switch, the secret and deletion. */
function WebhookForm({ webhook, setDialog, onCreated, onClose }: FormProps) {
  const { form: text, genericError } = useText({ webhooks: messages })
  const confirmation = useConfirmation()
  const { create, change } = useWebhookActions(confirmation.run)
  const toast = useToast()
  const problem = confirmation.problemOf(create.error ?? change.error)
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [events, setEvents] = useState<readonly WebhookEventType[]>(webhook?.events ?? webhookEventTypes)
  const [enabled, setEnabled] = useState(webhook?.enabled ?? true)
  const [event, setEvent] = useState(webhook?.event_id ?? null)
  const eventText = useText({ eventMenu })
  const { user } = useCurrentUser()
  const hintId = useId()
  const errors = {
    ...(url.trim() === '' && { url: text.urlMissing }),
    ...(events.length === 0 && { events: text.eventsMissing }),
  }
  const save = (): void => {
    if (confirmation.isMissing()) return
    create.reset()
    change.reset()
    const fields = { url: url.trim(), events: [...events], enabled, ...(hasEvents(user) && { event_id: event }) }
    if (!webhook) return create.mutate(fields, { onSuccess: onCreated })
    change.mutate(
      { ...fields, id: webhook.id },
      {
        onSuccess() {
          toast({ text: text.saved })
          onClose()
        },
      },
    )
  }
  return (
    <DialogForm
      errors={errors}
      problem={problem ? errorMessage(problem, genericError) : undefined}
      submit={webhook ? text.submit : text.submitNew}
      busy={create.isPending || change.isPending}
      onSubmit={save}
      onClose={onClose}
    >
      {(shown) => (
        <>
          <Field
            label={text.url}
            type="url"
            name="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            maxLength={webhookLimits.urlChars}
            placeholder="https://example.com/keepsnap"
            value={url}
            error={shown['url']}
            aria-describedby={hintId}
            onChange={(event) => setUrl(event.currentTarget.value)}
          >
            <p className="small muted" id={hintId}>
              {text.urlHint}
            </p>
          </Field>
          <EventChoice events={events} error={shown['events']} onChange={setEvents} />
          {hasEvents(user) && (
            <EventField label={eventText.keyEvent} value={event} none={eventText.webhookAny} onChange={setEvent} />
          )}
          {webhook && (
            <>
              <Switch label={text.enabled} hint={text.enabledHint} checked={enabled} onChange={setEnabled} />
              <div className="row row--between webhook-dialog__secret">
                <p>
                  <b>{text.secret}</b>
                  <br />
                  <code className="small muted">{webhook.secret_hint}</code>
                </p>
                <Button onClick={() => setDialog({ kind: 'replace', id: webhook.id })}>{text.replaceSecret}</Button>
              </div>
              <Button tone="danger" onClick={() => setDialog({ kind: 'delete', id: webhook.id })}>
                {text.delete}
              </Button>
            </>
          )}
          {confirmation.field}
        </>
      )}
    </DialogForm>
  )
}

interface EventChoiceProps {
  events: readonly WebhookEventType[]
  error: string | undefined
  onChange: (events: readonly WebhookEventType[]) => void
}

function EventChoice({ events, error, onChange }: EventChoiceProps) {
  const { form: text } = useText({ webhooks: messages })
  const errorId = useId()
  const toggle = (type: WebhookEventType): void =>
    onChange(webhookEventTypes.filter((one) => (one === type ? !events.includes(one) : events.includes(one))))
  return (
    <fieldset className="webhook-events" aria-describedby={error && errorId}>
      <legend className="label">{text.events}</legend>
      {webhookEventTypes.map((type) => (
        <label key={type} className="webhook-events__choice">
          <input type="checkbox" name="events" checked={events.includes(type)} onChange={() => toggle(type)} />
          <code translate="no">{type}</code>
          <span className="small muted">{text.eventHints[type]}</span>
        </label>
      ))}
      {error && (
        <p className="error" id={errorId}>
          <TriangleAlert className="icon" />
          <span>{error}</span>
        </p>
      )}
    </fieldset>
  )
}

interface ReplaceProps {
  webhook: Webhook | undefined
  onReplaced: (webhook: WebhookWithSecret) => void
  onClose: () => void
}

function ReplaceSecret({ webhook, onReplaced, onClose }: ReplaceProps) {
  const { replace: text, genericError } = useText({ webhooks: messages })
  const confirmation = useConfirmation()
  const { replaceSecret } = useWebhookActions(confirmation.run)
  const problem = confirmation.problemOf(replaceSecret.error)
  const replace = (id: string): void => {
    if (!confirmation.isMissing()) replaceSecret.mutate(id, { onSuccess: onReplaced })
  }
  const close = (): void => {
    replaceSecret.reset()
    onClose()
  }
  return (
    <ConfirmDialog
      open={webhook !== undefined}
      title={text.title}
      question={text.question}
      details={confirmation.field}
      confirm={text.confirm}
      tone="primary"
      problem={problem && errorMessage(problem, genericError)}
      busy={replaceSecret.isPending}
      onConfirm={() => webhook && replace(webhook.id)}
      onClose={close}
    />
  )
}

/** Asks for the password in a dialog whose call the server refuses without it. */
function useConfirmation() {
  const api = useApi()
  const text = useText({ security }).confirmation
  return usePasswordConfirmation(text, (password) => api.call(confirmPassword, { body: { password } }))
}

/** Shows a new secret, once. */
function SecretDialog({ webhook, onClose }: { webhook: WebhookWithSecret | undefined; onClose: () => void }) {
  const { secret: text } = useText({ webhooks: messages })
  const format = useFormat()
  const shownSecret = useRef<HTMLElement>(null)
  const until = webhook?.previous_secret_until ?? null
  return (
    <Dialog open={webhook !== undefined} onClose={onClose} className="dialog webhook-dialog" title={text.title}>
      <div className="stack">
        <p>{until === null ? text.lead : text.leadReplaced(format.dateTime(until))}</p>
        <div className="webhook-secret">
          <code ref={shownSecret} translate="no">
            {webhook?.secret}
          </code>
          <CopyButton text={webhook?.secret ?? ''} label={text.copy} shownIn={shownSecret} tone="quiet" />
        </div>
        <p className="small muted">{text.how}</p>
      </div>
      <div className="dialog__actions">
        <Button tone="primary" onClick={onClose}>
          {text.done}
        </Button>
      </div>
    </Dialog>
  )
}
