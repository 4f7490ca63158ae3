import { sql } from 'kysely'
import { contributorConsent } from '@keepsnap/contract/event-photos.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import { callApi, type DemoAccount, type FillContext, people, sendCall } from './demo-accounts.ts'
import { type DemoPhoto, isTonight, photosOfGuest } from './demo-photos.ts'

const dayMs = 24 * 3_600_000

/** The day of an evening in the account's time zone: it lasts until 6:00. */
const dayOf = (time: Date): string =>
  new Intl.DateTimeFormat('sv', { timeZone: people.studio.timeZone }).format(new Date(time.getTime() - dayMs / 4))

/** Who adds photos tonight, and in which light they were taken. */
const guests = { 'Aunt Ann': 'emerald', Jonas: 'violet', 'Sofie and Tim': 'amber' }

/** Guests join an event and add photos, which wait for their review. */
async function addGuestPhotos(context: FillContext, { id, url }: Event): Promise<void> {
  const path = new URL(url).pathname
  for (const [name, light] of Object.entries(guests)) {
    const body = { name, consent_version: contributorConsent.version, language: 'en' }
    const joined = await sendCall(context, {}, { method: 'POST', url: `${path}/join`, body })
    const cookie = joined.cookies.map(({ name: key, value }) => `${key}=${value}`).join('; ')
    for (const bytes of await photosOfGuest(light, context.size)) {
      context.signal.throwIfAborted()
      const file = { bytes, name: 'IMG.jpg', type: 'image/jpeg' }
      await sendCall(context, { cookie }, { method: 'POST', url: `${path}/mine`, file })
    }
  }
  await context.waitUntilProcessed()
  // One every four minutes, the guests in turns.
  await sql`
    update photos set created_at = photos.created_at - interval '4 minutes' * added.back
    from (
      select id, row_number() over (order by place desc, contributor_id) - 1 as back
      from (select id, contributor_id, row_number() over (partition by contributor_id order by created_at) as place
        from photos where event_id = ${id} and source = 'guest') as placed
    ) as added where photos.id = added.id`.execute(context.deps.db)
}

/**
 * When photos were taken: the booth sends them at once, guests add theirs up to an hour and a half later. And what guests did with the
 * codes of the events while photos came. After the photos have their times.
 */
export async function addHours({ deps: { db } }: FillContext, events: readonly string[]): Promise<void> {
  await sql`
    update photos set captured_at = photos.created_at - case when source = 'guest' then delayed.turn * interval '13 minutes' else interval '40 seconds' end
    from (select id, row_number() over (partition by event_id order by created_at) % 7 + 1 as turn from photos
      where event_id = any(${events}::text[]) and source = 'guest'
      union all select id, 0 from photos where event_id = any(${events}::text[]) and source <> 'guest') as delayed
    where photos.id = delayed.id`.execute(db)
  await sql`
    insert into event_activity (event_id, user_id, hour, scans, views, saves, joins, adds)
    select event_id, user_id, date_trunc('hour', created_at), 6 + 2 * count(*), 2 * count(*), count(*),
      count(distinct contributor_id), count(*) filter (where source = 'guest')
    from photos where event_id = any(${events}::text[]) group by 1, 2, 3
    on conflict (event_id, hour) do update set scans = excluded.scans, views = excluded.views, saves = excluded.saves,
      joins = excluded.joins, adds = excluded.adds`.execute(db)
}

/**
 * Three events of the studio: one whose photos were taken a week before the last Saturday and whose gallery is closed, the one of tonight,
 * which is the current one and has photos of guests, and one that is still to come. Photos belong to those in whose days they were taken.
 * Returns the ids of those that have photos.
 */
export async function addEvents(
  context: FillContext,
  { id: userId, token }: DemoAccount,
  { photos, now }: { photos: readonly DemoPhoto[]; now: Date },
): Promise<string[]> {
  const own = photos.filter(({ owner }) => owner === 'studio')
  const evenings = new Set(own.filter((photo) => !isTonight(photo, now)).map(({ takenAt }) => dayOf(takenAt)))
  const add = async (name: string, starts_on: string, daysAgo: number, settings: object): Promise<Event> => {
    const body = { name, starts_on, ...settings }
    const event = await callApi<Event>(context, token, { method: 'POST', url: '/user/events', body })
    await sql`update events set created_at = now() - make_interval(days => ${daysAgo}) where id = ${event.id}`.execute(
      context.deps.db,
    )
    return event
  }
  const gallery = { gallery: 'link', link_on_photo_pages: true }
  const [today, later] = [dayOf(now), dayOf(new Date(now.getTime() + 13 * dayMs))]
  const pastDay = [...evenings].toSorted().at(-2) ?? today
  const closes_at = new Date(Date.parse(pastDay) + 3 * dayMs).toISOString()
  const past = await add('Lotte & Bram', pastDay, 40, { ...gallery, guest_archive: true, closes_at })
  const tonight = await add('Harvest party', today, 9, { ...gallery, guest_photos: 'review', code_on_latest: true })
  await add('Winter ball', later, 2, {})
  await callApi(context, token, { method: 'PUT', url: '/user/current-event', body: { event_id: tonight.id } })
  const moved = own.flatMap((photo) => {
    if (isTonight(photo, now)) return [{ id: photo.id, event: tonight.id }]
    return dayOf(photo.takenAt) === pastDay ? [{ id: photo.id, event: past.id }] : []
  })
  await context.deps.db.transaction().execute(async (tx) => {
    await sql`select from users where id = ${userId} for no key update`.execute(tx)
    await sql`
      update photos set event_id = moved.event
      from unnest(${moved.map(({ id }) => id)}::text[], ${moved.map(({ event }) => event)}::text[]) as moved (id, event)
      where photos.id = moved.id and user_id = ${userId}`.execute(tx)
  })
  await addGuestPhotos(context, tonight)
  return [past.id, tonight.id]
}
