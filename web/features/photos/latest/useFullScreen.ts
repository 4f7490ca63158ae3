import { useCallback, useEffect, useState } from 'react'
import { openStorage } from '../../../lib/storage.ts'

// Browsers store this key: do not rename it.
const fullScreenKey = 'stage-full'

export interface FullScreen {
  isFull: boolean
  toggle: () => void
}

/**
 * Full screen: hides everything but the photo, and the browser's own bars where it supports that. Outlives a reload of
 * the tab, then with the browser's bars: hiding those requires a user gesture.
 */
export function useFullScreen(): FullScreen {
  const [storage] = useState(() => openStorage(() => window.sessionStorage))
  const [isFull, setFull] = useState(() => storage.get(fullScreenKey) === 'yes')
  const changeFullScreen = useCallback(
    (full: boolean) => {
      storage.set(fullScreenKey, full ? 'yes' : null)
      setFull(full)
    },
    [storage],
  )

  useEffect(() => {
    const onFullScreenChange = (): void => {
      if (!document.fullscreenElement) changeFullScreen(false)
    }
    const leaveOnEscape = ({ key }: KeyboardEvent): void => {
      // In an open dialog or menu, Escape closes that one.
      const isOther = document.querySelector('dialog[open], .menu > [aria-expanded="true"]') !== null
      if (key === 'Escape' && !isOther) changeFullScreen(false)
    }
    document.addEventListener('fullscreenchange', onFullScreenChange)
    document.addEventListener('keydown', leaveOnEscape)
    return () => {
      document.removeEventListener('fullscreenchange', onFullScreenChange)
      document.removeEventListener('keydown', leaveOnEscape)
    }
  }, [changeFullScreen])

  useEffect(
    () => () => {
      storage.set(fullScreenKey, null)
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => {})
    },
    [storage],
  )

  const toggle = useCallback(() => {
    changeFullScreen(!isFull)
    const root = document.documentElement as Partial<HTMLElement> // iPhones have no full screen for pages
    if (!isFull) root.requestFullscreen?.({ navigationUI: 'hide' }).catch(() => {})
    else if (document.fullscreenElement) document.exitFullscreen().catch(() => {})
  }, [changeFullScreen, isFull])

  return { isFull, toggle }
}
