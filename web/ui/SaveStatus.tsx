import { useCallback, useEffect, useState } from 'react'
import { Check, TriangleAlert } from 'lucide-react'
import { useText } from '../lib/i18n.tsx'
import { states } from '../messages/en/frame.ts'

/** How long messages and toasts are shown. */
export const messageDurationMs = 3_000

/** The outcome of a change. */
export interface TemporaryMessage {
  tone: 'ok' | 'bad'
  text: string
}

export type ShowMessage = (message: TemporaryMessage, durationMs?: number) => void

/** A message beside the control that it is about. It disappears after three seconds, or after `durationMs`. */
export function useTemporaryMessage(): [TemporaryMessage | null, ShowMessage] {
  const [shown, setShown] = useState<(TemporaryMessage & { durationMs: number }) | null>(null)
  useEffect(() => {
    if (!shown) return
    const hideTimer = setTimeout(() => setShown(null), shown.durationMs)
    return () => clearTimeout(hideTimer)
  }, [shown])
  const show = useCallback<ShowMessage>((message, durationMs = messageDurationMs) => {
    setShown({ ...message, durationMs })
  }, [])
  return [shown, show]
}

interface Props {
  message: TemporaryMessage | null
  saving?: boolean
}

/**
 * The outcome of a change, below its control. Screen readers announce it. Its line stays when the message disappears, so
 * that what the user is about to press does not move.
 */
export function SaveStatus({ message, saving = false }: Props) {
  const text = useText({ states })
  const [wasShown, setWasShown] = useState(false)
  if (!wasShown && (saving || message)) setWasShown(true)
  const Icon = message?.tone === 'bad' ? TriangleAlert : Check
  return (
    <output className={wasShown ? 'switch__note switch__note--kept' : 'switch__note'}>
      {saving && (
        <span className="save-status save-status--saving">
          <span className="spin" aria-hidden="true" />
          {text.saving}
        </span>
      )}
      {!saving && message && (
        <span className={message.tone === 'bad' ? 'save-status save-status--bad' : 'save-status'}>
          <Icon className="icon" />
          <span>{message.text}</span>
        </span>
      )}
    </output>
  )
}
