import { sql } from 'kysely'
import { accountLimits, adminLimits, limits } from '@keepsnap/contract/limits.ts'
import type { AddressDetails, OperatorEmail } from '@keepsnap/contract/operator-support.ts'
import type { Db } from '../../platform/db/connect.ts'
import { enqueue, enqueueAll } from '../../platform/jobs/queue.ts'
import type { Mail } from '../../ports/mail/mail.ts'
import { sendEmailJobs } from './send-email.ts'
import { enqueueSendJob, queuedAgain } from './queue-email.ts'

const emailBatchSize = 1_000

interface EmailStore {
  db: Db
  mail: Mail
}

/** Ids of the emails of an account or about a photo, alone or with others, in batches. */
async function* emailIdsOf(db: Db, column: 'user_id' | 'photo_id', value: string): AsyncGenerator<string[]> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows: { id: string }[] = await db
      .selectFrom('emails')
      .select('id')
      .where(
        column === 'user_id'
          ? sql<boolean>`user_id = ${value}`
          : sql<boolean>`id in (
              select id from emails where photo_id = ${value} union select email_id from photo_requests where photo_id = ${value})`,
      )
      .where('id', '>', after)
      .orderBy('id')
      .limit(emailBatchSize)
      .execute()
    if (rows.length) yield rows.map(({ id }) => id)
    after = rows.length < emailBatchSize ? undefined : rows.at(-1)?.id
  }
}

/** Enqueues the deletion of an account's emails that are stored as files, in the transaction that deletes the account. */
export async function deleteEmailFilesOfUser(tx: Db, mail: Pick<Mail, 'kind'>, userId: string): Promise<void> {
  if (mail.kind !== 'outbox') return
  for await (const emailIds of emailIdsOf(tx, 'user_id', userId))
    await enqueue(tx, { name: 'delete-outbox-emails', payload: { emailIds }, key: `forget:${emailIds[0]}` })
}

/** Deletes emails about a deleted photo that are stored as files: they contain the photo. */
export async function deleteEmailFilesOfPhoto({ db, mail }: EmailStore, photoId: string): Promise<void> {
  if (mail.kind !== 'outbox') return
  for await (const emailIds of emailIdsOf(db, 'photo_id', photoId)) await mail.deleteStored(emailIds)
}

/** Deletes emails, sent or not, and enqueues the deletion of their files. */
export async function deleteEmails(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.deleteFrom('emails').where('id', 'in', ids).execute()
  await enqueue(tx, { name: 'delete-outbox-emails', payload: { emailIds: [...ids] }, key: `forget:${ids[0]}` })
}

/** Enqueues due emails that have no job, deletes old emails, and enqueues the deletion of their files. */
export async function cleanUpEmails({ db }: Pick<EmailStore, 'db'>): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from emails where state = 'queued' and due_at < now() - interval '2 minutes'
      and (leased_until is null or leased_until < now())
      and not exists (select 1 from graphile_worker.jobs where jobs.key = 'email:' || emails.id and jobs.attempts < jobs.max_attempts)
    limit ${emailBatchSize}`.execute(db)
  await enqueueAll(db, sendEmailJobs(rows.map(({ id }) => id)))
  await db.transaction().execute(async (tx) => {
    const { rows: oldEmails } = await sql<{ id: string }>`
      select id from emails where state <> 'queued' and (due_at < now() - make_interval(days => ${limits.requestDays})
        or (kind = 'account-deleted' and due_at < now() - make_interval(hours => ${accountLimits.receiptHours})))
      order by kind = 'account-deleted' desc limit ${emailBatchSize} for update skip locked`.execute(tx)
    await deleteEmails(
      tx,
      oldEmails.map(({ id }) => id),
    )
  })
}

const selectEmails = (db: Db) =>
  db
    .selectFrom('emails')
    .leftJoin('users', 'users.id', 'emails.user_id')
    .select([
      'emails.id',
      'kind',
      'recipient',
      'state',
      'emails.created_at',
      'sent_at',
      'due_at',
      'attempts',
      'failure',
    ])
    .select(['emails.user_id', 'photo_id', 'username'])
    .select(sql<boolean>`coalesce(leased_until > now(), false)`.as('is_leased'))

type FoundEmail = Awaited<ReturnType<ReturnType<typeof selectEmails>['executeTakeFirstOrThrow']>>

const emailView = (row: FoundEmail): OperatorEmail => ({
  id: row.id,
  kind: row.kind,
  recipient: row.recipient,
  state: row.state === 'sent' || row.state === 'failed' ? row.state : row.is_leased ? 'sending' : 'waiting',
  created_at: row.created_at.toISOString(),
  sent_at: row.sent_at?.toISOString() ?? null,
  next_try_at: row.state === 'queued' && !row.is_leased ? row.due_at.toISOString() : null,
  attempts: row.attempts,
  reason: row.failure,
  account: row.user_id === null ? null : { id: row.user_id, username: row.username ?? '' },
})

/** Whether an email is a guest's: one with a photo, about a message to support, or of no account. */
const isToGuest = sql<boolean>`(kind in ('photo', 'event-grant', 'support-received') or user_id is null)`

/**
 * The emails to a mailbox, the newest first, as many as a page has, and how many there are. `keys`: of `storedMailboxKeys`;
 * emails about an account can be stored under the whole address.
 */
export async function emailsTo(
  db: Db,
  keys: string[],
): Promise<Pick<AddressDetails, 'emails' | 'total' | 'guest_emails'>> {
  const rows = await selectEmails(db)
    .where('recipient_key', 'in', keys)
    .orderBy('emails.created_at', 'desc')
    .orderBy('emails.id')
    .limit(adminLimits.pageDefault)
    .execute()
  const counts = await db
    .selectFrom('emails')
    .select(sql<number>`count(*)::int`.as('total'))
    .select(sql<number>`count(*) filter (where ${isToGuest})::int`.as('guest_emails'))
    .where('recipient_key', 'in', keys)
    .executeTakeFirstOrThrow()
  return { emails: rows.map(emailView), ...counts }
}

/** Undefined when there is no such email. */
export async function emailById(db: Db, id: string): Promise<OperatorEmail | undefined> {
  const row = await selectEmails(db).where('emails.id', '=', id).executeTakeFirst()
  return row && emailView(row)
}

/** Sends an email again, or now if it waits, for another 48 hours. */
export async function sendNow(tx: Db, id: string): Promise<'queued' | 'being sent' | 'no email'> {
  // Before the email, as the deletion of the account does.
  await sql`select from users where id = (select user_id from emails where id = ${id}) for key share`.execute(tx)
  const email = await tx
    .selectFrom('emails')
    .select(sql<boolean>`coalesce(leased_until > now(), false)`.as('isLeased'))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!email) return 'no email'
  if (email.isLeased) return 'being sent'
  await tx.updateTable('emails').set(queuedAgain()).where('id', '=', id).execute()
  await enqueueSendJob(tx, id)
  return 'queued'
}

/**
 * Deletes the emails to a guest's mailbox up to a time, with their files in the outbox folder: those with photos, and those
 * of no account. Those about an account are deleted with it. Resolves to how many.
 */
export async function deleteEmailsToGuest(tx: Db, keys: string[], before: Date): Promise<number> {
  await sql`
    select from users where id in (select user_id from emails where recipient_key = any(${keys}))
    order by id for key share`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    select id from emails where created_at <= ${before} and recipient_key = any(${keys}) and ${isToGuest}
    order by id for update`.execute(tx)
  await deleteEmails(
    tx,
    rows.map(({ id }) => id),
  )
  return rows.length
}

/** The mailboxes of guests to which there are emails. */
export async function guestMailboxes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ mailbox: string }>`
    select distinct recipient_key as mailbox from emails where ${isToGuest}`.execute(db)
  return rows.map(({ mailbox }) => mailbox)
}
