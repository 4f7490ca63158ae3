import { messageMs } from './message-time.ts'
import { useCallback, useEffect, useState } from 'react'

/** The outcome of a change. */
export interface TemporaryMessage {
  tone: 'ok' | 'bad'
  text: string
}

interface Shown extends TemporaryMessage {
  durationMs: number
}

export type ShowMessage = (message: TemporaryMessage, durationMs?: number) => void

/** A message beside the control that it is about. It disappears after three seconds, or after `durationMs`. */
export function useTemporaryMessage(): [TemporaryMessage | null, ShowMessage] {
  const [shown, setShown] = useState<Shown | null>(null)
  useEffect(() => {
    if (!shown) return
    const hideTimer = setTimeout(() => setShown(null), shown.durationMs)
    return () => clearTimeout(hideTimer)
  }, [shown])
  const show = useCallback<ShowMessage>((message, durationMs = messageMs) => {
    setShown({ ...message, durationMs })
  }, [])
  return [shown, show]
}
