import { rates } from '@keepsnap/contract/limits.ts'
import { useSyncExternalStore } from 'react'
import { useFormat, useText } from '../../../lib/i18n.tsx'
import { useNow } from '../../../lib/now.ts'
import { upload } from '../../../messages/en/upload.ts'
import { Note } from '../../../ui/Note.tsx'
import type { UploadsState } from './upload-store.ts'

/** A shorter pause is over before it is read. */
const leastShownMs = 3_000
/** Of a device that says that it is offline: on a network without internet it may reach the server all the same. */
const offlineAfterMs = 3_000

interface Props {
  state: UploadsState
  /** The user must start the upload again. */
  isStopped?: boolean
}

/** Why nothing is sent now, and until when; nothing while files are sent. */
export function PauseNote({ state: { pause, updatedAt }, isStopped = false }: Props) {
  const { pauses: text, queue } = useText({ upload })
  const format = useFormat()
  const now = useNow(1_000)
  const isOnline = useIsOnline()
  const reason = pause?.reason
  if (!isOnline && (reason === 'unreachable' || (!pause && now - updatedAt > offlineAfterMs)))
    return <Note tone="warn">{isStopped ? text.offlineStopped : text.offline}</Note>
  if (!pause || isStopped) return null
  if (pause.endsAt === null) return <Note tone="warn">{text.unreachable}</Note>
  if (pause.endsAt - pause.startedAt < leastShownMs) return null
  const seconds = Math.max(1, (pause.endsAt - now) / 1000)
  // In steps: screen readers announce each.
  const wait = seconds > 60 ? queue.minutes(Math.ceil(seconds / 60)) : queue.seconds(Math.ceil(seconds / 10) * 10)
  if (reason === 'busy') return <Note tone="plain">{text.busy(wait)}</Note>
  if (reason === 'unavailable') return <Note tone="warn">{text.unavailable(wait)}</Note>
  const { calls: photos, seconds: windowSeconds } = rates.uploads
  const time = format.time(new Date(pause.endsAt).toISOString())
  return <Note tone="warn">{text.rateLimit(wait, { photos, minutes: windowSeconds / 60, time })}</Note>
}

const subscribeToNetwork = (onChange: () => void): (() => void) => {
  const events = ['online', 'offline'] as const
  for (const event of events) window.addEventListener(event, onChange)
  return () => events.forEach((event) => window.removeEventListener(event, onChange))
}
const useIsOnline = (): boolean => useSyncExternalStore(subscribeToNetwork, () => navigator.onLine)
