import { AlertDialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { useText } from '../lib/i18n.tsx'
import { buttonClass } from './Button.tsx'
import './dialog.css'
import { states } from '../messages/en/states.ts'

interface Props {
  open: boolean
  title: string
  question: string
  /** The deed, as a verb: "Delete". */
  confirm: string
  onConfirm: () => void
  onClose: () => void
  children?: ReactNode
}

/** "Are you sure?" for what cannot be undone. Starts on Cancel; Escape cancels. */
export function Confirm({ open, title, question, confirm, onConfirm, onClose, children }: Props) {
  const text = useText({ states })
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => next || onClose()}>
      <AlertDialog.Portal>
        {/* Not AlertDialog.Overlay: it puts a style element into the page, which our security policy refuses. */}
        <div className="scrim" aria-hidden="true" />
        <AlertDialog.Content className="dialog dialog--over">
          <AlertDialog.Title asChild>
            <h2>{title}</h2>
          </AlertDialog.Title>
          <AlertDialog.Description>{question}</AlertDialog.Description>
          {children}
          <div className="dialog__acts">
            <AlertDialog.Cancel className={buttonClass({ tone: 'quiet' })}>{text.cancel}</AlertDialog.Cancel>
            <AlertDialog.Action className={buttonClass({ tone: 'danger' })} onClick={onConfirm}>
              {confirm}
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
