/** Earlier dates are rejected as typing errors. */
const earliestDay = '2000-01-01'

/** Whether a text is a day that exists, `yyyy-mm-dd`. */
export function isCalendarDay(text: string): boolean {
  if (text < earliestDay) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}
