import { adminLimits } from '@keepsnap/contract/limits.ts'
import {
  deleteReportedPhoto,
  findPhoto,
  hideReportedPhoto,
  listFailedPhotos,
  listReportedPhotos,
  retryFailedPhoto,
  showReportedPhoto,
  type FailedPhoto,
  type ReportedPhoto,
} from '@keepsnap/contract/operator-photos.ts'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { operatorThumbnailUrl } from '../../domain/hidden-photos.ts'
import { actAsOperator, recordRead, type OperatorAction } from '../../domain/operator-actions.ts'
import type { Urls } from '../../domain/urls.ts'
import { Fault } from '../../faults.ts'
import type { Serve } from '../../http/serve.ts'
import { isId } from '../../lib/ids.ts'
import { publish } from '../../live/bus.ts'
import {
  countReportedPhotos,
  findPhotoBy,
  photoToDelete,
  failedPhotos,
  photoToRetry,
  reportedPhotosPage,
  reportedPhotoSubject,
  type FailedPhotoRow,
  type PhotoToRetry,
  type ReportedPhotoRow,
} from './operator-queries.ts'
import { deletePhotoForGood } from './delete-photo.ts'
import { lockOwnerReports } from './report-emails.ts'
import { recordOperatorDecision } from './operator-decisions.ts'
import { reportView } from './report-queries.ts'
import { photoNotFound } from './photo-responses.ts'
import { retryPhotoOf } from './retry-photo.ts'

const failedPhotoView = (row: FailedPhotoRow): FailedPhoto => ({
  id: row.id,
  filename: row.filename,
  owner: { id: row.ownerId, username: row.ownerName },
  created_at: row.createdAt.toISOString(),
  error_message: row.errorMessage,
  can_retry: row.canRetry,
})
const reportedPhotoView =
  (urls: Urls) =>
  (row: ReportedPhotoRow): ReportedPhoto => ({
    owner: { id: row.ownerId, username: row.ownerName },
    report: reportView(urls, operatorThumbnailUrl)(row),
  })

const subjectOf = ({ kind, id, name, userId }: PhotoToRetry) => ({ kind, id, name, userId })
const fileGone = (): Fault =>
  new Fault('conflict', 'The uploaded file has been deleted. The owner of the photo must upload it again.')

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

type PhotoOperatorDependencies = Pick<Dependencies, 'db' | 'mediaCache' | 'urls'> & {
  /** Has the archive of an account made again, without a photo that is hidden now. */
  replaceArchive(tx: Db, userId: string, photoId: string): Promise<void>
}

/** Failed and reported photos of all accounts, and what operators do about them. No other photo is shown. */
export function photoOperatorRoutes(serve: Serve, deps: PhotoOperatorDependencies): void {
  const { db, mediaCache, urls } = deps
  serve(listFailedPhotos, async ({ query: { skip = 0, limit = adminLimits.pageDefault } }) => {
    const { rows, total } = await failedPhotos(db, { skip, limit })
    return { photos: rows.map(failedPhotoView), total, skip, limit }
  })

  serve(listReportedPhotos, async ({ query: { skip = 0, limit = adminLimits.pageDefault } }) => {
    const [rows, total] = await Promise.all([reportedPhotosPage(db, { skip, limit }), countReportedPhotos(db)])
    return { photos: rows.map(reportedPhotoView(urls)), total, skip, limit }
  })

  serve(retryFailedPhoto, async ({ params: { id }, body: { reason } }, { actor: operator }) => {
    const photo = isId(id) ? await photoToRetry(db, id) : undefined
    if (!photo) throw photoNotFound()
    const retry = { userId: photo.userId, photoId: id }
    await actAsOperator(db, { operator, action: 'retry photo', subject: subjectOf(photo), reason }, async (tx) => {
      if (photo.isFailed && !photo.hasFile) throw fileGone()
      await retryPhotoOf(tx, retry).catch((error: unknown) => {
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
    const subject = isId(id) ? await photoToDelete(db, id) : undefined
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
  { db, mediaCache, urls, replaceArchive }: PhotoOperatorDependencies,
  { operator, photoId, decision, reason, message }: DecisionRequest,
): Promise<ReportedPhoto> {
  const photo = isId(photoId) ? await reportedPhotoSubject(db, photoId) : undefined
  if (!photo) throw photoNotFound()
  const { userId } = photo
  await actAsOperator(db, { operator, action: `${decision} reported photo`, subject: photo, reason }, async (tx) => {
    if (!(await lockOwnerReports(tx, userId))) throw photoNotFound()
    if (!(await recordOperatorDecision(tx, { userId, photoId, decision, message }))) throw photoNotFound()
    if (decision === 'hide') await replaceArchive(tx, userId, photoId)
    await publish(tx, { kind: 'photo', what: 'changed', user: userId, photo: photoId })
    await publish(tx, { kind: 'report', user: userId, photo: photoId })
  })
  mediaCache.invalidatePhoto(photoId)
  const [row] = await reportedPhotosPage(db, { skip: 0, limit: 1, photoId })
  if (!row) throw photoNotFound()
  return reportedPhotoView(urls)(row)
}
