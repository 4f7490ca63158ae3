import { useEffect, useRef } from 'react'
import { useApi } from '../../../lib/parts.tsx'
import { isReachable } from '../../../lib/reachable.ts'
import { openStorage } from '../../../lib/storage.ts'
import { verdictOf, vigilTimes } from './vigil.ts'

interface Signs {
  /** Milliseconds; when the page was last sure to show what is true. */
  soundAt: () => number
  isBroken: () => boolean
  /** Whether a reload would lose nothing. */
  mayReload: () => boolean
}

const entry = 'stage-reloaded'

/** Watches over the stage while nobody does; see `verdictOf`. */
export function useVigil(signs: Signs): void {
  const api = useApi()
  const current = useRef(signs)
  useEffect(() => {
    current.current = signs
  })
  useEffect(() => {
    const storage = openStorage(() => window.sessionStorage)
    const times = { lookedAt: Date.now(), checkedAt: Date.now() }
    const leaving = new AbortController()
    const look = (): void => {
      const now = Date.now()
      const { soundAt, isBroken, mayReload } = current.current
      const reloadedAt = Number(storage.get(entry)) || null
      const verdict = verdictOf({ now, ...times, soundAt: soundAt(), isBroken: isBroken(), reloadedAt })
      times.lookedAt = now
      if (verdict !== 'nothing') times.checkedAt = now
      if (verdict !== 'reload' || !mayReload()) return
      void reload()
    }
    const reload = async (): Promise<void> => {
      const reachable = await isReachable(api, leaving.signal)
      if (!reachable || document.visibilityState !== 'visible') return
      storage.set(entry, String(Date.now()))
      window.location.reload()
    }
    const timer = setInterval(look, vigilTimes.lookMs)
    return () => {
      clearInterval(timer)
      leaving.abort()
    }
  }, [api])
}
