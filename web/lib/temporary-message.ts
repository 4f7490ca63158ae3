import { useCallback, useEffect, useState } from 'react'

/** How long messages and toasts are shown. */
export const messageDurationMs = 3_000

/** The outcome of a change. */
export interface TemporaryMessage {
  tone: 'ok' | 'bad'
  text: string
}

interface TimedMessage extends TemporaryMessage {
  durationMs: number
}

export type ShowMessage = (message: TemporaryMessage, durationMs?: number) => void

/** A message beside the control that it is about. It disappears after three seconds, or after `durationMs`. */
export function useTemporaryMessage(): [TemporaryMessage | null, ShowMessage] {
  const [shown, setShown] = useState<TimedMessage | null>(null)
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
