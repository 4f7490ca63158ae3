import { useEffect, useId, useRef, useState, type FocusEvent, type ReactNode } from 'react'

/**
 * A button that opens a short list of links. A disclosure, not a menu widget: Tab walks the links, Escape, a click
 * elsewhere and leaving with the keyboard close it.
 */
export function Menu({ label, face, children }: { label: string; face: ReactNode; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()

  useEffect(() => {
    if (!open) return
    const elsewhere = ({ target }: Event): void => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false)
    }
    const chosen = ({ target }: Event): void => {
      if (target instanceof Element && list.current?.contains(target.closest('a, button'))) setOpen(false)
    }
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    document.addEventListener('pointerdown', elsewhere)
    document.addEventListener('click', chosen)
    document.addEventListener('keydown', escape)
    return () => {
      document.removeEventListener('pointerdown', elsewhere)
      document.removeEventListener('click', chosen)
      document.removeEventListener('keydown', escape)
    }
  }, [open])

  const left = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget && !root.current?.contains(relatedTarget)) setOpen(false)
  }
  return (
    <div className="menu" ref={root} onBlur={left}>
      <button
        type="button"
        className="hit"
        ref={button}
        aria-label={label}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {face}
      </button>
      <div className="menu__pop" id={id} ref={list} hidden={!open}>
        {children}
      </div>
    </div>
  )
}
