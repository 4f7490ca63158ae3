import {
  activateUser,
  deactivateUser,
  deleteUser,
  exportUser,
  givePlan,
  refundUser,
  type OperatorUserDetail,
} from '@keepsnap/contract/operator-users.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import { normalizeEmail } from '@keepsnap/contract/emails.ts'
import { useApi, useMediaUrl } from '../../lib/app-services.tsx'
import { useCurrentUser } from '../../lib/current-user.ts'
import { useFocusFallback } from '../../lib/focus-fallback.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { operatorUsers } from '../../messages/en/operator-users.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { ConfirmedAction } from './ConfirmedAction.tsx'
import { GrantPlanDialog } from './GrantPlanDialog.tsx'
import { userQuery } from './queries.ts'

type ActionName = 'give' | 'take' | 'refund' | 'export' | 'deactivate' | 'activate' | 'delete'

/** What an operator can do about an account. */
export function UserActions({ detail, onDeleted }: { detail: OperatorUserDetail; onDeleted: () => void }) {
  const { actions: text, detail: detailText } = useText({ operatorUsers })
  const heading = useId()
  const format = useFormat()
  const [opened, setOpened] = useState<ActionName | null>(null)
  const { user, refundable_until: refundableUntil } = detail
  const isOwn = useCurrentUser().user?.id === user.id
  const open = (name: ActionName) => () => setOpened(name)
  return (
    <section className="operator-actions" aria-labelledby={heading} ref={useFocusFallback()} tabIndex={-1}>
      <h3 id={heading}>{detailText.actions}</h3>
      <Action {...text.give}>
        <Button onClick={open('give')}>{text.give.name}</Button>
      </Action>
      {user.is_complimentary && (
        <Action {...text.take}>
          <Button onClick={open('take')}>{text.take.name}</Button>
        </Action>
      )}
      <Action
        name={text.refund.name}
        hint={refundableUntil === null ? text.refund.impossible : text.refund.until(format.date(refundableUntil))}
      >
        <Button disabled={refundableUntil === null} onClick={open('refund')}>
          {text.refund.open}
        </Button>
      </Action>
      <Action {...text.export}>
        <Button onClick={open('export')}>{text.export.open}</Button>
      </Action>
      {user.is_active ? (
        <Action name={text.deactivate.name} hint={isOwn ? text.deactivate.own : text.deactivate.hint}>
          <Button tone="danger" disabled={isOwn} onClick={open('deactivate')}>
            {text.deactivate.name}
          </Button>
        </Action>
      ) : (
        <Action {...text.activate}>
          <Button onClick={open('activate')}>{text.activate.name}</Button>
        </Action>
      )}
      <Action name={text.delete.name} hint={isOwn ? text.delete.own : text.delete.hint}>
        <Button tone="danger" disabled={isOwn} onClick={open('delete')}>
          {text.delete.open}
        </Button>
      </Action>
      {opened !== null && (
        <ActionDialog name={opened} detail={detail} onClose={() => setOpened(null)} onDeleted={onDeleted} />
      )}
    </section>
  )
}

function Action({ name, hint, children }: { name: string; hint: string; children: ReactNode }) {
  return (
    <div>
      <p>
        <b>{name}</b>
        <span>{hint}</span>
      </p>
      {children}
    </div>
  )
}

interface DialogProps {
  detail: OperatorUserDetail
  onClose: () => void
}

function ActionDialog({ name, onDeleted, ...rest }: DialogProps & { name: ActionName; onDeleted: () => void }) {
  const done = useActionDone(rest)
  if (name === 'export') return <ExportDialog {...rest} />
  if (name === 'delete') return <DeleteDialog {...rest} onDeleted={onDeleted} />
  if (name === 'give') return <GrantPlanDialog {...rest} onDone={done} />
  if (name === 'refund') return <RefundDialog {...rest} />
  return <SimpleDialog name={name} {...rest} />
}

/** Returns the callback after an action: updates the cached account, closes the dialog, shows a message. */
function useActionDone({ onClose }: DialogProps) {
  const api = useApi()
  const queryClient = useQueryClient()
  const toast = useToast()
  return (message: string, detail?: OperatorUserDetail): void => {
    if (detail) queryClient.setQueryData(userQuery(api, detail.user.id).queryKey, detail)
    onClose()
    toast({ text: message })
  }
}

/** The dialog of an action that needs nothing but a reason. */
function SimpleDialog({ name, detail, onClose }: DialogProps & { name: 'take' | 'deactivate' | 'activate' }) {
  const text = useText({ operatorUsers }).actions[name]
  const api = useApi()
  const done = useActionDone({ detail, onClose })
  const { id: user_id, username } = detail.user
  const act = (reason: string): Promise<OperatorUserDetail> => {
    const params = { user_id }
    if (name === 'take') return api.call(givePlan, { params, body: { plan: 'free', until: null, reason } })
    return api.call(name === 'activate' ? activateUser : deactivateUser, { params, body: { reason } })
  }
  return (
    <ConfirmedAction
      title={text.title(username)}
      question={text.question}
      submit={text.submit}
      danger={name !== 'activate'}
      {...('dismiss' in text && { dismiss: text.dismiss })}
      act={act}
      onDone={(changed) => done(text.done(username), changed)}
      onClose={onClose}
    />
  )
}

function RefundDialog({ detail, onClose }: DialogProps) {
  const text = useText({ operatorUsers }).actions.refund
  const format = useFormat()
  const api = useApi()
  const done = useActionDone({ detail, onClose })
  const { id: user_id, username } = detail.user
  return (
    <ConfirmedAction
      title={text.title(username)}
      question={text.question}
      submit={text.submit}
      danger
      dismiss={text.dismiss}
      act={(reason) => api.call(refundUser, { params: { user_id }, body: { reason } })}
      onDone={({ refunded_cents: cents }) => done(text.done(format.price(cents), username))}
      onClose={onClose}
    />
  )
}

function ExportDialog({ detail, onClose }: DialogProps) {
  const text = useText({ operatorUsers }).actions.export
  const api = useApi()
  const media = useMediaUrl()
  const done = useActionDone({ detail, onClose })
  const { id: user_id, username } = detail.user
  return (
    <ConfirmedAction
      title={text.title(username)}
      question={text.question}
      submit={text.submit}
      act={(reason) => api.call(exportUser, { params: { user_id }, body: { reason } })}
      onDone={({ url }) => {
        // A download, so that the page stays.
        const download = media(url)
        if (download !== null) window.location.assign(download)
        done(text.done)
      }}
      onClose={onClose}
    />
  )
}

/** Two steps, as in Settings: what is deleted, then the address of the account and the reason. */
function DeleteDialog({ detail, onClose, onDeleted }: DialogProps & { onDeleted: () => void }) {
  const text = useText({ operatorUsers }).actions.delete
  const format = useFormat()
  const api = useApi()
  const done = useActionDone({ detail, onClose })
  const id = useId()
  const [isSecondStep, setSecondStep] = useState(false)
  const [email, setEmail] = useState('')
  const { id: user_id, username } = detail.user
  const photos = detail.account.photo_count
  if (!isSecondStep)
    return (
      <Dialog
        role="alertdialog"
        open
        onClose={onClose}
        className="dialog"
        aria-labelledby={id}
        aria-describedby={`${id}-what`}
      >
        <section className="operator-action">
          <h2 id={id}>{text.title(username)}</h2>
          <p id={`${id}-what`}>{text.question(text.photos(photos, format.count(photos)))}</p>
          <div className="dialog__actions">
            <Button onClick={onClose}>{text.dismiss}</Button>
            <Button tone="danger" onClick={() => setSecondStep(true)}>
              {text.next}
            </Button>
          </div>
        </section>
      </Dialog>
    )
  const isRight = normalizeEmail(email) === normalizeEmail(detail.user.email)
  return (
    <ConfirmedAction
      title={text.last(username)}
      question={text.lastQuestion}
      submit={text.submit}
      danger
      dismiss={text.dismiss}
      errors={isRight ? {} : { email: text.emailNeeded }}
      act={(reason) => api.call(deleteUser, { params: { user_id }, body: { email, reason } })}
      onDone={() => {
        done(text.done(username))
        onDeleted()
      }}
      onClose={onClose}
    >
      {(shown) => (
        <Field
          label={text.email}
          type="email"
          name="email"
          autoComplete="off"
          value={email}
          error={shown['email']}
          onChange={({ target }) => setEmail(target.value)}
        />
      )}
    </ConfirmedAction>
  )
}
