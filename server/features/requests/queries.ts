import { sql } from 'kysely'
import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import { letterLimits, limits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../db/connect.ts'
import type { Addresses } from '../../domain/addresses.ts'

/** Whether one more letter is not wanted: the same address asked for the same photo a moment ago, or takes no photos. */
export async function isUnwanted(
  db: Db,
  { photoId, emailKey, block }: { photoId: string; emailKey: string; block: Buffer },
): Promise<boolean> {
  const { rows } = await sql<{ unwanted: boolean }>`
    select exists (select 1 from photo_requests where photo_id = ${photoId} and email_key = ${emailKey}
        and requested_at > now() - make_interval(mins => ${letterLimits.repeatMinutes}))
      or exists (select 1 from blocked_mailboxes where block = ${block}) as unwanted`.execute(db)
  return rows[0]?.unwanted === true
}

export interface NewRequest {
  id: string
  photoId: string
  userId: string
  letterId: string
  email: string
  emailKey: string
  consentVersion: string
}

export async function addRequest(db: Db, request: NewRequest): Promise<void> {
  await db
    .insertInto('photo_requests')
    .values({
      id: request.id,
      photo_id: request.photoId,
      user_id: request.userId,
      letter_id: request.letterId,
      email: request.email,
      email_key: request.emailKey,
      consent_version: request.consentVersion,
    })
    .execute()
}

/** A request, its photo and its letter. */
export interface RequestRow {
  id: string
  email: string
  requested_at: Date
  photo_id: string
  filename: string
  thumb_key: string | null
  hidden: boolean
  letter_id: string
  state: string
  is_waiting: boolean
  held: boolean
  due_at: Date
  sent_at: Date | null
  failure: string | null
}

const requests = (db: Db, userId: string) =>
  db
    .selectFrom('photo_requests as r')
    .innerJoin('photos as p', 'p.id', 'r.photo_id')
    .innerJoin('letters as l', 'l.id', 'r.letter_id')
    .where('r.user_id', '=', userId)
    .where('p.deleted_at', 'is', null)

const columns = [
  'r.id',
  'r.email',
  'r.requested_at',
  'r.photo_id',
  'p.filename',
  'p.thumb_key',
  sql<boolean>`p.hidden_at is not null`.as('hidden'),
  'r.letter_id',
  'l.state',
  // A letter in its turn is queued for a moment; one that a limit holds back waits.
  sql<boolean>`l.held or (l.attempts = 0 and l.due_at > now() + interval '5 seconds')`.as('is_waiting'),
  'l.held',
  'l.due_at',
  'l.sent_at',
  'l.failure',
] as const

/** Newest first, those before a given one. */
export async function requestsOf(
  db: Db,
  userId: string,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<RequestRow[]> {
  let query = requests(db, userId).select(columns)
  if (before !== undefined) {
    query = query.where(
      sql<boolean>`(r.requested_at, r.id) < (select b.requested_at, b.id from photo_requests b where b.id = ${before} and b.user_id = ${userId})`,
    )
  }
  return query.orderBy('r.requested_at', 'desc').orderBy('r.id', 'desc').limit(limit).execute()
}

export const requestOf = (db: Db, userId: string, id: string): Promise<RequestRow | undefined> =>
  requests(db, userId).select(columns).where('r.id', '=', id).executeTakeFirst()

/** How many requests there are, and what became of their letters. */
export async function requestCounts(db: Db, userId: string): Promise<{ total: number; sent: number; failed: number }> {
  return requests(db, userId)
    .select([
      sql<number>`count(*)::int`.as('total'),
      sql<number>`(count(*) filter (where l.state = 'sent'))::int`.as('sent'),
      sql<number>`(count(*) filter (where l.state = 'failed'))::int`.as('failed'),
    ])
    .executeTakeFirstOrThrow()
}

/** The request behind a letter. */
export const requestByLetter = (db: Db, letterId: string): Promise<{ id: string; user_id: string } | undefined> =>
  db.selectFrom('photo_requests').select(['id', 'user_id']).where('letter_id', '=', letterId).executeTakeFirst()

/**
 * The link of a request's letter, good from now for its hours. The same link is prolonged when it is sent again. Undefined
 * when the photo went in this very moment.
 */
export async function addGrant(
  tx: Db,
  grant: { hash: Buffer; photoId: string; requestId: string; hours: number },
): Promise<Date | undefined> {
  const { rows } = await sql<{ expires_at: Date }>`
    insert into grants (grant_hash, photo_id, request_id, expires_at)
    select ${grant.hash}, id, ${grant.requestId}, now() + make_interval(hours => ${grant.hours})
      from photos where id = ${grant.photoId} for key share
    on conflict (grant_hash) do update set expires_at = excluded.expires_at
    returning expires_at`.execute(tx)
  return rows[0]?.expires_at
}

/** Links that no longer open anything, and addresses of people that are no longer needed. */
export async function sweepRequests(db: Db): Promise<void> {
  await db
    .deleteFrom('grants')
    .where('expires_at', '<', sql<Date>`now() - interval '7 days'`)
    .execute()
  await db
    .deleteFrom('photo_requests')
    .where('requested_at', '<', sql<Date>`now() - make_interval(days => ${limits.requestDays})`)
    .execute()
}

const stateOf = ({ state, is_waiting }: RequestRow): PhotoRequest['state'] => {
  if (state === 'sent' || state === 'failed') return state
  return is_waiting ? 'waiting' : 'queued'
}

const keptHere = 'Kept in the outbox folder of this machine: no mail server is set up.'

/** The request on the wire, for the photo's owner. With `outbox`, letters go into a folder, and that is said. */
export const requestView =
  (addresses: Addresses, { outbox }: { outbox: boolean }) =>
  (row: RequestRow): PhotoRequest => ({
    id: row.id,
    requester_email: row.email,
    requested_at: row.requested_at.toISOString(),
    photo: {
      id: row.photo_id,
      filename: row.filename,
      thumbnail_url: row.thumb_key === null ? null : addresses.thumbnail(row.thumb_key, row.hidden),
    },
    state: stateOf(row),
    due_at: row.state === 'queued' && !row.held ? row.due_at.toISOString() : null,
    sent_at: row.sent_at?.toISOString() ?? null,
    failure: outbox && row.state === 'sent' ? keptHere : row.failure,
  })
