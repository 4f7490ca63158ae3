import { Download, Ellipsis, type LucideIcon, Maximize, Minimize, QrCode, Rows4 } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { useMediaUrl } from '../../../lib/app-services.tsx'
import { useText } from '../../../lib/i18n.tsx'
import { useMediaQuery } from '../../../lib/media-query.ts'
import { attachmentUrl } from '../../../lib/media-url.ts'
import { latest } from '../../../messages/en/latest.ts'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { Menu } from '../../../ui/Menu.tsx'
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
  /** Controls that are needed all the time, before those that every big screen has. */
  children?: ReactNode
  /** Controls that are needed less often, after them. */
  more?: ReactNode
}

/** All controls side by side; phones show the most important, and the others in a menu. */
export function LatestToolbar({
  model,
  isWithdrawn,
  onShowCode,
  isFull,
  onToggleFullScreen,
  showsRecent,
  onToggleRecent,
  children,
  more,
}: Props) {
  const text = useText({ latest }).toolbar
  const isPhone = useIsPhone()
  const others = (
    <>
      {more}
      <DownloadLink url={isWithdrawn ? null : model.photo.b2_url} />
      <ToolbarButton
        icon={QrCode}
        label={text.code}
        onClick={onShowCode}
        disabled={isWithdrawn || model.qrCode === null}
      />
      <ToolbarButton
        icon={Rows4}
        label={text.recent}
        aria-pressed={showsRecent}
        data-keeps-menu-open
        onClick={onToggleRecent}
      />
    </>
  )
  return (
    <fieldset className="latest__toolbar on-photo" aria-label={text.label}>
      {children}
      {!isPhone && others}
      <ToolbarButton
        icon={isFull ? Minimize : Maximize}
        label={isFull ? text.leaveFullScreen : text.fullScreen}
        onClick={onToggleFullScreen}
      />
      {isPhone && <More label={text.more}>{others}</More>}
    </fieldset>
  )
}

function More({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Menu
      label={label}
      icon={
        <>
          <Ellipsis className="icon" />
          <span>{label}</span>
        </>
      }
      buttonClassName={buttonClass({ tone: 'ghost' })}
    >
      {children}
    </Menu>
  )
}

type ButtonProps = Omit<ComponentProps<typeof Button>, 'icon' | 'tone' | 'children'> & {
  icon: LucideIcon
  label: string
}

/**
 * One control of the big screen: an icon, and its label where there is space. It keeps the focus while it is disabled,
 * which a new or removed photo can change at any time.
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

/** The same element also without a URL: another one would lose the focus. */
function DownloadLink({ url }: { url: string | null }) {
  const text = useText({ latest }).toolbar
  const media = useMediaUrl()
  const href = url && media(url)
  return (
    <a
      className="btn btn--ghost"
      title={text.download}
      // The server names the file.
      {...(href ? { href: attachmentUrl(href), download: '' } : { role: 'link', tabIndex: 0, 'aria-disabled': true })}
    >
      <Download className="icon" />
      <span>{text.download}</span>
    </a>
  )
}

/** Phones and small windows: the media queries of latest.css for phones in portrait and in landscape. */
const phoneScreen =
  '(max-width: 47.99rem), (orientation: portrait) and (max-height: 59.99rem), (max-width: 69.99rem) and (max-height: 34rem)'

/** Whether the window is as small as a phone's. */
const useIsPhone = (): boolean => useMediaQuery(phoneScreen)
