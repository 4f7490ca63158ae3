import { useEffect, useId, useRef, useState, type FocusEvent, type ReactNode } from 'react'

interface Props {
  label: string
  icon: ReactNode
  buttonClassName?: string
  /** Links and buttons. One with `data-keeps-menu-open` is pressed several times, or shows its new state in the menu. */
  children: ReactNode
}

/**
 * A button that opens a short list of links and buttons. It follows the disclosure pattern, not the ARIA menu: Tab moves
 * through the list. Escape, a choice, a click outside and leaving with the keyboard close it.
 */
export function Menu({ label, icon, buttonClassName = 'menu__button', children }: Props) {
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
    const isChoice = ({ target }: Event): boolean => {
      const choice = target instanceof Element ? target.closest('a, button') : null
      if (!choice || choice.matches('[data-keeps-menu-open], [aria-disabled="true"]')) return false
      return menuList.current?.contains(choice) ?? false
    }
    // Before the choice does anything: a dialog that it opens returns the focus to this button, not into the closed list.
    const focusButtonOnChoice = (event: Event): void => {
      if (isChoice(event)) menuButton.current?.focus({ preventScroll: true })
    }
    const closeOnChoice = (event: Event): void => {
      if (isChoice(event)) setOpen(false)
    }
    const closeOnEscape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      setOpen(false)
      menuButton.current?.focus()
    }
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('click', focusButtonOnChoice, { capture: true })
    document.addEventListener('click', closeOnChoice)
    document.addEventListener('keydown', closeOnEscape)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('click', focusButtonOnChoice, { capture: true })
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
        className={buttonClassName}
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
