import { useCallback, useEffect, useState } from 'react'
import { openStorage } from '../../../lib/storage.ts'

// Browsers hold this key.
const fullScreenKey = 'stage-full'

/**
 * Full screen: hides everything but the photo, and the browser's own bars where it supports that. Outlives a reload of
 * the tab, then with the browser's bars: hiding those requires a user gesture.
 */
export function useFullScreen(): { isFull: boolean; toggle: () => void } {
  const [storage] = useState(() => openStorage(() => window.sessionStorage))
  const [isFull, setFull] = useState(() => storage.get(fullScreenKey) === 'yes')
  const change = useCallback(
    (full: boolean) => {
      storage.set(fullScreenKey, full ? 'yes' : null)
      setFull(full)
    },
    [storage],
  )

  useEffect(() => {
    const onFullScreenChange = (): void => {
      if (!document.fullscreenElement) change(false)
    }
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape' && !document.querySelector('dialog[open]')) change(false)
    }
    document.addEventListener('fullscreenchange', onFullScreenChange)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('fullscreenchange', onFullScreenChange)
      document.removeEventListener('keydown', onKey)
    }
  }, [change])

  useEffect(
    () => () => {
      storage.set(fullScreenKey, null)
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => {})
    },
    [storage],
  )

  const toggle = useCallback(() => {
    change(!isFull)
    const root = document.documentElement as Partial<HTMLElement> // iPhones have no full screen for pages
    if (!isFull) root.requestFullscreen?.({ navigationUI: 'hide' }).catch(() => {})
    else if (document.fullscreenElement) document.exitFullscreen().catch(() => {})
  }, [change, isFull])

  return { isFull, toggle }
}
