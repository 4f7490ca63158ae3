import { adminLimits } from '@keepsnap/contract/limits.ts'
import { useId, useState, type ReactNode } from 'react'
import { errorMessage } from '../../lib/error-message.ts'
import { useFocusFallback } from '../../lib/focus-fallback.ts'
import { useText } from '../../lib/i18n.tsx'
import { operator } from '../../messages/en/operator.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogForm, type FieldErrors } from '../../ui/DialogForm.tsx'
import { Field } from '../../ui/Field.tsx'
import { useOperatorAction } from './queries.ts'

interface Props<Result> {
  title: string
  question: string
  /** The action as a verb. */
  submit: string
  danger?: boolean
  /** Instead of "Cancel", where that would be ambiguous. */
  dismiss?: string
  /** Fields before the reason. */
  children?: (shown: FieldErrors) => ReactNode
  /** What is wrong in these fields. */
  errors?: FieldErrors
  act: (reason: string) => Promise<Result>
  onDone: (result: Result) => void
  onClose: () => void
}

/** Asks for the reason of an operator's action, and for the password when the server requires it. */
export function ConfirmedAction<Result>({ title, question, onClose, ...form }: Props<Result>) {
  const id = useId()
  return (
    <Dialog
      role="alertdialog"
      open
      onClose={onClose}
      className="dialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-question`}
    >
      <section ref={useFocusFallback()} tabIndex={-1} className="operator-action">
        <h2 id={`${id}-title`}>{title}</h2>
        <p id={`${id}-question`}>{question}</p>
        <ActionForm {...form} onClose={onClose} />
      </section>
    </Dialog>
  )
}

function ActionForm<Result>({
  act,
  onDone,
  children,
  errors = {},
  ...form
}: Omit<Props<Result>, 'title' | 'question'>) {
  const text = useText({ operator }).confirmation
  const [reason, setReason] = useState('')
  const { confirmation, problem, ...action } = useOperatorAction(text, { act, onDone })
  return (
    <DialogForm
      {...form}
      errors={{ ...errors, ...(reason.trim() === '' && { reason: text.reasonNeeded }) }}
      problem={problem ? errorMessage(problem, text.failed) : undefined}
      busy={action.isPending}
      onSubmit={() => !confirmation.isMissing() && action.mutate(reason.trim())}
    >
      {(shown) => (
        <>
          {children?.(shown)}
          <Field
            label={text.reason}
            name="reason"
            value={reason}
            maxLength={adminLimits.reasonChars}
            required
            error={shown['reason']}
            onChange={({ target }) => setReason(target.value)}
          />
          {confirmation.field}
        </>
      )}
    </DialogForm>
  )
}
