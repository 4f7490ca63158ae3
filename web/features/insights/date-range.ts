import { canonicalTimeZone } from '@keepsnap/contract/time-zones.ts'
import { deviceTimeZone } from '../../lib/device-time-zone.ts'

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

export const addDays = (day: string, days: number): string =>
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
