import { RotateCw, TriangleAlert, Upload, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useFormat, useText } from '../../../lib/i18n.tsx'
import { useMediaUrl } from '../../../lib/app-services.tsx'
import { paths } from '../../../lib/paths.ts'
import { useServerSentence } from '../../../lib/server-sentences.ts'
import { states } from '../../../messages/en/states.ts'
import { upload } from '../../../messages/en/upload.ts'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { Note } from '../../../ui/Note.tsx'
import { useRetryProcessing } from '../mutations.ts'
import { FilePreview } from './FilePreview.tsx'
import { PauseNote } from './PauseNote.tsx'
import { ProgressBar } from './ProgressBar.tsx'
import { uploadProblemMessage } from './problems.ts'
import { isUnsent, mayRetry, quotaOf, type UploadItem } from './queue.ts'
import { useUploadsState } from './uploads-context.ts'
import type { Uploads } from './uploads.ts'
import type { UploadedPhotoStatus } from './useUploadedPhotos.ts'

interface Props {
  item: UploadItem
  /** The photo, once the server has stored the file. */
  uploaded: UploadedPhotoStatus | undefined
  uploads: Uploads
}

/** A single file: its preview, its progress and its result. */
export function SingleUpload({ item, uploaded, uploads }: Props) {
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
        {state.status === 'selected' && <p className="small muted">{drop.formats}</p>}
        {state.status === 'uploading' && <SendingProgress progress={state.progress} />}
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
}: Omit<Props, 'uploads'> & {
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

function SendingProgress({ progress }: { progress: number }) {
  const text = useText({ upload }).singleUpload
  const format = useFormat()
  return (
    <div className="single-upload__sending">
      <ProgressBar label={text.sending} progress={progress} />
      <p className="small muted tabular-numbers">
        {text.sending} · {format.percent(progress)}
      </p>
    </div>
  )
}

function UploadOutcome({ item: { file, state }, uploaded }: Omit<Props, 'uploads'>): ReactNode {
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

function SingleUploadActions({ item: { id, state }, uploaded, uploads }: Props) {
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
