import { type FocusEvent as ReactFocusEvent, type RefCallback, useCallback, useRef } from 'react'

/**
 * Returns a ref for a container whose controls are added and removed. When the focused control is removed, the focus
 * moves to its closest ancestor with a `tabIndex` of -1, so that keyboard and screen reader users continue there and
 * not at the top of the page. The container itself needs a `tabIndex` of -1. A container that is removed together with
 * its controls needs `useFocusReturn`.
 */
export function useFocusFallback(): (container: HTMLElement) => () => void {
  return useCallback((container) => {
    let focusedElement: Element | null = null
    const rememberFocused = ({ target }: FocusEvent): void => {
      focusedElement = target as Element // only elements receive the focus
    }
    const observer = new MutationObserver((mutations) => {
      if (!focusedElement || focusedElement.isConnected || document.activeElement !== document.body) return
      const fallback = parentOfRemoved(focusedElement, mutations)?.closest<HTMLElement>('[tabindex="-1"]')
      focusedElement = null
      const nextFocused = fallback && container.contains(fallback) ? fallback : container
      nextFocused.focus({ preventScroll: true })
    })
    container.addEventListener('focusin', rememberFocused)
    observer.observe(container, { childList: true, subtree: true })
    return () => {
      container.removeEventListener('focusin', rememberFocused)
      observer.disconnect()
    }
  }, [])
}

/** The element from which a subtree with the given element was removed; null if that was removed too. */
function parentOfRemoved(removed: Element, mutations: readonly MutationRecord[]): Element | null {
  let parent: Node = removed
  for (const { target, removedNodes } of mutations) {
    if (Array.from(removedNodes).some((node) => node.contains(parent))) parent = target
  }
  return parent instanceof Element && parent.isConnected ? parent : null
}

/**
 * For a container that is removed as a whole while the focus may be in it: the focus then returns to the element that
 * had it before, or to the main content, instead of to the start of the page. A container that stays while its controls
 * are added and removed needs `useFocusFallback`.
 */
export function useFocusReturn(): { ref: RefCallback<HTMLElement>; onFocus: (event: ReactFocusEvent) => void } {
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
  const onFocus = ({ relatedTarget, currentTarget }: ReactFocusEvent): void => {
    const isFromInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
    if (!isFromInside) previousFocus.current = relatedTarget
  }
  return { ref, onFocus }
}
