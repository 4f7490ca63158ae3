import { Download, Maximize, Minimize, QrCode, Rows4, type LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { useText } from '../../../lib/i18n.tsx'
import { useMediaUrl } from '../../../lib/app-services.tsx'
import { latest } from '../../../messages/en/latest.ts'
import { Button } from '../../../ui/Button.tsx'
import type { LatestViewModel } from './latest-view-model.ts'

interface Props {
  model: LatestViewModel
  /** The photo may no longer be shown: neither it nor its code is offered. */
  isWithdrawn: boolean
  onShowCode: () => void
  isFull: boolean
  onToggleFullScreen: () => void
  showsRecent: boolean
  onToggleRecent: () => void
  /** More controls, before those that every big screen has. */
  children?: ReactNode
}

export function LatestToolbar({
  model,
  isWithdrawn,
  onShowCode,
  isFull,
  onToggleFullScreen,
  showsRecent,
  onToggleRecent,
  children,
}: Props) {
  const text = useText({ latest }).toolbar
  return (
    <fieldset className="latest__toolbar on-photo" aria-label={text.label}>
      {children}
      <DownloadLink url={isWithdrawn ? null : model.photo.b2_url} />
      <ToolbarButton
        icon={QrCode}
        label={text.code}
        onClick={onShowCode}
        disabled={isWithdrawn || model.qrCode === null}
      />
      <ToolbarButton icon={Rows4} label={text.recent} aria-pressed={showsRecent} onClick={onToggleRecent} />
      <ToolbarButton
        icon={isFull ? Minimize : Maximize}
        label={isFull ? text.leaveFullScreen : text.fullScreen}
        onClick={onToggleFullScreen}
      />
    </fieldset>
  )
}

type ButtonProps = Omit<ComponentProps<typeof Button>, 'icon' | 'tone' | 'children'> & {
  icon: LucideIcon
  label: string
}

/**
 * One control of the big screen: an icon, and its label where there is room. It keeps the focus while it is disabled, which
 * photos that come and go change at any time.
 */
export function ToolbarButton({ icon: Icon, label, busy = false, disabled = false, onClick, ...button }: ButtonProps) {
  return (
    <Button
      tone="ghost"
      busy={busy}
      title={label}
      aria-disabled={disabled || undefined}
      {...(!disabled && { onClick })}
      {...button}
    >
      {!busy && <Icon className="icon" />}
      <span>{label}</span>
    </Button>
  )
}

/** Without a URL, too, it is this element: another one would not keep the focus. */
function DownloadLink({ url }: { url: string | null }) {
  const text = useText({ latest }).toolbar
  const media = useMediaUrl()
  const href = url && media(url)
  return (
    <a
      className="btn btn--ghost"
      title={text.download}
      // The server names the file. Where the store has another origin, browsers ignore `download`: a new tab opens.
      {...(href
        ? { href, download: '', target: '_blank', rel: 'noopener' }
        : { role: 'link', tabIndex: 0, 'aria-disabled': true })}
    >
      <Download className="icon" />
      <span>{text.download}</span>
    </a>
  )
}
