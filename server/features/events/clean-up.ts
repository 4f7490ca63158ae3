import { sql } from 'kysely'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Db } from '../../platform/db/connect.ts'
import { newId } from '../../lib/ids.ts'
import { queueEmail } from '../emails/queue-email.ts'
import { lockUser } from '../plans/plans.ts'
import { addingEnd } from './guest-counts.ts'
import { removeUnlisted } from './review.ts'

const batch = 500

/** Removes what guests left behind, and tells owners of photos that wait; each minute. */
export async function cleanUpGuestPhotos({ db }: Dependencies): Promise<void> {
  await deleteRejected(db)
  await deleteContributors(db)
  await tellOfWaitingPhotos(db)
}

/** Deletes photos that were rejected, and those of guests that could not be processed, after a month. */
async function deleteRejected(db: Db): Promise<void> {
  const isOver = sql`photos.source = 'guest' and photos.deleted_at is null and (
    photos.review = 'rejected' and photos.reviewed_at < now() - make_interval(days => ${eventLimits.rejectedDays})
    or photos.state = 'failed' and photos.finished_at < now() - make_interval(days => ${eventLimits.rejectedDays}))`
  const { rows } = await sql<{ userId: string; ids: string[] }>`
    select user_id as "userId", array_agg(id) as ids from (
      select user_id, id from photos where ${isOver} limit ${batch}) as photos group by user_id`.execute(db)
  for (const { userId, ids } of rows)
    await db.transaction().execute(async (tx) => {
      if (!(await lockUser(tx, userId))) return
      const left = await sql<{ id: string }>`
        select id from photos where id = any(${ids}::text[]) and ${isOver} for no key update`.execute(tx)
      await removeUnlisted(
        tx,
        userId,
        left.rows.map(({ id }) => id),
      )
    })
}

/** Deletes contributors with their names: some time after adding has ended, or after they were last seen. Hours do not matter here. */
async function deleteContributors(db: Db): Promise<void> {
  await sql`
    delete from contributors where id in (
      select contributors.id from contributors join events on events.id = contributors.event_id
      where last_seen_at < now() - make_interval(days => ${eventLimits.contributorDays})
        or ${addingEnd('UTC')} < now() - make_interval(days => ${eventLimits.contributorDaysAfterEnd})
      limit ${batch})`.execute(db)
}

/** Of one event: another email only for photos that came after the last one, once all before it are reviewed. */
const mayBeTold = sql`events.review_emails and events.deleted_at is null and (events.review_emailed_at is null
  or events.review_emailed_at < now() - interval '1 day' and not exists (
    select from photos where photos.event_id = events.id and review = 'waiting' and state = 'ready' and deleted_at is null
      and finished_at < events.review_emailed_at))`

async function tellOfWaitingPhotos(db: Db): Promise<void> {
  const { rows } = await sql<{ eventId: string; userId: string }>`
    select events.id as "eventId", events.user_id as "userId" from (
      select event_id from photos where review = 'waiting' and state = 'ready' and deleted_at is null
      group by event_id having count(*) filter (
        where finished_at < now() - make_interval(mins => ${eventLimits.reviewEmailMinutes})) >= ${eventLimits.reviewEmailPhotos}
    ) as waiting join events on events.id = waiting.event_id where ${mayBeTold} limit ${batch}`.execute(db)
  for (const { eventId, userId } of rows)
    await db.transaction().execute(async (tx) => {
      // Another node may be queueing it: with the account locked, its email is seen.
      if (!(await lockUser(tx, userId))) return
      const { rows: told } = await sql<{ email: string }>`
        update events set review_emailed_at = now() from users
        where events.id = ${eventId} and users.id = events.user_id and users.is_active and ${mayBeTold} returning email`.execute(
        tx,
      )
      for (const { email: recipient } of told)
        await queueEmail(tx, { id: newId(), kind: 'review-waiting', userId, recipient, payload: { eventId } })
    })
}
