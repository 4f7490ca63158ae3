import { createContext, useEffect } from 'react'

/** The keys that press controls of the big screen, as in `aria-keyshortcuts`. */
export type Shortcut = 'ArrowLeft' | 'ArrowRight' | 'Space' | 'F' | 'H'

/** Whether the keys work. They can be switched off, for those who speak to the browser (WCAG 2.1.4). */
export const ShortcutsContext = createContext(true)

/** What uses keys itself. */
const fields = 'input, select, textarea, dialog, .menu__list'

/** Presses the control of the big screen that names a key, unless that key does something where the focus is. */
export function useShortcuts(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, target, repeat } = event
      if (repeat || event.altKey || event.ctrlKey || event.metaKey || document.querySelector('dialog[open]')) return
      const focused = target instanceof Element ? target : null
      if (focused?.closest(key === ' ' ? `${fields}, a, button` : fields)) return
      const name = key === ' ' ? 'Space' : key.length === 1 ? key.toUpperCase() : key
      const control = document.querySelector<HTMLElement>(`.latest [aria-keyshortcuts="${CSS.escape(name)}"]`)
      if (!control) return
      event.preventDefault()
      control.click()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
