import { sql } from 'kysely'
import { emailLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../db/connect.ts'
import { enqueueAll } from '../jobs/queue.ts'
import { roomReasons } from '../ports/mail/outbox-space.ts'
import type { EmailRow } from './composers.ts'

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
      due_at: sql<Date>`now()`,
      give_up_at: sql<Date>`now() + make_interval(hours => ${emailLimits.giveUpHours})`,
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
export const markSent = (tx: Db, email: EmailRow, fileBytes: number | undefined): Promise<EmailRow | undefined> =>
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
export const markFailed = (tx: Db, email: EmailRow, failure: string): Promise<EmailRow | undefined> =>
  updateIfCurrent(tx, email)
    .set({ state: 'failed', leased_until: null, server_unreachable: false, failure })
    .returningAll()
    .executeTakeFirst()

/** Delays an email, but not beyond the time at which it is given up. Undefined when that time has come. */
export const postpone = (
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
export const awaitContent = (tx: Db, email: EmailRow, waitMs: number): Promise<EmailRow | undefined> => {
  const dueTime = sql<Date>`now() + make_interval(secs => ${waitMs / 1000})`
  return updateIfCurrent(tx, email)
    .set({
      leased_until: null,
      attempts: email.attempts - 1,
      failure: null,
      server_unreachable: false,
      due_at: dueTime,
      give_up_at: sql<Date>`${dueTime} + make_interval(hours => ${emailLimits.giveUpHours})`,
    })
    .returningAll()
    .executeTakeFirst()
}

export const emailExists = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('emails').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/** Whether any email waits because the mail server could not be reached. */
export async function isAnyAwaitingServer(db: Db): Promise<boolean> {
  const found = await db
    .selectFrom('emails')
    .select('id')
    .where('state', '=', 'queued')
    .where('server_unreachable', '=', true)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether any email waits because there is no room for it in the outbox folder. */
export async function isAnyAwaitingRoom(db: Db): Promise<boolean> {
  const found = await db
    .selectFrom('emails')
    .select('id')
    .where('state', '=', 'queued')
    .where('server_unreachable', '=', true)
    .where('failure', 'in', roomReasons)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Makes every email due that waits only because the mail server could not be reached. Resolves with their number. */
export async function retryEmailsAwaitingServer(db: Db): Promise<number> {
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
