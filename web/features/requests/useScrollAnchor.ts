import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'

interface Anchor {
  requestRow: Element
  top: number
}

/** The first row in the viewport; null while the start of the list is visible. */
function anchorIn(list: HTMLElement | null): Anchor | null {
  if (!list || list.getBoundingClientRect().top >= 0) return null
  for (const requestRow of list.children) {
    const { top, bottom } = requestRow.getBoundingClientRect()
    if (bottom > 0) return { requestRow, top }
  }
  return null
}

/**
 * Scroll anchoring: keeps the visible rows in place when rows are inserted before them. The styles disable the browser's
 * own (overflow-anchor), which not all browsers have.
 */
export function useScrollAnchor(list: RefObject<HTMLElement | null>): void {
  const anchor = useRef<Anchor | null>(null)
  useEffect(() => {
    const updateAnchor = (): void => {
      anchor.current = anchorIn(list.current)
    }
    updateAnchor()
    window.addEventListener('scroll', updateAnchor, { passive: true })
    window.addEventListener('resize', updateAnchor)
    return () => {
      window.removeEventListener('scroll', updateAnchor)
      window.removeEventListener('resize', updateAnchor)
    }
  }, [list])
  useLayoutEffect(() => {
    const before = anchor.current
    if (before?.requestRow.isConnected) {
      const rowShift = before.requestRow.getBoundingClientRect().top - before.top
      if (rowShift !== 0) window.scrollBy({ top: rowShift, behavior: 'instant' })
    }
    anchor.current = anchorIn(list.current)
  })
}
