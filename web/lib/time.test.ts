import { expect, test, vi } from 'vitest'
import { deviceTimeZone } from './time.ts'

test.each([
  ['Europe/Brussels', 'Europe/Brussels'],
  ['Etc/Unknown', undefined],
  [undefined, undefined],
])('a browser that reports %s is in the time zone %s', (reported, zone) => {
  // Only this field is read.
  const options = { timeZone: reported } as Intl.ResolvedDateTimeFormatOptions
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(options)
  expect(deviceTimeZone()).toBe(zone)
  vi.restoreAllMocks()
})
