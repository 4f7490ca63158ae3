import { languageCookie } from './languages.ts'

/** Where the browser keeps an entry. `sessionStorage`: until the tab is closed. */
export type StorageArea = 'localStorage' | 'sessionStorage' | 'IndexedDB' | 'cookie'

/** What the app keeps on a visitor's device. */
export interface StoredEntry {
  area: StorageArea
  /** The key, or the name of the database. One that ends with * stands for all keys that begin so. */
  name: string
  purpose:
    | 'sign-in'
    | 'known-browser'
    | 'theme'
    | 'language'
    | 'cookie-choice'
    | 'hidden-notice'
    | 'big-screen'
    | 'scroll-positions'
    | 'waiting-uploads'
    | 'support-message'
}

/**
 * The cookie of a browser that has signed in, which is sent with further sign-ins: they have a queue of their own, and are no news
 * to the account. It carries no right, and scripts cannot read it.
 */
export const deviceCookie = 'device'
/** How long it is kept after the last sign-in: longer than any session, or it would be gone when it is needed. */
export const deviceCookieDays = 365

/** The key of the choice that the cookie notice asks for. Its value: `CookiePreferences` as JSON. */
export const cookiePreferencesKey = 'cookie_preferences'
/** The key of what belongs to that choice: when it was made, and for which analytics. */
export const cookieDecisionKey = 'cookie_decision'

/** What the visitor agreed to. Nothing but the first is on before. */
export interface CookiePreferences {
  functional: true
  tracking: boolean
}

/** What the app works with: no consent is needed for it. The cookie of the language exists once one was chosen. */
export const essentialStorage: readonly StoredEntry[] = [
  { area: 'localStorage', name: 'token', purpose: 'sign-in' },
  { area: 'cookie', name: deviceCookie, purpose: 'known-browser' },
  { area: 'localStorage', name: 'theme', purpose: 'theme' },
  { area: 'cookie', name: languageCookie, purpose: 'language' },
  { area: 'localStorage', name: cookiePreferencesKey, purpose: 'cookie-choice' },
  { area: 'localStorage', name: cookieDecisionKey, purpose: 'cookie-choice' },
  { area: 'localStorage', name: 'hidden-usage-warning', purpose: 'hidden-notice' },
  { area: 'sessionStorage', name: 'report-later-*', purpose: 'hidden-notice' },
  { area: 'localStorage', name: 'stage-prints', purpose: 'big-screen' },
  { area: 'sessionStorage', name: 'stage-full', purpose: 'big-screen' },
  { area: 'sessionStorage', name: 'stage-reloaded', purpose: 'big-screen' },
  { area: 'sessionStorage', name: 'places', purpose: 'scroll-positions' },
  { area: 'IndexedDB', name: 'keepsnap-uploads', purpose: 'waiting-uploads' },
  { area: 'localStorage', name: 'unsent-uploads-*', purpose: 'waiting-uploads' },
  { area: 'sessionStorage', name: 'support-draft', purpose: 'support-message' },
]

/**
 * What the providers of analytics could keep on the device. With the settings that the app gives to their scripts they keep
 * nothing while visits are counted: Matomo runs without cookies, Plausible has none. The app removes these whenever consent
 * is missing.
 */
export const analyticsCookiePrefixes = ['_pk_', 'mtm_'] as const
