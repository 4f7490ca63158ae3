import { Check, RotateCw, TriangleAlert, X } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useCurrentUser } from '../../../lib/current-user.ts'
import { useFormat, useText } from '../../../lib/i18n.tsx'
import { useMediaUrl } from '../../../lib/app-services.tsx'
import { paths } from '../../../lib/paths.ts'
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
  uploads: Uploads
}

/** One of several files: its preview, its progress or result, and the possible actions. */
export const UploadRow = memo(function UploadRow({ item, uploaded, uploads }: Props) {
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
        <UploadStatus item={item} uploaded={uploaded} />
      </div>
      <UploadActions item={item} uploaded={uploaded} uploads={uploads} />
    </li>
  )
})

function UploadStatus({ item: { file, state }, uploaded }: Omit<Props, 'uploads'>) {
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
  if (state.status === 'queued' && state.waitsUntil !== undefined)
    return <p className="upload-row__status">{text.queue.waitingForSlow}</p>
  if (state.status !== 'uploaded')
    return <p className="upload-row__status tabular-numbers">{text.queue.waiting(fileSize)}</p>
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
        {text.queue.ready(fileSize)}
      </p>
    )
  }
  if (uploaded?.state === 'deleted')
    return <p className="upload-row__status tabular-numbers">{text.queue.deleted(fileSize)}</p>
  return (
    <p className="upload-row__status tabular-numbers">
      <span className="spin" aria-hidden="true" />
      {text.queue.processing(fileSize)}
    </p>
  )
}

function UploadProblemLine({ children }: { children: ReactNode }) {
  return (
    <p className="upload-row__status upload-row__status--bad">
      <TriangleAlert className="icon" />
      <span>{children}</span>
    </p>
  )
}

function UploadActions({ item, uploaded, uploads }: Props) {
  const text = useText({ upload }).queue
  const { mutate, isPending } = useRetryProcessing()
  const { id, file, state } = item
  const photo = uploaded?.photo
  if (photo && uploaded.state === 'ready') return <QrCodeLink item={item} uploaded={uploaded} />
  const retryUpload = ((): (() => void) | null => {
    if (photo && uploaded.state === 'failed') return photo.can_retry ? () => mutate(photo.id) : null
    return 'problem' in state && mayRetry(state) ? () => uploads.retry(id) : null
  })()
  return (
    <div className="upload-row__actions">
      {retryUpload && (
        <Button
          className="upload-row__retry"
          busy={isPending}
          aria-label={text.retryFile(file.name)}
          onClick={retryUpload}
        >
          {!isPending && <RotateCw className="icon" />}
          <span>{text.retry}</span>
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

/** The photo's QR code, as a link to the latest photo. */
function QrCodeLink({ item: { file }, uploaded }: { item: UploadItem; uploaded: UploadedPhotoStatus }) {
  const text = useText({ upload }).queue
  const media = useMediaUrl()
  const { user } = useCurrentUser()
  const qrCodeUrl = user && uploaded.photo && qrCodeUrlOf(uploaded.photo, user)
  return (
    <Link className="upload-row__code" to={paths.latest} aria-label={text.codeLink(file.name)}>
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
