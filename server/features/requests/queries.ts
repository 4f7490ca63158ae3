import { sql, type RawBuilder } from 'kysely'
import type { Language } from '@keepsnap/contract/languages.ts'
import { emailLimits, limits } from '@keepsnap/contract/limits.ts'
import type { RequestState } from '@keepsnap/contract/requests.ts'
import { retention } from '@keepsnap/contract/retention.ts'
import { coalesce } from '../../db/coalesce.ts'
import type { Database, Db } from '../../db/connect.ts'
import { preparedLimit, prepareQuery } from '../../db/prepared-query.ts'
import { roomReasons } from '../../ports/mail/outbox-space.ts'

/**
 * Whether the same mailbox requested the same photo a moment ago, or is blocked. A request whose email has failed does not
 * count: its guest asks again.
 */
export async function isRepeatedOrBlocked(
  db: Db,
  { photoId, requesterKeys, mailboxHashes }: { photoId: string; requesterKeys: string[]; mailboxHashes: Buffer[] },
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select 1 from photo_requests join emails on emails.id = photo_requests.email_id
        where photo_requests.photo_id = ${photoId} and requester_key = any(${requesterKeys}) and emails.state <> 'failed'
          and requested_at > now() - make_interval(mins => ${emailLimits.repeatMinutes}))
      or exists (select 1 from blocked_mailboxes where mailbox_hash = any(${mailboxHashes})) as found`.execute(db)
  return rows[0]?.found === true
}

export interface NewRequest {
  id: string
  photoId: string
  userId: string
  emailId: string
  requesterEmail: string
  requesterKey: string
  consentVersion: string
  /** Of the page on which the photo was requested. */
  language: Language
}

export async function addRequest(db: Db, request: NewRequest): Promise<void> {
  await db
    .insertInto('photo_requests')
    .values({
      id: request.id,
      photo_id: request.photoId,
      user_id: request.userId,
      email_id: request.emailId,
      requester_email: request.requesterEmail,
      requester_key: request.requesterKey,
      consent_version: request.consentVersion,
      language: request.language,
    })
    .execute()
}

/** A request with its photo and its email. */
export interface RequestedPhotoRow {
  id: string
  requester_email: string
  requested_at: Date
  photo_id: string
  filename: string
  thumb_key: string | null
  hidden_at: Date | null
  operator_decision: string | null
  email_id: string
  state: string
  is_waiting: boolean
  awaits_verification: boolean
  /** Whether the photo could not be processed and its owner can retry it. */
  awaits_retry: boolean
  due_at: Date
  sent_at: Date | null
  failure: string | null
}

/** The same as `can_retry` of the photo. */
export const canRetryPhoto = sql<boolean>`(photos.state = 'failed' and photos.retry_helps and photos.original_key is not null)`

const requestColumns = sql`
  photo_requests.id, photo_requests.requester_email, photo_requests.requested_at, photo_requests.photo_id,
  photos.filename, photos.thumb_key, photos.hidden_at, photos.operator_decision,
  photo_requests.email_id, emails.state, emails.awaits_verification,
  -- The same as in shownState. An email that is due now is queued for a moment; one that a limit delays is waiting.
  emails.awaits_verification or (emails.attempts = 0 and emails.due_at > now() + interval '5 seconds') as is_waiting,
  ${canRetryPhoto} as awaits_retry, emails.due_at, emails.sent_at, emails.failure`

/**
 * The requests of an owner for photos that exist. `offset 0` makes PostgreSQL look up photo and email of each request by their ids:
 * with joins, it reads the photos of all accounts when it expects many rows.
 */
const requestsOfUser = (userId: string) => sql`
  photo_requests
    cross join lateral (select * from photos where photos.id = photo_requests.photo_id and photos.deleted_at is null offset 0) as photos
    cross join lateral (select * from emails where emails.id = photo_requests.email_id offset 0) as emails
  where photo_requests.user_id = ${userId}`

interface RequestPage {
  limit: number
  before?: string | undefined
}
/** Only requests whose address contains a text, in any case, and whose email has a state. */
interface RequestFilter {
  email?: string | undefined
  state?: RequestState | undefined
}
/** The number of requests, and of those whose email was sent or failed. */
interface RequestCounts {
  total: number
  sent: number
  failed: number
}
interface CountedPage extends RequestCounts {
  rows: RequestedPhotoRow[]
  all: RequestCounts
  /** When the oldest request was made; null without requests. */
  oldestAt: Date | null
  timeZone: string | null
}
type CountedRow = {
  total: number
  sent: number
  failed: number
  all_total: number
  all_sent: number
  all_failed: number
  oldest_at: Date | null
  time_zone: string | null
} & (RequestedPhotoRow | { id: null })

/** An owner's requests, newest first; with `before`, those older than that request. */
export interface RequestReads {
  page(userId: string, page: RequestPage): Promise<RequestedPhotoRow[]>
  countedPage(userId: string, page: RequestPage & RequestFilter): Promise<CountedPage>
  /** The number of addresses of requests that were made before a time. */
  addressesBefore(userId: string, before: Date): Promise<number>
}

/** A request for a photo that is deleted, which PostgreSQL looks up in a hash table of them. */
const isOfDeletedPhoto = (userId: string) => sql`
  photo_requests.photo_id in (select id from photos where user_id = ${userId} and deleted_at is not null)`

/** The state that `requestView` shows, of a row of `photo_requests` with its email. */
const shownState = sql<RequestState>`case
  when emails.state <> 'queued' then emails.state
  when emails.awaits_verification or (emails.attempts = 0 and emails.due_at > now() + interval '5 seconds')
    or emails.failure = any(${sql.lit(`{${roomReasons.map((reason) => JSON.stringify(reason)).join()}}`)}::text[])
    or exists (select from photos where photos.id = photo_requests.photo_id and ${canRetryPhoto}) then 'waiting'
  else 'queued' end`

/** The queries for lists: prepared statements, with identical concurrent queries coalesced. */
export function createRequestReads(db: Db, pool: Database['pool']): RequestReads {
  const pageOf = (condition: RawBuilder<unknown>): RawBuilder<RequestedPhotoRow> => sql`
    select ${requestColumns} from ${requestsOfUser('')} ${condition}
    order by photo_requests.requested_at desc, photo_requests.id desc limit ${preparedLimit}`
  const prepare = <Row extends object>(name: string, query: RawBuilder<Row>) =>
    coalesce(prepareQuery(pool, `requests ${name}`, query.compile(db)))
  const readPlace = prepare(
    'place',
    sql<{ at: string }>`select requested_at::text as at from photo_requests where id = ${''} and user_id = ${''}`,
  )
  const firstPage = prepare('first', pageOf(sql``))
  const olderPage = prepare(
    'older',
    pageOf(sql`and (photo_requests.requested_at, photo_requests.id) < (${''}::text::timestamptz, ${''})`),
  )
  // One pass over an owner's requests counts and finds them; photos are read for those of the page only. A page without requests is
  // one row, with the counts alone.
  const countedPage = prepare(
    'counted',
    sql<CountedRow>`
    with own as materialized (
      select photo_requests.id, requested_at, emails.state,
        (${''}::text is null or requester_email ilike ${''}::text) and (${''}::text is null or ${shownState} = ${''}::text) as is_found
      from photo_requests join emails on emails.id = photo_requests.email_id and emails.user_id = photo_requests.user_id
      where photo_requests.user_id = ${''} and not ${isOfDeletedPhoto('')}
    ), counts as (
      select (count(*) filter (where is_found))::int as total,
        (count(*) filter (where is_found and state = 'sent'))::int as sent,
        (count(*) filter (where is_found and state = 'failed'))::int as failed,
        count(*)::int as all_total, (count(*) filter (where state = 'sent'))::int as all_sent,
        (count(*) filter (where state = 'failed'))::int as all_failed, min(requested_at) as oldest_at,
        (select time_zone from users where id = ${''}) as time_zone
      from own
    ), page as (
      select id from own where is_found and (requested_at, id) < (${''}::text::timestamptz, ${''})
      order by requested_at desc, id desc limit ${preparedLimit}
    )
    select * from counts left join (
      select ${requestColumns} from ${requestsOfUser('')} and photo_requests.id in (select id from page)
    ) as requests on true order by requested_at desc, id desc`,
  )
  const addressesBefore = prepare(
    'addresses before',
    sql<{ addresses: number }>`
    select count(distinct requester_key)::int as addresses from photo_requests
    where user_id = ${''} and requested_at < ${''}::text::timestamptz and not ${isOfDeletedPhoto('')}`,
  )
  /** The parameters that select older requests: their place, as values, so that PostgreSQL knows how many there are. No request is older than one that does not exist. */
  const placeOf = async (userId: string, before: string): Promise<string[]> => {
    const [place] = await readPlace([before, userId])
    return place ? [place.at, before] : ['-infinity', '']
  }
  return {
    async page(userId, { limit, before }) {
      if (before === undefined) return firstPage([userId, limit])
      return olderPage([userId, ...(await placeOf(userId, before)), limit])
    },
    async countedPage(userId, { limit, before, email, state }) {
      const pattern = email === undefined ? null : `%${email.replaceAll(/[\\%_]/g, '\\$&')}%`
      const place = before === undefined ? ['infinity', ''] : await placeOf(userId, before)
      const filter = [pattern, pattern, state ?? null, state ?? null]
      const rows = await countedPage([...filter, userId, userId, userId, ...place, limit, userId])
      const counts = rows[0] ?? ({} as CountedRow)
      return {
        rows: rows.filter((row) => row.id !== null),
        total: counts.total,
        sent: counts.sent,
        failed: counts.failed,
        all: { total: counts.all_total, sent: counts.all_sent, failed: counts.all_failed },
        oldestAt: counts.oldest_at,
        timeZone: counts.time_zone,
      }
    },
    async addressesBefore(userId, before) {
      const [row] = await addressesBefore([userId, before.toISOString(), userId])
      return row?.addresses ?? 0
    },
  }
}

export const requestOf = async (db: Db, userId: string, id: string): Promise<RequestedPhotoRow | undefined> => {
  const { rows } = await sql<RequestedPhotoRow>`
    select ${requestColumns} from ${requestsOfUser(userId)} and photo_requests.id = ${id}`.execute(db)
  return rows[0]
}

/** False for a photo that could not be processed and cannot be retried. */
export async function mayBecomeReady(db: Db, photoId: string): Promise<boolean> {
  const photo = await db
    .selectFrom('photos')
    .select(sql<boolean>`photos.state <> 'failed' or ${canRetryPhoto}`.as('may'))
    .where('id', '=', photoId)
    .executeTakeFirst()
  return photo?.may === true
}

/** The request that an email answers. */
export const requestByEmail = (db: Db, emailId: string): Promise<{ id: string; user_id: string } | undefined> =>
  db.selectFrom('photo_requests').select(['id', 'user_id']).where('email_id', '=', emailId).executeTakeFirst()

/**
 * Creates the grant for a request's email, valid for some hours from now; extends it when the email is sent again. Its
 * expiry, or undefined when the photo has just been deleted.
 */
export async function addGrant(
  tx: Db,
  grant: { hash: Buffer; photoId: string; requestId: string; hours: number },
): Promise<Date | undefined> {
  const { rows: grants } = await sql<{ expires_at: Date }>`
    insert into grants (grant_hash, photo_id, request_id, expires_at)
    select ${grant.hash}, id, ${grant.requestId}, now() + make_interval(hours => ${grant.hours})
      from photos where id = ${grant.photoId} for key share
    on conflict (grant_hash) do update set expires_at = excluded.expires_at
    returning expires_at`.execute(tx)
  return grants[0]?.expires_at
}

/** Deletes expired grants, and old requests with the addresses of guests. */
export async function deleteOldRequests(db: Db): Promise<void> {
  await db
    .deleteFrom('grants')
    .where('expires_at', '<', sql<Date>`now() - make_interval(days => ${retention.expiredLinkDays})`)
    .execute()
  await db
    .deleteFrom('photo_requests')
    .where('requested_at', '<', sql<Date>`now() - make_interval(days => ${limits.requestDays})`)
    .execute()
}

/** The language in which a photo was requested; null for requests of earlier versions. */
export async function languageOfRequest(db: Db, id: string): Promise<string | null> {
  const request = await db.selectFrom('photo_requests').select('language').where('id', '=', id).executeTakeFirst()
  return request?.language ?? null
}

/** How many requests a mailbox has made. `keys`: of `storedMailboxKeys`. */
export async function countRequestsOf(db: Db, keys: string[]): Promise<number> {
  const { count } = await db
    .selectFrom('photo_requests')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('requester_key', 'in', keys)
    .executeTakeFirstOrThrow()
  return count
}

/** Deletes the requests of a mailbox up to a time, and with them the links to the photos. Resolves to how many. */
export async function deleteRequestsOf(tx: Db, keys: string[], before: Date): Promise<number> {
  // Owners first, in one order, as everything that writes rows of an account does.
  await sql`
    select from users where id in (select user_id from photo_requests where requester_key = any(${keys}))
    order by id for key share`.execute(tx)
  const { numDeletedRows } = await tx
    .deleteFrom('photo_requests')
    .where('requester_key', 'in', keys)
    .where('requested_at', '<=', before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Every mailbox that has requested a photo. */
export const requesterMailboxes = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('photo_requests').select('requester_key').distinct().execute()).map((row) => row.requester_key)
