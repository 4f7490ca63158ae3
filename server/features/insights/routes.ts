import { type Evening, type GuestActivityCounts, insights, type Insights } from '@keepsnap/contract/insights.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import type { Dependencies } from '../../dependencies.ts'
import { planOfUser } from '../../domain/plans.ts'
import { Fault, invalidField } from '../../faults.ts'
import { ownerThumbnailUrl } from '../../domain/hidden-photos.ts'
import type { Serve } from '../../http/serve.ts'
import { isCalendarDay } from '../../lib/calendar-day.ts'
import {
  type ActivityRange,
  type HourlyActivity,
  hourlyActivity,
  isTimeZone,
  photosByEvening,
  todayIn,
  topPhotos,
} from './queries.ts'

const topPhotosMax = 10

type InsightsDependencies = Pick<Dependencies, 'db' | 'urls' | 'guestActivity'>

/** What guests did with a user's photos, for plans with usage analytics. */
export function insightsRoutes(serve: Serve, deps: InsightsDependencies): void {
  // The database reads its files of time zones for each question.
  const timeZones = new Set<string>()
  serve(insights, async ({ query }, { actor: { userId } }): Promise<Insights> => {
    const { db, guestActivity } = deps
    const plan = await planOfUser(db, userId)
    if (!plan.features.analytics)
      throw new Fault('forbidden', 'Usage analytics come with the Pro plans. Upgrade to see scans and downloads.')
    const timeZone = query.tz ?? 'UTC'
    if (!timeZones.has(timeZone) && !(await isTimeZone(db, timeZone)))
      throw invalidField('tz', 'Please give a time zone such as Europe/Brussels', 'query')
    timeZones.add(timeZone)
    const range = { userId, timeZone, ...parseDateRange(await todayIn(db, timeZone), query) }
    await guestActivity.flush()
    return readInsights(deps, range)
  })
}

const activities = ['scans', 'views', 'downloads', 'requests'] as const

const noActivity = (): GuestActivityCounts => ({ scans: 0, views: 0, downloads: 0, requests: 0 })

function addActivity(sum: GuestActivityCounts | undefined, added: GuestActivityCounts): void {
  if (sum) for (const activity of activities) sum[activity] += added[activity]
}

async function readInsights({ db, urls }: InsightsDependencies, range: ActivityRange): Promise<Insights> {
  const [activity, photoCounts, photos] = await Promise.all([
    hourlyActivity(db, range),
    photosByEvening(db, range),
    topPhotos(db, range, topPhotosMax),
  ])
  const totals = noActivity()
  const days = new Map<string, Insights['days'][number]>()
  for (let day = range.from; day <= range.to; day = addDays(day, 1)) days.set(day, { day, ...noActivity() })
  const hours = Array.from({ length: 24 }, (_, hour) => ({ hour, ...noActivity() }))
  for (const counted of activity) {
    // The last evening goes on after the last day.
    if (!days.has(counted.day)) continue
    for (const sum of [totals, days.get(counted.day), hours[counted.hour]]) addActivity(sum, counted)
  }
  const [busiestHour] = hours.toSorted((a, b) => b.scans - a.scans)
  const conversionPercent = (100 * (totals.downloads + totals.requests)) / totals.scans
  return {
    from: range.from,
    to: range.to,
    time_zone: range.timeZone,
    totals,
    days: [...days.values()],
    hours,
    peak_hour: busiestHour && busiestHour.scans > 0 ? busiestHour.hour : null,
    conversion_percent: totals.scans > 0 ? Math.min(100, Math.round(conversionPercent)) : null,
    evenings: eveningsOf(range, activity, photoCounts),
    best_photos: photos.map(({ thumb_key, hidden_at, operator_decision, ...photo }) => ({
      ...photo,
      thumbnail_url: ownerThumbnailUrl(urls, { thumb_key, hidden_at, operator_decision }),
    })),
  }
}

/** The evenings that begin in the range, newest first. */
function eveningsOf(
  { from, to }: ActivityRange,
  activity: readonly HourlyActivity[],
  photoCounts: readonly { day: string; photos: number }[],
): Evening[] {
  const evenings = new Map<string, { photos: number; hours: GuestActivityCounts[] }>()
  const eveningOn = (day: string) => {
    // The hours in the order of an evening, from 6:00.
    const evening = evenings.get(day) ?? { photos: 0, hours: Array.from({ length: 24 }, noActivity) }
    evenings.set(day, evening)
    return evening
  }
  for (const { day, photos } of photoCounts) eveningOn(day).photos = photos
  for (const { day, hour, ...counted } of activity) {
    const evening = hour < limits.eveningEndsHour ? addDays(day, -1) : day
    if (evening >= from && evening <= to)
      addActivity(eveningOn(evening).hours[(hour - limits.eveningEndsHour + 24) % 24], counted)
  }
  return [...evenings.entries()]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .map(([day, { photos, hours }]) => {
      const isActive = (hour: GuestActivityCounts): boolean => activities.some((name) => hour[name] > 0)
      const first = hours.findIndex(isActive)
      const active = first === -1 ? [] : hours.slice(first, hours.findLastIndex(isActive) + 1)
      const of = (name: keyof GuestActivityCounts): number[] => active.map((hour) => hour[name])
      const sum = noActivity()
      for (const hour of active) addActivity(sum, hour)
      return {
        day,
        photos,
        ...sum,
        first_hour: first === -1 ? null : (first + limits.eveningEndsHour) % 24,
        hours: { scans: of('scans'), views: of('views'), downloads: of('downloads'), requests: of('requests') },
      }
    })
}

const maxInsightsDays = 366
const defaultInsightsDays = 30
const dayMs = 24 * 3_600_000
const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** The days of a request, `yyyy-mm-dd`: the last thirty by default, at most a year. Throws `invalid` for others. */
export function parseDateRange(today: string, { from, to }: { from?: string | undefined; to?: string | undefined }) {
  for (const [name, day] of Object.entries({ from, to }))
    if (day !== undefined && !isCalendarDay(day)) throw invalidField(name, 'Please give a day as yyyy-mm-dd', 'query')
  const lastDay = to ?? today
  const firstDay = from ?? addDays(lastDay, 1 - defaultInsightsDays)
  if (firstDay > lastDay) throw invalidField('from', 'The first day must not be after the last', 'query')
  if (addDays(lastDay, 1 - maxInsightsDays) > firstDay)
    throw invalidField('from', `At most ${maxInsightsDays} days can be shown at once`, 'query')
  return { from: firstDay, to: lastDay }
}
