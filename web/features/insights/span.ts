/** Days that can be looked back on, today included. */
export const spans = [7, 30, 90] as const
export type Span = (typeof spans)[number]

const plain = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')

/** The days as the call wants them: calendar days where the browser is. Calendar arithmetic, so that clocks may change. */
export function spanOf(span: Span, now: Date): { from: string; to: string; tz?: string } {
  const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - span + 1)
  const tz = zoneHere()
  return { from: plain(first), to: plain(now), ...(tz !== undefined && { tz }) }
}

/** The browser's time zone, `Europe/Brussels`; undefined where it tells none that others know. */
function zoneHere(): string | undefined {
  const zone: string | undefined = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return zone && zone !== 'Etc/Unknown' ? zone : undefined
}
