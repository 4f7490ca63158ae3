import { billingLimits } from '@keepsnap/contract/limits.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { paths, pricingSection } from '../../lib/paths.ts'
import { photosLeft, usePlanStatus } from '../../lib/plan-status.ts'
import { usage } from '../../messages/en/usage.ts'
import { Note } from '../../ui/Note.tsx'

const [warningPercent] = billingLimits.usageWarningPercent
import './usage.css'

interface Props {
  /** The limit that files of the queue wait for, if any. */
  waitingFor: 'photos' | 'storage' | null
}

/** On the upload page: what is left of the month; at a limit, what happens to further photos, and what to do. */
export function UsageNote({ waitingFor }: Props) {
  return (
    <div className="usage-note">
      <UsageSentence waitingFor={waitingFor} />
    </div>
  )
}

function UsageSentence({ waitingFor }: Props): ReactNode {
  const text = useText({ usage })
  const format = useFormat()
  const { data: status } = usePlanStatus()
  const hasPhotosLeft = status !== undefined && photosLeft(status) > 0
  if (!status) return null
  const { plan_limits: limits, usage_percentage: percentage } = status
  const until = format.date(status.month_ends_at)
  if (!hasPhotosLeft || waitingFor === 'photos') {
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
