import { Check, ImageOff, RotateCw, TriangleAlert, Upload, X } from 'lucide-react'
import { memo, type ReactNode, useId, useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { rates } from '@keepsnap/contract/limits.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { eventMenu } from '../../messages/en/events.ts'
import { upload } from '../../messages/en/photos.ts'
import { fileTypeOf } from '../../lib/images.ts'
import { useNow } from '../../lib/time.ts'
import { Note } from '../../ui/Note.tsx'
import { useMediaUrl } from '../../lib/app-services.tsx'
import { galleryPhoto, paths } from '../../lib/paths.ts'
import { useServerSentence } from '../../lib/server-sentences.ts'
import { states } from '../../messages/en/frame.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { useEventName, useGateOf } from '../events/events.ts'
import type { UploadsState } from './upload-store.ts'
import { useRetryProcessing } from './photo-changes.ts'
import {
  groupOf,
  hasUnfinishedUploads,
  hasUnsentFiles,
  isUnsent,
  mayRetry,
  quotaOf,
  secondsLeft,
  totalsOf,
  type UploadedPhotoStatus,
  type UploadGroup,
  uploadGroups,
  type UploadItem,
  uploadProblemMessage,
} from './upload-queue.ts'
import { useUploadsState } from './uploads-context.ts'
import type { Uploads } from './uploads.ts'
import { qrCodeUrlOf, svgUrlOf } from './photo-state.ts'

interface UploadQueueProps {
  state: UploadsState
  /** The photos of uploaded files, by id. */
  uploaded: ReadonlyMap<string, UploadedPhotoStatus>
  /** Id of the photo that the big screen shows, if known. */
  onScreenId: string | null
  uploads: Uploads
}

/** Several files: their total progress and a row for each, problems first. */
export function UploadQueue({ state, uploaded, onScreenId, uploads }: UploadQueueProps) {
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

interface FilePreviewProps {
  file: File
  /** URLs to try, best first. */
  sources: readonly string[]
  alt: string
  onSize?: (size: { width: number; height: number }) => void
  className?: string
}

/** A file's image, or the name of its type when the browser cannot decode it, as most cannot decode HEIC. */
function FilePreview({ file, sources, alt, onSize, className = '' }: FilePreviewProps) {
  const text = useText({ upload }).singleUpload
  const [broken, setBroken] = useState<readonly string[]>([])
  const source = sources.find((url) => !broken.includes(url))
  if (source === undefined) {
    return (
      <span className={`${className} upload__no-preview`}>
        <ImageOff className="icon" />
        <span className="visually-hidden">{text.noPreview(fileTypeOf(file))}</span>
        <span className="tiny" aria-hidden="true" translate="no">
          {fileTypeOf(file)}
        </span>
      </span>
    )
  }
  return (
    <img
      className={className}
      src={source}
      alt={alt}
      loading="lazy"
      decoding="async"
      onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => onSize?.({ width, height })}
      onError={() => setBroken([...broken, source])}
    />
  )
}

/** A shorter pause is over before it is read. */
const leastShownMs = 3_000

/** Of a device that says that it is offline: on a network without internet it may reach the server all the same. */
const offlineAfterMs = 3_000

interface PauseNoteProps {
  state: UploadsState
  /** The user must start the upload again. */
  isStopped?: boolean
}

/** Why nothing is sent now, and until when; nothing while files are sent. */
function PauseNote({ state: { pause, updatedAt }, isStopped = false }: PauseNoteProps) {
  const { pauses: text, queue } = useText({ upload })
  const format = useFormat()
  const now = useNow(1_000)
  const isOnline = useIsOnline()
  const reason = pause?.reason
  if (!isOnline && (reason === 'unreachable' || (!pause && now - updatedAt > offlineAfterMs)))
    return <Note tone="warn">{isStopped ? text.offlineStopped : text.offline}</Note>
  if (!pause || isStopped) return null
  if (pause.endsAt === null) return <Note tone="warn">{text.unreachable}</Note>
  if (pause.endsAt - pause.startedAt < leastShownMs) return null
  const seconds = Math.max(1, (pause.endsAt - now) / 1000)
  // In steps: screen readers announce each.
  const wait = seconds > 60 ? queue.minutes(Math.ceil(seconds / 60)) : queue.seconds(Math.ceil(seconds / 10) * 10)
  if (reason === 'busy') return <Note tone="plain">{text.busy(wait)}</Note>
  if (reason === 'unavailable') return <Note tone="warn">{text.unavailable(wait)}</Note>
  const { calls: photos, seconds: windowSeconds } = rates.uploads
  const time = format.time(new Date(pause.endsAt).toISOString())
  return <Note tone="warn">{text.rateLimit(wait, { photos, minutes: windowSeconds / 60, time })}</Note>
}

const subscribeToNetwork = (onChange: () => void): (() => void) => {
  const events = ['online', 'offline'] as const
  for (const event of events) window.addEventListener(event, onChange)
  return () => events.forEach((event) => window.removeEventListener(event, onChange))
}

const useIsOnline = (): boolean => useSyncExternalStore(subscribeToNetwork, () => navigator.onLine)

/** `progress`: share of the bytes that were sent, 0 to 1. */
function ProgressBar({ label, progress }: { label: string; progress: number }) {
  return <progress className="progress-bar" aria-label={label} max={100} value={Math.round(progress * 100)} />
}

interface SingleUploadProps {
  item: UploadItem
  /** The photo, once the server has stored the file. */
  uploaded: UploadedPhotoStatus | undefined
  uploads: Uploads
}

/** A single file: its preview, its progress and its result. */
export function SingleUpload({ item, uploaded, uploads }: SingleUploadProps) {
  const { singleUpload: text, drop } = useText({ upload })
  const format = useFormat()
  const [imageSize, setImageSize] = useState<{ width: number; height: number } | null>(null)
  const { file, state } = item
  const uploadsState = useUploadsState(uploads)
  const pixels = imageSize && text.pixels(format.count(imageSize.width), format.count(imageSize.height))
  return (
    <section className="single-upload" aria-label={text.label}>
      <SinglePreview item={item} uploaded={uploaded} onSize={setImageSize} onRemove={() => uploads.remove(item.id)} />
      <div className="single-upload__details stack">
        <h2 className="ellipsis file-name" translate="no">
          {file.name}
        </h2>
        <p className="muted tabular-numbers" translate="no">
          {[format.size(file.size), pixels].filter(Boolean).join(' · ')}
        </p>
        <GoesTo item={item} />
        {state.status === 'selected' && <p className="small muted">{drop.formats}</p>}
        {state.status === 'uploading' && (
          <div className="single-upload__sending">
            <ProgressBar label={text.sending} progress={state.progress} />
            <p className="small muted tabular-numbers">
              {text.sending} · {format.percent(state.progress)}
            </p>
          </div>
        )}
        <UploadOutcome item={item} uploaded={uploaded} />
        {isUnsent(item) && <PauseNote state={uploadsState} isStopped={state.status === 'failed'} />}
        <SingleUploadActions item={item} uploaded={uploaded} uploads={uploads} />
      </div>
    </section>
  )
}

function SinglePreview({
  item: { file, previewUrl, state },
  uploaded,
  onSize,
  onRemove,
}: Omit<SingleUploadProps, 'uploads'> & {
  onSize: (size: { width: number; height: number }) => void
  onRemove: () => void
}) {
  const text = useText({ upload }).singleUpload
  const media = useMediaUrl()
  const thumbnailUrl = uploaded?.photo?.thumbnail_url && media(uploaded.photo.thumbnail_url)
  return (
    <div className="print">
      <div className="print__photo single-upload__photo">
        <FilePreview
          file={file}
          sources={thumbnailUrl ? [previewUrl, thumbnailUrl] : [previewUrl]}
          alt={text.previewAlt(file.name)}
          onSize={onSize}
        />
        {uploaded?.state === 'failed' && (
          <div className="single-upload__overlay">
            <TriangleAlert className="icon" />
            <b>{text.overlay}</b>
            <span>{text.overlayHint}</span>
          </div>
        )}
        {state.status !== 'uploaded' && (
          <Button
            className="single-upload__remove on-photo"
            icon
            aria-label={text.remove(file.name)}
            onClick={onRemove}
          >
            <X className="icon" />
          </Button>
        )}
      </div>
    </div>
  )
}

function UploadOutcome({ item: { file, state }, uploaded }: Omit<SingleUploadProps, 'uploads'>): ReactNode {
  const text = useText({ upload })
  const format = useFormat()
  const translate = useServerSentence()
  if (quotaOf({ state }) !== null)
    return <output className="muted">{text.queue.waitingForRoom(format.size(file.size))}</output>
  if ('problem' in state) {
    return <Note tone="bad">{uploadProblemMessage(state.problem, file.size, { text: text.errors, format })}</Note>
  }
  if (state.status === 'selected' && state.sentAt !== undefined)
    return <Note tone="plain">{text.singleUpload.sentBefore(format.dateTime(state.sentAt))}</Note>
  if (state.status === 'queued' && state.waitsUntil !== undefined)
    return <Note tone="plain">{text.queue.waitingForSlow}</Note>
  if (state.status !== 'uploaded') return null
  if (uploaded?.state === 'failed') {
    const failureReason = translate(uploaded.photo?.error_message ?? null)
    return (
      <Note tone="bad">
        <b>{text.singleUpload.failedHeading}</b> {text.singleUpload.failed}
        {failureReason && (
          <span className="single-upload__reason" translate="no">
            {failureReason}
          </span>
        )}
      </Note>
    )
  }
  if (uploaded?.state === 'deleted')
    return <output className="muted">{text.queue.deleted(format.size(file.size))}</output>
  return (
    <>
      <Note tone="ok">{text.singleUpload.success}</Note>
      <output className="single-upload__processing">
        {uploaded?.state === 'processing' && <span className="spin" aria-hidden="true" />}
        <span>{uploaded?.state === 'unknown' ? text.singleUpload.unknown : text.singleUpload.processing}</span>
      </output>
    </>
  )
}

function SingleUploadActions({ item: { id, state }, uploaded, uploads }: SingleUploadProps) {
  const text = useText({ upload })
  const { tryAgain } = useText({ states })
  const { mutate, isPending, isError } = useRetryProcessing()
  const uploadAnother = (
    <Button large block onClick={() => uploads.remove(id)}>
      {text.singleUpload.another}
    </Button>
  )
  if (state.status === 'uploaded') {
    const photo = uploaded?.photo
    if (uploaded?.state !== 'failed') {
      return (
        <Link className={buttonClass({ large: true, block: true })} to={paths.latest}>
          {text.singleUpload.latest}
        </Link>
      )
    }
    return (
      <>
        {photo?.can_retry && !isError && (
          <Button tone="primary" large block busy={isPending} onClick={() => mutate(photo.id)}>
            {!isPending && <RotateCw className="icon" />}
            {tryAgain}
          </Button>
        )}
        {uploadAnother}
      </>
    )
  }
  const mayStart = state.status === 'selected' || mayRetry(state)
  const isBusy = state.status === 'uploading' || state.status === 'queued'
  return (
    <>
      {(mayStart || isBusy) && (
        <Button
          tone="primary"
          large
          block
          busy={isBusy}
          onClick={() => (state.status === 'selected' ? uploads.start(id) : uploads.retry(id))}
        >
          {!isBusy && <Upload className="icon" />}
          {text.singleUpload.submit}
        </Button>
      )}
      {!isBusy && uploadAnother}
    </>
  )
}

interface UploadRowProps {
  item: UploadItem
  uploaded: UploadedPhotoStatus | undefined
  /** The big screen shows its photo. */
  isOnScreen: boolean
  uploads: Uploads
}

/** One of several files: its preview, its progress or result, and the possible actions. */
const UploadRow = memo(function UploadRow({ item, uploaded, isOnScreen, uploads }: UploadRowProps) {
  const media = useMediaUrl()
  const { file, previewUrl } = item
  const thumbnailUrl = uploaded?.photo?.thumbnail_url && media(uploaded.photo.thumbnail_url)
  return (
    <li className="upload-row">
      <FilePreview
        className="thumbnail"
        file={file}
        sources={thumbnailUrl ? [thumbnailUrl, previewUrl] : [previewUrl]}
        alt=""
      />
      <div className="upload-row__main">
        <p className="upload-row__name">
          <span className="ellipsis file-name" translate="no" title={file.name}>
            {file.name}
          </span>
        </p>
        <UploadStatus item={item} uploaded={uploaded} isOnScreen={isOnScreen} />
        <GoesTo item={item} />
      </div>
      <UploadActions item={item} uploaded={uploaded} isOnScreen={isOnScreen} uploads={uploads} />
    </li>
  )
})

/** To which event the photo of a file goes, or went. */
function GoesTo({ item: { event } }: Pick<UploadRowProps, 'item'>) {
  const text = useText({ eventMenu })
  const nameOf = useEventName()
  if (event === undefined) return null
  return (
    <p className="small muted upload__goes-to">
      {event === 'none' ? text.uploadFixedNone : text.uploadFixed(nameOf(event))}
    </p>
  )
}

function UploadStatus({ item: { file, state }, uploaded, isOnScreen }: Omit<UploadRowProps, 'uploads'>) {
  const translate = useServerSentence()
  const text = useText({ upload })
  const format = useFormat()
  const fileSize = format.size(file.size)
  if (state.status === 'uploading') {
    return (
      <>
        <ProgressBar label={text.queue.uploadingFile(file.name)} progress={state.progress} />
        <p className="upload-row__status tabular-numbers">
          {text.queue.sending(fileSize, format.percent(state.progress))}
        </p>
      </>
    )
  }
  if (state.status !== 'uploaded') return <NotSentStatus file={file} state={state} />
  if (uploaded?.state === 'failed') {
    const reason = translate(uploaded.photo?.error_message ?? null)
    // One sentence, which says what to do instead of trying again.
    if (reason && !uploaded.photo?.can_retry)
      return (
        <UploadProblemLine>
          <span translate="no">{reason}</span>
        </UploadProblemLine>
      )
    return (
      <UploadProblemLine>
        {text.queue.failed}
        {reason && (
          <span className="upload-row__reason" translate="no">
            {reason}
          </span>
        )}
      </UploadProblemLine>
    )
  }
  if (uploaded?.state === 'ready') {
    return (
      <p className="upload-row__status upload-row__status--ok">
        <Check className="icon" />
        <span>{isOnScreen ? text.queue.onScreen(fileSize) : text.queue.ready(fileSize)}</span>
      </p>
    )
  }
  if (uploaded?.state === 'deleted')
    return <p className="upload-row__status tabular-numbers">{text.queue.deleted(fileSize)}</p>
  return (
    <p className="upload-row__status tabular-numbers">
      <span className="spin" aria-hidden="true" />
      <span>{text.queue.processing(fileSize)}</span>
    </p>
  )
}

/** Why a file is not being sent. */
function NotSentStatus({ file, state }: Pick<UploadItem, 'file' | 'state'>) {
  const text = useText({ upload })
  const format = useFormat()
  const fileSize = format.size(file.size)
  if (quotaOf({ state }) !== null)
    return <p className="upload-row__status tabular-numbers">{text.queue.waitingForRoom(fileSize)}</p>
  if (state.status === 'queued' && 'problem' in state)
    return <p className="upload-row__status">{text.errors.serverUnavailable}</p>
  if ('problem' in state)
    return (
      <UploadProblemLine>
        {uploadProblemMessage(state.problem, file.size, { text: text.errors, format })}
      </UploadProblemLine>
    )
  if (state.status === 'sent-before')
    return (
      <p className="upload-row__status tabular-numbers">
        {state.at === null ? text.queue.listed(fileSize) : text.queue.sentBefore(fileSize, format.dateTime(state.at))}
      </p>
    )
  if (state.status === 'queued' && state.waitsUntil !== undefined)
    return <p className="upload-row__status">{text.queue.waitingForSlow}</p>
  return <p className="upload-row__status tabular-numbers">{text.queue.waiting(fileSize)}</p>
}

function UploadProblemLine({ children }: { children: ReactNode }) {
  return (
    <p className="upload-row__status upload-row__status--bad">
      <TriangleAlert className="icon" />
      <span>{children}</span>
    </p>
  )
}

function UploadActions({ item, uploaded, isOnScreen, uploads }: UploadRowProps) {
  const text = useText({ upload }).queue
  const { mutate, isPending } = useRetryProcessing()
  const { id, file, state } = item
  const photo = uploaded?.photo
  const isSentBefore = state.status === 'sent-before'
  if (photo && uploaded.state === 'ready') return <QrCodeLink file={file} photo={photo} isOnScreen={isOnScreen} />
  const retryUpload = ((): (() => void) | null => {
    if (photo && uploaded.state === 'failed') return photo.can_retry ? () => mutate(photo.id) : null
    return mayRetry(state) ? () => uploads.retry(id) : null
  })()
  return (
    <div className="upload-row__actions">
      {retryUpload && (
        <Button
          className="upload-row__retry"
          busy={isPending}
          aria-label={isSentBefore ? text.fileAgain(file.name) : text.retryFile(file.name)}
          onClick={retryUpload}
        >
          {!isPending && <RotateCw className="icon" />}
          <span>{isSentBefore ? text.again : text.retry}</span>
        </Button>
      )}
      {(state.status !== 'uploaded' || uploaded?.state === 'failed') && (
        <Button tone="ghost" icon aria-label={text.remove(file.name)} onClick={() => uploads.remove(id)}>
          <X className="icon" />
        </Button>
      )}
    </div>
  )
}

/** The photo's QR code, as a link to where the photo is shown. */
function QrCodeLink({ file, photo, isOnScreen }: { file: File; photo: Photo; isOnScreen: boolean }) {
  const text = useText({ upload }).queue
  const media = useMediaUrl()
  const qrCodeUrl = qrCodeUrlOf(photo, useGateOf()(photo))
  return (
    <Link
      className="upload-row__code"
      to={isOnScreen ? paths.latest : galleryPhoto(photo.id)}
      aria-label={isOnScreen ? text.screenLink(file.name) : text.galleryLink(file.name)}
    >
      {qrCodeUrl && (
        <img
          className="upload-row__code-image"
          src={media(svgUrlOf(qrCodeUrl)) ?? undefined}
          width="52"
          height="52"
          alt={text.codeAlt(file.name)}
        />
      )}
    </Link>
  )
}

const photoOf = (item: UploadItem, uploaded: UploadQueueProps['uploaded']): UploadedPhotoStatus | undefined =>
  item.state.status === 'uploaded' ? uploaded.get(item.state.photoId) : undefined

const isTooLarge = (item: UploadItem): boolean => item.state.status === 'over-limit' && quotaOf(item) === null

function groupsOf(
  items: readonly UploadItem[],
  uploaded: UploadQueueProps['uploaded'],
): Record<UploadGroup, UploadItem[]> {
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
