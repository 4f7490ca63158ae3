import { limits } from '@keepsnap/contract/limits.ts'

const quarterHourMs = 15 * 60_000

/**
 * Says to which evening a moment belongs, as `yyyy-mm-dd`: until 6:00 in the account's time zone, a night belongs to the
 * evening before. Accounts without a time zone have UTC, as on the server.
 */
export function createEveningOf(timeZone: string | null): (iso: string) => string {
  const format = formatIn(timeZone ?? 'UTC')
  // No time zone changes its offset within a quarter of an hour, and formatting a date takes microseconds.
  const byQuarterHour = new Map<number, string>()
  return (iso) => {
    const at = Date.parse(iso)
    const key = Math.floor(at / quarterHourMs)
    const known = byQuarterHour.get(key)
    if (known !== undefined) return known
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0 } = parts
    const evening = new Date(Date.UTC(year, month - 1, hour < limits.eveningEndsHour ? day - 1 : day))
    const written = evening.toISOString().slice(0, 10)
    byQuarterHour.set(key, written)
    return written
  }
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const options = { hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric' } as const
  try {
    return new Intl.DateTimeFormat('en', { ...options, timeZone })
  } catch {
    // The server knows a time zone that this browser does not.
    return new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' })
  }
}

/** Noon of an evening on this device, for formats of dates. */
export function noonOf(evening: string): Date {
  const [year = 0, month = 1, day = 1] = evening.split('-').map(Number)
  return new Date(year, month - 1, day, 12)
}
