import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { openStorage, type KeyValue } from './storage.ts'

const settleMs = 2_000
const kept = 100
const entry = 'places'

/** State of a history entry that lies over the page before it, such as a dialog with an address: nothing scrolls. */
export const staying = { stay: true } as const
const isStaying = (state: unknown): boolean => typeof state === 'object' && state !== null && 'stay' in state

/**
 * Where the page stands after a navigation: at the top of a new page, at the part a `#name` asks for, or where the
 * reader was when going back or reloading. Going back waits up to two seconds for the page to grow long enough again,
 * unless the reader scrolls first.
 */
export function useScrollPlaces(): void {
  const { key, hash, pathname, state } = useLocation()
  const type = useNavigationType()
  const [places] = useState(() => readPlaces(openStorage(() => window.sessionStorage)))

  useEffect(() => {
    history.scrollRestoration = 'manual'
    window.addEventListener('pagehide', places.keep)
    return () => window.removeEventListener('pagehide', places.keep)
  }, [places])

  // Layout effects, both: the scroll that a new page causes must not be noted as the old page's.
  useLayoutEffect(() => {
    const note = (): void => places.note(key, window.scrollY)
    window.addEventListener('scroll', note, { passive: true })
    return () => window.removeEventListener('scroll', note)
  }, [places, key])

  const last = useRef({ pathname: '', stays: false })
  useLayoutEffect(() => {
    const before = last.current
    last.current = { pathname, stays: isStaying(state) }
    if (before.pathname === pathname && (before.stays || isStaying(state))) return undefined
    const back = type === 'POP' ? places.at(key) : undefined
    if (back !== undefined) return holdAt(() => window.scrollTo({ top: back, behavior: 'instant' }))
    if (hash) return holdAt(() => document.getElementById(hash.slice(1))?.scrollIntoView())
    if (type !== 'POP') window.scrollTo({ top: 0, behavior: 'instant' })
    return undefined
  }, [places, key, hash, type, pathname, state])
}

/** Scroll positions by history entry, kept for this tab across reloads. */
function readPlaces(storage: KeyValue) {
  const pairs = (storage.get(entry) ?? '').split(' ').map((pair) => pair.split('='))
  const tops = new Map(pairs.flatMap(([key, top]) => (key && Number(top) >= 0 ? [[key, Number(top)]] : [])))
  return {
    at: (key: string) => tops.get(key),
    note(key: string, top: number) {
      tops.delete(key)
      tops.set(key, Math.max(0, Math.round(top)))
      const [oldest] = tops.keys()
      if (tops.size > kept && oldest !== undefined) tops.delete(oldest)
    },
    keep: () => storage.set(entry, Array.from(tops, ([key, top]) => `${key}=${top}`).join(' ')),
  }
}

/** Goes there now and again whenever the page grows, for a while. */
function holdAt(go: () => void): () => void {
  go()
  const watch = new ResizeObserver(go)
  watch.observe(document.body)
  const stop = (): void => {
    watch.disconnect()
    clearTimeout(timer)
    for (const sign of signs) window.removeEventListener(sign, stop)
  }
  const timer = setTimeout(stop, settleMs)
  const signs = ['wheel', 'touchstart', 'keydown'] as const
  for (const sign of signs) window.addEventListener(sign, stop, { passive: true })
  return stop
}
