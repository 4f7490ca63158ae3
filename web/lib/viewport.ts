import { useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { type Location, useLocation, useNavigationType } from 'react-router'
import { paths } from './paths.ts'
import { type KeyValueStorage, openStorage } from './storage.ts'

/** Whether a media query matches, now and after each change; false in HTML that is rendered in advance. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  )
}

/** Scrolls to the part of a page that the URL's hash names, once it is there: its text arrives late. */
export function useScrollToTarget(): void {
  const { hash } = useLocation()
  useLayoutEffect(() => {
    if (hash && window.scrollY === 0) document.getElementById(hash.slice(1))?.scrollIntoView()
    // At the first rendering only; after that, the frame scrolls.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
}

const scrollRetryMs = 2_000
const maxScrollPositions = 100
const storageKey = 'places'

/** State of a history entry that is shown over the previous page, such as a dialog with its own URL: nothing scrolls. */
export const keepScroll = { stay: true } as const
const keepsScroll = (state: unknown): boolean => typeof state === 'object' && state !== null && 'stay' in state

/**
 * Scrolls after a navigation: to the top of a new page, to the element of the URL's hash, or, after going back or
 * reloading, to the previous position. If the page is not long enough yet, retries for up to two seconds, unless the
 * user scrolls first. The gallery finds its place by its photos: other ones may be loaded than before.
 */
export function useScrollRestoration(): void {
  const location = useLocation()
  const { hash, pathname, state } = location
  const key = entryKey(location)
  const type = useNavigationType()
  const [scrollPositions] = useState(() => {
    const positions = readPositions(openStorage(() => window.sessionStorage))
    // The same page may have been loaded earlier in this tab.
    if (isNewEntry()) positions.delete(key)
    return positions
  })

  useEffect(() => {
    history.scrollRestoration = 'manual'
    window.addEventListener('pagehide', scrollPositions.save)
    return () => window.removeEventListener('pagehide', scrollPositions.save)
  }, [scrollPositions])

  // Both are layout effects: the scroll event that a new page causes must not change the old page's position.
  useLayoutEffect(() => {
    if (pathname === paths.gallery) return undefined
    const recordScrollPosition = (): void => scrollPositions.set(key, window.scrollY)
    window.addEventListener('scroll', recordScrollPosition, { passive: true })
    return () => window.removeEventListener('scroll', recordScrollPosition)
  }, [scrollPositions, key, pathname])

  const last = useRef({ pathname: '', keepsScroll: false })
  useLayoutEffect(() => {
    const before = last.current
    last.current = { pathname, keepsScroll: keepsScroll(state) }
    if (before.pathname === pathname && (before.keepsScroll || keepsScroll(state))) return undefined
    const top = type === 'POP' ? scrollPositions.get(key) : undefined
    if (top !== undefined) return scrollUntilStable(() => window.scrollTo({ top, behavior: 'instant' }))
    if (hash) return scrollUntilStable(() => document.getElementById(hash.slice(1))?.scrollIntoView())
    if (type !== 'POP') window.scrollTo({ top: 0, behavior: 'instant' })
    return undefined
  }, [scrollPositions, key, hash, type, pathname, state])
}

/** The router gives the key `default` to every entry that began with a document load, such as after a checkout. */
const entryKey = ({ key, pathname, search }: Location): string =>
  key === 'default' ? encodeURIComponent(pathname + search) : key

/** Whether the document was neither reloaded nor reached by going back or forward. */
const isNewEntry = (): boolean =>
  performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === 'navigate')

/** Scroll positions by history entry, stored across reloads of this tab. */
function readPositions(storage: KeyValueStorage) {
  const pairs = (storage.get(storageKey) ?? '').split(' ').map((pair) => pair.split('='))
  const positionByEntry = new Map(pairs.flatMap(([key, top]) => (key && Number(top) >= 0 ? [[key, Number(top)]] : [])))
  return {
    get: (key: string) => positionByEntry.get(key),
    delete: (key: string) => void positionByEntry.delete(key),
    set(key: string, top: number) {
      positionByEntry.delete(key)
      positionByEntry.set(key, Math.max(0, Math.round(top)))
      const [oldest] = positionByEntry.keys()
      if (positionByEntry.size > maxScrollPositions && oldest !== undefined) positionByEntry.delete(oldest)
    },
    save: () => storage.set(storageKey, Array.from(positionByEntry, ([key, top]) => `${key}=${top}`).join(' ')),
  }
}

/** Scrolls now, and again whenever the page grows, for a limited time. */
function scrollUntilStable(scroll: () => void): () => void {
  scroll()
  const observer = new ResizeObserver(scroll)
  observer.observe(document.body)
  const stopScrolling = (): void => {
    observer.disconnect()
    clearTimeout(giveUpTimer)
    for (const type of userInput) window.removeEventListener(type, stopScrolling)
  }
  const giveUpTimer = setTimeout(stopScrolling, scrollRetryMs)
  const userInput = ['wheel', 'touchstart', 'keydown'] as const
  for (const type of userInput) window.addEventListener(type, stopScrolling, { passive: true })
  return stopScrolling
}

/** Calls back when the page was scrolled or the window has another size. Returns what ends that. */
export const subscribeToViewport = (onViewportChange: () => void): (() => void) => {
  window.addEventListener('scroll', onViewportChange, { passive: true })
  window.addEventListener('resize', onViewportChange)
  return () => {
    window.removeEventListener('scroll', onViewportChange)
    window.removeEventListener('resize', onViewportChange)
  }
}
