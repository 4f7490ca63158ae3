import { webhookLimits } from '@keepsnap/contract/limits.ts'
import { webhookEventTypes, type WebhookEventType } from '@keepsnap/contract/webhook-events.ts'
import type { Webhook } from '@keepsnap/contract/webhooks.ts'
import { TriangleAlert } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { webhooks as messages } from '../../messages/en/webhooks.ts'
import { Button } from '../../ui/Button.tsx'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { Field } from '../../ui/Field.tsx'
import { Switch } from '../../ui/Switch.tsx'
import type { WebhookFields } from './queries.ts'

interface Props {
  /** The one that is changed; otherwise a new one. */
  webhook: Webhook | undefined
  problem: string | undefined
  busy: boolean
  onSubmit: (fields: WebhookFields) => void
  onClose: () => void
  onReplaceSecret: () => void
  onDelete: () => void
  /** After the other fields. */
  children: ReactNode
}

/** URL and events of a webhook; of one that exists also the switch, the secret and deletion. */
export function WebhookForm({ webhook, onSubmit, onReplaceSecret, onDelete, children, ...rest }: Props) {
  const { form: text } = useText({ webhooks: messages })
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [events, setEvents] = useState<readonly WebhookEventType[]>(webhook?.events ?? webhookEventTypes)
  const [enabled, setEnabled] = useState(webhook?.enabled ?? true)
  const hintId = useId()
  const errors = {
    ...(url.trim() === '' && { url: text.urlMissing }),
    ...(events.length === 0 && { events: text.eventsMissing }),
  }
  return (
    <DialogForm
      {...rest}
      errors={errors}
      submit={webhook ? text.submit : text.submitNew}
      onSubmit={() => onSubmit({ url: url.trim(), events: [...events], enabled })}
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
          {webhook && (
            <>
              <Switch label={text.enabled} hint={text.enabledHint} checked={enabled} onChange={setEnabled} />
              <div className="row row--between webhook-dialog__secret">
                <p>
                  <b>{text.secret}</b>
                  <br />
                  <code className="small muted">{webhook.secret_hint}</code>
                </p>
                <Button onClick={onReplaceSecret}>{text.replaceSecret}</Button>
              </div>
              <Button tone="danger" onClick={onDelete}>
                {text.delete}
              </Button>
            </>
          )}
          {children}
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
