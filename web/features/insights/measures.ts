import type { GuestActivityCounts, Insights } from '@keepsnap/contract/insights.ts'

export const measures = ['scans', 'views', 'downloads', 'requests'] as const
export type InsightMeasure = (typeof measures)[number]

export const isEmpty = ({ totals }: { totals: GuestActivityCounts }): boolean =>
  measures.every((measure) => totals[measure] === 0)

/** The day with the highest count, the first one of equals; null when all counts are zero. */
export function bestDay(days: Insights['days'], measure: InsightMeasure): Insights['days'][number] | null {
  let best: Insights['days'][number] | null = null
  for (const day of days) if (day[measure] > (best?.[measure] ?? 0)) best = day
  return best
}
