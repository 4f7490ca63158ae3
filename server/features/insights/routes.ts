import { type GuestActivityCounts, insights, type Insights } from '@keepsnap/contract/insights.ts'
import type { Dependencies } from '../../dependencies.ts'
import { planOfUser } from '../../domain/plans.ts'
import { Fault, invalidField } from '../../faults.ts'
import { ownerThumbnailUrl } from '../../domain/hidden-photos.ts'
import type { Serve } from '../../http/serve.ts'
import { type ActivityRange, dailyCounts, hourlyCounts, isTimeZone, todayIn, topPhotos } from './queries.ts'

const topPhotosMax = 10

type InsightsDependencies = Pick<Dependencies, 'db' | 'urls' | 'guestActivity'>

/** What guests did with a user's photos, for plans with usage analytics. */
export function insightsRoutes(serve: Serve, deps: InsightsDependencies): void {
  serve(insights, async ({ query }, { actor: { userId } }): Promise<Insights> => {
    const { db, guestActivity } = deps
    const plan = await planOfUser(db, userId)
    if (!plan.features.analytics)
      throw new Fault('forbidden', 'Usage analytics come with the Pro plans. Upgrade to see scans and downloads.')
    const timeZone = query.tz ?? 'UTC'
    if (!(await isTimeZone(db, timeZone)))
      throw invalidField('tz', 'Please give a time zone such as Europe/Brussels', 'query')
    const range = { userId, timeZone, ...parseDateRange(await todayIn(db, timeZone), query) }
    await guestActivity.flush()
    return readInsights(deps, range)
  })
}

const totalActivity = (days: readonly GuestActivityCounts[]): GuestActivityCounts => {
  const sumOfDays = (name: keyof GuestActivityCounts): number => days.reduce((total, day) => total + day[name], 0)
  return {
    scans: sumOfDays('scans'),
    views: sumOfDays('views'),
    downloads: sumOfDays('downloads'),
    requests: sumOfDays('requests'),
  }
}

async function readInsights({ db, urls }: InsightsDependencies, range: ActivityRange): Promise<Insights> {
  const [days, hours, photos] = await Promise.all([
    dailyCounts(db, range),
    hourlyCounts(db, range),
    topPhotos(db, range, topPhotosMax),
  ])
  const totals = totalActivity(days)
  const [busiestHour] = hours.toSorted((a, b) => b.scans - a.scans)
  const conversionPercent = (100 * (totals.downloads + totals.requests)) / totals.scans
  return {
    from: range.from,
    to: range.to,
    time_zone: range.timeZone,
    totals,
    days,
    hours,
    peak_hour: busiestHour && busiestHour.scans > 0 ? busiestHour.hour : null,
    conversion_percent: totals.scans > 0 ? Math.min(100, Math.round(conversionPercent)) : null,
    best_photos: photos.map(({ thumb_key, hidden_at, operator_decision, ...photo }) => ({
      ...photo,
      thumbnail_url: ownerThumbnailUrl(urls, { thumb_key, hidden_at, operator_decision }),
    })),
  }
}

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
