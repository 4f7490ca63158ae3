import { useCallback, useRef, type FocusEvent, type RefCallback } from 'react'

/**
 * For a container that is removed as a whole while the focus may be in it: the focus then returns to the element that
 * had it before, or to the main content, instead of to the start of the page. A container that stays while its controls
 * are added and removed needs `useFocusFallback`.
 */
export function useFocusReturn(): { ref: RefCallback<HTMLElement>; onFocus: (event: FocusEvent) => void } {
  const previousFocus = useRef<EventTarget>(null)
  const ref = useCallback((element: HTMLElement) => {
    // React calls this before it removes the element.
    return () => {
      if (!element.contains(document.activeElement)) return
      const target = previousFocus.current
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
    if (!isFromInside) previousFocus.current = relatedTarget
  }
  return { ref, onFocus }
}
