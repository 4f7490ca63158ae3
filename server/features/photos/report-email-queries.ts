import { sql } from 'kysely'
import { reportEmailLimits } from '@keepsnap/contract/limits.ts'
import type { ReportReason } from '@keepsnap/contract/reports.ts'
import type { Db } from '../../db/connect.ts'
import { mailboxKeys } from '../../lib/email-address.ts'

/** Serializes transactions that count an owner's emails about reports. The lock is released when the transaction ends. */
export async function lockReportEmails(tx: Db, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`report emails of ${userId}`}, 0))`.execute(tx)
}

/**
 * A condition on rows of `emails`: what counts towards the emails that an unconfirmed address gets in a day, those about the end
 * of an account with that address included. `kind <> 'photo'` is what the index `emails_to_users` has.
 */
export const isCountedForUnconfirmedAddress = sql`
  kind <> 'photo' and kind in ('report', 'report-digest', 'account-deleted', 'photo-hidden', 'photo-shown')`

/** The keys of emails to an owner: one about the end of an account is stored under the mailbox. */
export async function recipientKeysOf(tx: Db, userId: string): Promise<string[]> {
  const user = await tx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  return user ? mailboxKeys(user.email) : []
}

/** Whether an owner may get an email about a report now. */
export interface ReportEmailState {
  /** The owner's address. */
  email: string
  /** One that will name this report too: its next attempt has not started. */
  hasQueuedDigest: boolean
  /** When every limit allows one more email; null: now. */
  limitFreeAt: Date | null
}

/**
 * Undefined when the account is deactivated or gone. Each limit of n emails in a window is free when the n-th newest email
 * leaves the window. Emails to an unconfirmed address are counted for the address, also those of deleted accounts, whose
 * confirmation stays.
 */
export async function reportEmailState(tx: Db, userId: string, photoId: string): Promise<ReportEmailState | undefined> {
  const { perPhotoHour, perOwnerHour, unverifiedEmailsPerDay } = reportEmailLimits
  const keys = await recipientKeysOf(tx, userId)
  const { rows } = await sql<ReportEmailState>`
    select email, has_queued_digest as "hasQueuedDigest", case when free_at > clock_timestamp() then free_at end as "limitFreeAt"
    from (
      select users.email,
        exists (select 1 from emails where user_id = users.id and kind = 'report-digest'
          and state = 'queued' and leased_until is null) as has_queued_digest,
        greatest(
          (select created_at from emails where photo_id = ${photoId} and kind = 'report'
            order by created_at desc offset ${perPhotoHour - 1} limit 1) + interval '1 hour',
          (select created_at from emails where user_id = users.id and kind = 'report'
            order by created_at desc offset ${perOwnerHour - 1} limit 1) + interval '1 hour',
          case when users.email_verified_at is null then (select greatest(created_at, due_at) from emails
            where recipient_key = any(${keys}) and ${isCountedForUnconfirmedAddress}
            order by greatest(created_at, due_at) desc offset ${unverifiedEmailsPerDay - 1} limit 1) + interval '1 day' end
        ) as free_at
      from users where id = ${userId} and is_active
    ) as state`.execute(tx)
  return rows[0]
}

/** A reported photo that its owner has neither decided about nor hidden. */
export interface PhotoWithOpenReports {
  filename: string
  reasons: ReportReason[]
}

const openReports = sql`
  from photo_reports join photos on photos.id = photo_reports.photo_id join users on users.id = photos.user_id
  where photo_reports.decided_at is null and photos.hidden_at is null and photos.deleted_at is null and users.is_active`
const reasonsColumn = sql`array_agg(distinct photo_reports.reason order by photo_reports.reason) as reasons`

/** Reports in no other email, except in one that failed. */
const isUnmailedFor = (emailId: string) => sql`(photo_reports.email_id is null or photo_reports.email_id = ${emailId}
  or exists (select 1 from emails where id = photo_reports.email_id and state = 'failed'))`

/** Assigns the open reports of a photo to an email. Undefined when nothing about the photo is undecided. */
export async function claimReportsOfPhoto(
  tx: Db,
  { emailId, photoId }: { emailId: string; photoId: string },
): Promise<PhotoWithOpenReports | undefined> {
  const { rows } = await sql<PhotoWithOpenReports>`
    select photos.filename, ${reasonsColumn} ${openReports} and photos.id = ${photoId} group by photos.id`.execute(tx)
  if (rows[0])
    await sql`
      update photo_reports set email_id = ${emailId}
      where photo_id = ${photoId} and decided_at is null and ${isUnmailedFor(emailId)}`.execute(tx)
  return rows[0]
}

/** Assigns to an email the open reports of an owner that no other email contains; returns their photos. */
export async function claimReportsOfOwner(
  tx: Db,
  { emailId, userId }: { emailId: string; userId: string },
): Promise<PhotoWithOpenReports[]> {
  const { rows } = await sql<PhotoWithOpenReports>`
    with named as (
      update photo_reports set email_id = ${emailId}
      where id in (select photo_reports.id ${openReports} and photos.user_id = ${userId} and ${isUnmailedFor(emailId)})
      returning photo_id, reason, reported_at)
    select photos.filename, array_agg(distinct named.reason order by named.reason) as reasons
    from named join photos on photos.id = named.photo_id
    group by photos.id order by max(named.reported_at) desc`.execute(tx)
  return rows
}
