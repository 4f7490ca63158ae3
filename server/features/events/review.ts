import { type RawBuilder, sql } from 'kysely'
import {
  blockContributor,
  decideReview,
  listReview,
  type ReviewPhoto,
  type ReviewState,
  unblockContributor,
} from '@keepsnap/contract/event-photos.ts'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault, invalidField, unauthorized } from '../../faults.ts'
import { enqueueAll } from '../../platform/jobs/queue.ts'
import { type BusEvent, publish, publishExpression } from '../../platform/live/bus.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { photoReadyExpression } from '../integrations/webhook-deliveries.ts'
import { deletionJob } from '../photos/delete.ts'
import { lockUser } from '../plans/plans.ts'
import { hasStorageWarning, resetStorageWarning } from '../plans/usage.ts'
import { liveEvent } from './chosen-event.ts'
import { addingOf, changeGuestCounts, waitingCount } from './guest-counts.ts'

/** The owner's review of guests' photos. Each change locks the account's row first, then the photos in the order of their ids. */
export function reviewRoutes(serve: Serve, deps: Dependencies): void {
  const { db, mediaCache } = deps

  serve(listReview, async ({ params: { id }, query }, { actor: { userId } }) => {
    await liveEvent(db, userId, id)
    const { list = 'waiting', after, limit = eventLimits.reviewPageDefault } = query
    const rows = await reviewRows(db, { eventId: id, list, after, limit: limit + 1 })
    const photos = rows.slice(0, limit).map((row) => reviewView(deps, row))
    return {
      photos,
      next: rows.length > limit ? (photos.at(-1)?.id ?? null) : null,
      waiting_count: await waitingCount(db, id),
      adding: await addingOf(db, { userId, eventId: id }),
    }
  })

  serve(decideReview, async ({ params: { id }, body }, { actor: { userId } }) => {
    refuseSameState(body)
    const answer = await db.transaction().execute(async (tx) => {
      if (!(await lockUser(tx, userId))) throw unauthorized()
      await liveEvent(tx, userId, id)
      return decide(tx, { userId, eventId: id, by: 'owner', ...body })
    })
    mediaCache.invalidateUser(userId)
    return answer
  })

  const changeBlock = async (of: ContributorOfEvent, change: typeof block) => {
    const counts = await db.transaction().execute(async (tx) => {
      if (!(await lockUser(tx, of.userId))) throw unauthorized()
      await liveEvent(tx, of.userId, of.eventId)
      return change(tx, of)
    })
    mediaCache.invalidateUser(of.userId)
    return { ...counts, waiting_count: await waitingCount(db, of.eventId) }
  }
  serve(blockContributor, ({ params: { id, contributor_id } }, { actor: { userId } }) =>
    changeBlock({ userId, eventId: id, contributorId: contributor_id }, block),
  )
  serve(unblockContributor, ({ params: { id, contributor_id } }, { actor: { userId } }) =>
    changeBlock({ userId, eventId: id, contributorId: contributor_id }, unblock),
  )
}

// The list

interface ReviewRow {
  id: string
  review: ReviewState
  created_at: Date
  contributor_id: string | null
  name: string | null
  blocked_at: Date | null
  photo_count: number
  label: string | null
  thumb_key: string | null
  full_key: string | null
  media_epoch: number
  width: number | null
  height: number | null
  thumbhash: string | null
  hidden_at: Date | null
  operator_decision: string | null
  reviewed_at: Date | null
  reviewed_by: string | null
  helper_name: string | null
}

/** Sorts those that were decided, as they are sorted at their first decision when they were shown at once. */
const decidedAt = (table: string) => sql`coalesce(${sql.ref(`${table}.reviewed_at`)}, ${sql.ref(`${table}.shown_at`)})`

export async function reviewRows(
  db: Db,
  {
    eventId,
    list,
    after,
    limit,
  }: { eventId: string; list: 'waiting' | 'decided'; after: string | undefined; limit: number },
): Promise<ReviewRow[]> {
  const isWaiting = list === 'waiting'
  const place = (table: string): RawBuilder<unknown> =>
    sql`${isWaiting ? sql.ref(`${table}.created_at`) : decidedAt(table)}, ${sql.ref(`${table}.id`)}`
  const isLater =
    after === undefined
      ? sql`true`
      : sql`(${place('photos')}) ${isWaiting ? sql`>` : sql`<`} (
          select ${place('anchor')} from photos anchor where anchor.id = ${after} and anchor.event_id = ${eventId})`
  const direction = isWaiting ? sql`asc` : sql`desc`
  const { rows } = await sql<ReviewRow>`
    select photos.id, photos.review, photos.created_at, contributors.id as contributor_id, contributors.name, contributors.blocked_at,
      (select count(*)::int from photos own where own.contributor_id = contributors.id and own.deleted_at is null
        and own.state <> 'receiving') as photo_count,
      event_codes.label, thumb_key, full_key, users.media_epoch, width, height, thumbhash, hidden_at, operator_decision,
      reviewed_at, reviewed_by, helpers.name as helper_name
    from photos join users on users.id = photos.user_id
      left join contributors on contributors.id = photos.contributor_id
      left join event_codes on event_codes.code = photos.event_code
      left join helpers on helpers.id = photos.reviewed_by
    where photos.event_id = ${eventId} and photos.source = 'guest' and photos.state = 'ready' and photos.deleted_at is null
      and photos.review ${isWaiting ? sql`= 'waiting'` : sql`in ('approved', 'rejected')`} and ${isLater}
    order by ${isWaiting ? sql`photos.created_at` : decidedAt('photos')} ${direction}, photos.id ${direction} limit ${limit}`.execute(
    db,
  )
  return rows
}

const dayMs = 24 * 60 * 60 * 1000

export function reviewView({ urls }: Dependencies, row: ReviewRow): ReviewPhoto {
  const { id: photoId, thumb_key: thumbKey, full_key: fullKey, media_epoch: mediaEpoch } = row
  const isOpen = row.operator_decision !== 'hide'
  const images = urls.reviewImages({ photoId, thumbKey, fullKey, mediaEpoch })
  return {
    id: photoId,
    review: row.review,
    added_at: row.created_at.toISOString(),
    contributor:
      row.contributor_id === null
        ? null
        : {
            id: row.contributor_id,
            name: row.name,
            blocked: row.blocked_at !== null,
            photo_count: row.photo_count,
          },
    table: row.label,
    thumbnail_url: isOpen ? images.thumbnail : null,
    screen_url: isOpen ? images.screen : null,
    width: row.width,
    height: row.height,
    thumbhash: row.thumbhash,
    hidden: row.review === 'approved' && (row.hidden_at !== null || !isOpen),
    reviewed_at: row.reviewed_at?.toISOString() ?? null,
    reviewed_by: row.reviewed_by === null ? null : row.reviewed_by === 'owner' ? 'owner' : 'helper',
    helper_name: row.helper_name,
    gone_at:
      row.review === 'rejected' && row.reviewed_at
        ? new Date(row.reviewed_at.getTime() + eventLimits.rejectedDays * dayMs).toISOString()
        : null,
  }
}

// Decisions

export function refuseSameState({ from, to }: { from: ReviewState; to: ReviewState }): void {
  if (from === to) throw invalidField('to', 'Please give another state than the one in "from"')
}

interface Decision {
  userId: string
  eventId: string
  /** `owner`, or the id of a helper, who decides about what waits and what a helper decided; not about photos of who is blocked. */
  by: string
  ids: readonly string[]
  from: ReviewState
  to: ReviewState
}

/** Whether a photo is of a contributor who is blocked. */
export const isOfBlocked: RawBuilder<boolean> = sql<boolean>`exists (select from contributors where id = photos.contributor_id and blocked_at is not null)`
const isHelpers = sql`(review = 'waiting' or reviewed_by is not null and reviewed_by <> 'owner') and not ${isOfBlocked}`

/** A transaction that holds the account's lock. */
export async function decide(tx: Db, { userId, eventId, by, ids, from, to }: Decision) {
  const { rows } = await sql<{ id: string; review: ReviewState; isFirst: boolean; isOpen: boolean }>`
    select id, review, shown_at is null as "isFirst", ${by === 'owner' ? sql`true` : isHelpers} as "isOpen" from photos
    where id = any(${ids}::text[]) and user_id = ${userId} and event_id = ${eventId} and source = 'guest' and state = 'ready'
      and deleted_at is null order by id for no key update`.execute(tx)
  const found = new Map(rows.map((row) => [row.id, row]))
  const chosen = rows.filter(({ review, isOpen }) => isOpen && review === from)
  const photos = chosen.map(({ id }) => id)
  const isUndone = to === 'waiting'
  // Guests see them in the order of adding.
  await sql`
    update photos set review = ${to}, reviewed_at = ${isUndone ? null : sql`clock_timestamp()`}, reviewed_by = ${isUndone ? null : by},
      shown_at = ${to === 'approved' ? sql`coalesce(shown_at, ordered.at)` : sql`shown_at`}
    from (
      select id, moment.at + interval '1 microsecond' * row_number() over (order by created_at, id) as at
      from photos, (select clock_timestamp() as at) as moment where id = any(${photos}::text[])
    ) as ordered where photos.id = ordered.id`.execute(tx)
  if (from === 'rejected') await changeGuestCounts(tx, { userId, photos, by: 1 })
  if (to === 'rejected') await changeGuestCounts(tx, { userId, photos, by: -1 })
  const what = to === 'approved' ? 'added' : from === 'approved' ? 'deleted' : 'changed'
  await publishAll(tx, photos, (photo) => ({ kind: 'photo', what, user: userId, photo }))
  const first = to === 'approved' ? chosen.filter(({ isFirst }) => isFirst).map(({ id }) => id) : []
  if (first.length > 0)
    await sql`
      select ${photoReadyExpression(userId, 'photos')} from (
        select * from photos where id = any(${first}::text[]) order by shown_at) as photos`.execute(tx)
  if (photos.length > 0) await publish(tx, { kind: 'review', user: userId, event: eventId })
  const [done, isDone] = [new Set(photos), new Set(photos)]
  const results = ids.map((id) => {
    const review = found.get(id)?.review ?? null
    if (isDone.delete(id)) return { id, outcome: 'done' as const, review: to }
    if (review === null) return { id, outcome: 'not found' as const, review }
    // An id that is given again is in the new state then.
    return { id, outcome: 'conflict' as const, review: done.has(id) ? to : review }
  })
  return { results, waiting_count: await waitingCount(tx, eventId) }
}

export async function publishAll(tx: Db, ids: readonly string[], eventOf: (id: string) => BusEvent): Promise<void> {
  if (ids.length > 0) await sql`select ${sql.join(ids.map((id) => publishExpression(eventOf(id))))}`.execute(tx)
}

// Contributors

interface ContributorOfEvent {
  userId: string
  eventId: string
  contributorId: string
}

/** A contributor to an event, or to another one of the account's whose photos were moved here. */
async function lockContributor(tx: Db, { eventId, contributorId }: ContributorOfEvent) {
  const contributor = await tx
    .selectFrom('contributors')
    .select(['event_id', 'blocked_at'])
    .where('id', '=', contributorId)
    .where(
      sql<boolean>`(event_id = ${eventId} or exists (
        select from photos where contributor_id = contributors.id and photos.event_id = ${eventId} and deleted_at is null))`,
    )
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!contributor) throw new Fault('not_found', 'This contributor does not exist.')
  // All of theirs, wherever they were moved; of uploads, which lock the month first, none.
  await sql`
    select from photos where contributor_id = ${contributorId} and state <> 'receiving' order by id for no key update`.execute(
    tx,
  )
  return contributor
}

/** Blocks a contributor: the time of the transaction marks what follows from it. */
async function block(tx: Db, of: ContributorOfEvent) {
  const { contributorId } = of
  const { event_id: eventId, blocked_at: isBlocked } = await lockContributor(tx, of)
  if (isBlocked) return { rejected: 0, hidden: 0, review_on: false }
  await sql`update contributors set blocked_at = now() where id = ${contributorId}`.execute(tx)
  const { numAffectedRows } = await sql`
    update events set guest_photos = 'review' where id = ${eventId} and guest_photos = 'direct'`.execute(tx)
  const rejected = await idsOf(
    tx,
    sql`
    update photos set review = 'rejected', reviewed_at = now(), reviewed_by = 'owner'
    where contributor_id = ${contributorId} and review = 'waiting' and deleted_at is null and state in ('queued', 'ready') returning id`,
  )
  const hidden = await idsOf(
    tx,
    sql`
    update photos set hidden_at = now()
    where contributor_id = ${contributorId} and review = 'approved' and deleted_at is null and hidden_at is null
      and operator_decision is distinct from 'hide' returning id`,
  )
  const counts = await finishBlock(tx, of, { eventId, rejected, hidden, by: -1 })
  return { ...counts, review_on: numAffectedRows === 1n }
}

/** Undoes what that did, save for photos that were decided since, or have failed. */
async function unblock(tx: Db, of: ContributorOfEvent) {
  const { contributorId } = of
  const { event_id: eventId, blocked_at: isBlocked } = await lockContributor(tx, of)
  if (!isBlocked) return { rejected: 0, hidden: 0, review_on: false }
  const isMarked = (column: string) =>
    sql`${sql.ref(column)} = (select blocked_at from contributors where id = ${contributorId})`
  const rejected = await idsOf(
    tx,
    sql`
    update photos set review = 'waiting', reviewed_at = null, reviewed_by = null
    where contributor_id = ${contributorId} and review = 'rejected' and ${isMarked('reviewed_at')} and deleted_at is null
      and state in ('queued', 'ready') returning id`,
  )
  const hidden = await idsOf(
    tx,
    sql`
    update photos set hidden_at = null
    where contributor_id = ${contributorId} and ${isMarked('hidden_at')} and deleted_at is null
      and operator_decision is distinct from 'hide' returning id`,
  )
  await sql`update contributors set blocked_at = null, failed_ms = 0 where id = ${contributorId}`.execute(tx)
  return { ...(await finishBlock(tx, of, { eventId, rejected, hidden, by: 1 })), review_on: false }
}

export const idsOf = async (tx: Db, query: RawBuilder<unknown>): Promise<string[]> =>
  ((await query.execute(tx)).rows as { id: string }[]).map(({ id }) => id)

/** Counts and tells what blocking or its undoing changed. */
async function finishBlock(
  tx: Db,
  { userId, eventId: reviewed }: ContributorOfEvent,
  { eventId, rejected, hidden, by }: { eventId: string; rejected: string[]; hidden: string[]; by: 1 | -1 },
) {
  await changeGuestCounts(tx, { userId, photos: rejected, by })
  await publishAll(tx, [...rejected, ...hidden], (photo) => ({ kind: 'photo', what: 'changed', user: userId, photo }))
  await publish(tx, { kind: 'events', user: userId })
  for (const event of new Set([eventId, reviewed])) await publish(tx, { kind: 'review', user: userId, event })
  return { rejected: rejected.length, hidden: hidden.length }
}

/** The first phase of the deletion of photos that exist for nobody outside of their review. The caller holds the account's lock. */
export async function removeUnlisted(tx: Db, userId: string, photos: readonly string[]): Promise<void> {
  const removed = await idsOf(
    tx,
    sql`update photos set deleted_at = now()
      where id = any(${photos}::text[]) and user_id = ${userId} and deleted_at is null and not is_listed returning id`,
  )
  await enqueueAll(tx, removed.map(deletionJob))
  if (removed.length > 0 && (await hasStorageWarning(tx, userId))) await resetStorageWarning(tx, userId)
  await publishAll(tx, removed, (photo) => ({ kind: 'photo', what: 'changed', user: userId, photo }))
}
