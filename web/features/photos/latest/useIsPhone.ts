import { useSyncExternalStore } from 'react'

/** Phones and small windows: the media queries of latest.css for phones in portrait and in landscape. */
const phoneScreen =
  '(max-width: 47.99rem), (orientation: portrait) and (max-height: 59.99rem), (max-width: 69.99rem) and (max-height: 34rem)'

/** Whether the window is as small as a phone's. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(phoneScreen).matches,
    () => false,
  )
}

function subscribe(onChange: () => void): () => void {
  const query = window.matchMedia(phoneScreen)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}
