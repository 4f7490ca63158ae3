import { describe, expect, test, vi } from 'vitest'
import { openStorage } from '../../lib/storage.ts'
import { createCookieDecisions, isDecisionValid, parseDecision } from './cookie-preferences.ts'

const essential = '{"functional":true,"tracking":false}'
const all = '{"functional":true,"tracking":true}'
const details = '{"at":"2026-11-23T10:00:00.000Z","analytics":"https://stats.example"}'
const decidedAt = Date.parse('2026-11-23T10:00:00.000Z')

describe('the stored choice', () => {
  test.each([
    ['nothing', null, null],
    ['an empty text', '', null],
    ['no JSON', '{"functional":true', null],
    ['a number', '1', null],
    ['a list', '[true]', null],
    ['an object without the choice', '{"functional":true}', null],
    ['another type', '{"functional":true,"tracking":"yes"}', null],
    ['essential only', essential, { functional: true, tracking: false }],
    ['accept all', all, { functional: true, tracking: true }],
    [
      'essential switched off, which cannot be',
      '{"functional":false,"tracking":false}',
      { functional: true, tracking: false },
    ],
    ['more fields', '{"functional":true,"tracking":true,"x":1}', { functional: true, tracking: true }],
  ])('%s', (_, stored, preferences) => {
    expect(parseDecision(stored, details)?.preferences ?? null).toEqual(preferences)
  })

  test.each([
    ['kept', details, decidedAt, 'https://stats.example'],
    ['kept, without analytics', '{"at":"2026-11-23T10:00:00.000Z","analytics":null}', decidedAt, null],
    ['lost', null, null, undefined],
    ['broken', '{', null, undefined],
    ['of other types', '{"at":1,"analytics":2}', null, undefined],
    ['of no day', '{"at":"soon"}', null, undefined],
  ])('with details that are %s', (_, stored, at, analyticsHost) => {
    expect(parseDecision(all, stored)).toMatchObject({ decidedAt: at, analyticsHost })
  })
})

describe('a choice is valid', () => {
  const day = 24 * 60 * 60 * 1000
  const host = 'https://stats.example'
  test.each([
    ['on the same day', all, details, host, 0, true],
    ['for a year', all, details, host, 365 * day, true],
    ['no longer than a year', essential, details, host, 366 * day, false],
    ['not when the clock was years ahead', all, details, host, -366 * day, false],
    ['when its time is not known', all, null, host, 9999 * day, true],
    ['not for other analytics than it was about', all, details, 'https://other.example', 0, false],
    ['not for analytics that were set up later', all, '{"analytics":null}', host, 0, false],
    ['as a no for any analytics', essential, details, 'https://other.example', 0, true],
    ['while no analytics are set up', all, details, null, 0, true],
  ])('%s', (_, preferences, stored, analyticsHost, later, isValid) => {
    const decision = parseDecision(preferences, stored)
    expect(isDecisionValid(decision, { analyticsHost, now: decidedAt + later })).toBe(isValid)
  })
})

describe('choosing', () => {
  const open = () =>
    createCookieDecisions(
      openStorage(() => window.localStorage),
      window,
      () => decidedAt,
    )

  test('is stored as one object, with its details beside it', () => {
    expect(open().current()).toBeNull()
    open().decide(true, 'https://stats.example')
    expect(window.localStorage.getItem('cookie_preferences')).toBe(all)
    expect(JSON.parse(window.localStorage.getItem('cookie_decision') ?? '')).toEqual(JSON.parse(details))
    expect(open().current()?.preferences.tracking).toBe(true)
  })

  test.each([
    ['changes', all, true],
    ['is removed', null, undefined],
  ])('follows the other tabs when the choice %s', (_, stored, tracking) => {
    const decisions = open()
    decisions.decide(false, null)
    const listener = vi.fn<() => void>()
    decisions.subscribe(listener)
    if (stored === null) window.localStorage.clear()
    else window.localStorage.setItem('cookie_preferences', stored)
    window.dispatchEvent(new StorageEvent('storage', { key: stored === null ? null : 'cookie_preferences' }))
    expect([decisions.current()?.preferences.tracking, listener.mock.calls.length]).toEqual([tracking, 1])
    window.dispatchEvent(new StorageEvent('storage', { key: 'theme' }))
    expect(listener).toHaveBeenCalledTimes(1)
  })

  test('lasts until the page is closed where storage is blocked', () => {
    const closed = openStorage(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    const decisions = createCookieDecisions(closed, window)
    decisions.decide(false, null)
    expect(decisions.current()?.preferences.tracking).toBe(false)
    const next = createCookieDecisions(
      openStorage(() => window.localStorage),
      window,
    )
    expect(next.current()).toBeNull()
  })
})
