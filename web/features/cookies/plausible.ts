import { insertScript, referringOrigin, type StartTracker } from './tracker.ts'

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
export const startPlausible: StartTracker = ({ host, site }, page) => {
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
