import { useId } from 'react'
import { Link } from 'react-router'
import { useFormat, useText } from '../../../lib/i18n.tsx'
import { paths } from '../../../lib/paths.ts'
import { upload } from '../../../messages/en/upload.ts'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { Note } from '../../../ui/Note.tsx'
import { ProgressBar } from './ProgressBar.tsx'
import { hasUnfinishedUploads, quotaOf, secondsLeft, totalsOf, type UploadItem } from './queue.ts'
import { UploadRow } from './UploadRow.tsx'
import type { UploadsState } from './upload-store.ts'
import type { Uploads } from './uploads.ts'
import type { UploadedPhotoStatus } from './useUploadedPhotos.ts'

interface Props {
  state: UploadsState
  /** The photos of uploaded files, by id. */
  uploaded: ReadonlyMap<string, UploadedPhotoStatus>
  uploads: Uploads
}

const photoOf = (item: UploadItem, uploaded: Props['uploaded']): UploadedPhotoStatus | undefined =>
  item.state.status === 'uploaded' ? uploaded.get(item.state.photoId) : undefined

/** Several files: their total progress and a row for each. */
export function UploadQueue({ state, uploaded, uploads }: Props) {
  const text = useText({ upload }).queue
  const heading = useId()
  const { items } = state
  const uploadCounts = uploadCountsOf(items, uploaded)
  const isUnfinished = hasUnfinishedUploads(items)
  const finishedUploads = items.filter((item) => ['ready', 'deleted'].includes(photoOf(item, uploaded)?.state ?? ''))
  const failedUploads = items.filter((item) => item.state.status === 'failed').length
  return (
    <section className="upload__queue" aria-labelledby={heading}>
      <div className="row row--between">
        <h2 id={heading}>{text.heading(items.length)}</h2>
        <p className="small muted tabular-numbers">
          {[
            uploadCounts.done > 0 && text.done(uploadCounts.done),
            uploadCounts.underway > 0 && text.inProgress(uploadCounts.underway),
            uploadCounts.failed > 0 && text.needAttention(uploadCounts.failed),
            uploadCounts.overLimit > 0 && text.overLimit(uploadCounts.overLimit),
          ]
            .filter(Boolean)
            .join(', ')}
        </p>
      </div>
      {isUnfinished && <TotalProgress state={state} />}
      <ul className="upload-rows">
        {items.map((item) => (
          <UploadRow key={item.id} item={item} uploaded={photoOf(item, uploaded)} uploads={uploads} />
        ))}
      </ul>
      {isUnfinished && <Note tone="plain">{text.keepOpen}</Note>}
      {items.some(isTooLarge) && <Note tone="warn">{text.tooLargeHint}</Note>}
      <div className="row upload__after">
        {failedUploads > 1 && <Button onClick={() => uploads.retryAll()}>{text.retryAll}</Button>}
        {finishedUploads.length > 0 && (
          <>
            <Link className={buttonClass({})} to={paths.latest}>
              {text.seeLatest}
            </Link>
            <Button tone="ghost" onClick={() => uploads.removeFromList(finishedUploads.map(({ id }) => id))}>
              {text.clear}
            </Button>
          </>
        )}
      </div>
    </section>
  )
}

const isTooLarge = (item: UploadItem): boolean => item.state.status === 'over-limit' && quotaOf(item) === null

function uploadCountsOf(items: readonly UploadItem[], uploaded: Props['uploaded']) {
  const uploadCounts = { done: 0, underway: 0, failed: 0, overLimit: 0 }
  for (const item of items) {
    const photoState = photoOf(item, uploaded)?.state
    if (photoState === 'ready' || photoState === 'deleted') uploadCounts.done += 1
    else if (photoState === 'failed' || item.state.status === 'failed' || item.state.status === 'rejected')
      uploadCounts.failed += 1
    else if (item.state.status === 'over-limit') uploadCounts.overLimit += 1
    else uploadCounts.underway += 1
  }
  return uploadCounts
}

function TotalProgress({ state: { items, run, updatedAt } }: { state: UploadsState }) {
  const text = useText({ upload }).queue
  const format = useFormat()
  const uploadTotals = totalsOf(items)
  const remainingSeconds = secondsLeft(
    uploadTotals,
    run && { sentBytes: uploadTotals.sentBytes - run.sentBytesBefore, ms: updatedAt - run.startedAt },
  )
  const progressLine = text.total(
    format.percent(uploadTotals.progress),
    format.size(uploadTotals.sentBytes),
    format.size(uploadTotals.bytes),
  )
  return (
    <div className="upload__total">
      <ProgressBar label={text.uploading} progress={uploadTotals.progress} />
      <p className="upload-row__status tabular-numbers">
        {progressLine}
        {remainingSeconds !== null &&
          text.timeLeft(
            remainingSeconds < 100 ? text.seconds(remainingSeconds) : text.minutes(Math.round(remainingSeconds / 60)),
          )}
      </p>
    </div>
  )
}
