import { useEffect, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { paths, pricingSection } from '../../lib/paths.ts'
import { usage } from '../../messages/en/usage.ts'
import { Note } from '../../ui/Note.tsx'
import { photosLeft, usePlanStatus, warningPercent } from './queries.ts'
import './usage.css'

interface Props {
  /** The limit that files of the queue wait for, if any. */
  waitingFor: 'photos' | 'storage' | null
  /** There may be room again for files that wait. */
  onRoom: () => void
}

/** On the upload page: what is left of the month; at a limit, what happens to further photos, and what to do. */
export function UsageNote({ waitingFor, onRoom }: Props) {
  return (
    <div className="usage-note">
      <UsageSentence waitingFor={waitingFor} onRoom={onRoom} />
    </div>
  )
}

function UsageSentence({ waitingFor, onRoom }: Props): ReactNode {
  const text = useText({ usage })
  const format = useFormat()
  const { data: status, refetch } = usePlanStatus()
  useEffect(() => {
    if (waitingFor !== null) void refetch()
  }, [waitingFor, refetch])
  const hasPhotosLeft = status !== undefined && photosLeft(status) > 0
  const storedBytes = status?.current_usage.storage_used_bytes
  useEffect(() => {
    // Also when deleting photos has freed storage.
    if (hasPhotosLeft && storedBytes !== undefined) onRoom()
  }, [hasPhotosLeft, storedBytes, onRoom])
  if (!status) return null
  const { plan_limits: limits, usage_percentage: percentage } = status
  const until = format.date(status.month_ends_at)
  if (!hasPhotosLeft) {
    return (
      <Note tone="warn">
        {text.monthFull(format.count(limits.max_photos), until)}{' '}
        <Link className="link" to={pricingSection}>
          {text.plans}
        </Link>
      </Note>
    )
  }
  if (waitingFor === 'storage') {
    return (
      <Note tone="warn">
        {text.storageFull(format.size(limits.storage_gb * 1024 ** 3))}{' '}
        <Link className="link" to={paths.gallery}>
          {text.gallery}
        </Link>
      </Note>
    )
  }
  const isWarning = percentage.photos >= warningPercent
  return (
    <p className={`usage-note__left tabular-numbers ${isWarning ? 'usage-note__left--warn' : ''}`}>
      {text.left(format.count(photosLeft(status)), format.count(limits.max_photos), until)}
    </p>
  )
}
