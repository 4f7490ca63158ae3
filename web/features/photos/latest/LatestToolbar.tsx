import { Download, Ellipsis, Keyboard, type LucideIcon, Maximize, Minimize, QrCode, Rows4 } from 'lucide-react'
import { use, type ComponentProps, type ReactNode } from 'react'
import { useMediaUrl } from '../../../lib/app-services.tsx'
import { useText } from '../../../lib/i18n.tsx'
import { attachmentUrl } from '../../../lib/media-url.ts'
import { latest } from '../../../messages/en/latest.ts'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { Menu } from '../../../ui/Menu.tsx'
import type { LatestViewModel } from './latest-view-model.ts'
import { ShortcutsContext, type Shortcut } from './shortcuts.ts'

interface Props {
  model: LatestViewModel
  /** The photo may no longer be shown: neither it nor its code is offered. */
  isWithdrawn: boolean
  onShowCode: () => void
  isFull: boolean
  onToggleFullScreen: () => void
  showsRecent: boolean
  onToggleRecent: () => void
  hasShortcuts: boolean
  onToggleShortcuts: () => void
  /** Controls that are needed all the time. */
  children?: ReactNode
  /** Controls that are needed less often, in the menu. */
  more?: ReactNode
}

/** The most important controls side by side, and the others in a menu. */
export function LatestToolbar({
  model,
  isWithdrawn,
  onShowCode,
  isFull,
  onToggleFullScreen,
  showsRecent,
  onToggleRecent,
  hasShortcuts,
  onToggleShortcuts,
  children,
  more,
}: Props) {
  const text = useText({ latest }).toolbar
  return (
    <fieldset className="latest__toolbar on-photo" aria-label={text.label}>
      {children}
      <FullScreenButton isFull={isFull} onToggle={onToggleFullScreen} />
      <Menu
        label={text.more}
        icon={
          <>
            <Ellipsis className="icon" />
            <span>{text.more}</span>
          </>
        }
        buttonClassName={buttonClass({ tone: 'ghost' })}
      >
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
        <ToolbarButton
          icon={Keyboard}
          label={text.shortcuts}
          title={text.shortcutsHint}
          aria-pressed={hasShortcuts}
          data-keeps-menu-open
          onClick={onToggleShortcuts}
        />
      </Menu>
    </fieldset>
  )
}

export function FullScreenButton({ isFull, onToggle }: { isFull: boolean; onToggle: () => void }) {
  const text = useText({ latest }).toolbar
  return (
    <ToolbarButton
      icon={isFull ? Minimize : Maximize}
      label={isFull ? text.leaveFullScreen : text.fullScreen}
      shortcut="F"
      onClick={onToggle}
    />
  )
}

type ButtonProps = Omit<ComponentProps<typeof Button>, 'icon' | 'tone' | 'children'> & {
  icon: LucideIcon
  label: string
  /** The key that presses it. */
  shortcut?: Shortcut
}

/**
 * One control of the big screen: an icon, and its label where there is space. It keeps the focus while it is disabled,
 * which a new or removed photo can change at any time.
 */
export function ToolbarButton({
  icon: Icon,
  label,
  title = label,
  shortcut,
  busy = false,
  disabled = false,
  onClick,
  ...button
}: ButtonProps) {
  const { keys, withKey } = useText({ latest })
  const key = use(ShortcutsContext) ? shortcut : undefined
  return (
    <Button
      tone="ghost"
      busy={busy}
      title={key ? withKey(title, keys[key]) : title}
      aria-keyshortcuts={key}
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
