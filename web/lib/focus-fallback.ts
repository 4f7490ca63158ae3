import { useCallback } from 'react'

/**
 * Returns a ref for a part of a page whose controls come and go. When the focused control is removed, the focus moves to
 * the closest element around it with a `tabIndex` of -1, so that keyboard and screen reader continue there and not at
 * the top of the page. The part itself needs a `tabIndex` of -1.
 */
export function useFocusFallback(): (part: HTMLElement) => () => void {
  return useCallback((part) => {
    let focused: Element | null = null
    const remember = ({ target }: FocusEvent): void => {
      focused = target as Element // only elements receive the focus
    }
    const observer = new MutationObserver((mutations) => {
      if (!focused || focused.isConnected || document.activeElement !== document.body) return
      const changed = mutations.map(({ target }) => target).filter((target) => target instanceof HTMLElement)
      const fallback = changed.find((target) => target.isConnected)?.closest<HTMLElement>('[tabindex="-1"]')
      focused = null
      const next = fallback && part.contains(fallback) ? fallback : part
      next.focus({ preventScroll: true })
    })
    part.addEventListener('focusin', remember)
    observer.observe(part, { childList: true, subtree: true })
    return () => {
      part.removeEventListener('focusin', remember)
      observer.disconnect()
    }
  }, [])
}
