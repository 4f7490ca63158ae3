import { Readable } from 'node:stream'
import { type RawBuilder, sql } from 'kysely'
import { limits, retention } from '@keepsnap/contract/limits.ts'
import {
  exportPhotoRequests,
  listPhotoRequests,
  type PhotoRequest,
  type RequestState,
  resendFailedRequests,
  resendPhotoRequest,
} from '@keepsnap/contract/guests.ts'
import { canonicalTimeZone } from '@keepsnap/contract/languages.ts'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import { coalesce, preparedLimit, prepareQuery } from '../../platform/db/prepared-query.ts'
import type { Database, Db } from '../../platform/db/connect.ts'
import { roomReasons } from '../../ports/mail/outbox.ts'
import { chosenEvent } from '../events/chosen-event.ts'
import { ownerThumbnailUrl } from '../photos/photo-view.ts'
import type { Urls } from '../photos/urls.ts'
import type { Dependencies } from '../../dependencies.ts'
import { languageOfUser } from '../emails/compose.ts'
import { findDueTime, queueEmail, resendEmail } from '../emails/queue-email.ts'
import { isId, newId } from '../../lib/ids.ts'
import { mailboxKey, mailboxKeys } from '../../lib/email-address.ts'
import { publish } from '../../platform/live/bus.ts'
import { contentDisposition } from '../../lib/headers.ts'
import { createCsvWriter, type CsvWriter } from '../../lib/csv.ts'
import { Fault } from '../../faults.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { blockedMailboxesOf } from './unsubscribe.ts'

/** What the owner calls: who requested which photo, the state of the email, and resending one. */
export function ownerRequestRoutes(serve: Serve, deps: Dependencies): void {
  const { db, pool, urls, mail, guestRenderer } = deps
  const requestReads = createRequestReads(db, pool)
  const viewRequest = requestView(urls, { outbox: mail.kind === 'outbox' })

  serve(listPhotoRequests, async ({ query }, { actor, reply }) => {
    const { limit = defaultRequestsPerPage, ...filter } = query
    await chosenEvent(db, actor, query.event)
    const page = await requestReads.countedPage(actor.userId, { ...filter, limit: limit + 1 })
    const { rows, oldestAt, timeZone, ...counts } = page
    const shownRequests = rows.slice(0, limit)
    const lastRequest = shownRequests.at(-1)
    if (rows.length > limit && lastRequest) reply.header('x-next-before', lastRequest.id)
    const removal = oldestAt && query.before === undefined ? nextRemovalDay(oldestAt, timeZone) : undefined
    const next_removal = removal
      ? {
          at: removal.at.toISOString(),
          addresses: await requestReads.addressesBefore(actor.userId, removal.requestedBefore, query.event),
        }
      : null
    return { requests: shownRequests.map(viewRequest), ...counts, next_removal }
  })

  serve(exportPhotoRequests, async ({ query }, { actor, reply }) => {
    const event = await chosenEvent(db, actor, query.event)
    const readPage = (before?: string): Promise<RequestedPhotoRow[]> =>
      requestReads.page(actor.userId, { limit: limits.requestsMax, before, event })
    const firstPage = await readPage()
    const exportDay = new Date().toISOString().slice(0, 10)
    reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': contentDisposition('attachment', `photo-requests-${exportDay}.csv`),
      'cache-control': 'no-store',
    })
    const csv = createCsvWriter(await languageOfUser(db, actor.userId), guestRenderer.translateCsv)
    await reply.send(Readable.from(requestCsvLines(csv, firstPage, readPage, viewRequest)))
  })

  serve(resendPhotoRequest, async ({ params }, { actor }) => {
    const foundRequest = isId(params.id) ? await requestOf(db, actor.userId, params.id) : undefined
    if (!foundRequest) throw requestNotFound()
    const isResent = await db.transaction().execute(async (tx) => {
      const wasFailed = await resendEmail(tx, foundRequest.email_id)
      if (wasFailed) await publishRequestsOf(tx, foundRequest.email_id)
      return wasFailed
    })
    if (!isResent) throw new Fault('conflict', 'Only failed emails can be resent.')
    const resentRequest = await requestOf(db, actor.userId, params.id)
    if (!resentRequest) throw requestNotFound()
    return viewRequest(resentRequest)
  })

  serve(resendFailedRequests, (_, { actor }) => resendFailedOf(deps, actor.userId))
}

const requestNotFound = (): Fault => new Fault('not_found', 'This request does not exist.')
const defaultRequestsPerPage = 100

/** Tells owners' pages about the requests that an email answers: several, when their photos were requested together. */
export async function publishRequestsOf(tx: Db, emailId: string): Promise<void> {
  const requests = await tx
    .selectFrom('photo_requests')
    .select(['id', 'user_id'])
    .where('email_id', '=', emailId)
    .execute()
  for (const { id: request, user_id: user } of requests) await publish(tx, { kind: 'request', user, request })
}

/** All requests of an owner as lines of a CSV file. Reads page by page; the first page is passed in. */
async function* requestCsvLines(
  csv: CsvWriter,
  firstPage: RequestedPhotoRow[],
  readNextPage: (before: string) => Promise<RequestedPhotoRow[]>,
  viewRequest: ReturnType<typeof requestView>,
): AsyncGenerator<string, void, undefined> {
  const lineOf = ({
    requester_email: requester,
    requested_at,
    photo,
    state,
    sent_at,
    failure,
  }: PhotoRequest): string => {
    const [requestedAt, sentAt] = [new Date(requested_at), sent_at === null ? null : new Date(sent_at)]
    const reason = failure === null ? null : csv.translate(failure)
    return csv.line([requester, photo.filename, photo.id, requestedAt, csv.translate(state), sentAt, reason])
  }
  yield csv.heading(['Requester', 'Photo', 'Photo ID', 'Requested (UTC)', 'State', 'Sent (UTC)', 'Reason'])
  for (let page = firstPage; page.length;) {
    yield page.map((row) => lineOf(viewRequest(row))).join('')
    const lastRequest = page.at(-1)
    page = lastRequest && page.length === limits.requestsMax ? await readNextPage(lastRequest.id) : []
  }
}

/** A request as the API returns it to the photo's owner. With `outbox`, emails are only saved to a folder. */
export const requestView =
  (urls: Urls, { outbox }: { outbox: boolean }) =>
  (requestRow: RequestedPhotoRow): PhotoRequest => {
    // Nobody knows when there is room again in the outbox folder.
    const awaitsRoom = requestRow.failure !== null && roomReasons.includes(requestRow.failure)
    // Nor when the owner retries the photo.
    const awaitsRetry = requestRow.state === 'queued' && !requestRow.awaits_verification && requestRow.awaits_retry
    const isTimeUnknown = awaitsRoom || awaitsRetry
    const isScheduled = requestRow.state === 'queued' && !requestRow.awaits_verification && !isTimeUnknown
    const failure = awaitsRetry ? awaitsRetryOfPhoto : requestRow.failure
    return {
      id: requestRow.id,
      requester_email: requestRow.requester_email,
      requested_at: requestRow.requested_at.toISOString(),
      photo: {
        id: requestRow.photo_id,
        filename: requestRow.filename,
        thumbnail_url: ownerThumbnailUrl(urls, requestRow),
      },
      state: requestStateOf(requestRow, { isTimeUnknown }),
      due_at: isScheduled ? requestRow.due_at.toISOString() : null,
      sent_at: requestRow.sent_at?.toISOString() ?? null,
      failure: outbox && requestRow.state === 'sent' ? (failure ?? savedToOutbox) : failure,
    }
  }

const requestStateOf = (
  { state, is_waiting }: RequestedPhotoRow,
  { isTimeUnknown }: { isTimeUnknown: boolean },
): PhotoRequest['state'] => {
  if (state === 'sent' || state === 'failed') return state
  return is_waiting || isTimeUnknown ? 'waiting' : 'queued'
}

const awaitsRetryOfPhoto =
  'The photo could not be processed. This email is sent when you have retried the photo and it is ready.'

const savedToOutbox = 'Saved to the outbox folder: no mail server is configured.'

/** A request with its photo and its email. */
interface RequestedPhotoRow {
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
 * The requests of an owner for photos that exist and are listed. `offset 0` makes PostgreSQL look up photo and email of each request by their ids:
 * with joins, it reads the photos of all accounts when it expects many rows.
 */
const requestsOfUser = (userId: string) => sql`
  photo_requests
    cross join lateral (select * from photos where photos.id = photo_requests.photo_id and photos.deleted_at is null and photos.is_listed offset 0) as photos
    cross join lateral (select * from emails where emails.id = photo_requests.email_id offset 0) as emails
  where photo_requests.user_id = ${userId}`

export const requestOf = async (db: Db, userId: string, id: string): Promise<RequestedPhotoRow | undefined> => {
  const { rows } = await sql<RequestedPhotoRow>`
    select ${requestColumns} from ${requestsOfUser(userId)} and photo_requests.id = ${id}`.execute(db)
  return rows[0]
}

interface RequestPage {
  limit: number
  before?: string | undefined
  /** See `isOfEvent`. */
  event?: string | undefined
}

/** Only requests whose address contains a text, in any case, and whose email has a state. */
interface RequestFilter {
  email?: string | undefined
  state?: RequestState | undefined
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

/** A request for a photo that is deleted or not listed, which PostgreSQL looks up in a hash table of them. */
const isOfAbsentPhoto = (userId: string) => sql`
  photo_requests.photo_id in (select id from photos where user_id = ${userId} and (deleted_at is not null or not is_listed))`

/** The state that `requestView` shows, of a row of `photo_requests` with its email. */
const shownState = sql<RequestState>`case
  when emails.state <> 'queued' then emails.state
  when emails.awaits_verification or (emails.attempts = 0 and emails.due_at > now() + interval '5 seconds')
    or emails.failure = any(${sql.lit(`{${roomReasons.map((reason) => JSON.stringify(reason)).join()}}`)}::text[])
    or exists (select from photos where photos.id = photo_requests.photo_id and ${canRetryPhoto}) then 'waiting'
  else 'queued' end`

/**
 * The prepared statements about an owner's requests; with `isOfEvent`, which has the parameters of `eventParameters`, about those for
 * photos of an event. Identical concurrent queries are coalesced.
 */
function prepareRequestReads(db: Db, pool: Database['pool'], which: string, isOfEvent: RawBuilder<unknown>) {
  const pageOf = (condition: RawBuilder<unknown>): RawBuilder<RequestedPhotoRow> => sql`
    select ${requestColumns} from ${requestsOfUser('')} ${isOfEvent} ${condition}
    order by photo_requests.requested_at desc, photo_requests.id desc limit ${preparedLimit}`
  const prepare = <Row extends object>(name: string, query: RawBuilder<Row>) =>
    coalesce(prepareQuery(pool, `requests ${name}${which}`, query.compile(db)))
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
      where photo_requests.user_id = ${''} and not ${isOfAbsentPhoto('')} ${isOfEvent}
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
    where user_id = ${''} and requested_at < ${''}::text::timestamptz and not ${isOfAbsentPhoto('')} ${isOfEvent}`,
  )
  return { readPlace, firstPage, olderPage, countedPage, addressesBefore }
}

const isOfNamedEvent = sql`and photo_requests.photo_id in (
  select id from photos where user_id = ${''} and (event_id = ${''} or ${''} = 'none' and event_id is null))`
const eventParameters = (userId: string, event: string | undefined): string[] =>
  event === undefined ? [] : [userId, event, event]

/** An owner's requests, newest first; with `before`, those older than that request. */
export function createRequestReads(db: Db, pool: Database['pool']) {
  const all = prepareRequestReads(db, pool, '', sql``)
  const ofEvents = prepareRequestReads(db, pool, ' of an event', isOfNamedEvent)
  const readsOf = (event: string | undefined) => (event === undefined ? all : ofEvents)
  /** The parameters that select older requests: their place, as values, so that PostgreSQL knows how many there are. No request is older than one that does not exist. */
  const placeOf = async (userId: string, before: string): Promise<string[]> => {
    const [place] = await all.readPlace([before, userId])
    return place ? [place.at, before] : ['-infinity', '']
  }
  return {
    async page(userId: string, { limit, before, event }: RequestPage): Promise<RequestedPhotoRow[]> {
      const first = [userId, ...eventParameters(userId, event)]
      if (before === undefined) return readsOf(event).firstPage([...first, limit])
      return readsOf(event).olderPage([...first, ...(await placeOf(userId, before)), limit])
    },
    async countedPage(userId: string, { limit, before, event, email, state }: RequestPage & RequestFilter) {
      const pattern = email === undefined ? null : `%${email.replaceAll(/[\\%_]/g, '\\$&')}%`
      const place = before === undefined ? ['infinity', ''] : await placeOf(userId, before)
      const filter = [pattern, pattern, state ?? null, state ?? null]
      const owner = [userId, userId, ...eventParameters(userId, event), userId]
      const rows = await readsOf(event).countedPage([...filter, ...owner, ...place, limit, userId])
      const counts = rows[0] ?? ({} as CountedRow)
      return {
        rows: rows.filter((row) => row.id !== null),
        total: counts.total,
        sent: counts.sent,
        failed: counts.failed,
        all: { total: counts.all_total, sent: counts.all_sent, failed: counts.all_failed },
        /** When the oldest request was made; null without requests. */
        oldestAt: counts.oldest_at,
        timeZone: counts.time_zone,
      }
    },
    /** The number of addresses of requests that were made before a time. */
    async addressesBefore(userId: string, before: Date, event: string | undefined): Promise<number> {
      const parameters = [userId, before.toISOString(), userId, ...eventParameters(userId, event)]
      const [row] = await readsOf(event).addressesBefore(parameters)
      return row?.addresses ?? 0
    },
  }
}

interface FailedRequest {
  id: string
  email_id: string
  photo_id: string
  email: string
  /** Whether its email would fail again because of its photo. */
  is_withheld: boolean
}

type Resent = Reply<typeof resendFailedRequests>

/** Requests whose locks one transaction holds: guests with the same address wait for it. */
const batchSize = 50
/** A call ends after this time, before proxies give up. */
const maxCallMs = 20_000
/** More than this after now, an email is delayed by a limit. */
const delayedMs = 5_000

/**
 * Queues the failed emails of an owner again, as far as the limits of emails allow. Idempotent: an email that another call has
 * queued meanwhile counts for none of both.
 */
async function resendFailedOf({ db, tokens }: Dependencies, userId: string): Promise<Resent> {
  const failed = await failedRequestsOf(db, userId)
  const candidates = failed.filter((request) => !request.is_withheld)
  const resent: Resent = {
    queued: 0,
    waiting: 0,
    refused: failed.length - candidates.length,
    left: Math.max(0, candidates.length - limits.resendMax),
  }
  const most = Math.min(candidates.length, limits.resendMax)
  const endAt = performance.now() + maxCallMs
  for (let start = 0; start < most; start += batchSize) {
    if (performance.now() > endAt) {
      resent.left += most - start
      break
    }
    const batch = candidates.slice(start, Math.min(start + batchSize, most))
    const hashesOf = ({ email }: FailedRequest): Buffer[] =>
      mailboxKeys(email).flatMap((key) => tokens.mailboxHashes(key))
    const blocked = await blockedMailboxesOf(db, batch.flatMap(hashesOf))
    const allowed = batch.filter((request) => !hashesOf(request).some((hash) => blocked.has(hash.toString('hex'))))
    const dueTimes = await db.transaction().execute((tx) => resendBatch(tx, userId, allowed))
    const latest = Date.now() + delayedMs
    resent.refused += batch.length - allowed.length
    for (const due of dueTimes) {
      if (due === 'refused') resent.refused += 1
      else if (due.getTime() > latest) resent.waiting += 1
      else resent.queued += 1
    }
  }
  return resent
}

/** The oldest failed requests of an owner. */
const failedRequestsOf = async (db: Db, userId: string): Promise<FailedRequest[]> =>
  (
    await sql<FailedRequest>`
    select photo_requests.id, email_id, photo_requests.photo_id, requester_email as email,
      photos.hidden_at is not null or (photos.state = 'failed' and not ${canRetryPhoto}) as is_withheld
    from photo_requests
      join emails on emails.id = email_id and emails.user_id = photo_requests.user_id
      join photos on photos.id = photo_requests.photo_id
    where photo_requests.user_id = ${userId} and emails.state = 'failed' and photos.deleted_at is null and photos.is_listed
    order by requested_at, photo_requests.id`.execute(db)
  ).rows

/** When each email is sent, or that a limit refuses it. */
async function resendBatch(tx: Db, userId: string, batch: readonly FailedRequest[]): Promise<(Date | 'refused')[]> {
  const dueTimes: (Date | 'refused')[] = []
  // Each holds the lock of its address until the end: in one order, so that two calls do not wait for each other.
  const lockOrder = batch.toSorted((a, b) => (mailboxKey(a.email) < mailboxKey(b.email) ? -1 : 1))
  for (const { email_id, photo_id: photoId, email } of lockOrder) {
    const due = await findDueTime(tx, { email, photoId, ownerId: userId })
    if (!(due instanceof Date)) dueTimes.push('refused')
    else if (await resendEmail(tx, email_id, due)) {
      await publishRequestsOf(tx, email_id)
      dueTimes.push(due)
    }
  }
  return dueTimes
}

const keptMs = limits.requestDays * 24 * 60 * 60 * 1000

/**
 * When the oldest request is removed, and until which time the requests were made that are removed on the same day of the time zone;
 * null stands for the server's.
 */
export function nextRemovalDay(oldestAt: Date, timeZone: string | null): { at: Date; requestedBefore: Date } {
  const zone = canonicalTimeZone(timeZone ?? '')
  const { format } = new Intl.DateTimeFormat('en', {
    dateStyle: 'short',
    ...(zone !== undefined && { timeZone: zone }),
  })
  const at = oldestAt.getTime() + keptMs
  const day = format(at)
  // A day has 25 hours when the clocks are put back.
  let [sameDay, nextDay] = [at, at + 26 * 60 * 60 * 1000]
  while (nextDay - sameDay > 1) {
    const between = Math.floor((sameDay + nextDay) / 2)
    if (format(between) === day) sameDay = between
    else nextDay = between
  }
  return { at: new Date(at), requestedBefore: new Date(nextDay - keptMs) }
}

const removedSoon = sql`requested_at < now() - make_interval(days => ${limits.requestDays - limits.requestRemovalDays})`

// Emails are kept for longer than that.
const mayBeTold = sql`users.is_active and users.allow_request_removal_emails and not exists (
  select from emails where emails.user_id = users.id and kind = 'request-removal'
    and created_at > now() - make_interval(days => ${limits.requestRemovalEmailDays}))`

/** The addresses of guests that will be removed from an owner's list soon, and when the first of them will be. */
export async function addressesRemovedSoon(db: Db, userId: string) {
  const { rows } = await sql<{ addresses: number; firstAt: Date | null }>`
    select count(distinct requester_key)::int as addresses,
      min(requested_at) + make_interval(days => ${limits.requestDays}) as "firstAt"
    from photo_requests join photos on photos.id = photo_requests.photo_id and photos.deleted_at is null and photos.is_listed
    where photo_requests.user_id = ${userId} and ${removedSoon}`.execute(db)
  return rows[0] ?? { addresses: 0, firstAt: null }
}

/** Queues an email to every owner from whose list many addresses of guests will be removed soon. */
export async function tellOfRequestRemovals(db: Db): Promise<void> {
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from photo_requests join users on users.id = user_id where ${removedSoon} and ${mayBeTold}
    group by user_id having count(distinct requester_key) >= ${limits.requestRemovalAddresses} order by user_id`.execute(
    db,
  )
  for (const { userId } of rows) {
    const { addresses } = await addressesRemovedSoon(db, userId)
    if (addresses < limits.requestRemovalAddresses) continue
    await db.transaction().execute(async (tx) => {
      // Another node may be queueing it: with the account locked, its email is seen.
      await sql`select from users where id = ${userId} for no key update`.execute(tx)
      const { rows: told } = await sql<{ email: string }>`
        select email from users where id = ${userId} and ${mayBeTold}`.execute(tx)
      for (const { email: recipient } of told)
        await queueEmail(tx, { id: newId(), kind: 'request-removal', userId, recipient, payload: {} })
    })
  }
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
