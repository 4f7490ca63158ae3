/**
 * Returns a function that formats an ISO 8601 time such as `Tuesday 17 November at 22:51`, in the device's locale and
 * time zone unless others are given.
 */
export function createDateTimeFormat(
  locale?: string,
  zone?: Pick<Intl.DateTimeFormatOptions, 'timeZone' | 'timeZoneName'>,
) {
  const format = new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    ...zone,
  })
  return (iso: string): string => format.format(new Date(iso))
}
