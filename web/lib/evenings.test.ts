import { expect, test } from 'vitest'
import { createEveningOf } from './evenings.ts'

test.each([
  ['Europe/Brussels', '2026-06-14T19:30:00.000Z', '2026-06-14'],
  ['Europe/Brussels', '2026-06-15T03:59:59.999Z', '2026-06-14'],
  ['Europe/Brussels', '2026-06-15T04:00:00.000Z', '2026-06-15'],
  ['Europe/Brussels', '2026-07-31T23:10:00.000Z', '2026-07-31'],
  ['Europe/Brussels', '2027-01-01T04:00:00.000Z', '2026-12-31'],
  // The clocks go forward: 6:00 comes five hours after midnight.
  ['Europe/Brussels', '2026-03-29T03:59:00.000Z', '2026-03-28'],
  ['Europe/Brussels', '2026-03-29T04:00:00.000Z', '2026-03-29'],
  // They go back: 6:00 comes seven hours after midnight.
  ['Europe/Brussels', '2026-10-25T04:59:00.000Z', '2026-10-24'],
  ['Europe/Brussels', '2026-10-25T05:00:00.000Z', '2026-10-25'],
  // Half and quarter hours.
  ['Asia/Kolkata', '2026-06-15T00:29:00.000Z', '2026-06-14'],
  ['Asia/Kolkata', '2026-06-15T00:30:00.000Z', '2026-06-15'],
  ['Asia/Kathmandu', '2026-06-15T00:14:59.000Z', '2026-06-14'],
  ['Asia/Kathmandu', '2026-06-15T00:15:00.000Z', '2026-06-15'],
  // By half an hour.
  ['Australia/Lord_Howe', '2026-10-03T18:59:00.000Z', '2026-10-03'],
  ['Australia/Lord_Howe', '2026-10-03T19:00:00.000Z', '2026-10-04'],
  ['Pacific/Kiritimati', '2026-06-15T16:00:00.000Z', '2026-06-16'],
  [null, '2026-06-15T05:59:00.000Z', '2026-06-14'],
  [null, '2026-06-15T06:00:00.000Z', '2026-06-15'],
  ['Not/A_Zone', '2026-06-15T06:00:00.000Z', '2026-06-15'],
])('in the time zone %s, %s belongs to the evening of %s', (zone, moment, evening) => {
  const eveningOf = createEveningOf(zone)
  expect([eveningOf(moment), eveningOf(moment)]).toEqual([evening, evening])
})
