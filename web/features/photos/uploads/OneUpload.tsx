import { RotateCw, TriangleAlert, Upload, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useFormat, useText } from '../../../lib/i18n.tsx'
import { useMediaUrl } from '../../../lib/parts.tsx'
import { paths } from '../../../lib/paths.ts'
import { states } from '../../../messages/en/states.ts'
import { upload } from '../../../messages/en/upload.ts'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { Note } from '../../../ui/Note.tsx'
import { useRetryPhoto } from '../changes.ts'
import { Preview } from './Preview.tsx'
import { ProgressBar } from './ProgressBar.tsx'
import { uploadMessage } from './problems.ts'
import { mayRetry, type UploadItem } from './queue.ts'
import type { Uploads } from './uploads.ts'
import type { Stored } from './useStored.ts'

interface Props {
  item: UploadItem
  /** What became of it, once the server has it. */
  stored: Stored | undefined
  uploads: Uploads
}

/** One file, as the spec says: look at it, upload it, wait for it. */
export function OneUpload({ item, stored, uploads }: Props) {
  const text = useText({ upload }).one
  const format = useFormat()
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  const { file, state } = item
  const pixels = size && text.pixels(format.count(size.width), format.count(size.height))
  return (
    <section className="up-one" aria-label={text.label}>
      <OnePicture item={item} stored={stored} onSize={setSize} onRemove={() => uploads.remove(item.id)} />
      <div className="up-one__say stack">
        <h2 className="cut file-name" translate="no">
          {file.name}
        </h2>
        <p className="muted num" translate="no">
          {[format.size(file.size), pixels].filter(Boolean).join(' · ')}
        </p>
        {state.at === 'sending' && <Sending share={state.share} />}
        <OneOutcome item={item} stored={stored} />
        <OneDeeds item={item} stored={stored} uploads={uploads} />
      </div>
    </section>
  )
}

function OnePicture({
  item: { file, preview, state },
  stored,
  onSize,
  onRemove,
}: Omit<Props, 'uploads'> & {
  onSize: (size: { width: number; height: number }) => void
  onRemove: () => void
}) {
  const text = useText({ upload }).one
  const media = useMediaUrl()
  const thumb = stored?.photo?.thumbnail_url && media(stored.photo.thumbnail_url)
  return (
    <div className="print">
      <div className="print__photo up-one__photo">
        <Preview
          file={file}
          sources={thumb ? [preview, thumb] : [preview]}
          alt={text.previewAlt(file.name)}
          onSize={onSize}
        />
        {stored?.state === 'failed' && (
          <div className="up-one__over">
            <TriangleAlert className="i" />
            <b>{text.overlay}</b>
            <span>{text.overlayHint}</span>
          </div>
        )}
        {state.at !== 'stored' && (
          <Button className="up-one__x on-photo" icon aria-label={text.remove(file.name)} onClick={onRemove}>
            <X className="i" />
          </Button>
        )}
      </div>
    </div>
  )
}

function Sending({ share }: { share: number }) {
  const text = useText({ upload }).one
  const format = useFormat()
  return (
    <div className="up-one__sending">
      <ProgressBar label={text.sending} share={share} />
      <p className="small muted num">
        {text.sending} · {format.percent(share)}
      </p>
    </div>
  )
}

/** Banner and notices. */
function OneOutcome({ item: { file, state }, stored }: Omit<Props, 'uploads'>): ReactNode {
  const text = useText({ upload })
  const format = useFormat()
  if ('problem' in state) {
    return <Note tone="bad">{uploadMessage(state.problem, file.size, { text: text.errors, format })}</Note>
  }
  if (state.at !== 'stored') return null
  if (stored?.state === 'failed') {
    const reason = stored.photo?.error_message
    return (
      <Note tone="bad">
        <b>{text.one.failedHeading}</b> {text.one.failed}
        {reason && (
          <span className="up-one__reason" translate="no">
            {reason}
          </span>
        )}
      </Note>
    )
  }
  return (
    <>
      <Note tone="ok">{text.one.success}</Note>
      <output className="up-one__wait">
        {stored?.state === 'processing' && <span className="spin" aria-hidden="true" />}
        <span>{stored?.state === 'lost' || stored?.state === 'gone' ? text.one.lost : text.one.processing}</span>
      </output>
    </>
  )
}

function OneDeeds({ item: { id, state }, stored, uploads }: Props) {
  const text = useText({ upload })
  const { tryAgain } = useText({ states })
  const { mutate, isPending, isError } = useRetryPhoto()
  const another = (
    <Button large block onClick={() => uploads.remove(id)}>
      {text.one.another}
    </Button>
  )
  if (state.at === 'stored') {
    const photo = stored?.photo
    if (stored?.state !== 'failed') {
      return (
        <Link className={buttonClass({ large: true, block: true })} to={paths.latest}>
          {text.one.latest}
        </Link>
      )
    }
    return (
      <>
        {photo && !isError && (
          <Button tone="primary" large block busy={isPending} onClick={() => mutate(photo.id)}>
            {!isPending && <RotateCw className="i" />}
            {tryAgain}
          </Button>
        )}
        {another}
      </>
    )
  }
  const mayStart = state.at === 'chosen' || ('problem' in state && mayRetry(state))
  const isBusy = state.at === 'sending' || state.at === 'waiting'
  return (
    <>
      {(mayStart || isBusy) && (
        <Button
          tone="primary"
          large
          block
          busy={isBusy}
          onClick={() => (state.at === 'chosen' ? uploads.start(id) : uploads.retry(id))}
        >
          {!isBusy && <Upload className="i" />}
          {text.one.submit}
        </Button>
      )}
      {!isBusy && another}
    </>
  )
}
