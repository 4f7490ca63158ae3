/**
 * Formats dates as `Intl.DateTimeFormat` does, but the first day of a month in French as an ordinal (`1er décembre`), as
 * everybody writes it.
 */
export function createDateFormat(
  locale: string | undefined,
  options: Intl.DateTimeFormatOptions,
): (at: Date) => string {
  const format = new Intl.DateTimeFormat(locale, options)
  if (!format.resolvedOptions().locale.startsWith('fr')) return (at) => format.format(at)
  return (at) => format.format(at).replace(/\b1(?=\s\p{L})/u, '1er')
}
