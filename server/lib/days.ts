const dayPattern = /^\d{4}-\d{2}-\d{2}$/

/** The end of a day such as 2027-01-31 in UTC; undefined for any other text. */
export function endOfDay(day: string): Date | undefined {
  const dayEnd = new Date(`${day}T23:59:59.999Z`)
  // A day that does not exist, such as 31 February, would be read as one of the next month.
  const isDay = dayPattern.test(day) && !Number.isNaN(dayEnd.getTime()) && dayEnd.toISOString().startsWith(day)
  return isDay ? dayEnd : undefined
}

/** Earlier dates are rejected as typing errors. */
const earliestDay = '2000-01-01'

/** Whether a text is a day that exists, `yyyy-mm-dd`. */
export function isCalendarDay(text: string): boolean {
  if (text < earliestDay) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}
