import { useCallback } from 'react'

/**
 * For a part of a page whose controls come and go: when the one that has the focus goes away, the closest part around it
 * that may have the focus takes it, so that keyboard and screen reader go on from there and not from the top. Give that
 * part a `tabIndex` of -1.
 */
export function useKeptFocus(): (part: HTMLElement) => () => void {
  return useCallback((part) => {
    let last: Element | null = null
    const note = ({ target }: FocusEvent): void => {
      last = target as Element // only elements take the focus
    }
    const watch = new MutationObserver((changes) => {
      if (!last || last.isConnected || document.activeElement !== document.body) return
      const places = changes.map(({ target }) => target).filter((place) => place instanceof HTMLElement)
      const around = places.find((place) => place.isConnected)?.closest<HTMLElement>('[tabindex="-1"]')
      last = null
      ;(around && part.contains(around) ? around : part).focus({ preventScroll: true })
    })
    part.addEventListener('focusin', note)
    watch.observe(part, { childList: true, subtree: true })
    return () => {
      part.removeEventListener('focusin', note)
      watch.disconnect()
    }
  }, [])
}
