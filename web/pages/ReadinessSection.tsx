import { useCallback } from 'react'
import { useLive, useLiveStatus } from '../features/live/live-context.ts'
import { ReadinessCheck } from '../features/readiness/ReadinessCheck.tsx'

const nothing = (): void => {}

/** The section "Ready for tonight?" of the settings, with the live connection of this tab. */
export function ReadinessSection({ email }: { email: string }) {
  const live = useLive()
  const status = useLiveStatus()
  const onCodeOpened = useCallback(
    (listener: () => void) =>
      live?.onMessage(({ action }) => {
        if (action === 'test_code_opened') listener()
      }) ?? nothing,
    [live],
  )
  const isConnecting = status === 'connecting' || status === 'reconnecting' || status === 'error'
  return (
    <ReadinessCheck
      email={email}
      live={{
        status: status === 'connected' ? 'connected' : isConnecting ? 'connecting' : 'lost',
        lastContactAt: () => live?.lastContactAt() ?? null,
        onCodeOpened,
      }}
    />
  )
}
