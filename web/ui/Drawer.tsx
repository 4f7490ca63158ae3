import { X } from 'lucide-react'
import { useRef, type ReactNode, type PointerEvent } from 'react'
import { useText } from '../lib/i18n.tsx'
import { states } from '../messages/en/states.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { ToastOutlet } from './Toasts.tsx'
import './drawer.css'

interface Props {
  open: boolean
  onClose: () => void
  /** Id of the heading in `head`. */
  labelledBy: string
  /** The heading, and what belongs to it. */
  head: ReactNode
  children: ReactNode
}

/** A dialog at the right edge, as high as the window and on phones as wide. Escape and a press beside it close it. */
export function Drawer({ open, onClose, labelledBy, head, children }: Props) {
  const { close } = useText({ states })
  // A press that begins inside and ends outside, as when text is selected, does not close it.
  const pressedOutside = useRef(false)
  const isOutside = ({ target, currentTarget }: { target: EventTarget; currentTarget: EventTarget }): boolean =>
    target === currentTarget
  return (
    <Dialog
      open={open}
      onClose={onClose}
      className="drawer"
      aria-labelledby={labelledBy}
      onPointerDown={(event: PointerEvent) => (pressedOutside.current = isOutside(event))}
      onClick={(event) => pressedOutside.current && isOutside(event) && onClose()}
    >
      <div className="drawer__content">
        <header className="drawer__head">
          <div>{head}</div>
          <Button tone="ghost" icon aria-label={close} onClick={onClose}>
            <X className="icon" />
          </Button>
        </header>
        {/* Scrolls, so the keyboard needs to reach it. */}
        <div className="drawer__body" tabIndex={-1}>
          {children}
        </div>
        <ToastOutlet />
      </div>
    </Dialog>
  )
}
