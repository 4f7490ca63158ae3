import { invalidField } from '../../faults.ts'

const maxInsightsDays = 366
const defaultInsightsDays = 30
const dayMs = 24 * 3_600_000
/** Earlier dates are rejected as typing errors. */
const earliestInsightsDay = '2000-01-01'

const isCalendarDay = (text: string): boolean => {
  if (text < earliestInsightsDay) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}
const subtractDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * dayMs).toISOString().slice(0, 10)

/** The days of a request, `yyyy-mm-dd`: the last thirty by default, at most a year. Throws `invalid` for others. */
export function parseDateRange(today: string, { from, to }: { from?: string | undefined; to?: string | undefined }) {
  for (const [name, day] of Object.entries({ from, to }))
    if (day !== undefined && !isCalendarDay(day)) throw invalidField(name, 'Please give a day as yyyy-mm-dd', 'query')
  const lastDay = to ?? today
  const firstDay = from ?? subtractDays(lastDay, defaultInsightsDays - 1)
  if (firstDay > lastDay) throw invalidField('from', 'The first day must not be after the last', 'query')
  if (subtractDays(lastDay, maxInsightsDays - 1) > firstDay)
    throw invalidField('from', `At most ${maxInsightsDays} days can be shown at once`, 'query')
  return { from: firstDay, to: lastDay }
}
