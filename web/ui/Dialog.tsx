import type { UseMutationResult } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, type SubmitEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { useText } from '../lib/i18n.tsx'
import { states } from '../messages/en/frame.ts'
import { Button } from './Button.tsx'
import { Note } from './Note.tsx'

interface Props extends Omit<ComponentProps<'dialog'>, 'title'> {
  open: boolean
  /** Its heading. Without one it needs an `aria-labelledby`. */
  title?: ReactNode
  /** The user pressed Escape, or the browser closed the dialog. */
  onClose: () => void
}

/**
 * The browser's modal dialog: the rest of the page is inert, and the focus returns to where it was. The focus starts on
 * the first control inside.
 */
export function Dialog({ open, title, onClose, children, className = 'dialog', ...rest }: Props) {
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  // A layout effect, so that the dialog closes together with its content: an empty one is never painted. One that is
  // removed is closed before, or the focus would not return.
  useLayoutEffect(() => {
    const element = dialog.current
    if (open) element?.showModal()
    return () => element?.close()
  }, [open])
  return (
    <dialog
      {...(title !== undefined && { 'aria-labelledby': titleId })}
      {...rest}
      ref={dialog}
      className={className}
      // React also calls the handlers of the dialogs around this one.
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      onClose={({ target, currentTarget }) =>
        // If the dialog has been opened again since, this event is outdated.
        target === currentTarget && open && !currentTarget.open && onClose()
      }
    >
      {open && title !== undefined && <h2 id={titleId}>{title}</h2>}
      {open && children}
    </dialog>
  )
}

interface ConfirmDialogProps {
  open: boolean
  title: string
  question: string
  /** More about what will happen, below the question. */
  details?: ReactNode
  /** The action as a verb: "Delete". */
  confirm: string
  /** `primary` for an action that can be undone. */
  tone?: 'danger' | 'primary'
  /** Instead of "Cancel", where that would be ambiguous. */
  dismiss?: string
  /** Why the action failed; the dialog stays open. */
  problem?: string | null
  /** The action is running; the dialog stays open. */
  busy?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks before an action. The focus starts on Cancel; Escape cancels. */
export function ConfirmDialog({
  open,
  title,
  question,
  confirm,
  busy = false,
  onConfirm,
  onClose,
  ...rest
}: ConfirmDialogProps) {
  const text = useText({ states })
  const id = useId()
  const { details, tone = 'danger', dismiss = text.cancel, problem = null } = rest
  return (
    <Dialog role="alertdialog" open={open} onClose={onClose} title={title} aria-describedby={id}>
      <div id={id} className="stack dialog__question">
        <p>{question}</p>
        {details}
      </div>
      {problem !== null && <Note tone="bad">{problem}</Note>}
      <div className="dialog__actions">
        <Button onClick={onClose}>{dismiss}</Button>
        <Button tone={tone} busy={busy} onClick={onConfirm}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  )
}

interface ConfirmActionProps<Input, Result> extends Omit<
  ConfirmDialogProps,
  'problem' | 'busy' | 'onConfirm' | 'onClose'
> {
  action: UseMutationResult<Result, Error, Input>
  /** What the action receives. */
  input: Input
  /** Why it failed, as a sentence. */
  problemOf: (error: Error) => string
  onDone?: (result: Result) => void
  /** The dialog was dismissed, or the action is done. */
  onClose: () => void
}

/** Asks before an action, runs it, and says in the dialog why it failed. */
export function ConfirmAction<Input, Result>({
  action,
  input,
  problemOf,
  onDone,
  onClose,
  ...dialog
}: ConfirmActionProps<Input, Result>) {
  const close = (): void => {
    action.reset()
    onClose()
  }
  const onSuccess = (result: Result): void => {
    onDone?.(result)
    close()
  }
  return (
    <ConfirmDialog
      {...dialog}
      problem={action.error && problemOf(action.error)}
      busy={action.isPending}
      onConfirm={() => action.mutate(input, { onSuccess })}
      onClose={close}
    />
  )
}

/** Error messages by field name. */
export type FieldErrors = Partial<Record<string, string>>

interface DialogFormProps {
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
export function DialogForm({
  errors,
  problem,
  submit,
  danger = false,
  busy,
  onSubmit,
  onClose,
  ...rest
}: DialogFormProps) {
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
