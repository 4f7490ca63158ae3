import { insertScript, referringOrigin, type StartTracker } from './tracker.ts'

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
export const startMatomo: StartTracker = ({ host, site }, page) => {
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
