import { useEffect, useRef, type ComponentProps } from 'react'
import './dialog.css'

interface Props extends ComponentProps<'dialog'> {
  open: boolean
  /** Escape was pressed, or the browser closed it otherwise. */
  onClose: () => void
}

/**
 * A modal dialog: the browser's own, so the rest of the page is out of reach for mouse, keyboard and screen reader, and
 * the focus returns to where it was. Starts on the first control inside; give it a name with `aria-labelledby`.
 */
export function Dialog({ open, onClose, children, className = 'dialog', ...rest }: Props) {
  const box = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (open) box.current?.showModal()
    else box.current?.close()
  }, [open])
  return (
    <dialog
      {...rest}
      ref={box}
      className={className}
      // React also tells the dialogs around the one that it happened to.
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      onClose={({ target, currentTarget }) =>
        // When it was opened again meanwhile, that is news of before.
        target === currentTarget && open && !currentTarget.open && onClose()
      }
    >
      {open && children}
    </dialog>
  )
}
