import { Array, Integer, Object, Optional, String, type Static } from 'typebox'
import { endpoint, exact, nullable, text } from './endpoint.ts'
import { EventFilter } from './photos.ts'

const guestActivityCounts = { scans: Integer(), views: Integer(), downloads: Integer(), requests: Integer() }

/**
 * What is counted, without cookies or personal data: `scans` of both codes, `views` of guest pages, `downloads` of the
 * full-size image by guests, `requests` by email. A page is counted by its script, or by what a guest clicks on it; programs that
 * draw previews of links, crawlers and scanners of emails are not counted.
 */
export const GuestActivityCounts = Object(guestActivityCounts)
export type GuestActivityCounts = Static<typeof GuestActivityCounts>

/**
 * An evening, the night after it and the morning before it: from 6:00 to 6:00 of the next day, by the clock of the time zone. With the
 * counts of what happened in it, whenever the photos were added.
 */
export const Evening = Object({
  /** The day that it begins on, `yyyy-mm-dd`. */
  day: String(),
  /** Photos that were added in it and still exist. */
  photos: Integer(),
  ...guestActivityCounts,
  /** The first hour of the clock with activity, from which on `hours` has a number for each hour; null without activity. */
  first_hour: nullable(Integer()),
  hours: Object({
    scans: Array(Integer()),
    views: Array(Integer()),
    downloads: Array(Integer()),
    requests: Array(Integer()),
  }),
})
export type Evening = Static<typeof Evening>

const eventCounts = {
  /** Of codes of photos, and of codes of the event and its tables. */
  photo_scans: Integer(),
  event_scans: Integer(),
  views: Integer(),
  /** Of photos, and of all of them as one file, which counts once. */
  downloads: Integer(),
  requests: Integer(),
  /** Guests who joined to add photos. */
  joins: Integer(),
  /** Photos that were added and still exist, those of guests once they are shown. */
  photos: Integer(),
}
export const EventCounts = Object(eventCounts)
export type EventCounts = Static<typeof EventCounts>

/** An hour of the clock in which something was counted in an event. One that the clock shows twice is two. */
export const EventHour = Object({
  /** When it begins, ISO 8601 in UTC. */
  at: String(),
  /** The evening that it belongs to, `yyyy-mm-dd`, and the hour of the clock, 0 to 23. */
  evening: String(),
  hour: Integer(),
  ...eventCounts,
})
export type EventHour = Static<typeof EventHour>

/** Downloads and requests per 100 scans, rounded, at most 100; null without scans. */
export const shareOfScans = (counts: EventCounts): number | null => {
  const scans = counts.photo_scans + counts.event_scans
  return scans > 0 ? Math.min(100, Math.round((100 * (counts.downloads + counts.requests)) / scans)) : null
}

/** Usage analytics of a range of days in the owner's time zone. */
export const Insights = Object({
  /** First and last day (`yyyy-mm-dd`), both included. */
  from: String(),
  to: String(),
  time_zone: String(),
  totals: GuestActivityCounts,
  /** Every day of the range, including days with zeros only. */
  days: Array(Object({ day: String(), ...guestActivityCounts })),
  /** 24 entries, from midnight. */
  hours: Array(Object({ hour: Integer(), ...guestActivityCounts })),
  /** Hour of the day (0 to 23) with the most scans; null without scans. */
  peak_hour: nullable(Integer()),
  /** Downloads and requests per 100 scans, rounded, at most 100; null without scans. */
  conversion_percent: nullable(Integer()),
  /**
   * The evenings that begin in the range and have photos or activity, newest first. The last one can go beyond the range, so
   * the sums can differ from `totals`.
   */
  evenings: Array(Evening),
  /** At most ten, most downloads and requests first. */
  best_photos: Array(
    Object({ id: String(), filename: String(), thumbnail_url: nullable(String()), ...guestActivityCounts }),
  ),
  /** Only of an event: the hours of the evenings that begin in the range, the oldest first. */
  event_hours: Optional(Array(EventHour)),
})
export type Insights = Static<typeof Insights>

const CalendarDay = String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })
const insightsQuery = {
  from: Optional(CalendarDay),
  to: Optional(CalendarDay),
  tz: Optional(String({ maxLength: 64 })),
}

export const insights = endpoint({
  method: 'GET',
  path: '/user/insights',
  access: 'user',
  summary: 'Get scans, views, downloads and requests of your photos. Requires a Pro plan.',
  query: exact({ ...insightsQuery, event: Optional(EventFilter) }),
  reply: Insights,
})

/** Of a name of 60 characters, with the rest below at most 255 bytes, whatever characters these are. */
const maxNameUnits = 100

/** The name of the table below: `Lotte & Bram insights-2026-11-14-2026-11-15.csv`. */
export const insightsFilename = ({ name, from, to }: { name: string; from: string; to: string }): string => {
  // Not half a character.
  const title = name.slice(0, maxNameUnits).replace(/[\ud800-\udbff]$/, '')
  return `${title.replace(/[/\\]/g, '-')} insights-${from}-${to}.csv`
}

/** The counts of `event_hours` as a table; `tz` and the days as there. */
export const exportInsights = endpoint({
  method: 'GET',
  path: '/user/insights/export',
  access: 'user',
  summary:
    'Export what happened in an event by hour as a CSV file, for spreadsheets in the language of your account. Requires a Pro plan.',
  query: exact({ ...insightsQuery, event: text(128, 1) }),
  reply: 'bytes',
})
