import { describe, expect, test } from 'vitest'
import { sampleInsights } from '../../test/requests.ts'
import { createCalendar } from './calendar.ts'
import { bestDay, isEmpty } from './numbers.ts'
import { hasInsights } from './queries.ts'
import { spanOf } from './span.ts'

test('free people have no insights, paying ones have', () => {
  expect([hasInsights('free'), hasInsights('pro')]).toEqual([false, true])
})

describe('a span', () => {
  test.each([
    [7, new Date(2026, 10, 14, 23, 59), '2026-11-08', '2026-11-14'],
    [30, new Date(2026, 2, 1, 0, 5), '2026-01-31', '2026-03-01'],
    // Clocks change within it.
    [90, new Date(2026, 3, 2, 1), '2026-01-03', '2026-04-02'],
    [7, new Date(2026, 0, 3), '2025-12-28', '2026-01-03'],
  ] as const)('of %i days until %s begins on %s and ends on %s', (span, now, from, to) => {
    expect(spanOf(span, now)).toEqual({ from, to, tz: new Intl.DateTimeFormat().resolvedOptions().timeZone })
  })
})

describe('numbers', () => {
  test('are empty when nothing at all was counted', () => {
    const none = { scans: 0, views: 0, downloads: 0, requests: 0 }
    expect(isEmpty({ totals: none })).toBe(true)
    expect(isEmpty({ totals: { ...none, views: 1 } })).toBe(false)
  })

  test('know their best day, the first of equals, and none without any', () => {
    const { days } = sampleInsights()
    expect(bestDay(days, 'scans')?.day).toBe('2026-11-13')
    expect(bestDay([days[2]!, { ...days[2]!, day: '2026-11-15' }], 'scans')).toBeNull()
    const equal = days.map((day) => ({ ...day, views: 5 }))
    expect(bestDay(equal, 'views')?.day).toBe('2026-11-12')
  })
})

test('calendar days are written as they are, whichever the zone', () => {
  const calendar = createCalendar('en-GB')
  expect(calendar.day('2026-11-14')).toBe('14 Nov')
  expect(calendar.days('2026-11-12', '2026-11-14')).toMatch(/^12\s?–\s?14 Nov$/)
  expect(calendar.date('2026-11-14')).toBe('Saturday 14 November')
  expect(calendar.hour(22)).toMatch(/^22\D+23$/)
  expect(createCalendar('en-US').hour(23)).toMatch(/^11\s?PM – 12\s?AM$/)
})
