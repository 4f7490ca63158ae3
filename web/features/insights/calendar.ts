import { useMemo } from 'react'
import { createDateFormat } from '../../lib/date-format.ts'
import { useFormat } from '../../lib/i18n.tsx'

/** Formats calendar days (`2026-11-14`) and hours of the day, which have no time zone, in one locale. */
export interface Calendar {
  /** `14 Nov` */
  day(day: string): string
  /** `14 Nov – 20 Nov`; with the years if they differ. */
  days(from: string, to: string): string
  /** `Saturday 14 November` */
  date(day: string): string
  /** `Sat 14 Nov 2026` */
  evening(day: string): string
  /** For 22: `22:00–23:00`, or `10 – 11 PM`. */
  hour(hour: number): string
  /** For 22: `22:00`, or `10 PM`. */
  time(hour: number): string
}

const hourMs = 3_600_000

export function createCalendar(locale: string): Calendar {
  const short = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const shortWithYear = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const evening = createDateFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const long = createDateFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
  const hour = new Intl.DateTimeFormat(locale, { hour: 'numeric', timeZone: 'UTC' })
  return {
    day: (day) => short.format(Date.parse(day)),
    days: (from, to) =>
      (from.slice(0, 4) === to.slice(0, 4) ? short : shortWithYear).formatRange(Date.parse(from), Date.parse(to)),
    date: (day) => long(new Date(day)),
    evening: (day) => evening(new Date(day)),
    time: (of) => hour.format(of * hourMs),
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
