import { sql } from 'kysely'
import { accountLimits, limits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../db/connect.ts'
import { enqueue, enqueueAll } from '../jobs/queue.ts'
import type { Mail } from '../ports/mail/mail.ts'
import { sendEmailJobs } from './queries.ts'

const emailBatchSize = 1_000

interface EmailStore {
  db: Db
  mail: Mail
}

/** Ids of the emails of an account or about a photo, in batches. */
async function* emailIdsOf(db: Db, column: 'user_id' | 'photo_id', value: string): AsyncGenerator<string[]> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows: { id: string }[] = await db
      .selectFrom('emails')
      .select('id')
      .where(column, '=', value)
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
