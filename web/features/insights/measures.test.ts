import { describe, expect, test } from 'vitest'
import {
  bestDay,
  busiestHour,
  conversionPercent,
  countInHour,
  createCalendar,
  dayIn,
  hoursOf,
  insightsTimeZone,
  periodsOf,
  rangeOf,
  rangeProblem,
  searchOf,
} from './measures.ts'
import { createFormat } from '../../lib/format.ts'
import { chartOptions } from './BarChart.tsx'
import { sampleInsights } from '../../test/samples.ts'

const rangeIn = (url: string, today = '2026-11-14') => {
  const { choice, from, to } = rangeOf(new URLSearchParams(url), today)
  return [choice, from, to]
}

test.each([
  ['last=7', '2026-11-14', '7', '2026-11-08'],
  ['', '2026-03-01', '30', '2026-01-31'],
  ['last=90', '2026-04-02', '90', '2026-01-03'],
  ['last=7', '2026-01-03', '7', '2025-12-28'],
  ['last=12m', '2026-11-14', '12m', '2025-11-15'],
  ['last=12m', '2024-02-29', '12m', '2023-03-02'],
  ['last=12m', '2024-12-31', '12m', '2024-01-01'],
])('%s at %s is the time span %s from %s', (url, today, choice, from) => {
  expect(rangeIn(url, today)).toEqual([choice, from, today])
  expect(searchOf(new URLSearchParams('last=90&evenings=a,b'), '7', { from, to: today }).toString()).toBe(
    'evenings=a%2Cb&last=7',
  )
})

test('chosen dates are in the URL, and dates that cannot be shown are ignored', () => {
  const dates = { from: '2026-06-01', to: '2026-06-30' }
  expect(searchOf(new URLSearchParams('last=7'), 'dates', dates).toString()).toBe('from=2026-06-01&to=2026-06-30')
  expect(rangeIn('from=2026-06-01&to=2026-06-30')).toEqual(['dates', '2026-06-01', '2026-06-30'])
  expect(searchOf(new URLSearchParams('from=a&to=b'), '30', dates).toString()).toBe('')
  for (const url of ['from=2026-06-31&to=2026-07-01', 'from=2026-06-01', 'last=dates', 'last=5', 'from=&to=x'])
    expect(rangeIn(url)[0]).toBe('30')
})

test.each([
  ['2026-06-01', '2026-06-01', null],
  ['2025-11-14', '2026-11-14', null],
  ['2025-11-13', '2026-11-14', { field: 'from', why: 'long' }],
  ['2026-06-02', '2026-06-01', { field: 'to', why: 'order' }],
  ['2026-11-15', '2026-11-15', { field: 'from', why: 'future' }],
  ['2026-11-01', '2026-11-15', { field: 'to', why: 'future' }],
  ['', '2026-11-14', { field: 'from', why: 'missing' }],
  ['2026-11-01', '', { field: 'to', why: 'missing' }],
  ['0202-11-01', '2026-11-14', { field: 'from', why: 'missing' }],
  ['2026-02-30', '2026-03-14', { field: 'from', why: 'missing' }],
])('from %s to %s: %o', (from, to, problem) => {
  expect(rangeProblem({ from, to }, '2026-11-14')).toEqual(problem)
})

test('today is that of the account’s time zone, or of the browser’s', () => {
  const now = new Date('2026-11-14T18:45:00Z')
  expect(dayIn('Asia/Kolkata', now)).toBe('2026-11-15')
  expect(dayIn('America/New_York', now)).toBe('2026-11-14')
  expect(insightsTimeZone('Asia/Kolkata')).toBe('Asia/Kolkata')
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  for (const unknown of [null, undefined, 'Mars/Olympus']) expect(insightsTimeZone(unknown)).toBe(timeZone)
})

test('a long range has a bar for each week, which begins on Monday', () => {
  const daysOf = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
      scans: 1,
      views: 2,
      downloads: 0,
      requests: 0,
    }))
  expect(periodsOf(daysOf(92)).unit).toBe('day')
  const { unit, periods } = periodsOf(daysOf(365))
  expect([unit, periods.length]).toEqual(['week', 53])
  expect(periods.slice(0, 2)).toEqual([
    { from: '2026-01-01', to: '2026-01-04', scans: 4, views: 8, downloads: 0, requests: 0 },
    { from: '2026-01-05', to: '2026-01-11', scans: 7, views: 14, downloads: 0, requests: 0 },
  ])
  expect(periods.reduce((sum, { scans }) => sum + scans, 0)).toBe(365)
})

describe('the hours of two evenings', () => {
  const [late, early] = sampleInsights().evenings

  test('go from the first to the last with activity, in the order of an evening', () => {
    const afterMidnight = { ...late!, first_hour: 5, hours: { scans: [1], views: [0], downloads: [0], requests: [0] } }
    const silent = { ...late!, first_hour: null, hours: { scans: [], views: [], downloads: [], requests: [] } }
    expect(hoursOf([late!, early!])).toEqual([20, 21, 22, 23, 0])
    expect(hoursOf([late!, afterMidnight])).toEqual([22, 23, 0, 1, 2, 3, 4, 5])
    expect(hoursOf([silent, early!])).toEqual([20, 21])
    expect(hoursOf([silent])).toEqual([])
    expect([20, 21, 22, 23, 0].map((hour) => countInHour(late!, 'scans', hour))).toEqual([0, 0, 900, 200, 100])
    expect([busiestHour(late!), busiestHour(early!), busiestHour(silent)]).toEqual([22, 21, null])
  })

  test('and the share of scans that led to a photo is that of the totals', () => {
    expect([late, early].map((evening) => conversionPercent(evening!))).toEqual([6, 0])
    expect(conversionPercent({ scans: 1, views: 0, downloads: 2, requests: 0 })).toBe(100)
    expect(conversionPercent({ scans: 0, views: 0, downloads: 2, requests: 0 })).toBeNull()
  })
})

test('calendar days are formatted without a conversion between time zones', () => {
  const calendar = createCalendar('en-GB')
  expect(calendar.day('2026-11-14')).toBe('14 Nov')
  expect(calendar.days('2026-11-12', '2026-11-14')).toMatch(/^12\s?–\s?14 Nov$/)
  expect(calendar.days('2025-11-15', '2026-11-14')).toMatch(/^15 Nov 2025\s?–\s?14 Nov 2026$/)
  expect(calendar.date('2026-11-14')).toBe('Saturday 14 November')
  expect(calendar.evening('2026-11-14')).toBe('Sat, 14 Nov 2026')
  expect(calendar.hour(22)).toMatch(/^22\D+23$/)
})

test('the last hour of the day ends at midnight', () => {
  expect(createCalendar('en-US').hour(23)).toMatch(/^11\s?PM – 12\s?AM$/)
})

const days = Array.from({ length: 30 }, (_, index) => `2026-11-${String(index + 1).padStart(2, '0')}`)
const options = chartOptions({
  labels: days,
  format: createFormat('en-GB'),
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

test('the best day has the highest count, is the first of equal ones, and does not exist without counts', () => {
  const { days } = sampleInsights()
  expect(bestDay(days, 'scans')?.day).toBe('2026-11-13')
  expect(
    bestDay(
      days.map((day) => ({ ...day, views: 5 })),
      'views',
    )?.day,
  ).toBe('2026-11-12')
  expect(
    bestDay(
      days.map((day) => ({ ...day, scans: 0 })),
      'scans',
    ),
  ).toBeNull()
})
