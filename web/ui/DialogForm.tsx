import { useRef, useState, type ReactNode, type SubmitEvent } from 'react'
import { useText } from '../lib/i18n.tsx'
import { states } from '../messages/en/states.ts'
import { Button } from './Button.tsx'
import { Note } from './Note.tsx'

/** Error messages by field name. */
export type FieldErrors = Partial<Record<string, string>>

interface Props {
  /** Errors of the current values. The form is not sent while there are any. */
  errors: FieldErrors
  /** Why the last attempt failed. */
  problem: string | undefined
  /** The action as a verb. */
  submit: string
  danger?: boolean
  /** Instead of "Cancel", where that would be ambiguous. */
  dismiss?: string | undefined
  /** It cannot be sent as it is, and why is evident. */
  disabled?: boolean
  busy: boolean
  onSubmit: () => void
  onClose: () => void
  /** Renders the fields with the errors to show. */
  children: (shown: FieldErrors) => ReactNode
}

/** The form of a dialog. After the first attempt to send it, it shows errors and focuses the first invalid field. */
export function DialogForm({ errors, problem, submit, danger = false, busy, onSubmit, onClose, ...rest }: Props) {
  const { cancel } = useText({ states })
  const { dismiss = cancel, disabled = false, children } = rest
  const dialogForm = useRef<HTMLFormElement>(null)
  const [submitted, setSubmitted] = useState(false)
  const submitForm = (event: SubmitEvent): void => {
    event.preventDefault()
    setSubmitted(true)
    const [firstInvalidField] = Object.keys(errors)
    if (firstInvalidField) dialogForm.current?.querySelector<HTMLInputElement>(`[name="${firstInvalidField}"]`)?.focus()
    else if (!busy) onSubmit()
  }
  return (
    <form className="stack dialog__form" ref={dialogForm} onSubmit={submitForm} noValidate>
      {problem && <Note tone="bad">{problem}</Note>}
      {children(submitted ? errors : {})}
      <div className="dialog__actions">
        <Button onClick={onClose}>{dismiss}</Button>
        <Button type="submit" tone={danger ? 'danger' : 'primary'} disabled={disabled} busy={busy}>
          {submit}
        </Button>
      </div>
    </form>
  )
}
