import { useId } from 'react'
import { Link } from 'react-router'
import { useFormat, useText } from '../../../lib/i18n.tsx'
import { useNow } from '../../../lib/now.ts'
import { paths } from '../../../lib/paths.ts'
import { upload } from '../../../messages/en/upload.ts'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { Note } from '../../../ui/Note.tsx'
import { PauseNote } from './PauseNote.tsx'
import { ProgressBar } from './ProgressBar.tsx'
import {
  groupOf,
  hasUnfinishedUploads,
  hasUnsentFiles,
  quotaOf,
  secondsLeft,
  totalsOf,
  uploadGroups,
  type UploadGroup,
  type UploadItem,
} from './queue.ts'
import { UploadRow } from './UploadRow.tsx'
import type { UploadsState } from './upload-store.ts'
import type { Uploads } from './uploads.ts'
import type { UploadedPhotoStatus } from './useUploadedPhotos.ts'

interface Props {
  state: UploadsState
  /** The photos of uploaded files, by id. */
  uploaded: ReadonlyMap<string, UploadedPhotoStatus>
  /** Id of the photo that the big screen shows, if known. */
  onScreenId: string | null
  uploads: Uploads
}

const photoOf = (item: UploadItem, uploaded: Props['uploaded']): UploadedPhotoStatus | undefined =>
  item.state.status === 'uploaded' ? uploaded.get(item.state.photoId) : undefined

/** Several files: their total progress and a row for each, problems first. */
export function UploadQueue({ state, uploaded, onScreenId, uploads }: Props) {
  const {
    queue: text,
    singleUpload: { latest: toLatest },
  } = useText({ upload })
  const heading = useId()
  const { items } = state
  const groups = groupsOf(items, uploaded)
  const { failed, overLimit, underway, sentBefore, done } = groups
  const failedUploads = failed.filter(({ state }) => state.status === 'failed').length
  const isUnfinished = hasUnfinishedUploads(items)
  return (
    <section className="upload__queue" aria-labelledby={heading}>
      <div className="row row--between">
        <h2 id={heading}>{text.heading(items.length)}</h2>
        <p className="small muted tabular-numbers">
          {[
            failed.length > 0 && text.needAttention(failed.length),
            overLimit.length > 0 && text.overLimit(overLimit.length),
            underway.length > 0 && text.inProgress(underway.length),
            sentBefore.length > 0 && text.sentBeforeCount(sentBefore.length),
            done.length > 0 && text.done(done.length),
          ]
            .filter(Boolean)
            .join(', ')}
        </p>
      </div>
      {isUnfinished && <TotalProgress state={state} />}
      {hasUnsentFiles(items) && <PauseNote state={state} />}
      <ul className="upload-rows">
        {uploadGroups
          .flatMap((group) => groups[group])
          .map((item) => {
            const photo = photoOf(item, uploaded)
            const isOnScreen = onScreenId !== null && photo?.photo?.id === onScreenId
            return <UploadRow key={item.id} item={item} uploaded={photo} isOnScreen={isOnScreen} uploads={uploads} />
          })}
      </ul>
      {isUnfinished && <Note tone="plain">{text.keepOpen}</Note>}
      {items.some(isTooLarge) && <Note tone="warn">{text.tooLargeHint}</Note>}
      <div className="row upload__after">
        {failedUploads > 1 && <Button onClick={() => uploads.retryAll()}>{text.retryAll}</Button>}
        {sentBefore.length > 1 && <Button onClick={() => uploads.uploadAllAgain()}>{text.allAgain}</Button>}
        {done.length > 0 && (
          <Link className={buttonClass({})} to={paths.latest}>
            {toLatest}
          </Link>
        )}
        {done.length + sentBefore.length > 0 && (
          <Button tone="ghost" onClick={() => uploads.removeFromList([...done, ...sentBefore].map(({ id }) => id))}>
            {text.clear}
          </Button>
        )}
      </div>
    </section>
  )
}

const isTooLarge = (item: UploadItem): boolean => item.state.status === 'over-limit' && quotaOf(item) === null

function groupsOf(items: readonly UploadItem[], uploaded: Props['uploaded']): Record<UploadGroup, UploadItem[]> {
  const groups: Record<UploadGroup, UploadItem[]> = {
    failed: [],
    overLimit: [],
    underway: [],
    sentBefore: [],
    done: [],
  }
  for (const item of items) groups[groupOf(item, photoOf(item, uploaded)?.state)].push(item)
  return groups
}

function TotalProgress({ state: { items, run, pause, updatedAt } }: { state: UploadsState }) {
  const text = useText({ upload }).queue
  const format = useFormat()
  const now = useNow(1_000)
  const uploadTotals = totalsOf(items)
  const remainingSeconds = secondsLeft(
    uploadTotals,
    run && {
      sentBytes: uploadTotals.sentBytes - run.sentBytesBefore,
      ms: (pause?.startedAt ?? updatedAt) - run.startedAt,
    },
    pause && (pause.endsAt === null ? Infinity : Math.max(0, pause.endsAt - now) / 1000),
  )
  const progressLine = text.total(
    format.percent(uploadTotals.progress),
    format.size(uploadTotals.sentBytes),
    format.size(uploadTotals.bytes),
  )
  const remainingTime =
    remainingSeconds === null
      ? null
      : remainingSeconds < 100
        ? text.seconds(remainingSeconds)
        : text.minutes(Math.round(remainingSeconds / 60))
  return (
    <div className="upload__total">
      <ProgressBar label={text.uploading} progress={uploadTotals.progress} />
      <p className="upload-row__status tabular-numbers">
        {remainingTime === null ? progressLine : progressLine + text.timeLeft(remainingTime)}
      </p>
    </div>
  )
}
