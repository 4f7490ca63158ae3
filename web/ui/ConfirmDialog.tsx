import { useId } from 'react'
import { useText } from '../lib/i18n.tsx'
import { states } from '../messages/en/states.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

interface Props {
  open: boolean
  title: string
  question: string
  /** The action as a verb: "Delete". */
  confirm: string
  /** The action is running; the dialog stays open. */
  busy?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks before an action that cannot be undone. The focus starts on Cancel; Escape cancels. */
export function ConfirmDialog({ open, title, question, confirm, busy = false, onConfirm, onClose }: Props) {
  const text = useText({ states })
  const id = useId()
  return (
    <Dialog
      role="alertdialog"
      open={open}
      onClose={onClose}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-question`}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <p id={`${id}-question`}>{question}</p>
      <div className="dialog__actions">
        <Button onClick={onClose}>{text.cancel}</Button>
        <Button tone="danger" busy={busy} onClick={onConfirm}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  )
}
