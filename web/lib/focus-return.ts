import { useCallback, useRef, type FocusEvent, type RefCallback } from 'react'

/**
 * For a part that is removed as a whole while the focus may be in it: the focus then returns to where it came from, or to
 * the main content, instead of to the start of the page. A part that stays while its controls come and go needs
 * `useFocusFallback`.
 */
export function useFocusReturn(): { ref: RefCallback<HTMLElement>; onFocus: (event: FocusEvent) => void } {
  const cameFrom = useRef<EventTarget>(null)
  const ref = useCallback((element: HTMLElement) => {
    // React calls this before it removes the element.
    return () => {
      if (!element.contains(document.activeElement)) return
      const target = cameFrom.current
      const previous = target instanceof HTMLElement && target.isConnected ? target : null
      const main = document.querySelector<HTMLElement>('main')
      for (const next of [previous, main]) {
        next?.focus({ preventScroll: true })
        if (document.activeElement === next) return
      }
    }
  }, [])
  const onFocus = ({ relatedTarget, currentTarget }: FocusEvent): void => {
    const isFromInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
    if (!isFromInside) cameFrom.current = relatedTarget
  }
  return { ref, onFocus }
}
