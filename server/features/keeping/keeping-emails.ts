import { sql } from 'kysely'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../db/connect.ts'
import type { KeepingClock } from '../../domain/over-limit-photos.ts'
import { queueEmail } from '../../emails/queue-email.ts'
import { enqueue } from '../../jobs/queue.ts'
import { newId } from '../../lib/ids.ts'

/** How often a failed email is retried, once a day. */
const maxAttempts = 30

interface KeepingEmail {
  day: number
  emailId: string
  attempts: number
  isAccepted: boolean
  /** It failed or was deleted, and was queued more than a day ago. */
  canBeRepeated: boolean
}

interface DueState {
  email: string
  /** Days since the larger plan ended, by the row's clock. */
  days: number
}

/**
 * Records which emails have been accepted since the last run. If one was accepted more than a day late, the start of
 * the countdown is postponed by the delay, so that owners always have the same time between the emails and the removal.
 * Not on the demo's clock, which jumps on purpose.
 */
async function recordAcceptedEmails(tx: Db, userId: string): Promise<void> {
  await sql`
    update photo_keeping_emails set accepted_at = emails.sent_at, is_file = emails.file_bytes is not null from emails
    where emails.id = photo_keeping_emails.email_id and emails.state = 'sent' and accepted_at is null
      and photo_keeping_emails.user_id = ${userId}`.execute(tx)
  const clock: KeepingClock = 'database'
  await sql`
    update photo_keeping set starts_at = starts_at + late.by from (
      select max(accepted_at - (starts_at + make_interval(days => day))) as by
      from photo_keeping_emails join photo_keeping using (user_id) where user_id = ${userId} and accepted_at is not null
    ) as late where user_id = ${userId} and clock = ${clock} and late.by > interval '1 day'`.execute(tx)
}

async function keepingEmailsOf(tx: Db, userId: string): Promise<KeepingEmail[]> {
  const { rows } = await sql<KeepingEmail>`
    select day, email_id as "emailId", photo_keeping_emails.attempts, accepted_at is not null as "isAccepted",
      queued_at < now() - interval '1 day' and coalesce(emails.state = 'failed', true) as "canBeRepeated"
    from photo_keeping_emails left join emails on emails.id = email_id
    where photo_keeping_emails.user_id = ${userId}`.execute(tx)
  return rows
}

/**
 * Queues the next email to a user whose photos will be removed, if it is due and the previous one was accepted; retries
 * one that failed. The caller holds the user's lock.
 */
export async function queueDueEmail(tx: Db, userId: string): Promise<void> {
  await recordAcceptedEmails(tx, userId)
  const { rows } = await sql<DueState>`
    select email, extract(epoch from keeping_now(clock) - starts_at)::float8 / 86400 as days
    from photo_keeping join users on users.id = photo_keeping.user_id where users.id = ${userId}`.execute(tx)
  const [state] = rows
  if (!state) return
  const emails = await keepingEmailsOf(tx, userId)
  const accepted = new Set(emails.filter(({ isAccepted }) => isAccepted).map(({ day }) => day))
  const day = billingLimits.keepEmailDays.find((one) => !accepted.has(one))
  if (day === undefined || state.days < day) return
  const queued = emails.find((one) => one.day === day)
  if (queued && (!queued.canBeRepeated || queued.attempts >= maxAttempts)) return
  const id = newId()
  await sql`
    insert into photo_keeping_emails (user_id, day, email_id) values (${userId}, ${day}, ${id})
    on conflict (user_id, day) do update set email_id = excluded.email_id, queued_at = now(),
      attempts = photo_keeping_emails.attempts + 1`.execute(tx)
  await enqueue(tx, { name: 'prepare-archive', payload: { userId }, key: `prepare-archive:${userId}` })
  await queueEmail(tx, { id, kind: 'removal', userId, recipient: state.email, payload: { day } })
}

/** Queues the email about photos that were just removed. */
export async function queueRemovedEmail(tx: Db, userId: string): Promise<void> {
  const user = await tx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  if (user) await queueEmail(tx, { id: newId(), kind: 'removed', userId, recipient: user.email, payload: {} })
}
