import { useCallback, useEffect, useState } from 'react'
import { openStorage } from '../../../lib/storage.ts'

const entry = 'stage-full'

/**
 * Full screen: everything but the stage is hidden, and the browser's own bars as well where it lets us. Outlives a
 * reload of the tab, then without the browser's part, which needs a touch.
 */
export function useFullScreen(): { isFull: boolean; toggle: () => void } {
  const [storage] = useState(() => openStorage(() => window.sessionStorage))
  const [isFull, setFull] = useState(() => storage.get(entry) === 'yes')
  const become = useCallback(
    (full: boolean) => {
      storage.set(entry, full ? 'yes' : null)
      setFull(full)
    },
    [storage],
  )

  useEffect(() => {
    const changed = (): void => {
      if (!document.fullscreenElement) become(false)
    }
    const escape = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape' && !document.querySelector('dialog[open]')) become(false)
    }
    document.addEventListener('fullscreenchange', changed)
    document.addEventListener('keydown', escape)
    return () => {
      document.removeEventListener('fullscreenchange', changed)
      document.removeEventListener('keydown', escape)
    }
  }, [become])

  useEffect(
    () => () => {
      storage.set(entry, null)
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => {})
    },
    [storage],
  )

  const toggle = useCallback(() => {
    become(!isFull)
    const root = document.documentElement as Partial<HTMLElement> // iPhones have no full screen for pages
    if (!isFull) root.requestFullscreen?.({ navigationUI: 'hide' }).catch(() => {})
    else if (document.fullscreenElement) document.exitFullscreen().catch(() => {})
  }, [become, isFull])

  return { isFull, toggle }
}
