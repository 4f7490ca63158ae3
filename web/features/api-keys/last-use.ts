/** When a key was last used, with useful precision: in minutes, as a time of today, or as a date. */
export type LastUse =
  | { kind: 'never' }
  | { kind: 'now' }
  | { kind: 'minutes'; minutes: number }
  | { kind: 'today' }
  | { kind: 'before' }

const minuteMs = 60_000

/** `now` in milliseconds. A time in the future counts as now: this device's clock may be behind the server's. */
export function lastUseOf(iso: string | null, now: number): LastUse {
  if (iso === null) return { kind: 'never' }
  const minutes = Math.floor((now - Date.parse(iso)) / minuteMs)
  // The server updates the time of the last use at most once a minute.
  if (minutes < 2) return { kind: 'now' }
  if (minutes < 60) return { kind: 'minutes', minutes }
  return new Date(iso).toDateString() === new Date(now).toDateString() ? { kind: 'today' } : { kind: 'before' }
}
