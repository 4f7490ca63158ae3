import { useLayoutEffect, useRef, type ComponentProps } from 'react'

interface Props extends ComponentProps<'dialog'> {
  open: boolean
  /** The user pressed Escape, or the browser closed the dialog. */
  onClose: () => void
}

/**
 * The browser's modal dialog: the rest of the page is inert, and the focus returns to where it was. The focus starts on
 * the first control inside. Needs an `aria-labelledby`.
 */
export function Dialog({ open, onClose, children, className = 'dialog', ...rest }: Props) {
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
      {open && children}
    </dialog>
  )
}
