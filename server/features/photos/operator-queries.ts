import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { AuditedAction } from '../../domain/audit-log.ts'
import type { ReportRow } from './report-queries.ts'

type Subject = NonNullable<AuditedAction['subject']>

/** Part of a list. */
export interface Page {
  skip: number
  limit: number
}

interface Owner {
  ownerId: string
  ownerName: string
}

/** A photo whose processing failed. */
export interface FailedPhotoRow extends Owner {
  id: string
  filename: string
  createdAt: Date
  errorMessage: string | null
  canRetry: boolean
}

const isFailed = sql`photos.state = 'failed' and photos.deleted_at is null`

/** Photos of all accounts whose processing failed, the newest first, and how many there are. */
export async function failedPhotos(db: Db, { skip, limit }: Page): Promise<{ rows: FailedPhotoRow[]; total: number }> {
  const { rows } = await sql<FailedPhotoRow>`
    select photos.id, filename, photos.created_at as "createdAt", error_message as "errorMessage",
      retry_helps and original_key is not null as "canRetry", users.id as "ownerId", users.username as "ownerName"
    from photos join users on users.id = photos.user_id where ${isFailed}
    order by photos.created_at desc, photos.id desc limit ${limit} offset ${skip}`.execute(db)
  const { rows: counts } = await sql<{ total: number }>`select count(*) as total from photos where ${isFailed}`.execute(
    db,
  )
  return { rows, total: counts[0]?.total ?? 0 }
}

/** A photo that an operator wants to have processed again, as the subject of an entry in the audit log. */
export interface PhotoToRetry extends Subject {
  isFailed: boolean
  /** Whether the uploaded file is still stored. */
  hasFile: boolean
}

/** Has a name only if the photo failed; undefined when there is no such photo. */
export async function photoToRetry(db: Db, id: string): Promise<PhotoToRetry | undefined> {
  const { rows } = await sql<Omit<PhotoToRetry, 'kind' | 'id'>>`
    select case when state = 'failed' then filename end as name, user_id as "userId", state = 'failed' as "isFailed",
      original_key is not null as "hasFile"
    from photos where id = ${id} and deleted_at is null and state <> 'receiving'`.execute(db)
  return rows[0] && { kind: 'photo', id, ...rows[0] }
}

/** A reported photo with its reports and its owner. */
export type ReportedPhotoRow = ReportRow & Owner

const maxReportsPerPhoto = 20
/** Deleted photos are few, so excluding them is faster than joining all others. */
const reportedPhotos = sql`
  select photo_id, bool_or(decided_at is null) as open, max(reported_at) as newest
  from photo_reports
  where not exists (select from photos where photos.id = photo_id and deleted_at is not null)`

/**
 * Photos of all accounts that guests reported: those with open reports first, then the newest reports; with `photoId`,
 * only that photo.
 */
export async function reportedPhotosPage(
  db: Db,
  { skip, limit, photoId }: Page & { photoId?: string },
): Promise<ReportedPhotoRow[]> {
  const { rows } = await sql<ReportedPhotoRow>`
    select photos.id as photo_id, filename, thumb_key, hidden_at, operator_decision, listed.open, newest_reports.reports, decided.decision,
      decided.decided_at, users.id as "ownerId", users.username as "ownerName"
    from (
      ${reportedPhotos} and ${photoId === undefined ? sql`true` : sql`photo_id = ${photoId}`}
      group by photo_id order by open desc, newest desc, photo_id limit ${limit} offset ${skip}
    ) as listed
      join photos on photos.id = listed.photo_id join users on users.id = photos.user_id
      cross join lateral (
        select jsonb_agg(jsonb_build_object('reason', reason, 'note', note,
          'reported_at', to_char(reported_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by reported_at desc) as reports
        from (
          select reason, note, reported_at from photo_reports where photo_id = photos.id
          order by reported_at desc limit ${maxReportsPerPhoto}) as newest
      ) as newest_reports
      left join lateral (
        select decision, decided_at from photo_reports where photo_id = photos.id and decided_at is not null
        order by decided_at desc limit 1
      ) as decided on true
    order by listed.open desc, listed.newest desc, listed.photo_id`.execute(db)
  return rows
}

/** How many photos guests have reported. */
export async function countReportedPhotos(db: Db): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (${reportedPhotos} group by photo_id) as reported`.execute(db)
  return rows[0]?.total ?? 0
}

/** A reported photo as the subject of an entry in the audit log; undefined for a photo that nobody reported. */
export async function reportedPhotoSubject(db: Db, id: string): Promise<Subject | undefined> {
  const { rows } = await sql<{ name: string; userId: string }>`
    select filename as name, user_id as "userId" from photos
    where id = ${id} and deleted_at is null and exists (select from photo_reports where photo_id = photos.id)`.execute(
    db,
  )
  return rows[0] && { kind: 'photo', id, ...rows[0] }
}
