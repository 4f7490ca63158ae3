import { canonicalTimeZone } from '@keepsnap/contract/time-zones.ts'
import { createDateTimeFormat } from './date-time.ts'

/** Formats an ISO 8601 time in an IANA time zone; without one, or with an unknown one, in the server's. */
export type FormatDateTime = (iso: string, timeZone?: string | null) => string

/** Returns a function for times in the time zones of owners. It never names the zone: owner and guests share one clock. */
export function createZonedDateTimeFormat(locale: string): FormatDateTime {
  // The names are canonical, so there are at most a few hundred.
  const formats = new Map<string, (iso: string) => string>()
  return (iso, timeZone) => {
    const zone = timeZone ?? ''
    const format = formats.get(zone) ?? createDateTimeFormat(locale, canonicalTimeZone(zone))
    formats.set(zone, format)
    return format(iso)
  }
}
