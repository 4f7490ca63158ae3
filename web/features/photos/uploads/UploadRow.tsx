import type { Photo } from '@keepsnap/contract/photos.ts'
import { Check, RotateCw, TriangleAlert, X } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useCurrentUser } from '../../../lib/current-user.ts'
import { useFormat, useText } from '../../../lib/i18n.tsx'
import { useMediaUrl } from '../../../lib/app-services.tsx'
import { galleryPhoto, paths } from '../../../lib/paths.ts'
import { useServerSentence } from '../../../lib/server-sentences.ts'
import { upload } from '../../../messages/en/upload.ts'
import { Button } from '../../../ui/Button.tsx'
import { useRetryProcessing } from '../mutations.ts'
import { qrCodeUrlOf, svgUrlOf } from '../qr-codes.ts'
import { FilePreview } from './FilePreview.tsx'
import { ProgressBar } from './ProgressBar.tsx'
import { uploadProblemMessage } from './problems.ts'
import { mayRetry, quotaOf, type UploadItem } from './queue.ts'
import type { Uploads } from './uploads.ts'
import type { UploadedPhotoStatus } from './useUploadedPhotos.ts'

interface Props {
  item: UploadItem
  uploaded: UploadedPhotoStatus | undefined
  /** The big screen shows its photo. */
  isOnScreen: boolean
  uploads: Uploads
}

/** One of several files: its preview, its progress or result, and the possible actions. */
export const UploadRow = memo(function UploadRow({ item, uploaded, isOnScreen, uploads }: Props) {
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
      </div>
      <UploadActions item={item} uploaded={uploaded} isOnScreen={isOnScreen} uploads={uploads} />
    </li>
  )
})

function UploadStatus({ item: { file, state }, uploaded, isOnScreen }: Omit<Props, 'uploads'>) {
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

function UploadActions({ item, uploaded, isOnScreen, uploads }: Props) {
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

interface QrCodeLinkProps extends Pick<Props, 'isOnScreen'> {
  file: File
  photo: Photo
}

/** The photo's QR code, as a link to where the photo is shown. */
function QrCodeLink({ file, photo, isOnScreen }: QrCodeLinkProps) {
  const text = useText({ upload }).queue
  const media = useMediaUrl()
  const { user } = useCurrentUser()
  const qrCodeUrl = user && qrCodeUrlOf(photo, user)
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
