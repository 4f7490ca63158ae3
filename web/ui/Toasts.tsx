import { limits } from '@keepsnap/contract/limits.ts'
import { Check, TriangleAlert } from 'lucide-react'
import { createContext, use, useCallback, useEffect, useState, type ReactNode } from 'react'
import { useText } from '../lib/i18n.tsx'
import { frame } from '../messages/en/frame.ts'
import './toasts.css'

export interface Toast {
  text: string
  tone?: 'ok' | 'bad'
  /** Address of a small picture beside the text. */
  picture?: string
}
/** Where toasts appear; on the big screen they keep away from the QR code. */
export type ToastPosition = 'bottom-right' | 'top-left'

const maxVisibleToasts = 3
const ShowToast = createContext<(toast: Toast) => void>(() => {})

/** Shows a message for three seconds. The same text again renews its toast. */
export const useToast = (): ((toast: Toast) => void) => use(ShowToast)

export function ToastsProvider({ position, children }: { position: ToastPosition; children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const removeToast = useCallback((toast: Toast) => setToasts((shown) => shown.filter((other) => other !== toast)), [])
  const showToast = useCallback((toast: Toast) => {
    setToasts((shown) => [...shown.filter(({ text }) => text !== toast.text), toast].slice(-maxVisibleToasts))
  }, [])
  return (
    <ShowToast value={showToast}>
      {children}
      {/* Always in the page: screen readers announce what is added to a live region, not a region that appears. */}
      <div
        className={`toaster toaster--${position}`}
        role="log"
        aria-live="polite"
        aria-label={useText({ frame }).notifications}
      >
        {toasts.map((toast) => (
          <ToastCard key={toast.text} toast={toast} onExpired={removeToast} />
        ))}
      </div>
    </ShowToast>
  )
}

/** Its time does not run while the pointer is over it, nor in a hidden tab. */
function ToastCard({ toast, onExpired }: { toast: Toast; onExpired: (toast: Toast) => void }) {
  const [hovered, setHovered] = useState(false)
  useEffect(() => {
    let toastTimer: ReturnType<typeof setTimeout> | undefined
    const restartToastTimer = (): void => {
      clearTimeout(toastTimer)
      if (!hovered && !document.hidden) toastTimer = setTimeout(() => onExpired(toast), limits.messageMs)
    }
    restartToastTimer()
    document.addEventListener('visibilitychange', restartToastTimer)
    return () => {
      clearTimeout(toastTimer)
      document.removeEventListener('visibilitychange', restartToastTimer)
    }
  }, [toast, hovered, onExpired])
  const Icon = toast.tone === 'bad' ? TriangleAlert : Check
  return (
    <div className="toast" onPointerEnter={() => setHovered(true)} onPointerLeave={() => setHovered(false)}>
      <Icon className="icon" />
      {toast.text}
      {toast.picture && <img src={toast.picture} alt="" width="40" height="40" />}
    </div>
  )
}
