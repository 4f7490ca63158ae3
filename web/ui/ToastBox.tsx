import { limits } from '@keepsnap/contract/limits.ts'
import { Check, TriangleAlert } from 'lucide-react'
import { useEffect } from 'react'
import { toast as announce, Toaster } from 'sonner'
import 'sonner/dist/styles.css'
import { useText } from '../lib/i18n.tsx'
import './toasts.css'
import type { Toast, ToastPlace } from './Toasts.tsx'
import { frame } from '../messages/en/frame.ts'

interface Props {
  place: ToastPlace
  waiting: readonly Toast[]
  onShown: () => void
}

/** Clear of the bar of tabs below, and of the navigation and the code on the stage. */
const offsets = {
  'bottom-right': { wide: '1.5rem', phone: { bottom: '5.25rem', left: '1rem', right: '1rem' } },
  'top-left': { wide: { top: '5.25rem', left: '1.5rem' }, phone: { top: '4.75rem', left: '1rem', right: '1rem' } },
} as const

/** The live region that toasts appear in. */
export function ToastBox({ place, waiting, onShown }: Props) {
  useEffect(() => {
    if (waiting.length === 0) return
    for (const toast of waiting) announce.custom(() => <ToastCard {...toast} />, { id: toast.text })
    onShown()
  }, [waiting, onShown])
  return (
    <Toaster
      position={place}
      offset={offsets[place].wide}
      mobileOffset={offsets[place].phone}
      duration={limits.messageMs}
      containerAriaLabel={useText({ frame }).notifications}
      className="toaster"
      visibleToasts={3}
    />
  )
}

function ToastCard({ text, tone = 'ok', picture }: Toast) {
  const Icon = tone === 'ok' ? Check : TriangleAlert
  return (
    <div className="toast">
      <Icon className="i" />
      {text}
      {picture && <img src={picture} alt="" width="40" height="40" />}
    </div>
  )
}
