import { useEffect, useRef } from 'react'
import { useApi } from '../../../lib/app-services.tsx'
import { waitForServer } from '../../../lib/wait-for-server.ts'
import { openStorage } from '../../../lib/storage.ts'
import { watchdogDecision, watchdogTimes } from './watchdog.ts'

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
