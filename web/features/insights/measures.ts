import type { Evening, GuestActivityCounts, Insights } from '@keepsnap/contract/insights.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { addDays } from './date-range.ts'

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
