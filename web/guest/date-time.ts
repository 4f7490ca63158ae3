import { createDateFormat } from '../lib/date-format.ts'

const dateTimeParts = { weekday: 'long', day: 'numeric', month: 'long', minute: '2-digit' } as const

/**
 * Returns a function that formats an ISO 8601 time such as `Tuesday 17 November at 22:51`, in the device's locale and
 * time zone unless others are given.
 */
export function createDateTimeFormat(locale?: string, timeZone?: string): (iso: string) => string {
  const { hour12 } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions()
  const format = createDateFormat(locale, {
    ...dateTimeParts,
    // 07:51, but 7:51 AM.
    hour: hour12 ? 'numeric' : '2-digit',
    ...(timeZone !== undefined && { timeZone }),
  })
  return (iso) => format(new Date(iso))
}
