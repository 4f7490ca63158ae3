import { expect, test } from 'vitest'
import { createCalendar } from './calendar.ts'

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
