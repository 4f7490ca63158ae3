import { Download, Maximize, Minimize, QrCode, Rows4, RotateCw } from 'lucide-react'
import { useText } from '../../../lib/i18n.tsx'
import { useMediaUrl } from '../../../lib/app-services.tsx'
import { latest } from '../../../messages/en/latest.ts'
import { Button } from '../../../ui/Button.tsx'
import type { LatestViewModel } from './latest-view-model.ts'

interface Props {
  model: LatestViewModel
  refreshing: boolean
  onRefresh: () => void
  onShowCode: () => void
  isFull: boolean
  onToggleFullScreen: () => void
  showsRecent: boolean
  onToggleRecent: () => void
}

export function LatestToolbar({
  model,
  refreshing,
  onRefresh,
  onShowCode,
  isFull,
  onToggleFullScreen,
  showsRecent,
  onToggleRecent,
}: Props) {
  const text = useText({ latest }).toolbar
  return (
    <fieldset className="latest__toolbar on-photo" aria-label={text.label}>
      <Button tone="ghost" onClick={onRefresh} busy={refreshing}>
        {!refreshing && <RotateCw className="icon" />}
        <span>{text.refresh}</span>
      </Button>
      <DownloadButton model={model} />
      <Button tone="ghost" onClick={onShowCode} disabled={model.qrCode === null}>
        <QrCode className="icon" />
        <span>{text.code}</span>
      </Button>
      <Button tone="ghost" aria-pressed={showsRecent} onClick={onToggleRecent}>
        <Rows4 className="icon" />
        <span>{text.recent}</span>
      </Button>
      <Button tone="ghost" onClick={onToggleFullScreen}>
        {isFull ? <Minimize className="icon" /> : <Maximize className="icon" />}
        <span>{isFull ? text.leaveFullScreen : text.fullScreen}</span>
      </Button>
    </fieldset>
  )
}

function DownloadButton({ model }: { model: LatestViewModel }) {
  const text = useText({ latest }).toolbar
  const media = useMediaUrl()
  const url = model.photo.b2_url && media(model.photo.b2_url)
  const label = (
    <>
      <Download className="icon" />
      <span>{text.download}</span>
    </>
  )
  if (!url) {
    return (
      <Button tone="ghost" disabled>
        {label}
      </Button>
    )
  }
  // The server names the file. Where the store has another origin, browsers ignore `download`: a new tab opens.
  return (
    <a className="btn btn--ghost" href={url} download="" target="_blank" rel="noopener">
      {label}
    </a>
  )
}
