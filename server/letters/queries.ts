import { sql } from 'kysely'
import { accountLimits, letterLimits, limits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../db/connect.ts'
import type { Mail } from '../ports/mail/mail.ts'
import { enqueue, enqueueAll } from '../jobs/queue.ts'
import type { LetterRow } from './composers.ts'
import { lockAddress } from './write.ts'

/** Longer than any attempt takes, a second one without the attachment included. */
const leaseMinutes = 5
const batch = 1_000

/** When the limits of an address leave room for one more letter that really goes; null: now. Counts those on their way. */
async function roomAt(tx: Db, { id, email_key: key }: LetterRow): Promise<Date | null> {
  const { perAddressHour, perAddressDay } = letterLimits
  const others = sql`select due_at from letters where kind = 'photo' and email_key = ${key} and id <> ${id}
    and (state = 'sent' or leased_until > now()) order by due_at desc`
  const { rows } = await sql<{ at: Date }>`
    select at from (select greatest((${others} offset ${perAddressHour - 1} limit 1) + interval '1 hour',
      (${others} offset ${perAddressDay - 1} limit 1) + interval '1 day') as at) as room
    where at > clock_timestamp()`.execute(tx)
  return rows[0]?.at ?? null
}

const notConfirmed =
  'It waits until you confirm your e-mail address: the letter with the link can be sent again from Settings.'
const neverConfirmed = 'Your e-mail address was not confirmed in time.'

/** Whether its owner has sent as many letters to guests today as an account may whose address is not confirmed. */
async function mustWait(tx: Db, { id, user_id: userId }: LetterRow): Promise<boolean> {
  const isOpen = sql<boolean>`exists (select 1 from users where id = ${userId} and email_verified_at is null)`
  const { rows } = await sql<{ open: boolean }>`select ${isOpen} as open`.execute(tx)
  if (!rows[0]?.open) return false
  await sql`select pg_advisory_xact_lock(hashtextextended(${`letters of ${userId}`}, 0))`.execute(tx)
  const { rows: sent } = await sql`
    select 1 from letters where kind = 'photo' and user_id = ${userId} and id <> ${id}
      and (state = 'sent' or leased_until > now()) and due_at > now() - interval '1 day'
    limit ${accountLimits.unverifiedPerDay}`.execute(tx)
  return sent.length >= accountLimits.unverifiedPerDay
}

/** Puts a letter aside until its owner's address is confirmed; fails it when that has not happened for too long. */
const hold = (tx: Db, { id, held: wasHeld }: LetterRow): Promise<LetterRow> => {
  const until = sql<Date>`now() + make_interval(days => ${limits.requestDays})`
  return tx
    .updateTable('letters')
    .set(
      wasHeld
        ? { state: 'failed', held: false, failure: neverConfirmed }
        : { held: true, unreachable: false, failure: notConfirmed, due_at: until, give_up_at: until },
    )
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Lets the letters go that waited for their owner's address to be confirmed. */
export async function releaseHeld(tx: Db, userId: string): Promise<void> {
  const released = await tx
    .updateTable('letters')
    .set({
      held: false,
      failure: null,
      due_at: sql<Date>`now()`,
      give_up_at: sql<Date>`now() + make_interval(hours => ${letterLimits.giveUpHours})`,
    })
    .where('user_id', '=', userId)
    .where('held', '=', true)
    .returning('id')
    .execute()
  await enqueueAll(tx, sendingOf(released.map(({ id }) => id)))
}

/** What is to become of a letter now: an attempt, a later moment, or nothing because it was put aside. */
export type Leased = { now: LetterRow } | { comeBack: Date } | { aside: LetterRow }

/**
 * Takes a letter for one attempt, so that no two go on at a time; for five minutes, should this program die.
 * With `holds`, letters to guests wait when they are more than an account with an unconfirmed address may send.
 * @returns undefined when there is nothing left to do
 */
export async function lease(tx: Db, id: string, holds: boolean): Promise<Leased | undefined> {
  const letter = await tx
    .selectFrom('letters')
    .selectAll()
    .select([
      sql<boolean>`leased_until > now()`.as('isTaken'),
      // Jobs are timed by milliseconds, rows by microseconds.
      sql<boolean>`due_at > now() + interval '100 milliseconds'`.as('isEarly'),
    ])
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .forUpdate()
    .executeTakeFirst()
  if (!letter) return undefined
  if (letter.isTaken && letter.leased_until) return { comeBack: letter.leased_until }
  if (letter.isEarly) return { comeBack: letter.due_at }
  if (letter.kind === 'photo') {
    if (holds && (await mustWait(tx, letter))) return { aside: await hold(tx, letter) }
    await lockAddress(tx, letter.email_key)
    const at = await roomAt(tx, letter)
    if (at) {
      const giveUpAt = sql<Date>`greatest(give_up_at, ${at}::timestamptz + make_interval(hours => 1))`
      await tx.updateTable('letters').set({ due_at: at, give_up_at: giveUpAt }).where('id', '=', id).execute()
      return { comeBack: at }
    }
  }
  return { now: await take(tx, id) }
}

const take = (tx: Db, id: string): Promise<LetterRow> =>
  tx
    .updateTable('letters')
    .set({
      attempts: sql<number>`attempts + 1`,
      held: false,
      due_at: sql<Date>`clock_timestamp()`,
      leased_until: sql<Date>`clock_timestamp() + make_interval(mins => ${leaseMinutes})`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

const held = (tx: Db, { id, attempts }: LetterRow) =>
  tx.updateTable('letters').where('id', '=', id).where('state', '=', 'queued').where('attempts', '=', attempts)

/** The letter is with the mail server. Undefined when another attempt has overtaken this one. */
export const markSent = (tx: Db, letter: LetterRow): Promise<LetterRow | undefined> =>
  held(tx, letter)
    .set({
      state: 'sent',
      sent_at: sql<Date>`now()`,
      due_at: sql<Date>`now()`,
      leased_until: null,
      unreachable: false,
      failure: null,
    })
    .returningAll()
    .executeTakeFirst()

export const markFailed = (tx: Db, letter: LetterRow, failure: string): Promise<LetterRow | undefined> =>
  held(tx, letter)
    .set({ state: 'failed', leased_until: null, unreachable: false, failure })
    .returningAll()
    .executeTakeFirst()

/** Puts a letter back until later, but not beyond the hour in which it is given up. Undefined when that has come. */
export const postpone = (
  tx: Db,
  letter: LetterRow,
  how: { ms: number; failure: string | null; unreachable: boolean; counts: boolean },
): Promise<LetterRow | undefined> =>
  held(tx, letter)
    .where('give_up_at', '>', sql<Date>`now()`)
    .set({
      leased_until: null,
      unreachable: how.unreachable,
      failure: how.failure,
      attempts: how.counts ? letter.attempts : letter.attempts - 1,
      due_at: sql<Date>`least(now() + make_interval(secs => ${how.ms / 1000}), give_up_at)`,
    })
    .returningAll()
    .executeTakeFirst()

export async function isAnyUnreachable(db: Db): Promise<boolean> {
  const found = await db
    .selectFrom('letters')
    .select('id')
    .where('state', '=', 'queued')
    .where('unreachable', '=', true)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether there is such a letter still. */
export const isWritten = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('letters').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

const sendingOf = (ids: readonly string[]) =>
  ids.map((id) => ({ name: 'send-letter' as const, payload: { letterId: id }, key: `letter:${id}` }))

/** Every letter that waits only because the mail server was away goes now. Resolves with their number. */
export async function pullForward(db: Db): Promise<number> {
  for (let pulled = 0; ;) {
    const ids = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ id: string }>`
        update letters set due_at = now(), unreachable = false where id in (
          select id from letters where state = 'queued' and unreachable and (leased_until is null or leased_until < now())
          limit ${batch} for update skip locked) returning id`.execute(tx)
      await enqueueAll(tx, sendingOf(rows.map(({ id }) => id)))
      return rows
    })
    pulled += ids.length
    if (ids.length < batch) return pulled
  }
}

interface Outgoing {
  db: Db
  mail: Mail
}

/** Ids of the letters of an account or about a photo, in pages. */
async function* lettersOf(db: Db, column: 'user_id' | 'photo_id', whose: string): AsyncGenerator<string[]> {
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('letters')
      .select('id')
      .where(column, '=', whose)
      .where('id', '>', after)
      .orderBy('id')
      .limit(batch)
      .execute()
    if (rows.length) yield rows.map(({ id }) => id)
    if (rows.length < batch) return
    after = rows.at(-1)!.id
  }
}

/** The account of these letters is being deleted: what of them is kept as files goes by a job, whatever happens next. */
export async function forgetLetters(tx: Db, mail: Pick<Mail, 'kind'>, userId: string): Promise<void> {
  if (mail.kind !== 'outbox') return
  for await (const letterIds of lettersOf(tx, 'user_id', userId))
    await enqueue(tx, { name: 'forget-letters', payload: { letterIds }, key: `forget:${letterIds[0]}` })
}

/** The same for a photo that was deleted, at once: guests' letters hold it. */
export async function forgetPhoto({ db, mail }: Outgoing, photoId: string): Promise<void> {
  if (mail.kind !== 'outbox') return
  for await (const letterIds of lettersOf(db, 'photo_id', photoId)) await mail.forget(letterIds)
}

/** Letters that are due although no job will come for them, and letters whose people need not be known any more. */
export async function sweepLetters({ db, mail }: Outgoing): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from letters l where state = 'queued' and due_at < now() - interval '2 minutes'
      and (leased_until is null or leased_until < now())
      and not exists (select 1 from graphile_worker.jobs j where j.key = 'letter:' || l.id and j.attempts < j.max_attempts)
    limit ${batch}`.execute(db)
  await enqueueAll(db, sendingOf(rows.map(({ id }) => id)))
  const { rows: old } = await sql<{ id: string }>`delete from letters where id in (
    select id from letters where state <> 'queued' and due_at < now() - make_interval(days => ${limits.requestDays})
    limit ${batch}) returning id`.execute(db)
  await mail.forget(old.map(({ id }) => id))
  await sql`delete from letters where kind = 'account-deleted' and state <> 'queued'
    and due_at < now() - make_interval(hours => ${accountLimits.receiptHours})`.execute(db)
}
