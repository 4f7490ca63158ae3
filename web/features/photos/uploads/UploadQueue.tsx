import { useId } from 'react'
import { Link } from 'react-router'
import { useFormat, useText } from '../../../lib/i18n.tsx'
import { paths } from '../../../lib/paths.ts'
import { upload } from '../../../messages/en/upload.ts'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { Note } from '../../../ui/Note.tsx'
import { ProgressBar } from './ProgressBar.tsx'
import { hasUnfinishedUploads, secondsLeft, totalsOf, type UploadItem } from './queue.ts'
import { UploadRow } from './UploadRow.tsx'
import type { UploadsState } from './upload-store.ts'
import type { Uploads } from './uploads.ts'
import type { UploadedPhoto } from './useUploadedPhotos.ts'

interface Props {
  state: UploadsState
  /** The photos of uploaded files, by id. */
  uploaded: ReadonlyMap<string, UploadedPhoto>
  uploads: Uploads
}

const photoOf = (item: UploadItem, uploaded: Props['uploaded']): UploadedPhoto | undefined =>
  item.state.status === 'uploaded' ? uploaded.get(item.state.photoId) : undefined

/** Several files: their total progress and a row for each. */
export function UploadQueue({ state, uploaded, uploads }: Props) {
  const text = useText({ upload }).queue
  const heading = useId()
  const { items } = state
  const counts = countsOf(items, uploaded)
  const unfinished = hasUnfinishedUploads(items)
  const finished = items.filter((item) => ['ready', 'deleted'].includes(photoOf(item, uploaded)?.state ?? ''))
  const failed = items.filter((item) => item.state.status === 'failed').length
  return (
    <section className="upload__queue" aria-labelledby={heading}>
      <div className="row row--between">
        <h2 id={heading}>{text.heading(items.length)}</h2>
        <p className="small muted num">
          {[
            counts.done > 0 && text.done(counts.done),
            counts.underway > 0 && text.inProgress(counts.underway),
            counts.failed > 0 && text.needAttention(counts.failed),
            counts.overLimit > 0 && text.overLimit(counts.overLimit),
          ]
            .filter(Boolean)
            .join(', ')}
        </p>
      </div>
      {unfinished && <Total state={state} />}
      <ul className="upload-rows">
        {items.map((item) => (
          <UploadRow key={item.id} item={item} uploaded={photoOf(item, uploaded)} uploads={uploads} />
        ))}
      </ul>
      {unfinished && <Note tone="plain">{text.keepOpen}</Note>}
      {counts.overLimit > 0 && <Note tone="warn">{text.overLimitHint}</Note>}
      <div className="row upload__after">
        {failed > 1 && <Button onClick={() => uploads.retryAll()}>{text.retryAll}</Button>}
        {finished.length > 0 && (
          <>
            <Link className={buttonClass({})} to={paths.latest}>
              {text.seeLatest}
            </Link>
            <Button tone="ghost" onClick={() => uploads.removeFromList(finished.map(({ id }) => id))}>
              {text.clear}
            </Button>
          </>
        )}
      </div>
    </section>
  )
}

function countsOf(items: readonly UploadItem[], uploaded: Props['uploaded']) {
  const counts = { done: 0, underway: 0, failed: 0, overLimit: 0 }
  for (const item of items) {
    const photoState = photoOf(item, uploaded)?.state
    if (photoState === 'ready' || photoState === 'deleted') counts.done += 1
    else if (photoState === 'failed' || item.state.status === 'failed' || item.state.status === 'rejected')
      counts.failed += 1
    else if (item.state.status === 'over-limit') counts.overLimit += 1
    else counts.underway += 1
  }
  return counts
}

function Total({ state: { items, run, updatedAt } }: { state: UploadsState }) {
  const text = useText({ upload }).queue
  const format = useFormat()
  const totals = totalsOf(items)
  const seconds = secondsLeft(
    totals,
    run && { sentBytes: totals.sentBytes - run.sentBytesBefore, ms: updatedAt - run.startedAt },
  )
  const line = text.total(format.percent(totals.progress), format.size(totals.sentBytes), format.size(totals.bytes))
  return (
    <div className="upload__total">
      <ProgressBar label={text.uploading} progress={totals.progress} />
      <p className="upload-row__status num">
        {line}
        {seconds !== null &&
          text.timeLeft(seconds < 100 ? text.seconds(seconds) : text.minutes(Math.round(seconds / 60)))}
      </p>
    </div>
  )
}
