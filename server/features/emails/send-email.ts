import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { accountLimits, emailLimits, limits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../platform/db/connect.ts'
import { mailboxKey, mailboxKeys } from '../../lib/email-address.ts'
import { enqueueAll } from '../../platform/jobs/queue.ts'
import { roomReasons } from '../../ports/mail/outbox.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { Mail, Mailbox, Message, SendResult } from '../../ports/mail/mail.ts'
import { connectionFailed, receiverAsksToWait, tryLater } from '../../ports/mail/smtp.ts'
import { type ComposedEmail, type Composer, type Composers, type EmailRow, WithdrawnContent } from './compose.ts'
import { dueColumns, enqueueSendJob, lockRecipient, retryDelayMs } from './queue-email.ts'

interface EmailSenderOptions {
  db: Db
  log: Logger
  metrics: Metrics
  mail: Mail
  /** The sender of every email. */
  from: Mailbox
  composers: Partial<Composers>
}

/** Sends emails on this node: handlers of jobs, each of which may run twice. */
export interface EmailSender {
  /** Makes one attempt at an email, if it is due. Rejects only when the database is unavailable. */
  send(emailId: string): Promise<void>
  /** Retries the emails that wait for the mail server, if it can be reached again. */
  retryAwaitingServer(): Promise<void>
}

export function createEmailSender(options: EmailSenderOptions): EmailSender {
  const { db, log, mail } = options
  /** Why the mail server could not be reached at the last attempt; undefined when it could. */
  let unreachableReason: string | undefined
  let wasFull = false
  const retryWaitingEmails = async (): Promise<void> => {
    wasFull = false
    const emails = await retryEmailsAwaitingServer(db)
    if (emails) log.info({ emails }, 'the mail server can be reached again; retrying the emails that waited for it')
  }

  return {
    async send(emailId) {
      const email = await leaseForAttempt(options, emailId)
      if (!email) return
      const sendOutcome = await attemptEmail(options, email)
      await saveOutcome(options, email, sendOutcome)
      if (sendOutcome.kind === 'sent' && mail.kind === 'outbox') {
        // The account may have been deleted during the attempt.
        const row = await db.selectFrom('emails').select('id').where('id', '=', emailId).executeTakeFirst()
        if (!row) await mail.deleteStored([emailId])
      }
      if (sendOutcome.kind === 'retry' && sendOutcome.isFull) {
        // Smaller emails may still be saved, so success does not prove there is room; `retryAwaitingServer` checks.
        if (!wasFull)
          log.warn(
            'emails to guests wait for room: set SMTP_URL, raise OUTBOX_MAX_MB or move files out of the outbox folder',
          )
        wasFull = true
      } else if (sendOutcome.kind === 'retry' && sendOutcome.unreachable) {
        const { reason, detail } = sendOutcome
        if (unreachableReason !== reason)
          log.error(
            detail === undefined ? {} : { detail },
            `emails wait: ${reason} See "Emails are refused" in docs/runbook.md`,
          )
        unreachableReason = reason
      } else if (sendOutcome.kind === 'sent' && unreachableReason !== undefined) {
        unreachableReason = undefined
        await retryWaitingEmails()
      }
    },
    async retryAwaitingServer() {
      if ((await emailAwaitingServer(db).executeTakeFirst()) && (await mail.check())) await retryWaitingEmails()
    },
  }
}

type SendOutcome =
  | SendResult
  | { kind: 'obsolete'; reason?: string }
  | { kind: 'not ready' }
  | { kind: 'waiting'; waitMs: number }

const notReadyDelayMs = 3_000
/** Addresses that are reserved for examples (RFC 2606), as those of the command `demo`. */
const isReserved = ({ recipient }: EmailRow): boolean => /[@.]example$/i.test(recipient)
const reservedAddress = 'Nothing is sent to addresses that end in .example: they exist only in examples.'
const contentGone = 'The content of this email no longer exists.'
const composingFailed = 'Something went wrong on our side while preparing this email.'
/** Delays before attempts to save the outcome. An outcome that is not saved means that the email is sent again. */
const saveOutcomeDelaysMs = [0, 500, 2_000, 5_000]

async function attemptEmail(options: EmailSenderOptions, email: EmailRow): Promise<SendOutcome> {
  const { from, log } = options
  if (isReserved(email)) return { kind: 'refused', reason: reservedAddress, tooLarge: false }
  const recipient = { to: { address: email.recipient }, mayWait: email.kind === 'photo' }
  const send = ({ senderName, attachments = [], ...content }: ComposedEmail): Promise<SendResult> => {
    const sender = senderName === undefined ? from : { ...from, name: senderName }
    return sendMakingRoom(options, {
      id: email.id,
      sentBefore: email.sent_at,
      from: sender,
      ...recipient,
      ...content,
      attachments,
    })
  }
  try {
    const composedEmail = await composeEmail(options, email, true)
    if ('kind' in composedEmail) return composedEmail
    const sendResult = await send(composedEmail)
    if (sendResult.kind !== 'refused' || !sendResult.tooLarge || !composedEmail.attachments?.length) return sendResult
    const withoutAttachments = await composeEmail(options, email, false)
    return 'kind' in withoutAttachments ? withoutAttachments : await send(withoutAttachments)
  } catch (error) {
    if (isWithdrawn(error)) return outcomeOfWithdrawal(options, email)
    log.error({ err: error, email: email.id }, 'an email could not be composed')
    return { kind: 'retry', unreachable: false, reason: composingFailed }
  }
}

async function composeEmail(
  options: EmailSenderOptions,
  email: EmailRow,
  attach: boolean,
): Promise<ComposedEmail | SendOutcome> {
  const composer = composerOf(options, email)
  if (!composer) throw new Error(`there is no composer for emails of kind ${email.kind}`)
  const composedEmail = await options.db.transaction().execute((tx) => composer.compose(email, tx, { attach }))
  if (typeof composedEmail === 'string') return { kind: composedEmail }
  if ('waitMs' in composedEmail) return { kind: 'waiting', waitMs: composedEmail.waitMs }
  if (!('declined' in composedEmail)) return composedEmail
  const { declined: reason, isObsolete } = composedEmail
  return isObsolete ? { kind: 'obsolete', reason } : { kind: 'refused', reason, tooLarge: false }
}

/** Undefined for a kind that this version of the program does not know. */
const composerOf = ({ composers }: EmailSenderOptions, { kind }: EmailRow): Composer | undefined =>
  composers[kind as keyof Composers] // the column is text; an unknown kind finds nothing

const isWithdrawn = (error: unknown): boolean =>
  error instanceof WithdrawnContent || (error instanceof Error && isWithdrawn(error.cause))

/** Content was withdrawn while the email was being sent: the composer says what becomes of the email. */
async function outcomeOfWithdrawal(options: EmailSenderOptions, email: EmailRow): Promise<SendOutcome> {
  const composedEmail = await composeEmail(options, email, true)
  return 'kind' in composedEmail ? composedEmail : { kind: 'retry', unreachable: false, reason: composingFailed }
}

/** Sends an email; when there is no room for it, removes old emails as far as that is allowed. */
async function sendMakingRoom(options: EmailSenderOptions, message: Message): Promise<SendResult> {
  let sendResult = await options.mail.send(message)
  while (sendResult.kind === 'retry' && sendResult.isFull && (await makeRoomInOutbox(options)))
    sendResult = await options.mail.send(message)
  return sendResult
}

const removedAtOnce = 50
const removedToMakeRoom = `The file was removed from the outbox folder after ${emailLimits.fileKeepDays} days, to make room.`

/**
 * Removes the files of the oldest emails with photos to guests, of those older than a week. Other emails are never removed
 * to make room, and neither are those that an earlier version wrote: their size is unknown, so an update removes nothing.
 * Whether it removed any.
 */
async function makeRoomInOutbox({ db, mail }: { db: Db; mail: Mail }): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update emails set file_bytes = null, failure = ${removedToMakeRoom} where id in (
      select id from emails where kind = 'photo' and state = 'sent' and file_bytes is not null
        and sent_at < now() - make_interval(days => ${emailLimits.fileKeepDays})
      order by sent_at limit ${removedAtOnce} for update skip locked) returning id`.execute(db)
  await mail.deleteStored(rows.map(({ id }) => id))
  return rows.length > 0
}

/** Saves the outcome in one transaction with what the composer makes of it; tries several times. */
async function saveOutcome(options: EmailSenderOptions, email: EmailRow, sendOutcome: SendOutcome): Promise<void> {
  for (const [at, ms] of saveOutcomeDelaysMs.entries()) {
    try {
      await wait(ms)
      const recorded = await options.db.transaction().execute(async (tx) => {
        const recordedEmail = await recordOutcome({ ...options, tx }, email, sendOutcome)
        if (recordedEmail && hasStatusChanged(email, recordedEmail, sendOutcome))
          await composerOf(options, recordedEmail)?.onStatusChange?.(tx, recordedEmail)
        return recordedEmail
      })
      return recorded && countAttempt(options, recorded, sendOutcome)
    } catch (error) {
      if (at === saveOutcomeDelaysMs.length - 1) throw error
    }
  }
}

/** Writes the outcome into the row. Undefined when another attempt has started since. */
async function recordOutcome(
  options: EmailSenderOptions & { tx: Db },
  email: EmailRow,
  sendOutcome: SendOutcome,
): Promise<EmailRow | undefined> {
  const { tx } = options
  if (sendOutcome.kind === 'sent') return markSent(tx, email, sendOutcome.fileBytes)
  if (sendOutcome.kind === 'obsolete') return markFailed(tx, email, sendOutcome.reason ?? contentGone)
  if (sendOutcome.kind === 'refused') return markFailed(tx, email, sendOutcome.reason)
  if (sendOutcome.kind === 'waiting') {
    const waiting = await awaitContent(tx, email, sendOutcome.waitMs)
    if (waiting) await enqueueSendJob(tx, email.id, waiting.due_at)
    return waiting
  }
  const countsAsAttempt = sendOutcome.kind === 'retry'
  const { reason, unreachable } = countsAsAttempt
    ? sendOutcome
    : { reason: email.failure, unreachable: email.server_unreachable }
  const ms = countsAsAttempt ? retryDelayMs(email.attempts, Math.random()) : notReadyDelayMs
  const postponed = await postpone(tx, email, { ms, failure: reason, unreachable, countsAsAttempt })
  if (!postponed) return markFailed(tx, email, gaveUpReason(options, { failure: reason, unreachable }))
  await enqueueSendJob(tx, email.id, postponed.due_at)
  return postponed
}

const gaveUpReason = (
  { mail }: EmailSenderOptions,
  { failure, unreachable }: { failure: string | null; unreachable: boolean },
): string => {
  if (unreachable && mail.kind === 'smtp' && failure === connectionFailed)
    return `The mail server could not be reached for ${emailLimits.giveUpHours} hours.`
  const last = failure === receiverAsksToWait ? tryLater : (failure ?? '')
  return `The email could not be sent for ${emailLimits.giveUpHours} hours. ${last}`.trim()
}

/** Counts what became of an attempt; an email that could not be composed yet was not attempted. */
function countAttempt({ metrics }: EmailSenderOptions, { kind, state }: EmailRow, { kind: result }: SendOutcome): void {
  if (result === 'not ready' || result === 'waiting') return
  const hasEnded = result === 'retry' && state === 'failed'
  const outcome = hasEnded ? 'expired' : result === 'refused' ? 'failed' : result
  metrics.count('keepsnap_emails_total', { kind, outcome })
}

/** What an email waits for is not in its row. */
const hasStatusChanged = (before: EmailRow, after: EmailRow, { kind }: SendOutcome): boolean =>
  kind === 'waiting' || after.state !== 'queued' || after.failure !== before.failure

/** Leases an email, and notifies its composer when it is held. Undefined when there is nothing to attempt now. */
const leaseForAttempt = (options: EmailSenderOptions, emailId: string): Promise<EmailRow | undefined> =>
  options.db.transaction().execute(async (tx) => {
    const leased = await leaseEmail(tx, emailId, options.mail.kind === 'smtp')
    if (leased && 'retryAt' in leased) await enqueueSendJob(tx, emailId, leased.retryAt)
    if (leased && 'held' in leased) await composerOf(options, leased.held)?.onStatusChange?.(tx, leased.held)
    return leased && 'attempt' in leased ? leased.attempt : undefined
  })

/** Longer than any attempt takes, including a second one without the attachment. */
const leaseMinutes = 5

/** What to do with an email now: attempt it, retry it later, or nothing because it is held. */
type EmailLease = { attempt: EmailRow } | { retryAt: Date } | { held: EmailRow }

/**
 * Leases an email for one attempt, so that no two attempts run at the same time. The lease expires after five minutes, in
 * case this program dies. With `holdUnverified`, emails to guests are held when their owner's address is not confirmed and
 * the daily limit for that is reached.
 * @returns undefined when there is nothing left to do
 */
async function leaseEmail(tx: Db, id: string, holdUnverified: boolean): Promise<EmailLease | undefined> {
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

const emailBatchSize = 1_000

export const sendEmailJobs = (ids: readonly string[]) =>
  ids.map((id) => ({ name: 'send-email' as const, payload: { emailId: id }, key: `email:${id}` }))

/** Sends the emails that were held until their owner's address was confirmed. */
export async function releaseHeldEmails(tx: Db, userId: string): Promise<void> {
  const released = await tx
    .updateTable('emails')
    .set({
      awaits_verification: false,
      failure: null,
      ...dueColumns(sql<Date>`now()`),
    })
    .where('user_id', '=', userId)
    .where('awaits_verification', '=', true)
    .returning('id')
    .execute()
  await enqueueAll(tx, sendEmailJobs(released.map(({ id }) => id)))
}

/** Applies only if this attempt is still the current one. */
const updateIfCurrent = (tx: Db, { id, attempts }: EmailRow) =>
  tx.updateTable('emails').where('id', '=', id).where('state', '=', 'queued').where('attempts', '=', attempts)

/**
 * The mail server has accepted the email, or it is kept as a file of `fileBytes`. Undefined when another attempt has
 * started since.
 */
const markSent = (tx: Db, email: EmailRow, fileBytes: number | undefined): Promise<EmailRow | undefined> =>
  updateIfCurrent(tx, email)
    .set({
      state: 'sent',
      sent_at: sql<Date>`now()`,
      due_at: sql<Date>`now()`,
      leased_until: null,
      server_unreachable: false,
      failure: null,
      file_bytes: fileBytes ?? null,
    })
    .returningAll()
    .executeTakeFirst()

/** Undefined when another attempt has started since. */
const markFailed = (tx: Db, email: EmailRow, failure: string): Promise<EmailRow | undefined> =>
  updateIfCurrent(tx, email)
    .set({ state: 'failed', leased_until: null, server_unreachable: false, failure })
    .returningAll()
    .executeTakeFirst()

/** Delays an email, but not beyond the time at which it is given up. Undefined when that time has come. */
const postpone = (
  tx: Db,
  email: EmailRow,
  options: { ms: number; failure: string | null; unreachable: boolean; countsAsAttempt: boolean },
): Promise<EmailRow | undefined> =>
  updateIfCurrent(tx, email)
    .where('give_up_at', '>', sql<Date>`now()`)
    .set({
      leased_until: null,
      server_unreachable: options.unreachable,
      failure: options.failure,
      attempts: options.countsAsAttempt ? email.attempts : email.attempts - 1,
      due_at: sql<Date>`least(now() + make_interval(secs => ${options.ms / 1000}), give_up_at)`,
    })
    .returningAll()
    .executeTakeFirst()

/**
 * Delays an email that waits for somebody to do something. It is given up 48 hours after it is due, as every email, so its
 * end moves with it. Undefined when another attempt has started since.
 */
const awaitContent = (tx: Db, email: EmailRow, waitMs: number): Promise<EmailRow | undefined> =>
  updateIfCurrent(tx, email)
    .set({
      leased_until: null,
      attempts: email.attempts - 1,
      failure: null,
      server_unreachable: false,
      ...dueColumns(sql<Date>`now() + make_interval(secs => ${waitMs / 1000})`),
    })
    .returningAll()
    .executeTakeFirst()

/** An email that waits because the mail server could not be reached. */
const emailAwaitingServer = (db: Db) =>
  db.selectFrom('emails').select('id').where('state', '=', 'queued').where('server_unreachable', '=', true).limit(1)

/** Whether any email waits because there is no room for it in the outbox folder. */
export const isAnyAwaitingRoom = async (db: Db): Promise<boolean> =>
  (await emailAwaitingServer(db).where('failure', 'in', roomReasons).executeTakeFirst()) !== undefined

/** Makes every email due that waits only because the mail server could not be reached. Resolves with their number. */
async function retryEmailsAwaitingServer(db: Db): Promise<number> {
  for (let retriedCount = 0; ;) {
    const rows = await db.transaction().execute(async (tx) => {
      const { rows: dueEmails } = await sql<{ id: string }>`
        update emails set due_at = now(), server_unreachable = false where id in (
          select id from emails where state = 'queued' and server_unreachable and (leased_until is null or leased_until < now())
          limit ${emailBatchSize} for update skip locked) returning id`.execute(tx)
      await enqueueAll(tx, sendEmailJobs(dueEmails.map(({ id }) => id)))
      return dueEmails
    })
    retriedCount += rows.length
    if (rows.length < emailBatchSize) return retriedCount
  }
}
