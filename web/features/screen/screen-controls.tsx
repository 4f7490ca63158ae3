import { type ComponentProps, createContext, use, useCallback, useEffect, useState } from 'react'
import { Download, type LucideIcon, Maximize, Minimize } from 'lucide-react'
import { useMediaUrl } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { attachmentUrl } from '../../lib/urls.ts'
import { latest } from '../../messages/en/screen.ts'
import { Button } from '../../ui/Button.tsx'
import { openStorage } from '../../lib/storage.ts'

/** The keys that press controls of the big screen, as in `aria-keyshortcuts`. */
type Shortcut = 'ArrowLeft' | 'ArrowRight' | 'Space' | 'F' | 'H'

/** Whether the keys work. They can be switched off, for those who speak to the browser (WCAG 2.1.4). */
export const ShortcutsContext = createContext(true)

/** What uses keys itself. */
const fields = 'input, select, textarea, dialog, .menu__list'

/** Presses the control that names a key, unless that key does something where the focus is. `within`: a selector; the big screen. */
export function useShortcuts(within = '.latest'): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, target, repeat } = event
      if (repeat || event.altKey || event.ctrlKey || event.metaKey || document.querySelector('dialog[open]')) return
      const focused = target instanceof Element ? target : null
      if (focused?.closest(key === ' ' ? `${fields}, a, button` : fields)) return
      const name = key === ' ' ? 'Space' : key.length === 1 ? key.toUpperCase() : key
      const control = document.querySelector<HTMLElement>(`${within} [aria-keyshortcuts="${CSS.escape(name)}"]`)
      if (!control) return
      event.preventDefault()
      control.click()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [within])
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
export function DownloadLink({ url }: { url: string | null }) {
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

// Browsers store this key: do not rename it.
const fullScreenKey = 'stage-full'

export type FullScreen = ReturnType<typeof useFullScreen>

/**
 * Full screen: hides everything but the photo, and the browser's own bars where it supports that. Outlives a reload of
 * the tab, then with the browser's bars: hiding those requires a user gesture.
 */
export function useFullScreen() {
  const [storage] = useState(() => openStorage(() => window.sessionStorage))
  const [isFull, setFull] = useState(() => storage.get(fullScreenKey) === 'yes')
  const changeFullScreen = useCallback(
    (full: boolean) => {
      storage.set(fullScreenKey, full ? 'yes' : null)
      setFull(full)
    },
    [storage],
  )

  useEffect(() => {
    const onFullScreenChange = (): void => {
      if (!document.fullscreenElement) changeFullScreen(false)
    }
    const leaveOnEscape = ({ key }: KeyboardEvent): void => {
      // In an open dialog or menu, Escape closes that one.
      const isOther = document.querySelector('dialog[open], .menu > [aria-expanded="true"]') !== null
      if (key === 'Escape' && !isOther) changeFullScreen(false)
    }
    document.addEventListener('fullscreenchange', onFullScreenChange)
    document.addEventListener('keydown', leaveOnEscape)
    return () => {
      document.removeEventListener('fullscreenchange', onFullScreenChange)
      document.removeEventListener('keydown', leaveOnEscape)
    }
  }, [changeFullScreen])

  useEffect(
    () => () => {
      storage.set(fullScreenKey, null)
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => {})
    },
    [storage],
  )

  const toggle = useCallback(() => {
    changeFullScreen(!isFull)
    const root = document.documentElement as Partial<HTMLElement> // iPhones have no full screen for pages
    if (!isFull) root.requestFullscreen?.({ navigationUI: 'hide' }).catch(() => {})
    else if (document.fullscreenElement) document.exitFullscreen().catch(() => {})
  }, [changeFullScreen, isFull])

  return { isFull, toggle }
}
