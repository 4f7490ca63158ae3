import { adminLimits } from '@keepsnap/contract/limits.ts'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { errorMessage } from '../../lib/error-message.ts'
import { useFocusFallback } from '../../lib/focus-fallback.ts'
import { useText } from '../../lib/i18n.tsx'
import { operator } from '../../messages/en/operator.ts'
import { CurrentPasswordField } from '../../ui/CurrentPasswordField.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogForm, type FieldErrors } from '../../ui/DialogForm.tsx'
import { Field } from '../../ui/Field.tsx'
import { PasswordRefused, useOperatorAction } from './queries.ts'

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
  const action = useOperatorAction(act, onDone)
  const password = usePassword(action.needsPassword, action.problem)
  const send = (): void => {
    if (password.isMissing()) return
    action.mutate({ reason: reason.trim(), password: password.value })
  }
  const isPasswordProblem = action.problem instanceof PasswordRefused
  return (
    <DialogForm
      {...form}
      errors={{ ...errors, ...(reason.trim() === '' && { reason: text.reasonNeeded }) }}
      problem={action.problem && !isPasswordProblem ? errorMessage(action.problem, text.failed) : undefined}
      busy={action.isPending}
      onSubmit={send}
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
          {action.needsPassword && (
            <div ref={password.ref} className="operator-action__password">
              <CurrentPasswordField
                label={text.password}
                name="password"
                value={password.value}
                error={password.error}
                onChange={password.change}
              />
              <p className="tiny muted">{text.passwordHint}</p>
            </div>
          )}
        </>
      )}
    </DialogForm>
  )
}

const focusField = (box: HTMLElement | null): void => box?.querySelector('input')?.focus()

/** The field for the password receives the focus when it appears, and when what was typed is not accepted. */
function usePassword(isNeeded: boolean, problem: Error | null) {
  const text = useText({ operator }).confirmation
  const ref = useRef<HTMLDivElement>(null)
  const [value, setValue] = useState('')
  const [missing, setMissing] = useState(false)
  const refusal = problem instanceof PasswordRefused ? problem : null
  useEffect(() => {
    if (isNeeded || refusal) focusField(ref.current)
  }, [isNeeded, refusal])
  return {
    ref,
    value,
    error: missing ? text.passwordNeeded : refusal ? errorMessage(refusal.cause, text.passwordFailed) : undefined,
    change(next: string) {
      setValue(next)
      setMissing(false)
    },
    isMissing(): boolean {
      const isMissing = isNeeded && value === ''
      setMissing(isMissing)
      if (isMissing) focusField(ref.current)
      return isMissing
    },
  }
}
