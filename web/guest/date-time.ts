const dateTimeParts = { weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' } as const

/**
 * Returns a function that formats an ISO 8601 time such as `Tuesday 17 November at 22:51`, in the device's locale and
 * time zone unless others are given.
 */
export function createDateTimeFormat(locale?: string, timeZone?: string): (iso: string) => string {
  const format = new Intl.DateTimeFormat(locale, { ...dateTimeParts, ...(timeZone !== undefined && { timeZone }) })
  return (iso) => format.format(new Date(iso))
}
