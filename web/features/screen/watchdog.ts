import { useEffect, useRef } from 'react'
import { useApi } from '../../lib/app-services.tsx'
import { openStorage } from '../../lib/storage.ts'
import { waitForServer } from '../../lib/reload.ts'

interface PageState {
  /** Milliseconds; when the page last had data that was known to be current. */
  upToDateAt: () => number
  isBroken: () => boolean
  /** Whether a reload would lose nothing. */
  mayReload: () => boolean
}

// Browsers store this key: do not rename it.
const reloadedKey = 'stage-reloaded'

/** Reloads the page of an unattended screen when `watchdogDecision` says so. */
export function useWatchdog(page: PageState): void {
  const api = useApi()
  const latestPageState = useRef(page)
  useEffect(() => {
    latestPageState.current = page
  })
  useEffect(() => {
    const storage = openStorage(() => window.sessionStorage)
    const times = { tickedAt: Date.now(), checkedAt: Date.now() }
    const unmounted = new AbortController()
    const tick = (): void => {
      const now = Date.now()
      const { upToDateAt, isBroken, mayReload } = latestPageState.current
      const reloadedAt = Number(storage.get(reloadedKey)) || null
      const watchdogAction = watchdogDecision({
        now,
        ...times,
        upToDateAt: upToDateAt(),
        isBroken: isBroken(),
        reloadedAt,
      })
      times.tickedAt = now
      if (watchdogAction !== 'nothing') times.checkedAt = now
      if (watchdogAction === 'reload' && mayReload()) void reload()
    }
    const reload = async (): Promise<void> => {
      const reachable = await waitForServer(api, unmounted.signal)
      if (!reachable || document.visibilityState !== 'visible') return
      storage.set(reloadedKey, String(Date.now()))
      window.location.reload()
    }
    const watchdogTimer = setInterval(tick, watchdogTimes.tickMs)
    return () => {
      clearInterval(watchdogTimer)
      unmounted.abort()
    }
  }, [api])
}

/** State of the watchdog of an unattended screen; times in milliseconds. */
export interface WatchdogState {
  now: number
  /** Time of the last tick; a long gap means that the device slept. */
  tickedAt: number
  /** Time of the last hourly check. */
  checkedAt: number
  /** When the page last had data that was known to be current. */
  upToDateAt: number
  /** The photo cannot be seen. */
  isBroken: boolean
  /** Time of the watchdog's last reload; null when there was none. */
  reloadedAt: number | null
}

const minute = 60_000
const watchdogTimes = {
  tickMs: 15_000,
  /** Browsers run timers of hidden tabs at least once a minute; a longer gap is sleep. */
  sleptMs: 3 * minute,
  checkMs: 60 * minute,
  staleMs: 10 * minute,
  minReloadGapMs: 10 * minute,
} as const

/** `reload`: the page should be reloaded once the server answers. `checked`: the hourly check found no problem. */
export function watchdogDecision(state: WatchdogState): 'reload' | 'checked' | 'nothing' {
  const { now, tickedAt, checkedAt, upToDateAt, isBroken, reloadedAt } = state
  const mayReload = reloadedAt === null || now - reloadedAt >= watchdogTimes.minReloadGapMs
  if (now - tickedAt >= watchdogTimes.sleptMs) return mayReload ? 'reload' : 'nothing'
  if (now - checkedAt < watchdogTimes.checkMs) return 'nothing'
  return (isBroken || now - upToDateAt >= watchdogTimes.staleMs) && mayReload ? 'reload' : 'checked'
}
