/**
 * Formats dates as `Intl.DateTimeFormat` does, except that in French the first day of a month is an ordinal
 * (`1er décembre`), which Intl does not produce.
 */
export function createDateFormat(
  locale: string | undefined,
  options: Intl.DateTimeFormatOptions,
): (at: Date) => string {
  const format = new Intl.DateTimeFormat(locale, options)
  if (!format.resolvedOptions().locale.startsWith('fr')) return (at) => format.format(at)
  return (at) => format.format(at).replace(/\b1(?=\s\D)/, '1er')
}

/** Formats numbers, sizes, prices and times for one locale. */
export interface Format {
  /** BCP 47 tag, for formats that only one page needs. */
  locale: string
  /** `1,000` */
  count(value: number): string
  /** Bytes in B, KB, MB or GB, in French in o, Ko, Mo or Go (steps of 1024), at most one decimal. */
  size(bytes: number): string
  /** Cents as dollars with two decimals; whole dollars without when `round`. */
  price(cents: number, round?: boolean): string
  percent(share: number): string
  /** `14 November 2026` */
  date(iso: string): string
  /** `14 Nov 2026, 22:41` */
  dateTime(iso: string): string
  /** `Saturday 14 November`, with the year when it is not that of `now` (in milliseconds; by default the present). */
  day(iso: string, now?: number): string
  /** `Sat` */
  weekday(iso: string): string
  /** `22:41` */
  time(iso: string): string
  /** `22:41:07`, from milliseconds. */
  clock(at: number): string
}

/** Kiosks without a locale list tags such as `en-US@posix`, for which Intl throws. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

/** The first preferred variant of a language, such as `en-GB`, or the language itself: how to write dates in it. */
export const localeOf = (language: string, preferred: readonly string[]): string =>
  preferred.find((tag) => tag.toLowerCase().split('-')[0] === language && isLocale(tag)) ?? language

export function createFormat(locale: string): Format {
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const count = new Intl.NumberFormat(locale)
  const percent = new Intl.NumberFormat(locale, { style: 'percent' })
  const date = createDateFormat(locale, { dateStyle: 'long' })
  const dateTime = createDateFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const shortWeekday = new Intl.DateTimeFormat(locale, { weekday: 'short' })
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' })
  const weekday = { weekday: 'long', day: 'numeric', month: 'long' } as const
  const day = createDateFormat(locale, weekday)
  const dayOfYear = createDateFormat(locale, { ...weekday, year: 'numeric' })
  const units = locale.startsWith('fr') ? ['o', 'Ko', 'Mo', 'Go'] : ['B', 'KB', 'MB', 'GB']
  return {
    locale,
    count: (value) => count.format(value),
    size(bytes) {
      const step = Math.min(3, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
      return `${number.format(bytes / 1024 ** step)} ${units[step]}`
    },
    // In every language a dollar sign and two decimals.
    price: (cents, round = false) => `$${(cents / 100).toFixed(round && cents % 100 === 0 ? 0 : 2)}`,
    percent: (share) => percent.format(share),
    date: (iso) => date(new Date(iso)),
    dateTime: (iso) => dateTime(new Date(iso)),
    day(iso, now = Date.now()) {
      const then = new Date(iso)
      return (then.getFullYear() === new Date(now).getFullYear() ? day : dayOfYear)(then)
    },
    weekday: (iso) => shortWeekday.format(new Date(iso)),
    time: (iso) => time.format(new Date(iso)),
    clock: (at) => clock.format(at),
  }
}
