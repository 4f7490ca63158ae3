import { sql } from 'kysely'
import { callApi, type DemoAccount, type FillContext, people } from './demo-accounts.ts'
import { type DemoPhoto, isTonight } from './demo-photos.ts'

const dayMs = 24 * 3_600_000

/** The day of an evening in the account's time zone: it lasts until 6:00. */
const dayOf = (time: Date): string =>
  new Intl.DateTimeFormat('sv', { timeZone: people.studio.timeZone }).format(new Date(time.getTime() - dayMs / 4))

/** The ids of the studio's events, by when they are. */
export type DemoEvents = Record<'past' | 'tonight' | 'coming', string>

/**
 * Three events of the studio: one whose photos were taken a week before the last Saturday, the one of tonight, which is the current one,
 * and one that is still to come. Photos belong to those in whose days they were taken.
 */
export async function addEvents(
  context: FillContext,
  { id: userId, token }: DemoAccount,
  { photos, now }: { photos: readonly DemoPhoto[]; now: Date },
): Promise<DemoEvents> {
  const own = photos.filter(({ owner }) => owner === 'studio')
  const evenings = new Set(own.filter((photo) => !isTonight(photo, now)).map(({ takenAt }) => dayOf(takenAt)))
  const add = async (name: string, starts_on: string, daysAgo: number, settings: object): Promise<string> => {
    const body = { name, starts_on, ...settings }
    const { id } = await callApi<{ id: string }>(context, token, { method: 'POST', url: '/user/events', body })
    await sql`update events set created_at = now() - make_interval(days => ${daysAgo}) where id = ${id}`.execute(
      context.deps.db,
    )
    return id
  }
  const gallery = { gallery: 'link', link_on_photo_pages: true }
  const [today, later] = [dayOf(now), dayOf(new Date(now.getTime() + 13 * dayMs))]
  const pastDay = [...evenings].toSorted().at(-2) ?? today
  const events: DemoEvents = {
    past: await add('Lotte & Bram', pastDay, 40, { ...gallery, guest_archive: true }),
    tonight: await add('Harvest party', today, 9, { ...gallery, guest_photos: 'review', code_on_latest: true }),
    coming: await add('Winter ball', later, 2, {}),
  }
  await callApi(context, token, { method: 'PUT', url: '/user/current-event', body: { event_id: events.tonight } })
  const moved = own.flatMap((photo) => {
    if (isTonight(photo, now)) return [{ id: photo.id, event: events.tonight }]
    return dayOf(photo.takenAt) === pastDay ? [{ id: photo.id, event: events.past }] : []
  })
  await context.deps.db.transaction().execute(async (tx) => {
    await sql`select from users where id = ${userId} for no key update`.execute(tx)
    await sql`
      update photos set event_id = moved.event
      from unnest(${moved.map(({ id }) => id)}::text[], ${moved.map(({ event }) => event)}::text[]) as moved (id, event)
      where photos.id = moved.id and user_id = ${userId}`.execute(tx)
  })
  return events
}
