import { expect, test } from 'vitest'
import { periodStart, proratedCents } from './demo-periods.ts'

const day = (text: string): Date => new Date(`${text}T21:30:15.250Z`)

test.each([
  ['2027-01-31', 'month', 2, '2027-02-28'],
  ['2027-01-31', 'month', 3, '2027-03-31'],
  ['2027-01-31', 'month', 4, '2027-04-30'],
  ['2027-01-31', 'month', 14, '2028-02-29'],
  ['2026-12-31', 'month', 2, '2027-01-31'],
  ['2026-11-30', 'month', 4, '2027-02-28'],
  ['2026-11-15', 'month', 1, '2026-11-15'],
  ['2026-11-15', 'month', 122, '2036-12-15'],
  ['2028-02-29', 'year', 2, '2029-02-28'],
  ['2028-02-29', 'year', 5, '2032-02-29'],
  ['2027-12-31', 'year', 2, '2028-12-31'],
] as const)('counted from %s, by the %s, period %i starts on %s', (anchor, interval, number, start) => {
  expect(periodStart(day(anchor), interval, number)).toEqual(day(start))
})

test('every period ends where the next one starts, and has the length of its interval', () => {
  for (let first = 0; first < 366; first += 1) {
    const anchor = new Date(Date.UTC(2028, 0, 1 + first, 23, 59))
    for (let number = 1; number <= 26; number += 1) {
      const days =
        (periodStart(anchor, 'month', number + 1).getTime() - periodStart(anchor, 'month', number).getTime()) /
        86_400_000
      expect(days).toBeGreaterThanOrEqual(28)
      expect(days).toBeLessThanOrEqual(31)
    }
  }
})

test('the rest of a period is worth its part of the price, in whole cents, and never more than all of it', () => {
  const period = { start: day('2027-06-01'), end: day('2027-07-01') }
  expect(proratedCents(1499, period, day('2027-06-01'))).toBe(1499)
  expect(proratedCents(1499, period, day('2027-06-16'))).toBe(750)
  expect(proratedCents(1499, period, day('2027-07-01'))).toBe(0)
  expect(proratedCents(1499, period, day('2027-05-01'))).toBe(1499)
  expect(proratedCents(1499, period, day('2027-08-01'))).toBe(0)
})
