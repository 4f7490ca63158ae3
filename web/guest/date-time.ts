import { canonicalTimeZone } from '@keepsnap/contract/languages.ts'
import { createDateFormat } from '../lib/format.ts'

const dateTimeParts = { weekday: 'long', day: 'numeric', month: 'long', minute: '2-digit' } as const

/**
 * Returns a function that formats an ISO 8601 time such as `Tuesday 17 November at 22:51`, in the device's locale and
 * time zone unless others are given.
 */
export function createDateTimeFormat(locale?: string, timeZone?: string): (iso: string) => string {
  const { hour12 } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions()
  const format = createDateFormat(locale, {
    ...dateTimeParts,
    // 07:51, but 7:51 AM.
    hour: hour12 ? 'numeric' : '2-digit',
    ...(timeZone !== undefined && { timeZone }),
  })
  return (iso) => format(new Date(iso))
}

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

/** Returns a function for times in receipts, to the second and with their time zone, such as `14 November 2026 at 22:51:07 CET`. */
export const createZonedMomentFormat = (locale: string): FormatDateTime =>
  zonedFormat((timeZone) => {
    const format = createDateFormat(locale, {
      dateStyle: 'long',
      timeStyle: 'long',
      ...(timeZone !== undefined && { timeZone }),
    })
    return (iso) => format(new Date(iso))
  })

/** Returns a function for times of the day in the time zones of owners, such as `22:51`. */
export const createZonedTimeFormat = (locale: string): FormatDateTime =>
  zonedFormat((timeZone) => {
    const format = createDateFormat(locale, { timeStyle: 'short', ...(timeZone !== undefined && { timeZone }) })
    return (iso) => format(new Date(iso))
  })

/** Returns a function for evenings, `yyyy-mm-dd`, such as `Sat 14 November`. */
export function createEveningFormat(locale: string): (day: string) => string {
  const format = createDateFormat(locale, { weekday: 'short', day: 'numeric', month: 'long', timeZone: 'UTC' })
  return (day) => format(new Date(`${day}T12:00:00Z`))
}

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
