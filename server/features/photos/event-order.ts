import { type RawBuilder, sql } from 'kysely'
import { shownAt } from './photo-view.ts'

/** By which time the photos of an event are ordered: when guests could first see them, or when they were taken. */
export type EventOrder = 'added' | 'taken'

/**
 * The time of a photo of an event in an order. A clock that was set wrong must not put a photo days or years away: a capture time counts
 * only from the day before the event to the day after it, and of an event without a date in the 30 days before the upload. Else the
 * photo was taken when guests could first see it. Decided when it is read, because the dates of an event and the event of a photo change.
 */
export function timeInEvent(order: EventOrder, eventId: string, timeZone: string): RawBuilder<Date> {
  if (order === 'added') return shownAt
  const ofEvent = (value: RawBuilder<unknown>) => sql`(select ${value} from events where events.id = ${eventId})`
  const dayStart = (day: RawBuilder<unknown>) => sql`(${day})::timestamp at time zone ${timeZone}::text`
  const first = ofEvent(dayStart(sql`starts_on - 1`))
  const end = ofEvent(dayStart(sql`coalesce(ends_on, starts_on) + 2`))
  return sql<Date>`case when photos.captured_at >= coalesce(${first}, photos.created_at - interval '30 days')
    and photos.captured_at < coalesce(${end}, 'infinity') then photos.captured_at else ${shownAt} end`
}
