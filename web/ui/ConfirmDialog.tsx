import { useId, type ReactNode } from 'react'
import { useText } from '../lib/i18n.tsx'
import { states } from '../messages/en/states.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Note } from './Note.tsx'

interface Props {
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
export function ConfirmDialog({ open, title, question, confirm, busy = false, onConfirm, onClose, ...rest }: Props) {
  const text = useText({ states })
  const id = useId()
  const { details, tone = 'danger', dismiss = text.cancel, problem = null } = rest
  return (
    <Dialog
      role="alertdialog"
      open={open}
      onClose={onClose}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-question`}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <div id={`${id}-question`} className="stack dialog__question">
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
