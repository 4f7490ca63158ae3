import { canonicalTimeZone } from '@keepsnap/contract/time-zones.ts'
import { createDateFormat } from '../lib/date-format.ts'
import { createDateTimeFormat } from './date-time.ts'

/** Formats an ISO 8601 time in an IANA time zone; without one, or with an unknown one, in the server's. */
export type FormatDateTime = (iso: string, timeZone?: string | null) => string

/** Returns a function for times in the time zones of owners. It never names the zone: owner and guests share one clock. */
export const createZonedDateTimeFormat = (locale: string): FormatDateTime =>
  zonedFormat((timeZone) => createDateTimeFormat(locale, timeZone))

/** Returns a function for days in the time zones of owners, such as `14 November 2026`. */
export const createZonedDateFormat = (locale: string): FormatDateTime =>
  zonedFormat((timeZone) => {
    const format = createDateFormat(locale, { dateStyle: 'long', ...(timeZone !== undefined && { timeZone }) })
    return (iso) => format(new Date(iso))
  })

function zonedFormat(createFormat: (timeZone: string | undefined) => (iso: string) => string): FormatDateTime {
  // The names are canonical, so there are at most a few hundred.
  const formats = new Map<string, (iso: string) => string>()
  return (iso, timeZone) => {
    const zone = timeZone ?? ''
    const format = formats.get(zone) ?? createFormat(canonicalTimeZone(zone))
    formats.set(zone, format)
    return format(iso)
  }
}
