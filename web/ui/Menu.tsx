import { useEffect, useId, useRef, useState, type FocusEvent, type ReactNode } from 'react'

/**
 * A button that opens a short list of links. It follows the disclosure pattern, not the ARIA menu: Tab moves through the
 * links. Escape, a click outside and leaving with the keyboard close it.
 */
export function Menu({ label, icon, children }: { label: string; icon: ReactNode; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const menu = useRef<HTMLDivElement>(null)
  const menuButton = useRef<HTMLButtonElement>(null)
  const menuList = useRef<HTMLDivElement>(null)
  const id = useId()

  useEffect(() => {
    if (!open) return
    const closeOutside = ({ target }: Event): void => {
      if (target instanceof Node && !menu.current?.contains(target)) setOpen(false)
    }
    const closeOnChoice = ({ target }: Event): void => {
      if (target instanceof Element && menuList.current?.contains(target.closest('a, button'))) setOpen(false)
    }
    const closeOnEscape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      setOpen(false)
      menuButton.current?.focus()
    }
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('click', closeOnChoice)
    document.addEventListener('keydown', closeOnEscape)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('click', closeOnChoice)
      document.removeEventListener('keydown', closeOnEscape)
    }
  }, [open])

  const closeOnLeave = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget && !menu.current?.contains(relatedTarget)) setOpen(false)
  }
  return (
    <div className="menu" ref={menu} onBlur={closeOnLeave}>
      <button
        type="button"
        className="menu__button"
        ref={menuButton}
        aria-label={label}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {icon}
      </button>
      <div className="menu__list" id={id} ref={menuList} hidden={!open}>
        {children}
      </div>
    </div>
  )
}
