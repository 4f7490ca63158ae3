import { cookieDecisionKey, cookiePreferencesKey, type CookiePreferences } from '@keepsnap/contract/browser-storage.ts'
import { createListeners } from '../../lib/listeners.ts'
import type { KeyValueStorage } from '../../lib/storage.ts'

/** What a visitor chose, and what is known about that moment. */
export interface CookieDecision {
  preferences: CookiePreferences
  /** Milliseconds since 1970; null when the browser did not keep it. */
  decidedAt: number | null
  /** The host of analytics that the notice spoke of; null: none was set up; undefined when the browser did not keep it. */
  analyticsHost: string | null | undefined
}

/** The choice of this browser: stored, the same in all tabs. */
export interface CookieDecisions {
  /** Null until the visitor chooses. The same object until that changes. */
  current(): CookieDecision | null
  decide(tracking: boolean, analyticsHost: string | null): void
  subscribe(listener: () => void): () => void
}

/** A choice is asked for again after a year. */
const maxDecisionMs = 365 * 24 * 60 * 60 * 1000

/** Where the storage is closed, the choice holds until the page is left, and is asked for again. */
export function createCookieDecisions(storage: KeyValueStorage, page: Window, now = Date.now): CookieDecisions {
  const listeners = createListeners<void>()
  const read = (): CookieDecision | null =>
    parseDecision(storage.get(cookiePreferencesKey), storage.get(cookieDecisionKey))
  let current = read()
  page.addEventListener('storage', ({ key }) => {
    if (key !== cookiePreferencesKey && key !== cookieDecisionKey && key !== null) return
    current = read()
    listeners.notify()
  })
  return {
    current: () => current,
    decide(tracking, analyticsHost) {
      const preferences: CookiePreferences = { functional: true, tracking }
      current = { preferences, decidedAt: now(), analyticsHost }
      // In this order: other tabs read both when the second one changes.
      storage.set(cookieDecisionKey, JSON.stringify({ at: new Date(now()).toISOString(), analytics: analyticsHost }))
      storage.set(cookiePreferencesKey, JSON.stringify(preferences))
      listeners.notify()
    },
    subscribe: listeners.add,
  }
}

/** What the two stored texts say; null when the first is not a choice. */
export function parseDecision(preferences: string | null, details: string | null): CookieDecision | null {
  const { tracking } = fieldsOf(preferences)
  if (typeof tracking !== 'boolean') return null
  const { at, analytics } = fieldsOf(details)
  const decidedAt = typeof at === 'string' ? Date.parse(at) : Number.NaN
  return {
    preferences: { functional: true, tracking },
    decidedAt: Number.isNaN(decidedAt) ? null : decidedAt,
    analyticsHost: typeof analytics === 'string' || analytics === null ? analytics : undefined,
  }
}

/** The fields of an object in JSON; none for anything else. */
function fieldsOf(json: string | null): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(json ?? 'null')
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
  } catch {
    return {}
  }
}

/** Whether a choice still holds. An agreement holds for the analytics that it was about, and for one year. */
export function isDecisionValid(
  decision: CookieDecision | null,
  { analyticsHost, now }: { analyticsHost: string | null; now: number },
): decision is CookieDecision {
  if (!decision) return false
  // A clock that was wrong must not make it hold for longer.
  if (decision.decidedAt !== null && Math.abs(now - decision.decidedAt) > maxDecisionMs) return false
  const isAboutOther = decision.analyticsHost !== undefined && decision.analyticsHost !== analyticsHost
  return !(decision.preferences.tracking && analyticsHost !== null && isAboutOther)
}
