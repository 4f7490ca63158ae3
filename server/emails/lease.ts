import { sql } from 'kysely'
import { accountLimits, emailLimits, limits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../db/connect.ts'
import { mailboxKey, mailboxKeys } from '../lib/email-address.ts'
import type { EmailRow } from './composers.ts'
import { lockRecipient } from './queue-email.ts'

/** Longer than any attempt takes, including a second one without the attachment. */
const leaseMinutes = 5

/** When the limits of an address allow one more email; null: now. Counts emails that were sent or are being sent. */
async function nextAllowedTime(tx: Db, { id, recipient, recipient_key: key }: EmailRow): Promise<Date | null> {
  const { perAddressHour, perAddressDay } = emailLimits
  const otherEmails = sql`select due_at from emails where kind = 'photo' and recipient_key = any(${[key, ...mailboxKeys(recipient)]}) and id <> ${id}
    and (state = 'sent' or leased_until > now()) order by due_at desc`
  const { rows } = await sql<{ at: Date }>`
    select at from (select greatest((${otherEmails} offset ${perAddressHour - 1} limit 1) + interval '1 hour',
      (${otherEmails} offset ${perAddressDay - 1} limit 1) + interval '1 day') as at) as free
    where at > clock_timestamp()`.execute(tx)
  return rows[0]?.at ?? null
}

/** Whether its owner's address is not confirmed and has reached the daily limit of emails to guests for that. */
async function exceedsUnverifiedLimit(tx: Db, { id, user_id: userId }: EmailRow): Promise<boolean> {
  const isUnverified = sql<boolean>`exists (select 1 from users where id = ${userId} and email_verified_at is null)`
  const { rows } = await sql<{ unverified: boolean }>`select ${isUnverified} as unverified`.execute(tx)
  if (!rows[0]?.unverified) return false
  await sql`select pg_advisory_xact_lock(hashtextextended(${`emails of ${userId}`}, 0))`.execute(tx)
  const { rows: sentEmails } = await sql`
    select 1 from emails where kind = 'photo' and user_id = ${userId} and id <> ${id}
      and (state = 'sent' or leased_until > now()) and due_at > now() - interval '1 day'
    limit ${accountLimits.unverifiedEmailsPerDay}`.execute(tx)
  return sentEmails.length >= accountLimits.unverifiedEmailsPerDay
}

const ownerNotConfirmed =
  'This email waits until you confirm your email address. You can resend the confirmation email in Settings.'
const ownerNeverConfirmed = 'Your email address was not confirmed in time.'

/** Holds an email until its owner's address is confirmed; fails it when that has not happened for too long. */
const holdForVerification = (tx: Db, { id, awaits_verification: isHeldAlready }: EmailRow): Promise<EmailRow> => {
  const heldUntil = sql<Date>`now() + make_interval(days => ${limits.requestDays})`
  return tx
    .updateTable('emails')
    .set(
      isHeldAlready
        ? { state: 'failed', awaits_verification: false, failure: ownerNeverConfirmed }
        : {
            awaits_verification: true,
            server_unreachable: false,
            failure: ownerNotConfirmed,
            due_at: heldUntil,
            give_up_at: heldUntil,
          },
    )
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

const startAttempt = (tx: Db, id: string): Promise<EmailRow> =>
  tx
    .updateTable('emails')
    .set({
      attempts: sql<number>`attempts + 1`,
      awaits_verification: false,
      due_at: sql<Date>`clock_timestamp()`,
      leased_until: sql<Date>`clock_timestamp() + make_interval(mins => ${leaseMinutes})`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** What to do with an email now: attempt it, retry it later, or nothing because it is held. */
export type EmailLease = { attempt: EmailRow } | { retryAt: Date } | { held: EmailRow }

/**
 * Leases an email for one attempt, so that no two attempts run at the same time. The lease expires after five minutes, in
 * case this program dies. With `holdUnverified`, emails to guests are held when their owner's address is not confirmed and
 * the daily limit for that is reached.
 * @returns undefined when there is nothing left to do
 */
export async function leaseEmail(tx: Db, id: string, holdUnverified: boolean): Promise<EmailLease | undefined> {
  const email = await tx
    .selectFrom('emails')
    .selectAll()
    .select([
      sql<boolean>`leased_until > now()`.as('isLeased'),
      // Job times have milliseconds, row times have microseconds.
      sql<boolean>`due_at > now() + interval '100 milliseconds'`.as('isEarly'),
    ])
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .forUpdate()
    .executeTakeFirst()
  if (!email) return undefined
  if (email.isLeased && email.leased_until) return { retryAt: email.leased_until }
  if (email.isEarly) return { retryAt: email.due_at }
  if (email.kind === 'photo') {
    if (holdUnverified && (await exceedsUnverifiedLimit(tx, email)))
      return { held: await holdForVerification(tx, email) }
    await lockRecipient(tx, mailboxKey(email.recipient))
    const limitFreeAt = await nextAllowedTime(tx, email)
    if (limitFreeAt) {
      const giveUpAt = sql<Date>`greatest(give_up_at, ${limitFreeAt}::timestamptz + make_interval(hours => 1))`
      await tx.updateTable('emails').set({ due_at: limitFreeAt, give_up_at: giveUpAt }).where('id', '=', id).execute()
      return { retryAt: limitFreeAt }
    }
  }
  return { attempt: await startAttempt(tx, id) }
}
