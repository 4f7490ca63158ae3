/** When a key was last used, as precisely as it helps: in minutes, as a time of today, or as a date. */
export type LastUse =
  | { kind: 'never' }
  | { kind: 'now' }
  | { kind: 'minutes'; minutes: number }
  | { kind: 'today' }
  | { kind: 'before' }

const minuteMs = 60_000

/** `now` in milliseconds. A clock of this device that is behind the server's counts as now. */
export function lastUseOf(iso: string | null, now: number): LastUse {
  if (iso === null) return { kind: 'never' }
  const minutes = Math.floor((now - Date.parse(iso)) / minuteMs)
  // The server writes it once a minute.
  if (minutes < 2) return { kind: 'now' }
  if (minutes < 60) return { kind: 'minutes', minutes }
  return new Date(iso).toDateString() === new Date(now).toDateString() ? { kind: 'today' } : { kind: 'before' }
}
