import { sql } from 'kysely'
import { limits } from '@keepsnap/contract/limits.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import { canonicalTimeZone } from '@keepsnap/contract/time-zones.ts'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { emailContextOf } from '../../domain/email-context.ts'
import type { Composer } from '../../emails/composers.ts'
import { queueEmail } from '../../emails/queue-email.ts'
import { newId } from '../../lib/ids.ts'

const dayMs = 24 * 60 * 60 * 1000
const keptMs = limits.requestDays * dayMs

/**
 * When the oldest request is removed, and until which time the requests were made that are removed on the same day of the time zone;
 * null stands for the server's.
 */
export function nextRemovalDay(oldestAt: Date, timeZone: string | null): { at: Date; requestedBefore: Date } {
  const zone = canonicalTimeZone(timeZone ?? '')
  const { format } = new Intl.DateTimeFormat('en', {
    dateStyle: 'short',
    ...(zone !== undefined && { timeZone: zone }),
  })
  const at = oldestAt.getTime() + keptMs
  const day = format(at)
  // A day has 25 hours when the clocks are put back.
  let [sameDay, nextDay] = [at, at + 26 * 60 * 60 * 1000]
  while (nextDay - sameDay > 1) {
    const between = Math.floor((sameDay + nextDay) / 2)
    if (format(between) === day) sameDay = between
    else nextDay = between
  }
  return { at: new Date(at), requestedBefore: new Date(nextDay - keptMs) }
}

const removedSoon = sql`requested_at < now() - make_interval(days => ${limits.requestDays - limits.requestRemovalDays})`
// Emails are kept for longer than that.
const mayBeTold = sql`users.is_active and users.allow_request_removal_emails and not exists (
  select from emails where emails.user_id = users.id and kind = 'request-removal'
    and created_at > now() - make_interval(days => ${limits.requestRemovalEmailDays}))`

/** The addresses of guests that will be removed from an owner's list soon, and when the first of them will be. */
async function addressesRemovedSoon(db: Db, userId: string): Promise<{ addresses: number; firstAt: Date | null }> {
  const { rows } = await sql<{ addresses: number; firstAt: Date | null }>`
    select count(distinct requester_key)::int as addresses,
      min(requested_at) + make_interval(days => ${limits.requestDays}) as "firstAt"
    from photo_requests join photos on photos.id = photo_requests.photo_id and photos.deleted_at is null
    where photo_requests.user_id = ${userId} and ${removedSoon}`.execute(db)
  return rows[0] ?? { addresses: 0, firstAt: null }
}

/** Queues an email to every owner from whose list many addresses of guests will be removed soon. */
export async function tellOfRequestRemovals(db: Db): Promise<void> {
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from photo_requests join users on users.id = user_id where ${removedSoon} and ${mayBeTold}
    group by user_id having count(distinct requester_key) >= ${limits.requestRemovalAddresses} order by user_id`.execute(
    db,
  )
  for (const { userId } of rows) {
    const { addresses } = await addressesRemovedSoon(db, userId)
    if (addresses < limits.requestRemovalAddresses) continue
    await db.transaction().execute(async (tx) => {
      // Another node may be queueing it: with the account locked, its email is seen.
      await sql`select from users where id = ${userId} for no key update`.execute(tx)
      const { rows: told } = await sql<{ email: string }>`
        select email from users where id = ${userId} and ${mayBeTold}`.execute(tx)
      for (const { email: recipient } of told)
        await queueEmail(tx, { id: newId(), kind: 'request-removal', userId, recipient, payload: {} })
    })
  }
}

/** Composes that email from what will be removed when it is sent, unless its reader has switched such emails off. */
export const requestRemovalEmailComposer = ({
  guestRenderer,
  config,
}: Pick<Dependencies, 'guestRenderer' | 'config'>): Composer => ({
  async compose({ user_id: userId }, tx) {
    if (userId === null) return 'obsolete'
    const reader = await tx
      .selectFrom('users')
      .select('id')
      .where('id', '=', userId)
      .where('is_active', '=', true)
      .where('allow_request_removal_emails', '=', true)
      .executeTakeFirst()
    const { addresses, firstAt } = await addressesRemovedSoon(tx, userId)
    if (!reader || !firstAt) return 'obsolete'
    return guestRenderer.renderEmail(
      {
        kind: 'request-removal',
        addresses,
        firstAt: firstAt.toISOString(),
        url: `${config.publicUrl}${pages.photoRequests}`,
        settingsUrl: `${config.publicUrl}${pages.settings}#mail`,
      },
      await emailContextOf(tx, userId, config),
    )
  },
})
