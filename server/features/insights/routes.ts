import { insights, type Counts, type Insights } from '@keepsnap/contract/insights.ts'
import { planOfUser } from '../../domain/plans.ts'
import type { Deps } from '../../deps.ts'
import { Fault, invalid } from '../../faults.ts'
import type { Serve } from '../../http/serve.ts'
import { bestPhotosOf, daysOf, hoursOf, isTimeZone, todayIn } from './queries.ts'

const bestMost = 10
const daysMost = 366
const usualDays = 30
const dayMs = 24 * 3_600_000

const firstDay = '2000-01-01'

const isDay = (text: string): boolean => {
  if (text < firstDay) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}
const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * dayMs).toISOString().slice(0, 10)

/** The days asked for: the last thirty unless said otherwise, a year at most. */
export function spanOf(today: string, { from, to }: { from?: string | undefined; to?: string | undefined }) {
  for (const [name, day] of Object.entries({ from, to }))
    if (day !== undefined && !isDay(day)) throw invalid(name, 'Please give a day as yyyy-mm-dd', 'query')
  const last = to ?? today
  const first = from ?? dayBefore(last, usualDays - 1)
  if (first > last) throw invalid('from', 'The first day must not be after the last', 'query')
  if (dayBefore(last, daysMost - 1) > first)
    throw invalid('from', `At most ${daysMost} days can be shown at once`, 'query')
  return { from: first, to: last }
}

const sumOf = (days: readonly Counts[]): Counts => {
  const sum = (what: keyof Counts): number => days.reduce((total, day) => total + day[what], 0)
  return { scans: sum('scans'), views: sum('views'), downloads: sum('downloads'), requests: sum('requests') }
}

/** Usage analytics of the plans that have them. */
export function showInsights(serve: Serve, { db, addresses, counts }: Pick<Deps, 'db' | 'addresses' | 'counts'>): void {
  serve(insights, async ({ query }, { actor }): Promise<Insights> => {
    const plan = await planOfUser(db, actor.userId)
    if (!plan.features.analytics)
      throw new Fault('forbidden', 'Usage analytics come with the Pro plans. Upgrade to see scans and downloads.')
    const timeZone = query.tz ?? 'UTC'
    if (!(await isTimeZone(db, timeZone)))
      throw invalid('tz', 'Please give a time zone such as Europe/Brussels', 'query')
    const span = { userId: actor.userId, timeZone, ...spanOf(await todayIn(db, timeZone), query) }
    await counts.flush()
    const [days, hours, best] = await Promise.all([
      daysOf(db, span),
      hoursOf(db, span),
      bestPhotosOf(db, span, bestMost),
    ])
    const totals = sumOf(days)
    const [peak] = [...hours].sort((a, b) => b.scans - a.scans)
    return {
      from: span.from,
      to: span.to,
      time_zone: timeZone,
      totals,
      days,
      hours,
      peak_hour: peak && peak.scans > 0 ? peak.hour : null,
      conversion_percent:
        totals.scans > 0
          ? Math.min(100, Math.round((100 * (totals.downloads + totals.requests)) / totals.scans))
          : null,
      best_photos: best.map(({ thumb_key, hidden, ...photo }) => ({
        ...photo,
        thumbnail_url: thumb_key === null ? null : addresses.thumbnail(thumb_key, hidden),
      })),
    }
  })
}
