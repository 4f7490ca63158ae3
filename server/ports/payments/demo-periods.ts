import type { Price } from './payments.ts'

const monthsOf = { month: 1, year: 12 } as const

/**
 * The start of a period, in UTC: the same day of the month as the first one, or the last day of a month that has no such
 * day. Counted from the first period, so that 31 January leads to 28 February and then to 31 March. Period 1 starts at
 * `anchor`.
 */
export function periodStart(anchor: Date, interval: NonNullable<Price['interval']>, number: number): Date {
  const start = new Date(anchor)
  const months = monthsOf[interval] * (number - 1)
  start.setUTCMonth(start.getUTCMonth() + months)
  // The day does not exist in that month: the date overflowed into the next one.
  if (start.getUTCDate() !== anchor.getUTCDate()) start.setUTCDate(0)
  return start
}

/** Prorates a price: the share of it for the rest of the period, rounded to cents. */
export function proratedCents(cents: number, period: { start: Date; end: Date }, now: Date): number {
  const length = period.end.getTime() - period.start.getTime()
  const rest = Math.min(Math.max(period.end.getTime() - now.getTime(), 0), length)
  return Math.round((cents * rest) / length)
}
