import { deviceTimeZone } from '../../lib/device-time-zone.ts'

/** Lengths of the date ranges, in days including today. */
export const rangeLengths = [7, 30, 90] as const
export type RangeDays = (typeof rangeLengths)[number]

const isoDate = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')

/** The last days as parameters of the request, in the browser's time zone. Calendar arithmetic, because of daylight saving time. */
export function lastDaysRange(days: RangeDays, now: Date): { from: string; to: string; tz?: string } {
  const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1)
  const tz = deviceTimeZone()
  return { from: isoDate(first), to: isoDate(now), ...(tz !== undefined && { tz }) }
}
