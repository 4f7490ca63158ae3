import { expect, test } from 'vitest'
import { lastDaysRange } from './date-range.ts'

test.each([
  [7, new Date(2026, 10, 14, 23, 59), '2026-11-08', '2026-11-14'],
  [30, new Date(2026, 2, 1, 0, 5), '2026-01-31', '2026-03-01'],
  // Daylight saving time begins within this range.
  [90, new Date(2026, 3, 2, 1), '2026-01-03', '2026-04-02'],
  [7, new Date(2026, 0, 3), '2025-12-28', '2026-01-03'],
] as const)('the range of %i days at %s is %s to %s', (days, now, from, to) => {
  expect(lastDaysRange(days, now)).toEqual({ from, to, tz: new Intl.DateTimeFormat().resolvedOptions().timeZone })
})
