import { sql } from 'kysely'
import { emailKey } from '@keepsnap/contract/emails.ts'
import type { LetterKind } from '@keepsnap/contract/guest.ts'
import { accountLimits, letterLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../db/connect.ts'
import { enqueue } from '../jobs/queue.ts'
import { whenDue, type Cap, type Newest } from './due.ts'

/** A letter to be sent. Nothing secret belongs into `facts`: the composer draws links when the letter goes. */
export interface NewLetter {
  id: string
  kind: LetterKind
  userId?: string
  photoId?: string
  /** One plain address. */
  email: string
  facts: Readonly<Record<string, string | number | boolean | null>>
  /** What limits count it under; otherwise the address itself. */
  emailKey?: string
  /** As told by `dueTime`; otherwise at once. */
  dueAt?: Date
}

/** Letters to one address are counted by one at a time, until the transaction ends. */
export async function lockAddress(tx: Db, key: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`letters to ${key}`}, 0))`.execute(tx)
}

/** The job that sends a letter, in place of one that waits already. */
export const enqueueSending = (tx: Db, id: string, at?: Date): Promise<void> =>
  enqueue(tx, { name: 'send-letter', payload: { letterId: id }, key: `letter:${id}`, ...(at && { at }) })

/**
 * Writes a letter in the transaction of its cause: it goes when, and only when, that commits. It is given up 48 hours
 * after it was due.
 */
export async function writeLetter(tx: Db, letter: NewLetter): Promise<void> {
  const { id, kind, userId, photoId, email, facts, dueAt } = letter
  const due = dueAt ? sql<Date>`greatest(${dueAt}::timestamptz, now())` : sql<Date>`now()`
  await tx
    .insertInto('letters')
    .values({
      id,
      kind,
      user_id: userId ?? null,
      photo_id: photoId ?? null,
      email,
      email_key: letter.emailKey ?? emailKey(email),
      facts: JSON.stringify(facts),
      due_at: due,
      give_up_at: sql<Date>`${due} + make_interval(hours => ${letterLimits.giveUpHours})`,
    })
    .execute()
  await enqueueSending(tx, id, dueAt)
}

/**
 * When a new letter with a photo may go, or the name of the limit for which it cannot be accepted. Exact for addresses:
 * others who ask about the same address wait until this transaction ends. The day's counts of photos and owners may be
 * overrun by as many as ask at the same moment.
 */
export async function dueTime(
  tx: Db,
  { emailKey: key, photoId, ownerId }: { emailKey: string; photoId: string; ownerId: string },
): Promise<Date | Cap> {
  await lockAddress(tx, key)
  const { perAddressHour, perAddressDay, perPhotoDay, perOwnerDay } = letterLimits
  // The lock was waited for, so now() is past; the clock is not.
  const { rows } = await sql<Newest & { now: Date }>`select clock_timestamp() as now,
    (select due_at from letters where kind = 'photo' and not held and email_key = ${key}
      order by due_at desc offset ${perAddressHour - 1} limit 1) as "addressHour",
    (select due_at from letters where kind = 'photo' and not held and email_key = ${key}
      order by due_at desc offset ${perAddressDay - 1} limit 1) as "addressDay",
    (select due_at from letters where kind = 'photo' and not held and photo_id = ${photoId}
      order by due_at desc offset ${perPhotoDay - 1} limit 1) as "photoDay",
    (select due_at from letters where kind = 'photo' and user_id = ${ownerId}
      order by due_at desc offset ${perOwnerDay - 1} limit 1) as "ownerDay"`.execute(tx)
  const [
    { now, ...newest } = { now: new Date(), addressHour: null, addressDay: null, photoDay: null, ownerDay: null },
  ] = rows
  return whenDue(now, newest)
}

/**
 * Whether one more letter of a kind may go to an address: three an hour, ten a day; promises.md T29. Others who ask about
 * the same address wait until this transaction ends.
 */
export async function hasRoom(tx: Db, kind: 'reset' | 'verify', key: string): Promise<boolean> {
  await lockAddress(tx, key)
  // The receipt of an account that was deleted speaks for the letters that went with it.
  const kinds = kind === 'verify' ? ['verify', 'account-deleted'] : [kind]
  const { rows } = await sql<{ hour: number; day: number }>`
    select count(*) filter (where created_at > now() - interval '1 hour') as hour, count(*) as day from letters
    where email_key = ${key} and kind <> 'photo' and kind = any(${kinds}) and created_at > now() - interval '1 day'`.execute(
    tx,
  )
  const [{ hour, day } = { hour: 0, day: 0 }] = rows
  return hour < accountLimits.linksPerHour && day < accountLimits.linksPerDay
}

/** Sends a failed letter again, with another 48 hours. False when it is not a failed one. */
export async function resendLetter(tx: Db, id: string): Promise<boolean> {
  const again = await tx
    .updateTable('letters')
    .set({
      state: 'queued',
      attempts: 0,
      failure: null,
      unreachable: false,
      leased_until: null,
      due_at: sql<Date>`now()`,
      give_up_at: sql<Date>`now() + make_interval(hours => ${letterLimits.giveUpHours})`,
    })
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .returning('id')
    .executeTakeFirst()
  if (again) await enqueueSending(tx, id)
  return again !== undefined
}
