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
