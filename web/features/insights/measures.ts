import { useMemo } from 'react'
import { canonicalTimeZone } from '@keepsnap/contract/languages.ts'
import type { Evening, GuestActivityCounts, Insights } from '@keepsnap/contract/insights.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { createDateFormat } from '../../lib/format.ts'
import { useFormat } from '../../lib/i18n.tsx'
import { deviceTimeZone } from '../../lib/time.ts'

/** Formats calendar days (`2026-11-14`) and hours of the day, which have no time zone, in one locale. */
interface Calendar {
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
  const options = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
  const short = new Intl.DateTimeFormat(locale, options)
  const shortWithYear = new Intl.DateTimeFormat(locale, { ...options, year: 'numeric' })
  const evening = createDateFormat(locale, { ...options, weekday: 'short', year: 'numeric' })
  const long = createDateFormat(locale, { ...options, weekday: 'long', month: 'long' })
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

/** Time spans that end today, in days or as months, and `dates`: from one day to another. */
export const rangeChoices = ['7', '30', '90', '12m', 'dates'] as const
export type RangeChoice = (typeof rangeChoices)[number]

/** First and last day (`yyyy-mm-dd`), both included, in a time zone; without one, in that of the server. */
export interface DateRange {
  from: string
  to: string
  tz?: string
}

const defaultChoice = '30'
/** The server's limit, and the first day that it takes. */
const maxDays = 366
export const earliestDay = '2000-01-01'
const dayMs = 24 * 3_600_000

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/** The account's time zone; the browser's, if the account has none or the browser does not know it. */
export const insightsTimeZone = (ofAccount: string | null | undefined): string | undefined =>
  ofAccount && canonicalTimeZone(ofAccount) ? ofAccount : deviceTimeZone()

/** The calendar day in a time zone; in that of the browser, if there is none. */
export function dayIn(timeZone: string | undefined, now: Date): string {
  const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, value]))
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
}

export type RangeProblem = { field: 'from' | 'to'; why: 'missing' | 'order' | 'future' | 'long' }

/** Why days cannot be shown; null if they can. */
export function rangeProblem({ from, to }: { from: string; to: string }, today: string): RangeProblem | null {
  for (const [field, day] of [['from', from] as const, ['to', to] as const])
    if (!isDay(day)) return { field, why: 'missing' }
    else if (day > today) return { field, why: 'future' }
  if (from > to) return { field: 'to', why: 'order' }
  return addDays(to, 1 - maxDays) > from ? { field: 'from', why: 'long' } : null
}

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && text >= earliestDay && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text

/** The time span that a URL of the page names. One that cannot be shown is the usual one. */
export function rangeOf(search: URLSearchParams, today: string): { choice: RangeChoice; from: string; to: string } {
  const dates = { from: search.get('from') ?? '', to: search.get('to') ?? '' }
  if (rangeProblem(dates, today) === null) return { choice: 'dates', ...dates }
  const choice = rangeChoices.find((name) => name === search.get('last') && name !== 'dates') ?? defaultChoice
  return { choice, from: choice === '12m' ? yearBefore(today) : addDays(today, 1 - Number(choice)), to: today }
}

/** The day after the same one of the year before: twelve months with today. */
function yearBefore(today: string): string {
  const day = new Date(today)
  return new Date(Date.UTC(day.getUTCFullYear() - 1, day.getUTCMonth(), day.getUTCDate() + 1))
    .toISOString()
    .slice(0, 10)
}

/** The query of the page's URL for a time span, with what else it has. */
export function searchOf(search: URLSearchParams, choice: RangeChoice, { from, to }: DateRange): URLSearchParams {
  const next = new URLSearchParams(search)
  for (const name of ['last', 'from', 'to']) next.delete(name)
  if (choice === 'dates') {
    next.set('from', from)
    next.set('to', to)
  } else if (choice !== defaultChoice) next.set('last', choice)
  return next
}

export const measures = ['scans', 'views', 'downloads', 'requests'] as const
export type InsightMeasure = (typeof measures)[number]

export const isEmpty = ({ totals }: { totals: GuestActivityCounts }): boolean =>
  measures.every((measure) => totals[measure] === 0)

/** The day with the highest count, the first one of equals; null when all counts are zero. */
export function bestDay(days: Insights['days'], measure: InsightMeasure): Insights['days'][number] | null {
  let best: Insights['days'][number] | null = null
  for (const day of days) if (day[measure] > (best?.[measure] ?? 0)) best = day
  return best
}

/** Downloads and requests per 100 scans, as in the totals; null without scans. */
export const conversionPercent = ({ scans, downloads, requests }: GuestActivityCounts): number | null =>
  scans > 0 ? Math.min(100, Math.round((100 * (downloads + requests)) / scans)) : null

/** Days of the chart that have a bar each. Of more, weeks have one. */
const maxDailyBars = 92

/** A day, or the days of a week that are in the range. */
export interface Period extends GuestActivityCounts {
  from: string
  to: string
}

/** The days, or, of a long range, its weeks from Monday to Sunday. */
export function periodsOf(days: Insights['days']): { unit: 'day' | 'week'; periods: Period[] } {
  if (days.length <= maxDailyBars)
    return { unit: 'day', periods: days.map(({ day, ...counts }) => ({ from: day, to: day, ...counts })) }
  const weeks = new Map<string, Period>()
  for (const { day, ...counts } of days) {
    const monday = addDays(day, -((new Date(day).getUTCDay() + 6) % 7))
    const week = weeks.get(monday)
    if (!week) weeks.set(monday, { from: day, to: day, ...counts })
    else {
      week.to = day
      for (const measure of measures) week[measure] += counts[measure]
    }
  }
  return { unit: 'week', periods: [...weeks.values()] }
}

/** The place of an hour of the clock in an evening, which begins at 6:00, and the hour at a place. */
const placeOf = (hour: number): number => (hour - limits.eveningEndsHour + 24) % 24
const hourAt = (place: number): number => (place + limits.eveningEndsHour) % 24

/** The hours of the clock in which any of the evenings had activity, without gaps, in the order of an evening. */
export function hoursOf(evenings: readonly Evening[]): number[] {
  const active = evenings.flatMap(({ first_hour: first, hours }) =>
    first === null ? [] : [placeOf(first), placeOf(first) + hours.scans.length - 1],
  )
  if (active.length === 0) return []
  const begin = Math.min(...active)
  return Array.from({ length: Math.max(...active) - begin + 1 }, (_, index) => hourAt(begin + index))
}

/** The count of an evening in an hour of the clock. */
export const countInHour = ({ first_hour: first, hours }: Evening, measure: InsightMeasure, hour: number): number =>
  first === null ? 0 : (hours[measure][placeOf(hour) - placeOf(first)] ?? 0)

/** The hour of the clock with the most scans; null without scans. */
export function busiestHour({ first_hour: first, hours: { scans } }: Evening): number | null {
  const most = Math.max(0, ...scans)
  return first === null || most === 0 ? null : hourAt(placeOf(first) + scans.indexOf(most))
}
