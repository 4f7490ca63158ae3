/**
 * Writes a moment as `Tuesday 17 November, 22:51`. Without a locale and a zone: as this device does; with a zone, its
 * name follows.
 */
export function createUntil(locale?: string, timeZone?: string): (iso: string) => string {
  const zone = timeZone === undefined ? {} : { timeZone }
  const day = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', ...zone })
  const time = new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    ...zone,
    ...(timeZone === undefined ? {} : { timeZoneName: 'short' }),
  })
  return (iso) => {
    const then = new Date(iso)
    return `${day.format(then)}, ${time.format(then)}`
  }
}
