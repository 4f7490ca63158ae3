import { Download, Maximize, Minimize, QrCode, Rows4, RotateCw } from 'lucide-react'
import { useText } from '../../../lib/i18n.tsx'
import { useMediaUrl } from '../../../lib/parts.tsx'
import { latest } from '../../../messages/en/latest.ts'
import { Button } from '../../../ui/Button.tsx'
import type { Face } from './face.ts'

interface Props {
  face: Face
  refreshing: boolean
  onRefresh: () => void
  onCode: () => void
  isFull: boolean
  onFullScreen: () => void
  showsBefore: boolean
  onBefore: () => void
}

/** What the owner can do on the stage. */
export function StageTools({
  face,
  refreshing,
  onRefresh,
  onCode,
  isFull,
  onFullScreen,
  showsBefore,
  onBefore,
}: Props) {
  const text = useText({ latest }).tools
  return (
    <fieldset className="stage__tools on-photo" aria-label={text.label}>
      <Button tone="ghost" onClick={onRefresh} busy={refreshing}>
        {!refreshing && <RotateCw className="i" />}
        <span>{text.refresh}</span>
      </Button>
      <DownloadButton face={face} />
      <Button tone="ghost" onClick={onCode} disabled={face.code === null}>
        <QrCode className="i" />
        <span>{text.code}</span>
      </Button>
      <Button tone="ghost" aria-pressed={showsBefore} onClick={onBefore}>
        <Rows4 className="i" />
        <span>{text.before}</span>
      </Button>
      <Button tone="ghost" onClick={onFullScreen}>
        {isFull ? <Minimize className="i" /> : <Maximize className="i" />}
        <span>{isFull ? text.leaveFullScreen : text.fullScreen}</span>
      </Button>
    </fieldset>
  )
}

function DownloadButton({ face }: { face: Face }) {
  const text = useText({ latest }).tools
  const media = useMediaUrl()
  const address = face.photo.b2_url && media(face.photo.b2_url)
  const label = (
    <>
      <Download className="i" />
      <span>{text.download}</span>
    </>
  )
  if (!address) {
    return (
      <Button tone="ghost" disabled>
        {label}
      </Button>
    )
  }
  // The server names the file. Where a store of other origin does not let it be saved, it opens beside this page.
  return (
    <a className="btn btn--ghost" href={address} download="" target="_blank" rel="noopener">
      {label}
    </a>
  )
}
