import { sql } from 'kysely'
import { reportEmailLimits, retention } from '@keepsnap/contract/limits.ts'
import {
  decideReport,
  listReports,
  type PhotoReport,
  reportForm,
  reportPhoto,
  type ReportReason,
  reportReasons,
  undoDecision,
} from '@keepsnap/contract/guests.ts'
import type { Db } from '../../platform/db/connect.ts'
import { mailboxKeys, mailboxPattern } from '../../lib/email-address.ts'
import { chosenEvent } from '../events/chosen-event.ts'
import { hiddenByOperator, isOfEvent, ownerThumbnailUrl } from '../photos/photo-view.ts'
import type { Urls } from '../photos/urls.ts'
import { queueEmail } from '../emails/queue-email.ts'
import { Fault, invalidField } from '../../faults.ts'
import { isId, newId } from '../../lib/ids.ts'
import type { Dependencies } from '../../dependencies.ts'
import { decideAccess, type SharedPhoto, sharedPhotoNotFound } from '../photos/photo-access.ts'
import { sendGuestPage } from '../../platform/http/pages.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { publish } from '../../platform/live/bus.ts'
import { lockUser } from '../plans/plans.ts'
import { guestFrame, guestLogo, guestPhoto, guestReport } from './page-props.ts'

export const isReason = (text: string | undefined): text is ReportReason =>
  reportReasons.some((reason) => reason === text)
const photoNotFound = () => new Fault('not_found', 'Photo not found')

/** Guests report a photo and its owner decides. Once the decision commits, guests cannot open a hidden photo in any way. */
export function reportRoutes(serve: Serve, deps: Dependencies): void {
  serve(reportPhoto, async ({ params, body }) => {
    await storeReport(deps, await findShared(deps, params.id), body)
    return { detail: 'Thank you. The person who shared this photo has been notified.' }
  })
  serve(reportForm, async ({ params, body }, { reply }) =>
    sendGuestPage(reply, deps.guestRenderer, await answerForm(deps, params.id, body)),
  )
  serve(listReports, async ({ query }, { actor }) => {
    const event = await chosenEvent(deps.db, actor, query.event)
    return { reports: (await reportsOf(deps.db, actor.userId, { event })).map(reportView(deps.urls)) }
  })
  serve(decideReport, async ({ params, body }, { actor }) =>
    decideReports(deps, { userId: actor.userId, photoId: params.id, decision: body.decision }),
  )
  serve(undoDecision, async ({ params, query }, { actor }) =>
    undoDecisionOf(deps, { userId: actor.userId, photoId: params.id, decidedAt: query.decided_at }),
  )
}

/** The photo, if guests may see its page. */
async function findShared({ mediaCache }: Dependencies, id: string): Promise<SharedPhoto> {
  const photo = isId(id) ? await mediaCache.find('id', id) : undefined
  if (!photo || decideAccess(photo, { via: 'guest page' }) === 'not found') throw sharedPhotoNotFound()
  return photo
}

export async function storeReport(
  { db }: Dependencies,
  { photoId, userId }: SharedPhoto,
  { reason, note }: { reason: ReportReason; note?: string | undefined },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const isAdded = await addReport(tx, { photoId, reason, note: note?.trim() || null })
    if (isAdded) await queueReportEmail(tx, { userId, photoId })
    await publish(tx, { kind: 'report', user: userId, photo: photoId })
  })
}

/** Stores a report from the form that works without JavaScript; the page to show. */
async function answerForm(
  deps: Dependencies,
  photoId: string,
  { reason, note }: { reason?: string | undefined; note?: string | undefined },
) {
  const { urls, config } = deps
  const frame = guestFrame(config.publicUrl, '/report-photo')
  const photo = await findShared(deps, photoId).catch((error: unknown) => {
    if (error instanceof Fault && error.code === 'not_found') return undefined
    throw error
  })
  if (!photo) return { page: { page: 'gone', why: 'photo' }, frame, status: 404 } as const
  const isReported = isReason(reason)
  if (isReason(reason)) await storeReport(deps, photo, { reason, note })
  const shown = { photo: guestPhoto(photo, urls), report: guestReport(photoId), logo: guestLogo(photo, urls) }
  return {
    page: { page: 'reported', ok: isReported, note: note ?? '', ...shown },
    frame,
    status: isReported ? 200 : 422,
  } as const
}

/** Changes a reported photo under the lock of its owner, and tells the owner's pages if something has changed; whether it has. */
async function changeReports(
  { db, mediaCache }: Dependencies,
  { userId, photoId }: { userId: string; photoId: string },
  change: (tx: Db) => Promise<boolean>,
): Promise<boolean> {
  const hasChanged = await db.transaction().execute(async (tx) => {
    if (!(await lockOwnerReports(tx, userId)) || !(await change(tx))) return false
    await publish(tx, { kind: 'photo', what: 'changed', user: userId, photo: photoId })
    await publish(tx, { kind: 'report', user: userId, photo: photoId })
    return true
  })
  if (hasChanged) mediaCache.invalidatePhoto(photoId)
  return hasChanged
}

/** Hides or keeps a reported photo; the report as its owner sees it then. */
async function decideReports(
  deps: Dependencies,
  { userId, photoId, decision }: { userId: string; photoId: string; decision: 'hide' | 'keep' },
): Promise<PhotoReport> {
  const { db, mediaCache, urls } = deps
  if (!isId(photoId)) throw photoNotFound()
  const isDecided = await changeReports(deps, { userId, photoId }, async (tx) => {
    if (decision === 'keep') await refuseIfOperatorHid(tx, { userId, photoId })
    return recordDecision(tx, { userId, photoId, decision })
  })
  if (!isDecided) throw photoNotFound()
  const [row] = await reportsOf(db, userId, { photoId })
  if (row) return reportView(urls)(row)
  const photo = await mediaCache.find('id', photoId)
  return {
    photo: { id: photoId, filename: photo?.filename ?? '', thumbnail_url: null },
    hidden: decision === 'hide',
    hidden_by_operator: false,
    open: false,
    reports: [],
    decision,
    decided_at: new Date().toISOString(),
  }
}

/** Undoes a decision to hide; returns the updated report as its owner sees it. */
async function undoDecisionOf(
  deps: Dependencies,
  { userId, photoId, decidedAt }: { userId: string; photoId: string; decidedAt: string },
): Promise<PhotoReport> {
  const time = new Date(decidedAt)
  if (Number.isNaN(time.getTime())) throw invalidField('decided_at', 'This is not a time.', 'query')
  if (!isId(photoId)) throw photoNotFound()
  await changeReports(deps, { userId, photoId }, async (tx) => {
    await refuseIfOperatorHid(tx, { userId, photoId })
    return undoHideDecision(tx, { userId, photoId, decidedAt: time })
  })
  const [row] = await reportsOf(deps.db, userId, { photoId })
  if (!row) throw photoNotFound()
  return reportView(deps.urls)(row)
}

/**
 * Adds a report, unless 20 for this photo and reason are already open; returns whether it did. The limit is per reason,
 * so that a flood of reports for one reason does not block those for another.
 */
async function addReport(
  db: Db,
  { photoId, reason, note }: { photoId: string; reason: ReportReason; note: string | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into photo_reports (id, photo_id, user_id, reason, note)
    select ${newId()}, photos.id, photos.user_id, ${reason}, ${note} from photos join users on users.id = photos.user_id
    where photos.id = ${photoId} and photos.is_listed
      and (select count(*) from photo_reports r where r.photo_id = photos.id and r.reason = ${reason} and r.decided_at is null) < ${retention.openReportsMax}
    for key share of users`.execute(db)
  return numAffectedRows === 1n
}

/** A reported photo with its reports, newest first. */
export interface ReportRow {
  photo_id: string
  filename: string
  thumb_key: string | null
  hidden_at: Date | null
  operator_decision: string | null
  open: boolean
  reports: PhotoReport['reports']
  decision: 'hide' | 'keep' | null
  decided_at: Date | null
}

const maxReportsPerPhoto = 20
const maxReportedPhotos = 200

/** Reported photos of a user, those with the newest reports first; one photo alone when it is named. */
async function reportsOf(
  db: Db,
  userId: string,
  { photoId, event }: { photoId?: string; event?: string | undefined },
): Promise<ReportRow[]> {
  const { rows } = await sql<ReportRow>`
    select photos.id as photo_id, photos.filename, photos.thumb_key, photos.hidden_at, photos.operator_decision, r.open, r.reports, d.decision, d.decided_at
    from (
      select photo_id, bool_or(decided_at is null) as open, max(reported_at) as newest,
        to_jsonb((array_agg(jsonb_build_object('reason', reason, 'note', note,
          'reported_at', to_char(reported_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by reported_at desc))[1:${sql.lit(maxReportsPerPhoto)}]) as reports
      from photo_reports where user_id = ${userId} and (${photoId ?? null}::text is null or photo_id = ${photoId ?? null})
      group by photo_id
    ) as r
    join photos on photos.id = r.photo_id and photos.deleted_at is null and photos.is_listed and ${isOfEvent(event)}
    left join lateral (
      select decision, decided_at from photo_reports where photo_id = photos.id and decided_at is not null
      order by decided_at desc limit 1
    ) as d on true
    order by r.newest desc limit ${maxReportedPhotos}`.execute(db)
  return rows
}

/** The report on the wire, for the photo's owner or for an operator. */
export const reportView =
  (urls: Urls, thumbnailUrl = ownerThumbnailUrl) =>
  (row: ReportRow): PhotoReport => ({
    photo: {
      id: row.photo_id,
      filename: row.filename,
      thumbnail_url: thumbnailUrl(urls, row),
    },
    hidden: row.hidden_at !== null,
    hidden_by_operator: row.operator_decision === 'hide',
    open: row.open,
    reports: row.reports,
    decision: row.decision,
    decided_at: row.decided_at?.toISOString() ?? null,
  })

/**
 * Hides a photo from guests or shows it, and closes its reports with that decision. Hiding what is hidden by the last
 * decision already changes nothing. False when there is no such photo of this user.
 */
async function recordDecision(
  db: Db,
  { userId, photoId, decision }: { userId: string; photoId: string; decision: 'hide' | 'keep' },
): Promise<boolean> {
  const { rows } = await sql<{ wasHidden: boolean }>`
    select hidden_at is not null as "wasHidden" from photos
    where id = ${photoId} and user_id = ${userId} and deleted_at is null and state <> 'receiving' and is_listed for update`.execute(
    db,
  )
  const [photo] = rows
  if (!photo) return false
  await sql`
    update photos set hidden_at = ${decision === 'hide' ? sql`case when hidden_by is null then coalesce(hidden_at, now()) else now() end` : null}, hidden_by = null
    where id = ${photoId}`.execute(db)
  const isRepeated = decision === 'hide' && photo.wasHidden
  // A new decision without open reports is recorded on the last report, so that the record has the current decision.
  await sql`
    update photo_reports
    set previous_decision = decision, previous_decided_at = decided_at, decision = ${decision}, decided_at = now()
    where photo_id = ${photoId} and (decided_at is null or not (${isRepeated}::boolean and decision = 'hide') and id = (
      select id from photo_reports where photo_id = ${photoId} order by reported_at desc, id desc limit 1))`.execute(db)
  return true
}

/**
 * Undoes a decision to hide: restores its reports, and shows the photo unless it was hidden in another way. Does
 * nothing when that decision is not the last one, or was undone before; returns whether anything changed.
 */
async function undoHideDecision(
  db: Db,
  { userId, photoId, decidedAt }: { userId: string; photoId: string; decidedAt: Date },
): Promise<boolean> {
  // On the wire, times have milliseconds.
  const timeOf = (column: string) => sql`date_trunc('milliseconds', ${sql.ref(column)})`
  // Locks the photo first, as deleting it does: this prevents deadlocks.
  const { rows: photos } = await sql`
    select 1 from photos where id = ${photoId} and user_id = ${userId} and is_listed for update`.execute(db)
  if (photos.length === 0) return false
  const { numAffectedRows } = await sql`
    update photo_reports
    set decision = previous_decision, decided_at = previous_decided_at, previous_decision = null, previous_decided_at = null
    where photo_id = ${photoId} and user_id = ${userId} and decision = 'hide' and ${timeOf('decided_at')} = ${decidedAt}
      and not exists (
        select from photo_reports later where later.photo_id = ${photoId} and ${timeOf('later.decided_at')} > ${decidedAt})`.execute(
    db,
  )
  if (numAffectedRows === 0n) return false
  await sql`
    update photos set hidden_at = null
    where id = ${photoId} and user_id = ${userId} and deleted_at is null and ${timeOf('hidden_at')} = ${decidedAt}`.execute(
    db,
  )
  return true
}

/** Empties the notes up to a time in which a mailbox is named. Resolves to how many. */
export async function emptyNotesNaming(tx: Db, mailbox: string, before: Date): Promise<number> {
  // Not as the end of a longer name.
  const pattern = `(^|[^\\w.+-])${mailboxPattern(mailbox)}($|[^\\w-])`
  const named = sql`note ~* ${pattern} and reported_at <= ${before}`
  await sql`select from users where id in (select user_id from photo_reports where ${named}) order by id for key share`.execute(
    tx,
  )
  const { numAffectedRows } = await sql`update photo_reports set note = null where ${named}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/**
 * Throws 403 when an operator has hidden this photo. The transaction holds the lock of its owner, like every
 * transaction with a decision of an operator. Does nothing for the photo of another owner, which the caller answers as
 * not found.
 */
async function refuseIfOperatorHid(tx: Db, { userId, photoId }: { userId: string; photoId: string }): Promise<void> {
  const photo = await tx
    .selectFrom('photos')
    .select('operator_decision')
    .where('id', '=', photoId)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (photo?.operator_decision === 'hide') throw hiddenByOperator()
}

/** What an operator decides about the photo of an owner. */
interface OperatorDecision {
  userId: string
  photoId: string
  decision: 'hide' | 'show'
  /** As entered by the operator. */
  message: string | undefined
}

/** A text without letters or digits counts as no message. */
const messageOf = (text = ''): string | null => (/[\p{L}\p{N}]/u.test(text) ? text.trim() : null)

/**
 * Hides a reported photo from guests, or shows it again, unless its owner had hidden it before; and queues the email
 * about it. Hiding what an operator has hidden already changes nothing. False when the photo is deleted. The
 * transaction holds the lock of the owner's reports.
 */
export async function recordOperatorDecision(
  tx: Db,
  { userId, photoId, decision, message }: OperatorDecision,
): Promise<boolean> {
  const { rows } = await sql<{ operatorHid: boolean; ownerHid: boolean }>`
    select operator_decision is not distinct from 'hide' as "operatorHid", hidden_at < operator_decided_at as "ownerHid"
    from photos where id = ${photoId} and user_id = ${userId} and deleted_at is null and is_listed for update`.execute(
    tx,
  )
  const [photo] = rows
  if (!photo) return false
  if (decision === 'show' && !photo.operatorHid)
    throw new Fault('conflict', 'No operator has hidden this photo. Its owner decides whether guests can open it.')
  if (decision === 'hide' && photo.operatorHid) return true
  const staysHidden = decision === 'show' && photo.ownerHid
  if (!staysHidden) await recordDecision(tx, { userId, photoId, decision: decision === 'hide' ? 'hide' : 'keep' })
  await sql`
    update photos set operator_decision = ${decision}, operator_decided_at = now(), operator_message = ${messageOf(message)}
    where id = ${photoId}`.execute(tx)
  await queueDecisionEmail(tx, { userId, photoId, decision })
  return true
}

/**
 * Queues one email for each decision. An unconfirmed address, which may be that of a stranger, gets only a few a day,
 * together with emails about reports. The owner's page shows the decision in any case.
 */
async function queueDecisionEmail(
  tx: Db,
  { userId, photoId, decision }: Pick<OperatorDecision, 'userId' | 'photoId' | 'decision'>,
): Promise<void> {
  const { rows } = await sql<{ email: string; at: string }>`
    select email, (select to_jsonb(operator_decided_at) #>> '{}' from photos where id = ${photoId}) as at
    from users where id = ${userId} and is_active and (email_verified_at is not null or (
      select count(*) from emails where recipient_key = any(${await recipientKeysOf(tx, userId)})
        and ${isCountedForUnconfirmedAddress} and greatest(created_at, due_at) > now() - interval '1 day') < ${reportEmailLimits.unverifiedEmailsPerDay})`.execute(
    tx,
  )
  const [owner] = rows
  if (!owner) return
  const kind = decision === 'hide' ? 'photo-hidden' : 'photo-shown'
  await queueEmail(tx, { id: newId(), kind, userId, photoId, recipient: owner.email, payload: { at: owner.at } })
}

/**
 * Queues an email to the owner about a report that was just stored: at once, or, over a limit, as part of a digest when the
 * limit allows one more. The lock makes the limits exact.
 */
async function queueReportEmail(tx: Db, { userId, photoId }: { userId: string; photoId: string }): Promise<void> {
  await lockReportEmails(tx, userId)
  const state = await reportEmailState(tx, userId, photoId)
  if (!state || state.hasQueuedDigest) return
  const email = { id: newId(), userId, recipient: state.email, payload: {} }
  if (state.limitFreeAt === null) return queueEmail(tx, { ...email, kind: 'report', photoId })
  return queueEmail(tx, { ...email, kind: 'report-digest', dueAt: state.limitFreeAt })
}

/** Serializes transactions that count an owner's emails about reports. The lock is released when the transaction ends. */
async function lockReportEmails(tx: Db, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`report emails of ${userId}`}, 0))`.execute(tx)
}

/**
 * Locks an owner's account and reports for the rest of the transaction. So a report is stored either before an email is
 * composed and is part of it, or afterwards and gets another email. False when the account is deleted.
 */
export async function lockOwnerReports(tx: Db, userId: string): Promise<boolean> {
  if (!(await lockUser(tx, userId))) return false
  await lockReportEmails(tx, userId)
  return true
}

/**
 * A condition on rows of `emails`: what counts towards the emails that an unconfirmed address gets in a day, those about the end
 * of an account with that address included. `kind <> 'photo'` is what the index `emails_to_users` has.
 */
const isCountedForUnconfirmedAddress = sql`
  kind <> 'photo' and kind in ('report', 'report-digest', 'account-deleted', 'photo-hidden', 'photo-shown')`

/** The keys of emails to an owner: one about the end of an account is stored under the mailbox. */
async function recipientKeysOf(tx: Db, userId: string): Promise<string[]> {
  const user = await tx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  return user ? mailboxKeys(user.email) : []
}

/** Whether an owner may get an email about a report now. */
interface ReportEmailState {
  /** The owner's address. */
  email: string
  /** One that will name this report too: its next attempt has not started. */
  hasQueuedDigest: boolean
  /** When every limit allows one more email; null: now. */
  limitFreeAt: Date | null
}

/**
 * Undefined when the account is deactivated or gone. Each limit of n emails in a window is free when the n-th newest email
 * leaves the window. Emails to an unconfirmed address are counted for the address, also those of deleted accounts, whose
 * confirmation stays.
 */
async function reportEmailState(tx: Db, userId: string, photoId: string): Promise<ReportEmailState | undefined> {
  const { perPhotoHour, perOwnerHour, unverifiedEmailsPerDay } = reportEmailLimits
  const keys = await recipientKeysOf(tx, userId)
  const { rows } = await sql<ReportEmailState>`
    select email, has_queued_digest as "hasQueuedDigest", case when free_at > clock_timestamp() then free_at end as "limitFreeAt"
    from (
      select users.email,
        exists (select 1 from emails where user_id = users.id and kind = 'report-digest'
          and state = 'queued' and leased_until is null) as has_queued_digest,
        greatest(
          (select created_at from emails where photo_id = ${photoId} and kind = 'report'
            order by created_at desc offset ${perPhotoHour - 1} limit 1) + interval '1 hour',
          (select created_at from emails where user_id = users.id and kind = 'report'
            order by created_at desc offset ${perOwnerHour - 1} limit 1) + interval '1 hour',
          case when users.email_verified_at is null then (select greatest(created_at, due_at) from emails
            where recipient_key = any(${keys}) and ${isCountedForUnconfirmedAddress}
            order by greatest(created_at, due_at) desc offset ${unverifiedEmailsPerDay - 1} limit 1) + interval '1 day' end
        ) as free_at
      from users where id = ${userId} and is_active
    ) as state`.execute(tx)
  return rows[0]
}
