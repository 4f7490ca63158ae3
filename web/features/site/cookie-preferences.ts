import { cookieDecisionKey, type CookiePreferences, cookiePreferencesKey } from '@keepsnap/contract/site.ts'
import { createListeners } from '../../lib/listeners.ts'
import type { KeyValueStorage } from '../../lib/storage.ts'

/** What a visitor chose, and what is known about that moment. */
export interface CookieDecision {
  preferences: CookiePreferences
  /** Milliseconds since 1970; null when it is not stored. */
  decidedAt: number | null
  /** The analytics host that the notice named; null: none was set up; undefined when it is not stored. */
  analyticsHost: string | null | undefined
}

/** The choice of this browser: stored, the same in all tabs. */
export interface CookieDecisions {
  /** Null until the visitor chooses. The same object until that changes. */
  current(): CookieDecision | null
  decide(tracking: boolean, analyticsHost: string | null): void
  subscribe(listener: () => void): () => void
}

/** Visitors are asked again after a year. */
const decisionMaxAgeMs = 365 * 24 * 60 * 60 * 1000

/** Where storage is blocked, the choice lasts only until the page is closed. */
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

/** Whether a choice is still valid: for one year, and consent only for the analytics host that the notice named. */
export function isDecisionValid(
  decision: CookieDecision | null,
  { analyticsHost, now }: { analyticsHost: string | null; now: number },
): decision is CookieDecision {
  if (!decision) return false
  // A wrong clock must not extend its validity.
  if (decision.decidedAt !== null && Math.abs(now - decision.decidedAt) > decisionMaxAgeMs) return false
  const isAboutOther = decision.analyticsHost !== undefined && decision.analyticsHost !== analyticsHost
  return !(decision.preferences.tracking && analyticsHost !== null && isAboutOther)
}
