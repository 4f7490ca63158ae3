import { useRef, useState, type ReactNode, type SubmitEvent } from 'react'
import { useText } from '../lib/i18n.tsx'
import { states } from '../messages/en/states.ts'
import { Button } from './Button.tsx'
import { Note } from './Note.tsx'

/** What is wrong, by the names of the fields. */
export type FieldErrors = Partial<Record<string, string>>

interface Props {
  /** What is wrong with what is typed now; as long as anything is, nothing is sent. */
  errors: FieldErrors
  /** Why the last try failed. */
  problem: string | undefined
  /** The deed, as a verb. */
  submit: string
  danger?: boolean
  busy: boolean
  onSubmit: () => void
  onClose: () => void
  /** The fields, with the errors that are to be seen. */
  children: (shown: FieldErrors) => ReactNode
}

/** The form of a dialog. Says what is wrong once it was tried to send it, and starts at the first field of these. */
export function DialogForm({ errors, problem, submit, danger = false, busy, onSubmit, onClose, children }: Props) {
  const { cancel } = useText({ states })
  const form = useRef<HTMLFormElement>(null)
  const [tried, setTried] = useState(false)
  const send = (event: SubmitEvent): void => {
    event.preventDefault()
    setTried(true)
    const [first] = Object.keys(errors)
    if (first) form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
    else if (!busy) onSubmit()
  }
  return (
    <form className="stack dialog__form" ref={form} onSubmit={send} noValidate>
      {problem && <Note tone="bad">{problem}</Note>}
      {children(tried ? errors : {})}
      <div className="dialog__acts">
        <Button onClick={onClose}>{cancel}</Button>
        <Button type="submit" tone={danger ? 'danger' : 'primary'} busy={busy}>
          {submit}
        </Button>
      </div>
    </form>
  )
}
