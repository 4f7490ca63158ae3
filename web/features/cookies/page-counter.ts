import type { Analytics } from '@keepsnap/contract/analytics.ts'
import { analyticsCookiePrefixes } from '@keepsnap/contract/browser-storage.ts'
import { startMatomo } from './matomo.ts'
import { startPlausible } from './plausible.ts'
import type { StartTracker, Tracker } from './tracker.ts'

const startTracker: Record<Analytics['provider'], StartTracker> = { matomo: startMatomo, plausible: startPlausible }

/** `path`: of the page as the app knows it, without parameters or ids. `address`: its real path, which is not sent. */
export interface PageView {
  path: string
  address: string
}

/** Counts visits to pages once the visitor has agreed. Before, it does nothing. */
export interface PageCounter {
  /**
   * Counts a view, once for each address; loads the script of the provider at the first one. After `stop` it counts nothing
   * until the next load.
   */
  count(analytics: Analytics, view: PageView): void
  /** The visitor is on a page that is not counted. */
  pause(): void
  /**
   * Without consent: stops the running tracker and removes its cookies. Returns whether one was running. `storageHost`:
   * from where photos may be loaded.
   */
  stop(storageHost?: string | null): boolean
}

/** `apiOrigin`: where the server is. */
export function createPageCounter(page: Window, apiOrigin: string): PageCounter {
  let tracker: Tracker | null = null
  let isStopped = false
  let lastAddress: string | null = null
  return {
    count(analytics, { path, address }) {
      if (isStopped || address === lastAddress) return
      lastAddress = address
      tracker ??= startTracker[analytics.provider](analytics, page)
      tracker.pageViewed(path)
    },
    pause() {
      lastAddress = null
      tracker?.pause()
    },
    stop(storageHost = null) {
      const isRunning = tracker !== null && !isStopped
      if (isRunning) {
        forbidOtherHosts(page.document, apiOrigin, storageHost)
        tracker?.stop()
        isStopped = true
      }
      removeAnalyticsCookies(page)
      return isRunning
    },
  }
}

/** Adds a second security policy until the next load: a script that is loaded already could still send something. */
function forbidOtherHosts(document: Document, apiOrigin: string, storageHost: string | null): void {
  const policy = document.createElement('meta')
  policy.httpEquiv = 'Content-Security-Policy'
  policy.content = [
    "script-src 'self'",
    `connect-src 'self' ${apiOrigin} ${apiOrigin.replace(/^http/, 'ws')}`,
    `img-src 'self' data: blob: ${apiOrigin}${storageHost === null ? '' : ` ${storageHost}`}`,
  ].join('; ')
  document.head.append(policy)
}

/** Also those that an earlier version or setting left. A cookie is removed only with the domain that it was set for. */
function removeAnalyticsCookies({ document, location }: Window): void {
  const labels = location.hostname.split('.')
  const domains = ['', ...labels.map((_, n) => `; domain=${labels.slice(n).join('.')}`)]
  for (const cookie of document.cookie.split(';')) {
    const name = cookie.split('=')[0]?.trim() ?? ''
    if (!analyticsCookiePrefixes.some((prefix) => name.startsWith(prefix))) continue
    for (const domain of domains) document.cookie = `${name}=; expires=Thu, 01 Jan 1970 00:00:00 GMT; path=/${domain}`
  }
}
