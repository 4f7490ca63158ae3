import { invalid } from '../../faults.ts'

const maxDays = 366
const defaultDays = 30
const dayMs = 24 * 3_600_000
/** Earlier dates are typing errors. */
const firstDay = '2000-01-01'

const isDay = (text: string): boolean => {
  if (text < firstDay) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}
const subtractDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * dayMs).toISOString().slice(0, 10)

/** The days of a request, `yyyy-mm-dd`: the last thirty by default, at most a year. Throws `invalid` for others. */
export function dateRange(today: string, { from, to }: { from?: string | undefined; to?: string | undefined }) {
  for (const [name, day] of Object.entries({ from, to }))
    if (day !== undefined && !isDay(day)) throw invalid(name, 'Please give a day as yyyy-mm-dd', 'query')
  const last = to ?? today
  const first = from ?? subtractDays(last, defaultDays - 1)
  if (first > last) throw invalid('from', 'The first day must not be after the last', 'query')
  if (subtractDays(last, maxDays - 1) > first)
    throw invalid('from', `At most ${maxDays} days can be shown at once`, 'query')
  return { from: first, to: last }
}
