import { confirmPassword } from '@keepsnap/contract/security.ts'
import type { Webhook, WebhookWithSecret } from '@keepsnap/contract/webhooks.ts'
import { useId, useRef } from 'react'
import { useApi } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { errorMessage } from '../../lib/error-message.ts'
import { security } from '../../messages/en/security.ts'
import { webhooks as messages } from '../../messages/en/webhooks.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { usePasswordConfirmation } from '../../ui/usePasswordConfirmation.tsx'
import { useWebhookActions } from './queries.ts'
import { WebhookForm } from './WebhookForm.tsx'

/** Which dialog is open, and what it is about. */
export type OpenDialog =
  | { kind: 'create' }
  | { kind: 'edit' | 'replace' | 'delete'; id: string }
  | { kind: 'secret'; webhook: WebhookWithSecret }

interface Props {
  dialog: OpenDialog | null
  list: readonly Webhook[]
  setDialog: (dialog: OpenDialog | null) => void
}

/** The dialogs about webhooks, of which at most one is open. */
export function WebhookDialogs({ dialog, list, setDialog }: Props) {
  const webhook = dialog && 'id' in dialog ? list.find(({ id }) => id === dialog.id) : undefined
  const close = (): void => setDialog(null)
  const showSecret = (created: WebhookWithSecret): void => setDialog({ kind: 'secret', webhook: created })
  const isForm = dialog?.kind === 'create' || (dialog?.kind === 'edit' && webhook !== undefined)
  return (
    <>
      <FormDialog
        open={isForm}
        webhook={dialog?.kind === 'edit' ? webhook : undefined}
        setDialog={setDialog}
        onCreated={showSecret}
      />
      <ReplaceSecret
        webhook={dialog?.kind === 'replace' ? webhook : undefined}
        onReplaced={showSecret}
        onClose={close}
      />
      <DeleteWebhook webhook={dialog?.kind === 'delete' ? webhook : undefined} onClose={close} />
      <SecretDialog webhook={dialog?.kind === 'secret' ? dialog.webhook : undefined} onClose={close} />
    </>
  )
}

interface FormDialogProps {
  open: boolean
  /** The one that is changed; otherwise a new one. */
  webhook: Webhook | undefined
  setDialog: Props['setDialog']
  onCreated: (webhook: WebhookWithSecret) => void
}

function FormDialog({ open, webhook, setDialog, onCreated }: FormDialogProps) {
  const { form: text } = useText({ webhooks: messages })
  const titleId = useId()
  const close = (): void => setDialog(null)
  return (
    <Dialog open={open} onClose={close} className="dialog webhook-dialog" aria-labelledby={titleId}>
      <h2 id={titleId}>{webhook ? text.edit : text.create}</h2>
      <SavedForm webhook={webhook} setDialog={setDialog} onCreated={onCreated} onClose={close} />
    </Dialog>
  )
}

/** Asks for the password in a dialog whose call the server refuses without it. */
function useConfirmation() {
  const api = useApi()
  const text = useText({ security }).confirmation
  return usePasswordConfirmation(text, (password) => api.call(confirmPassword, { body: { password } }))
}

function SavedForm({
  webhook,
  setDialog,
  onCreated,
  onClose,
}: Omit<FormDialogProps, 'open'> & { onClose: () => void }) {
  const { form: text, genericError } = useText({ webhooks: messages })
  const confirmation = useConfirmation()
  const { create, change } = useWebhookActions(confirmation.run)
  const toast = useToast()
  const problem = confirmation.problemOf(create.error ?? change.error)
  const save = (fields: Parameters<typeof create.mutate>[0]): void => {
    if (confirmation.isMissing()) return
    create.reset()
    change.reset()
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
    <WebhookForm
      webhook={webhook}
      problem={problem ? errorMessage(problem, genericError) : undefined}
      busy={create.isPending || change.isPending}
      onSubmit={save}
      onClose={onClose}
      onReplaceSecret={() => webhook && setDialog({ kind: 'replace', id: webhook.id })}
      onDelete={() => webhook && setDialog({ kind: 'delete', id: webhook.id })}
    >
      {confirmation.field}
    </WebhookForm>
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

function DeleteWebhook({ webhook, onClose }: { webhook: Webhook | undefined; onClose: () => void }) {
  const { delete: text, genericError } = useText({ webhooks: messages })
  const { remove } = useWebhookActions()
  const toast = useToast()
  const close = (): void => {
    remove.reset()
    onClose()
  }
  const confirm = (id: string): void =>
    remove.mutate(id, {
      onSuccess() {
        toast({ text: text.done })
        close()
      },
    })
  return (
    <ConfirmDialog
      open={webhook !== undefined}
      title={text.title}
      question={text.question(webhook ? new URL(webhook.url).host : '')}
      confirm={text.confirm}
      problem={remove.error && errorMessage(remove.error, genericError)}
      busy={remove.isPending}
      onConfirm={() => webhook && confirm(webhook.id)}
      onClose={close}
    />
  )
}

/** Shows a new secret, once. */
function SecretDialog({ webhook, onClose }: { webhook: WebhookWithSecret | undefined; onClose: () => void }) {
  const { secret: text } = useText({ webhooks: messages })
  const format = useFormat()
  const titleId = useId()
  const shownSecret = useRef<HTMLElement>(null)
  const until = webhook?.previous_secret_until ?? null
  return (
    <Dialog open={webhook !== undefined} onClose={onClose} className="dialog webhook-dialog" aria-labelledby={titleId}>
      <h2 id={titleId}>{text.title}</h2>
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
