import { expect, test } from 'vitest'
import { createDateTimeFormat, createZonedDateTimeFormat } from './date-time.ts'

test('a time is formatted in the given locale and time zone', () => {
  expect(createDateTimeFormat('en-GB', 'Europe/Brussels')('2026-11-17T22:51:00Z')).toBe('Tuesday 17 November at 23:51')
})

test('hours have a leading zero where the day has 24 hours, but not before AM', () => {
  const time = '2026-11-17T07:51:00Z'
  expect(createDateTimeFormat('en-GB', 'UTC')(time)).toBe('Tuesday 17 November at 07:51')
  expect(createDateTimeFormat('en-US', 'UTC')(time)).toMatch(/^Tuesday, November 17 at 7:51\sAM$/)
})

test('a time is formatted in the time zone of each owner, without its name', () => {
  const format = createZonedDateTimeFormat('en-GB')
  const time = '2026-11-17T22:51:00Z'
  expect(format(time, 'Asia/Tokyo')).toBe('Wednesday 18 November at 07:51')
  expect(format(time, 'UTC')).toBe('Tuesday 17 November at 22:51')
  const serverTime = createDateTimeFormat('en-GB')(time)
  expect([format(time), format(time, null), format(time, 'Europe/Nowhere')]).toEqual(Array(3).fill(serverTime))
})
