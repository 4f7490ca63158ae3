import { sql } from 'kysely'
import {
  deleteReportedPhoto,
  type FailedPhoto,
  findPhoto,
  type FoundPhoto,
  hideReportedPhoto,
  listFailedPhotos,
  listReportedPhotos,
  type ReportedPhoto,
  retryFailedPhoto,
  showReportedPhoto,
} from '@keepsnap/contract/operator-support.ts'
import { adminLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../platform/db/connect.ts'
import { replaceArchiveWith } from '../accounts/archive.ts'
import { hashOf, isId } from '../../lib/ids.ts'
import { lockOwnerReports, recordOperatorDecision, type ReportRow, reportView } from '../guests/reports.ts'
import type { Dependencies } from '../../dependencies.ts'
import { operatorThumbnailUrl, photoNotFound } from '../photos/photo-view.ts'
import type { Urls } from '../photos/urls.ts'
import { Fault } from '../../faults.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { publish } from '../../platform/live/bus.ts'
import { deletePhotoForGood } from '../photos/delete.ts'
import { retryPhotoOf } from '../photos/retry.ts'
import { actAsOperator, type AuditedAction, type OperatorAction, recordRead } from './audit-log.ts'

type Subject = NonNullable<AuditedAction['subject']>

/** Failed and reported photos of all accounts, and what operators do about them. No other photo is shown. */
export function photoOperatorRoutes(serve: Serve, deps: Dependencies): void {
  const { db, mediaCache, urls } = deps
  serve(listFailedPhotos, async ({ query: { skip = 0, limit = adminLimits.pageDefault } }) => ({
    ...(await failedPhotos(db, skip, limit)),
    skip,
    limit,
  }))

  serve(listReportedPhotos, async ({ query: { skip = 0, limit = adminLimits.pageDefault } }) => {
    const [rows, total] = await Promise.all([reportedPhotosPage(db, { skip, limit }), countReportedPhotos(db)])
    return { photos: rows.map(reportedPhotoView(urls)), total, skip, limit }
  })

  serve(retryFailedPhoto, async ({ params: { id }, body: { reason } }, { actor: operator }) => {
    const photo = isId(id) ? await photoToRetry(db, id) : undefined
    if (!photo) throw photoNotFound()
    const { name, userId } = photo
    const subject = { kind: 'photo', id, name, userId } as const
    await actAsOperator(db, { operator, action: 'retry photo', subject, reason }, async (tx) => {
      if (photo.isFailed && !photo.hasFile)
        throw new Fault('conflict', 'The uploaded file has been deleted. The owner of the photo must upload it again.')
      await retryPhotoOf(tx, { userId, photoId: id }).catch((error: unknown) => {
        throw error instanceof Fault ? forOperator(error) : error
      })
    })
    return { retried: true }
  })

  serve(findPhoto, async ({ query: { text } }, { actor: operator }) => {
    const photo = await findPhotoBy(db, text)
    const owner = photo?.owner
    if (photo && owner) {
      const subject = { kind: 'photo', id: photo.id, name: photo.filename, userId: owner.id } as const
      await recordRead(db, { operator, action: 'look up photo', person: owner.id, subject })
    }
    return { photos: photo ? [photo] : [] }
  })

  serve(deleteReportedPhoto, async ({ params: { id }, body: { reason } }, { actor: operator }) => {
    const subject = isId(id) ? await reportedPhotoSubject(db, id, { orRemoved: true }) : undefined
    if (!subject) throw photoNotFound()
    await actAsOperator(db, { operator, action: 'delete reported photo', subject, reason }, async (tx) => {
      if (!(await deletePhotoForGood(tx, subject.userId, id))) throw photoNotFound()
    })
    mediaCache.invalidatePhoto(id)
    return { deleted: true }
  })

  serve(hideReportedPhoto, async ({ params: { id }, body }, { actor }) =>
    decide(deps, { operator: actor, photoId: id, decision: 'hide', ...body }),
  )
  serve(showReportedPhoto, async ({ params: { id }, body }, { actor }) =>
    decide(deps, { operator: actor, photoId: id, decision: 'show', ...body }),
  )
}

interface DecisionRequest extends Pick<OperatorAction, 'operator' | 'reason'> {
  photoId: string
  decision: 'hide' | 'show'
  message?: string | undefined
}

/** Hides a reported photo or shows it again; returns the updated photo as operators see it. */
async function decide(
  { db, mediaCache, urls }: Dependencies,
  { operator, photoId, decision, reason, message }: DecisionRequest,
): Promise<ReportedPhoto> {
  const photo = isId(photoId) ? await reportedPhotoSubject(db, photoId) : undefined
  if (!photo) throw photoNotFound()
  const { userId } = photo
  await actAsOperator(db, { operator, action: `${decision} reported photo`, subject: photo, reason }, async (tx) => {
    if (!(await lockOwnerReports(tx, userId))) throw photoNotFound()
    if (!(await recordOperatorDecision(tx, { userId, photoId, decision, message }))) throw photoNotFound()
    if (decision === 'hide') await replaceArchiveWith(tx, userId, photoId)
    await publish(tx, { kind: 'photo', what: 'changed', user: userId, photo: photoId })
    await publish(tx, { kind: 'report', user: userId, photo: photoId })
  })
  mediaCache.invalidatePhoto(photoId)
  const [row] = await reportedPhotosPage(db, { skip: 0, limit: 1, photoId })
  if (!row) throw photoNotFound()
  return reportedPhotoView(urls)(row)
}

/** Rewords a refusal for the operator, because the texts for the owner say "your plan". */
function forOperator(refusal: Fault): Fault {
  if (refusal.code === 'quota_photos')
    return new Fault('conflict', 'The account has used all photos of this month, so this one cannot be retried.')
  if (refusal.code === 'processing_limit')
    return new Fault(
      'conflict',
      'Much work of the account is waiting, or its failed photos took too long today. Try again later.',
    )
  // The account has been deleted meanwhile; to the operator, 401 would say that their own session has ended.
  return refusal.code === 'unauthorized' ? photoNotFound() : refusal
}

interface Owner {
  ownerId: string
  ownerName: string
}

const isFailed = sql`photos.state = 'failed' and photos.deleted_at is null`

/** Photos of all accounts whose processing failed, the newest first, and how many there are. */
async function failedPhotos(db: Db, skip: number, limit: number): Promise<{ photos: FailedPhoto[]; total: number }> {
  const { rows } = await sql<
    Owner & { id: string; filename: string; createdAt: Date; errorMessage: string | null; canRetry: boolean }
  >`
    select photos.id, filename, photos.created_at as "createdAt", error_message as "errorMessage",
      retry_helps and original_key is not null as "canRetry", users.id as "ownerId", users.username as "ownerName"
    from photos join users on users.id = photos.user_id where ${isFailed}
    order by photos.created_at desc, photos.id desc limit ${limit} offset ${skip}`.execute(db)
  const { rows: counts } = await sql<{ total: number }>`select count(*) as total from photos where ${isFailed}`.execute(
    db,
  )
  const photos = rows.map((row) => ({
    id: row.id,
    filename: row.filename,
    owner: { id: row.ownerId, username: row.ownerName },
    created_at: row.createdAt.toISOString(),
    error_message: row.errorMessage,
    can_retry: row.canRetry,
  }))
  return { photos, total: counts[0]?.total ?? 0 }
}

/** A photo that an operator wants to have processed again: with a name only if it failed. Undefined when there is no such photo. */
async function photoToRetry(db: Db, id: string) {
  const { rows } = await sql<{ name: string | null; userId: string; isFailed: boolean; hasFile: boolean }>`
    select case when state = 'failed' then filename end as name, user_id as "userId", state = 'failed' as "isFailed",
      original_key is not null as "hasFile"
    from photos where id = ${id} and deleted_at is null and state <> 'receiving'`.execute(db)
  return rows[0]
}

/** A reported photo with its reports and its owner. */
type ReportedPhotoRow = ReportRow & Owner

const maxReportsPerPhoto = 20
/** Photos that are deleted or not listed are few, so excluding them is faster than joining all others. */
const reportedPhotos = sql`
  select photo_id, bool_or(decided_at is null) as open, max(reported_at) as newest
  from photo_reports
  where not exists (select from photos where photos.id = photo_id and (deleted_at is not null or not is_listed))`

/**
 * Photos of all accounts that guests reported: those with open reports first, then the newest reports; with `photoId`,
 * only that photo.
 */
async function reportedPhotosPage(
  db: Db,
  { skip, limit, photoId }: { skip: number; limit: number; photoId?: string },
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
async function countReportedPhotos(db: Db): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (${reportedPhotos} group by photo_id) as reported`.execute(db)
  return rows[0]?.total ?? 0
}

/** A reported photo as the subject of an entry in the audit log; undefined for a photo that nobody reported. */
export async function reportedPhotoSubject(
  db: Db,
  id: string,
  {
    orRemoved = false,
  }: { /** Also one that its owner could still restore, or that is not listed. */ orRemoved?: boolean } = {},
): Promise<Subject | undefined> {
  const { rows } = await sql<{ name: string; userId: string }>`
    select filename as name, user_id as "userId" from photos
    where id = ${id} and exists (select from photo_reports where photo_id = photos.id) and (deleted_at is null and (is_listed or ${orRemoved})
      or ${orRemoved} and exists (select from photo_removals where photo_id = photos.id))`.execute(db)
  return rows[0] && { kind: 'photo', id, ...rows[0] }
}

interface FoundPhotoRow extends Owner {
  id: string
  filename: string
  state: 'receiving' | 'queued' | 'ready' | 'failed'
  errorMessage: string | null
  createdAt: Date
  finishedAt: Date | null
  hiddenAt: Date | null
  isHiddenByOperator: boolean
  deletedAt: Date | null
  isRemoved: boolean
  reports: number
}

/** Where an id, a code, a name in storage or a secret stands in a text: alone, or in the path or the query of a link. */
const wordsOf = (text: string): string[] => (text.match(/[0-9A-Za-z_-]{16,64}/g) ?? []).slice(0, 10)

/**
 * The photo that a text names: by its id, the code of its QR code, a link to one of its pages or pictures, also with a
 * signature, or the link in an email. A photo whose row is deleted is found by its id, for as long as that is remembered.
 */
export async function findPhotoBy(db: Db, text: string): Promise<FoundPhoto | undefined> {
  const words = wordsOf(text)
  if (words.length === 0) return undefined
  const keys = words.flatMap((word) => ['full', 'thumb', 'orig'].map((kind) => `${kind}/${word}`))
  const { rows } = await sql<FoundPhotoRow>`
    select photos.id, filename, state, error_message as "errorMessage", photos.created_at as "createdAt",
      finished_at as "finishedAt", hidden_at as "hiddenAt", operator_decision is not distinct from 'hide' as "isHiddenByOperator",
      deleted_at as "deletedAt", exists (select from photo_removals where photo_id = photos.id) as "isRemoved",
      (select count(*) from photo_reports where photo_id = photos.id) as reports,
      users.id as "ownerId", users.username as "ownerName"
    from photos join users on users.id = photos.user_id
    where photos.id = any(${words}) or code = any(${words})
      or photos.id in (select photo_id from stored_objects where key = any(${keys}))
      or photos.id in (select photo_id from grants where grant_hash = any(${words.map(hashOf)}))
    limit 1`.execute(db)
  const [row] = rows
  return row ? foundPhotoView(row) : erasedPhoto(db, words)
}

const foundPhotoView = (row: FoundPhotoRow): FoundPhoto => ({
  id: row.id,
  filename: row.filename,
  owner: { id: row.ownerId, username: row.ownerName },
  state: row.isRemoved ? 'removed' : row.deletedAt ? 'deleted' : row.state,
  error_message: row.errorMessage,
  uploaded_at: row.createdAt.toISOString(),
  processed_at: row.finishedAt?.toISOString() ?? null,
  hidden_at: row.hiddenAt?.toISOString() ?? null,
  hidden_by_operator: row.isHiddenByOperator,
  deleted_at: row.deletedAt?.toISOString() ?? null,
  reports: row.reports,
})

/** Nothing is known about it but when it was deleted. */
async function erasedPhoto(db: Db, ids: readonly string[]): Promise<FoundPhoto | undefined> {
  const erased = await db
    .selectFrom('erasures')
    .select(['id', 'at'])
    .where('kind', '=', 'photo')
    .where('id', 'in', ids)
    .executeTakeFirst()
  const unknown = { filename: null, owner: null, error_message: null, uploaded_at: null, processed_at: null }
  return (
    erased && {
      ...unknown,
      id: erased.id,
      state: 'deleted',
      hidden_at: null,
      hidden_by_operator: false,
      deleted_at: erased.at.toISOString(),
      reports: 0,
    }
  )
}

const reportedPhotoView =
  (urls: Urls) =>
  (row: ReportedPhotoRow): ReportedPhoto => ({
    owner: { id: row.ownerId, username: row.ownerName },
    report: reportView(urls, operatorThumbnailUrl)(row),
  })
