import { type Analytics, analyticsCookiePrefixes } from '@keepsnap/contract/site.ts'
import { parseUrl } from '../../lib/urls.ts'

/** The script of a provider of analytics in this page. It is loaded when the tracker starts. */
interface Tracker {
  /** Counts a view of a page, by its path without parameters or ids. */
  pageViewed(path: string): void
  /** The visitor has left the pages that are counted. */
  pause(): void
  /** Counts nothing more. */
  stop(): void
}

/** Starts the script of one provider. */
type StartTracker = (analytics: Analytics, page: Window) => Tracker

/** Adds a script to the page; the security policy allows it by its host. */
function insertScript(page: Window, src: string, data: Record<string, string> = {}): void {
  const script = page.document.createElement('script')
  Object.assign(script.dataset, data)
  script.async = true
  script.src = src
  page.document.head.append(script)
}

/** The website from which the visitor came, without the address of a page there; empty when it is unknown or this one. */
function referringOrigin({ document, location }: Window): string {
  const origin = parseUrl(document.referrer)?.origin
  return origin === undefined || origin === location.origin ? '' : `${origin}/`
}

type Send = (event: string, options: { u: string }) => void

declare global {
  interface Window {
    /** Plausible's script replaces it, and sends what is in `q`. */
    plausible?: Send & { q?: unknown[][] }
  }
}

/** The flag with which people exclude themselves: https://plausible.io/docs/excluding-localstorage. */
const ignoreKey = 'plausible_ignore'

/** Plausible, with the script that sends page views only on request: https://plausible.io/docs/custom-locations. */
const startPlausible: StartTracker = ({ host, site }, page) => {
  const q: unknown[][] = []
  const waiting: Send = (...event) => void q.push(event)
  page.plausible = Object.assign(waiting, { q })
  const referrer = referringOrigin(page)
  // The script sends this with every page view and has no setting for it.
  Object.defineProperty(page.document, 'referrer', { get: () => referrer, configurable: true })
  insertScript(page, `${host}/js/script.manual.js`, { domain: site, api: `${host}/api/event` })
  const send = (path: string): void => page.plausible?.('pageview', { u: page.location.origin + path })
  return {
    pageViewed: send,
    pause() {
      const isLoaded = page.plausible !== waiting
      if (isLoaded) withIgnoreFlag(page, () => send('/'))
    },
    stop: () => void (page.plausible = () => {}),
  }
}

/** The script measures the time spent on the last page until it ignores a page view. */
function withIgnoreFlag({ localStorage }: Window, action: () => void): void {
  const before = localStorage.getItem(ignoreKey)
  localStorage.setItem(ignoreKey, 'true')
  action()
  if (before === null) localStorage.removeItem(ignoreKey)
  else localStorage.setItem(ignoreKey, before)
}

declare global {
  interface Window {
    /** The command queue of Matomo's script: once loaded, it runs the queued commands, and later ones at once. */
    _paq?: { push(...commands: unknown[][]): unknown }
  }
}

/**
 * Matomo: https://developer.matomo.org/guides/tracking-javascript-guide and /guides/spa-tracking. Links are not followed,
 * because downloads contain codes. `false` keeps the consent from switching cookies on again.
 */
const startMatomo: StartTracker = ({ host, site }, page) => {
  const commands = (page['_paq'] ??= [])
  commands.push(
    ['requireConsent'],
    ['disableCookies'],
    ['disablePerformanceTracking'],
    ['setTrackerUrl', `${host}/matomo.php`],
    ['setSiteId', site],
    ['setConsentGiven', false],
  )
  insertScript(page, `${host}/matomo.js`)
  let referrer = referringOrigin(page)
  return {
    pageViewed(path) {
      const url = page.location.origin + path
      const run = (...command: unknown[]): unknown => page['_paq']?.push(command)
      run('setReferrerUrl', referrer)
      run('setCustomUrl', url)
      run('setDocumentTitle', path)
      run('trackPageView')
      referrer = url
    },
    pause() {},
    stop: () => void page['_paq']?.push(['optUserOut']),
  }
}

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
