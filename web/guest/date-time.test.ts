import { expect, test } from 'vitest'
import { createDateTimeFormat } from './date-time.ts'

test('a time is formatted in the given locale and time zone', () => {
  const utc = createDateTimeFormat('en-GB', { timeZone: 'UTC', timeZoneName: 'short' })
  expect(utc('2026-11-17T22:51:00Z')).toBe('Tuesday 17 November at 22:51 UTC')
  expect(createDateTimeFormat('en-GB', { timeZone: 'Asia/Tokyo' })('2026-11-17T22:51:00Z')).toContain('18 November')
})
