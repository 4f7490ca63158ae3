/**
 * Writes a moment as `Tuesday 17 November at 22:51`. Without a locale and a zone: as this device does; with a zone, its
 * name follows.
 */
export function createUntil(locale?: string, zone?: Pick<Intl.DateTimeFormatOptions, 'timeZone' | 'timeZoneName'>) {
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
