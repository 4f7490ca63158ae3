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
