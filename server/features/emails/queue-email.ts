import { type RawBuilder, sql } from 'kysely'
import { accountLimits, emailLimits } from '@keepsnap/contract/limits.ts'
import { normalizeEmail } from '@keepsnap/contract/form-rules.ts'
import type { EmailKind } from '@keepsnap/contract/emails.ts'
import type { Db } from '../../platform/db/connect.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { mailboxKeys } from '../../lib/email-address.ts'

/** The limits that can delay an email, by what they count. */
type EmailLimit = 'address' | 'photo' | 'owner'

/**
 * How full the limits are. A window allows n emails; its field is the due time of the n-th newest email: when that leaves
 * the window, one more may be sent. Null when there are fewer than n.
 */
interface EmailLimitState {
  addressHour: Date | null
  addressDay: Date | null
  photoDay: Date | null
  ownerDay: Date | null
}

const hourMs = 60 * 60 * 1000
const limitWindows: { field: keyof EmailLimitState; limit: EmailLimit; hours: number }[] = [
  { field: 'addressHour', limit: 'address', hours: 1 },
  { field: 'addressDay', limit: 'address', hours: 24 },
  { field: 'photoDay', limit: 'photo', hours: 24 },
  { field: 'ownerDay', limit: 'owner', hours: 24 },
]

/**
 * When a new email may be sent: now, or when every window has room again. When that is too far away, the email is refused,
 * and the result is the limit that refuses it. The limits of photo and owner come before that of the address, which guests
 * must not learn about.
 */
function computeDueTime(now: Date, limitState: EmailLimitState): Date | EmailLimit {
  const latestMs = now.getTime() + emailLimits.waitHours * hourMs
  let dueMs = now.getTime()
  let refusedBy: EmailLimit | undefined
  for (const { field, limit, hours } of limitWindows) {
    const freeAtMs = limitState[field] ? limitState[field].getTime() + hours * hourMs : 0
    if (freeAtMs > latestMs && (refusedBy ?? 'address') === 'address') refusedBy = limit
    dueMs = Math.max(dueMs, freeAtMs)
  }
  return refusedBy ?? new Date(dueMs)
}

const minuteMs = 60_000
const maxRetryDelayMs = 6 * hourMs

/**
 * Exponential backoff: 1, 2, 4 ... minutes after the n-th failed attempt, at most 6 hours, with 20 % of jitter so that
 * emails that failed together are not retried together. `random` is from 0 to 1.
 */
export function retryDelayMs(attempts: number, random: number): number {
  const ms = Math.min(minuteMs * 2 ** Math.min(attempts - 1, 12), maxRetryDelayMs)
  return Math.round(ms * (0.8 + 0.4 * random))
}

/** An email to be sent. Never put secrets into `payload`: the composer computes links when the email is sent. */
export interface NewEmail {
  id: string
  kind: EmailKind
  userId?: string
  photoId?: string
  /** One plain email address. */
  recipient: string
  payload: Readonly<Record<string, string | number | boolean | null>>
  /** What limits count it under; otherwise the address itself. */
  recipientKey?: string
  /** From `findDueTime`; otherwise at once. */
  dueAt?: Date
}

/** Serializes transactions that count emails to one address. The lock is released when the transaction ends. */
export async function lockRecipient(tx: Db, key: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`emails to ${key}`}, 0))`.execute(tx)
}

/** Enqueues the job that sends an email; it replaces an earlier one that has not started. */
export const enqueueSendJob = (tx: Db, id: string, at?: Date): Promise<void> =>
  enqueue(tx, { name: 'send-email', payload: { emailId: id }, key: `email:${id}`, ...(at && { at }) })

const dueTimeOf = (at: Date | undefined): RawBuilder<Date> =>
  at ? sql<Date>`greatest(${at}::timestamptz, now())` : sql<Date>`now()`

/** The columns that say when an email is due, and when it is given up: 48 hours later. */
export const dueColumns = (time: RawBuilder<Date>) => ({
  due_at: time,
  give_up_at: sql<Date>`${time} + make_interval(hours => ${emailLimits.giveUpHours})`,
})

/** The columns of an email that is queued again, without a trace of earlier attempts. */
export const queuedAgain = (at?: Date) => ({
  state: 'queued',
  attempts: 0,
  failure: null,
  server_unreachable: false,
  awaits_verification: false,
  leased_until: null,
  ...dueColumns(dueTimeOf(at)),
})

/**
 * Queues an email in the caller's transaction: it is sent when, and only when, that commits. It is given up 48 hours after
 * it was due.
 */
export async function queueEmail(tx: Db, email: NewEmail): Promise<void> {
  const { id, kind, userId, photoId, recipient, payload } = email
  await tx
    .insertInto('emails')
    .values({
      id,
      kind,
      user_id: userId ?? null,
      photo_id: photoId ?? null,
      recipient,
      recipient_key: email.recipientKey ?? normalizeEmail(recipient),
      payload: JSON.stringify(payload),
      ...dueColumns(dueTimeOf(email.dueAt)),
    })
    .execute()
  await enqueueSendJob(tx, id, email.dueAt)
}

/** Whether an email with a photo waits until that is retried, which may never happen: until then, it uses up no limit. */
const awaitsRetry = sql`(emails.state = 'queued'
  and exists (select 1 from photos where photos.id = emails.photo_id and photos.state = 'failed'))`

/**
 * When a new email with a photo, or with several (null), may be sent, or the limit that refuses it. Exact for addresses: the transaction holds the
 * lock of the address until it ends. The limits of photos and owners can be exceeded by concurrent requests.
 */
export async function findDueTime(
  tx: Db,
  { email, photoId, ownerId }: { email: string; photoId: string | null; ownerId: string },
): Promise<Date | EmailLimit> {
  const [key, ...formerKeys] = mailboxKeys(email)
  await lockRecipient(tx, key)
  const keys = [key, ...formerKeys]
  const { perAddressHour, perAddressDay, perPhotoDay, perOwnerDay } = emailLimits
  // What was due more than a day ago delays nothing: without it, thousands of an owner's emails would be read.
  // now() is the time before the lock was acquired; clock_timestamp() is the time after.
  const { rows } = await sql<EmailLimitState & { now: Date }>`select clock_timestamp() as now,
    (select due_at from emails where kind = 'photo' and not awaits_verification and recipient_key = any(${keys})
      and not ${awaitsRetry} order by due_at desc offset ${perAddressHour - 1} limit 1) as "addressHour",
    (select due_at from emails where kind = 'photo' and not awaits_verification and recipient_key = any(${keys})
      and not ${awaitsRetry} order by due_at desc offset ${perAddressDay - 1} limit 1) as "addressDay",
    (select due_at from emails where kind = 'photo' and not awaits_verification and photo_id = ${photoId}
      order by due_at desc offset ${perPhotoDay - 1} limit 1) as "photoDay",
    (select due_at from emails where kind = 'photo' and user_id = ${ownerId} and due_at > now() - interval '1 day'
      order by due_at desc offset ${perOwnerDay - 1} limit 1) as "ownerDay"`.execute(tx)
  const [
    { now, ...limitState } = { now: new Date(), addressHour: null, addressDay: null, photoDay: null, ownerDay: null },
  ] = rows
  return computeDueTime(now, limitState)
}

/**
 * Whether one more email with a link may go to a mailbox: three an hour, ten a day of each kind; docs/security.md T29.
 * The transaction holds the lock of the address until it ends.
 */
export async function isUnderLinkLimit(tx: Db, kind: 'reset' | 'verify', email: string): Promise<boolean> {
  const [key, ...formerKeys] = mailboxKeys(email)
  await lockRecipient(tx, key)
  // Deleting an account deletes its emails too; its confirmation stays and counts for them.
  const countedKinds = kind === 'verify' ? ['verify', 'account-deleted'] : [kind]
  const { rows } = await sql<{ hour: number; day: number }>`
    select count(*) filter (where created_at > now() - interval '1 hour') as hour, count(*) as day from emails
    where recipient_key = any(${[key, ...formerKeys]}) and kind <> 'photo' and kind = any(${countedKinds}) and created_at > now() - interval '1 day'`.execute(
    tx,
  )
  const [{ hour, day } = { hour: 0, day: 0 }] = rows
  return hour < accountLimits.linksPerHour && day < accountLimits.linksPerDay
}

/**
 * Whether one more confirmation of a message to support may go to a mailbox: three emails an hour, ten a day, of all those
 * that anyone can have sent to any address; docs/security.md T29. The transaction holds the lock of the mailbox until it ends.
 */
export async function isUnderConfirmationLimit(tx: Db, email: string): Promise<boolean> {
  const [key, ...formerKeys] = mailboxKeys(email)
  await lockRecipient(tx, key)
  const keys = [key, ...formerKeys]
  // A delayed one counts when it is sent.
  const { rows } = await sql<{ hour: number; day: number }>`
    select count(*) filter (where greatest(created_at, due_at) > now() - interval '1 hour') as hour, count(*) as day
    from (
      select created_at, due_at from emails where kind = 'photo' and recipient_key = any(${keys})
        and due_at > now() - interval '1 day' and not ${awaitsRetry}
      union all
      select created_at, due_at from emails where kind <> 'photo' and recipient_key = any(${keys})
        and kind in ('reset', 'verify', 'account-deleted', 'support-received', 'withdrawal-received') and created_at > now() - interval '1 day'
    ) as sent`.execute(tx)
  const [{ hour, day } = { hour: 0, day: 0 }] = rows
  return hour < emailLimits.perAddressHour && day < emailLimits.perAddressDay
}

/** Queues a failed email again, for another 48 hours from `at`, otherwise from now. False when it has not failed. */
export async function resendEmail(tx: Db, id: string, at?: Date): Promise<boolean> {
  const requeuedEmail = await tx
    .updateTable('emails')
    .set(queuedAgain(at))
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .returning('id')
    .executeTakeFirst()
  if (requeuedEmail) await enqueueSendJob(tx, id, at)
  return requeuedEmail !== undefined
}
