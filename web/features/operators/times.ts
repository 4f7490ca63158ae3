import type { Catalogue } from '../../messages/en.ts'
import type { Format } from '../../lib/format.ts'

type HealthText = Catalogue['operator']['health']

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** A duration in its largest unit: `0.8 s`, `12 min`. */
export function durationOf(seconds: number, text: HealthText, format: Format): string {
  if (seconds >= 2 * day) return text.days(format.count(Math.floor(seconds / day)))
  if (seconds >= 2 * hour) return text.hours(format.count(Math.floor(seconds / hour)))
  if (seconds >= 2 * minute) return text.minutes(format.count(Math.floor(seconds / minute)))
  const shown = seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds)
  return text.seconds(format.count(shown))
}

const terabyte = 1024 ** 4

/** The size of the whole store, in terabytes if large: other sizes go up to gigabytes only. */
export const storeSizeOf = (bytes: number, text: Catalogue['operator']['numbers'], format: Format): string =>
  bytes < terabyte ? format.size(bytes) : text.terabytes(format.count(Math.round((bytes / terabyte) * 100) / 100))

/** The time of day, with the date unless both are on the same day. */
export const formatTimeOrDate = (iso: string, now: string, format: Format): string =>
  format.date(iso) === format.date(now) ? format.time(iso) : format.dateTime(iso)

/** A day such as `2026-11-14` as a time of that day wherever the reader is. */
export const noonOf = (dayName: string): string => `${dayName}T12:00:00`
