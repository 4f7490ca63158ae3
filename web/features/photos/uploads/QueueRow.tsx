import { Check, RotateCw, TriangleAlert, X } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useCurrentUser } from '../../../lib/current-user.ts'
import { useFormat, useText } from '../../../lib/i18n.tsx'
import { useMediaUrl } from '../../../lib/parts.tsx'
import { paths } from '../../../lib/paths.ts'
import { upload } from '../../../messages/en/upload.ts'
import { Button } from '../../../ui/Button.tsx'
import { useRetryPhoto } from '../changes.ts'
import { codeOf, drawingOf } from '../codes.ts'
import { Preview } from './Preview.tsx'
import { ProgressBar } from './ProgressBar.tsx'
import { uploadMessage } from './problems.ts'
import { mayRetry, type UploadItem } from './queue.ts'
import type { Uploads } from './uploads.ts'
import type { Stored } from './useStored.ts'

interface Props {
  item: UploadItem
  stored: Stored | undefined
  uploads: Uploads
}

/** One file of several: its picture, its bar or what became of it, and what can be done about it. */
export const QueueRow = memo(function QueueRow({ item, stored, uploads }: Props) {
  const media = useMediaUrl()
  const { file, preview } = item
  const thumb = stored?.photo?.thumbnail_url && media(stored.photo.thumbnail_url)
  return (
    <li className="q">
      <Preview className="thumb" file={file} sources={thumb ? [thumb, preview] : [preview]} alt="" />
      <div className="q__main">
        <p className="q__name">
          <span className="cut file-name" translate="no" title={file.name}>
            {file.name}
          </span>
        </p>
        <QueueLine item={item} stored={stored} />
      </div>
      <QueueDeed item={item} stored={stored} uploads={uploads} />
    </li>
  )
})

function QueueLine({ item: { file, state }, stored }: Omit<Props, 'uploads'>) {
  const text = useText({ upload })
  const format = useFormat()
  const size = format.size(file.size)
  if (state.at === 'sending') {
    return (
      <>
        <ProgressBar label={text.queue.uploadingOne(file.name)} share={state.share} />
        <p className="q__say num">{text.queue.sending(size, format.percent(state.share))}</p>
      </>
    )
  }
  if ('problem' in state) return <Bad>{uploadMessage(state.problem, file.size, { text: text.errors, format })}</Bad>
  if (state.at !== 'stored') return <p className="q__say num">{text.queue.waiting(size)}</p>
  if (stored?.state === 'failed') {
    const reason = stored.photo?.error_message
    return (
      <Bad>
        {text.queue.failed}
        {reason && (
          <span className="q__reason" translate="no">
            {reason}
          </span>
        )}
      </Bad>
    )
  }
  if (stored?.state === 'ready') {
    return (
      <p className="q__say q__say--ok">
        <Check className="i" />
        {text.queue.ready(size)}
      </p>
    )
  }
  if (stored?.state === 'gone') return <p className="q__say num">{text.queue.gone(size)}</p>
  return (
    <p className="q__say num">
      <span className="spin" aria-hidden="true" />
      {text.queue.processing(size)}
    </p>
  )
}

function Bad({ children }: { children: ReactNode }) {
  return (
    <p className="q__say q__say--bad">
      <TriangleAlert className="i" />
      <span>{children}</span>
    </p>
  )
}

function QueueDeed({ item, stored, uploads }: Props) {
  const text = useText({ upload }).queue
  const { mutate, isPending } = useRetryPhoto()
  const { id, file, state } = item
  const photo = stored?.photo
  if (photo && stored.state === 'ready') return <CodeLink item={item} stored={stored} />
  const retry = ((): (() => void) | null => {
    if (photo && stored.state === 'failed') return () => mutate(photo.id)
    return 'problem' in state && mayRetry(state) ? () => uploads.retry(id) : null
  })()
  return (
    <div className="q__deeds">
      {retry && (
        <Button className="q__retry" busy={isPending} aria-label={text.retryOne(file.name)} onClick={retry}>
          {!isPending && <RotateCw className="i" />}
          <span>{text.retry}</span>
        </Button>
      )}
      {(state.at !== 'stored' || stored?.state === 'failed') && (
        <Button tone="ghost" icon aria-label={text.remove(file.name)} onClick={() => uploads.remove(id)}>
          <X className="i" />
        </Button>
      )}
    </div>
  )
}

/** The result: the photo's code, and the way to the big screen. */
function CodeLink({ item: { file }, stored }: { item: UploadItem; stored: Stored }) {
  const text = useText({ upload }).queue
  const media = useMediaUrl()
  const { user } = useCurrentUser()
  const code = user && stored.photo && codeOf(stored.photo, user)
  return (
    <Link className="q__code" to={paths.latest} aria-label={text.codeLink(file.name)}>
      {code && (
        <img
          className="q__qr"
          src={media(drawingOf(code)) ?? undefined}
          width="52"
          height="52"
          alt={text.codeAlt(file.name)}
        />
      )}
    </Link>
  )
}
