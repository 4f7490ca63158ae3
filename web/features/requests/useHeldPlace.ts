import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'

interface Place {
  row: Element
  top: number
}

/** The first row in view, when rows before it have been scrolled away; null while the list's start is in view. */
function placeIn(list: HTMLElement | null): Place | null {
  if (!list || list.getBoundingClientRect().top >= 0) return null
  for (const row of list.children) {
    const { top, bottom } = row.getBoundingClientRect()
    if (bottom > 0) return { row, top }
  }
  return null
}

/**
 * Keeps what is being read where it is when rows arrive before it. Browsers that do this by themselves are told not to
 * (overflow-anchor in the styles); not all do.
 */
export function useHeldPlace(list: RefObject<HTMLElement | null>): void {
  const held = useRef<Place | null>(null)
  useEffect(() => {
    const note = (): void => {
      held.current = placeIn(list.current)
    }
    note()
    window.addEventListener('scroll', note, { passive: true })
    window.addEventListener('resize', note)
    return () => {
      window.removeEventListener('scroll', note)
      window.removeEventListener('resize', note)
    }
  }, [list])
  useLayoutEffect(() => {
    const before = held.current
    if (before?.row.isConnected) {
      const moved = before.row.getBoundingClientRect().top - before.top
      if (moved !== 0) window.scrollBy({ top: moved, behavior: 'instant' })
    }
    held.current = placeIn(list.current)
  })
}
