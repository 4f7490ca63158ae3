import { useMemo } from 'react'
import { createDateFormat } from '../../lib/date-format.ts'
import { useFormat } from '../../lib/i18n.tsx'

/** Formats calendar days (`2026-11-14`) and hours of the day, which have no time zone, in one locale. */
export interface Calendar {
  /** `14 Nov` */
  day(day: string): string
  /** `14 Nov – 20 Nov` */
  days(from: string, to: string): string
  /** `Saturday 14 November` */
  date(day: string): string
  /** For 22: `22:00–23:00`, or `10 – 11 PM`. */
  hour(hour: number): string
}

const hourMs = 3_600_000

export function createCalendar(locale: string): Calendar {
  const short = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const long = createDateFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
  const hour = new Intl.DateTimeFormat(locale, { hour: 'numeric', timeZone: 'UTC' })
  return {
    day: (day) => short.format(Date.parse(day)),
    days: (from, to) => short.formatRange(Date.parse(from), Date.parse(to)),
    date: (day) => long(new Date(day)),
    // A range over midnight would be formatted with its dates.
    hour: (from) =>
      from === 23
        ? `${hour.format(23 * hourMs)} – ${hour.format(0)}`
        : hour.formatRange(from * hourMs, (from + 1) * hourMs),
  }
}

/** The calendar in the user's locale. */
export function useCalendar(): Calendar {
  const { locale } = useFormat()
  return useMemo(() => createCalendar(locale), [locale])
}
