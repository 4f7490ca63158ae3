import { sql } from 'kysely'
import type { PhotoReport } from '@keepsnap/contract/reports.ts'
import { retention } from '@keepsnap/contract/retention.ts'
import type { Db } from '../../db/connect.ts'
import { ownerThumbnailUrl } from '../../domain/hidden-photos.ts'
import type { Urls } from '../../domain/urls.ts'
import { mailboxPattern } from '../../lib/email-address.ts'

export interface NewReport {
  id: string
  photoId: string
  reason: string
  note: string | null
}

/**
 * Adds a report, unless 20 for this photo and reason are already open; returns whether it did. The limit is per reason,
 * so that a flood of reports for one reason does not block those for another.
 */
export async function addReport(db: Db, { id, photoId, reason, note }: NewReport): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into photo_reports (id, photo_id, user_id, reason, note)
    select ${id}, photos.id, photos.user_id, ${reason}, ${note} from photos join users on users.id = photos.user_id
    where photos.id = ${photoId}
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
export async function reportsOf(db: Db, userId: string, photoId?: string): Promise<ReportRow[]> {
  const { rows } = await sql<ReportRow>`
    select photos.id as photo_id, photos.filename, photos.thumb_key, photos.hidden_at, photos.operator_decision, r.open, r.reports, d.decision, d.decided_at
    from (
      select photo_id, bool_or(decided_at is null) as open, max(reported_at) as newest,
        to_jsonb((array_agg(jsonb_build_object('reason', reason, 'note', note,
          'reported_at', to_char(reported_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by reported_at desc))[1:${sql.lit(maxReportsPerPhoto)}]) as reports
      from photo_reports where user_id = ${userId} and (${photoId ?? null}::text is null or photo_id = ${photoId ?? null})
      group by photo_id
    ) as r
    join photos on photos.id = r.photo_id and photos.deleted_at is null
    left join lateral (
      select decision, decided_at from photo_reports where photo_id = photos.id and decided_at is not null
      order by decided_at desc limit 1
    ) as d on true
    order by r.newest desc limit ${maxReportedPhotos}`.execute(db)
  return rows
}

/**
 * Hides a photo from guests or shows it, and closes its reports with that decision. Hiding what is hidden by the last
 * decision already changes nothing. False when there is no such photo of this user.
 */
export async function recordDecision(
  db: Db,
  { userId, photoId, decision }: { userId: string; photoId: string; decision: 'hide' | 'keep' },
): Promise<boolean> {
  const { rows } = await sql<{ wasHidden: boolean }>`
    select hidden_at is not null as "wasHidden" from photos
    where id = ${photoId} and user_id = ${userId} and deleted_at is null and state <> 'receiving' for update`.execute(
    db,
  )
  const [photo] = rows
  if (!photo) return false
  await sql`
    update photos set hidden_at = ${decision === 'hide' ? sql`coalesce(hidden_at, now())` : null}
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
export async function undoHideDecision(
  db: Db,
  { userId, photoId, decidedAt }: { userId: string; photoId: string; decidedAt: Date },
): Promise<boolean> {
  // On the wire, times have milliseconds.
  const timeOf = (column: string) => sql`date_trunc('milliseconds', ${sql.ref(column)})`
  // Locks the photo first, as deleting it does: this prevents deadlocks.
  await sql`select 1 from photos where id = ${photoId} and user_id = ${userId} for update`.execute(db)
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
