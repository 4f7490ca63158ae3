import { describe, expect, test } from 'vitest'
import { lastDaysRange } from './date-range.ts'
import { createCalendar } from './calendar.ts'
import { createFormat } from '../../lib/format.ts'
import { chartOptions } from './chart-options.ts'
import { sampleInsights } from '../../test/sample-requests.ts'
import { bestDay, isEmpty } from './measures.ts'

test.each([
  [7, new Date(2026, 10, 14, 23, 59), '2026-11-08', '2026-11-14'],
  [30, new Date(2026, 2, 1, 0, 5), '2026-01-31', '2026-03-01'],
  // Daylight saving time begins within this range.
  [90, new Date(2026, 3, 2, 1), '2026-01-03', '2026-04-02'],
  [7, new Date(2026, 0, 3), '2025-12-28', '2026-01-03'],
] as const)('the range of %i days at %s is %s to %s', (days, now, from, to) => {
  expect(lastDaysRange(days, now)).toEqual({ from, to, tz: new Intl.DateTimeFormat().resolvedOptions().timeZone })
})

test('calendar days are formatted without a conversion between time zones', () => {
  const calendar = createCalendar('en-GB')
  expect(calendar.day('2026-11-14')).toBe('14 Nov')
  expect(calendar.days('2026-11-12', '2026-11-14')).toMatch(/^12\s?–\s?14 Nov$/)
  expect(calendar.date('2026-11-14')).toBe('Saturday 14 November')
  expect(calendar.hour(22)).toMatch(/^22\D+23$/)
})

test('the last hour of the day ends at midnight', () => {
  expect(createCalendar('en-US').hour(23)).toMatch(/^11\s?PM – 12\s?AM$/)
})

const days = Array.from({ length: 30 }, (_, index) => `2026-11-${String(index + 1).padStart(2, '0')}`)
const options = chartOptions({
  days,
  format: createFormat('en-GB'),
  calendar: createCalendar('en-GB'),
  size: { width: 640, height: 200 },
  onHover: () => {},
})
/** The indexes of the labelled days on a chart of this width. */
const labelledDays = (width: number) => {
  const { splits } = options.axes![0]! // the axis of days
  return typeof splits === 'function' ? splits({ width } as never, 0, 0, 0, 0, 0) : [] // only reads the width
}

test('as many days have a label as fit, always including the last', () => {
  expect(labelledDays(30 * 64)).toHaveLength(30)
  expect(labelledDays(640)).toEqual([2, 5, 8, 11, 14, 17, 20, 23, 26, 29])
  expect(labelledDays(10)).toEqual([29])
})

test('insights are empty when nothing was counted', () => {
  const none = { scans: 0, views: 0, downloads: 0, requests: 0 }
  expect(isEmpty({ totals: none })).toBe(true)
  expect(isEmpty({ totals: { ...none, views: 1 } })).toBe(false)
})

describe('the best day', () => {
  const { days } = sampleInsights()

  test('has the highest count', () => {
    expect(bestDay(days, 'scans')?.day).toBe('2026-11-13')
  })

  test('is the first one of equal days', () => {
    const equal = days.map((day) => ({ ...day, views: 5 }))
    expect(bestDay(equal, 'views')?.day).toBe('2026-11-12')
  })

  test('does not exist when all counts are zero', () => {
    expect(
      bestDay(
        days.map((day) => ({ ...day, scans: 0 })),
        'scans',
      ),
    ).toBeNull()
  })
})
