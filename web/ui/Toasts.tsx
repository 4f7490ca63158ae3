import { Check, TriangleAlert } from 'lucide-react'
import { createContext, type FocusEvent, type ReactNode, use, useCallback, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useText } from '../lib/i18n.tsx'
import { frame } from '../messages/en/frame.ts'
import { messageDurationMs } from './SaveStatus.tsx'
import './toasts.css'

export interface Toast {
  text: string
  /** What it is about, where several toasts have the same text. */
  id?: string
  tone?: 'ok' | 'bad'
  /** Address of a small picture beside the text. */
  picture?: string
  /** A button, such as Undo. The toast disappears when it is pressed, and stays longer otherwise. */
  action?: { label: string; run: () => void }
}
/** Where toasts appear; on the big screen they keep away from the QR code. */
type ToastPosition = 'bottom-right' | 'top-left'

const maxVisibleToasts = 3
/** Time to notice, read and press the button. */
const actionToastMs = 8_000
const keyOf = ({ id, text }: Toast): string => id ?? text

const ShowToast = createContext<(toast: Toast) => void>(() => {})

const SetOutlet = createContext<(outlet: HTMLElement | null) => void>(() => {})

/** Shows a message for three seconds, or eight with an action. The same id, or without one the same text, renews its toast. */
export const useToast = (): ((toast: Toast) => void) => use(ShowToast)

/** While mounted, toasts appear here: inside a modal dialog, because everything outside of it is inert. */
export function ToastOutlet() {
  return <div ref={use(SetOutlet)} />
}

export function ToastsProvider({ position, children }: { position: ToastPosition; children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const [outlet, setOutlet] = useState<HTMLElement | null>(null)
  const removeToast = useCallback((toast: Toast) => setToasts((shown) => shown.filter((other) => other !== toast)), [])
  const showToast = useCallback((toast: Toast) => {
    setToasts((shown) => [...shown.filter((other) => keyOf(other) !== keyOf(toast)), toast].slice(-maxVisibleToasts))
  }, [])
  // Always in the page: screen readers announce what is added to a live region, not a region that appears.
  const toaster = (
    <div
      className={`toaster toaster--${position}`}
      role="log"
      aria-live="polite"
      aria-label={useText({ frame }).notifications}
    >
      {toasts.map((toast) => (
        <ToastCard key={keyOf(toast)} toast={toast} onRemove={removeToast} />
      ))}
    </div>
  )
  return (
    <ShowToast value={showToast}>
      <SetOutlet value={setOutlet}>{children}</SetOutlet>
      {outlet ? createPortal(toaster, outlet) : toaster}
    </ShowToast>
  )
}

/**
 * Its timer is paused while it is hovered or focused, and in a hidden tab. A pointer that rests where the toast appears
 * does not count: on a big screen, nobody may be there to move it away.
 */
function ToastCard({ toast, onRemove }: { toast: Toast; onRemove: (toast: Toast) => void }) {
  const [held, setHeld] = useState(false)
  const focusedBefore = useRef<EventTarget>(null)
  useEffect(() => {
    let toastTimer: ReturnType<typeof setTimeout> | undefined
    const restartToastTimer = (): void => {
      clearTimeout(toastTimer)
      const ms = toast.action ? actionToastMs : messageDurationMs
      if (!held && !document.hidden) toastTimer = setTimeout(() => onRemove(toast), ms)
    }
    restartToastTimer()
    document.addEventListener('visibilitychange', restartToastTimer)
    return () => {
      clearTimeout(toastTimer)
      document.removeEventListener('visibilitychange', restartToastTimer)
    }
  }, [toast, held, onRemove])
  const Icon = toast.tone === 'bad' ? TriangleAlert : Check
  const { action } = toast
  const onFocus = ({ relatedTarget }: FocusEvent): void => {
    focusedBefore.current = relatedTarget
    setHeld(true)
  }
  const runAction = (): void => {
    if (focusedBefore.current instanceof HTMLElement) focusedBefore.current.focus({ preventScroll: true })
    onRemove(toast)
    action?.run()
  }
  return (
    <div
      className={`toast ${action || toast.tone === 'bad' ? 'toast--kept' : ''}`}
      onPointerMove={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={onFocus}
      onBlur={() => setHeld(false)}
    >
      <Icon className="icon" />
      <span>{toast.text}</span>
      {toast.picture && <img src={toast.picture} alt="" width="40" height="40" />}
      {action && (
        <button type="button" className="toast__action" onClick={runAction}>
          {action.label}
        </button>
      )}
    </div>
  )
}
