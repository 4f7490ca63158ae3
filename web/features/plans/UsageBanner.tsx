import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { TriangleAlert, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { paths, pricingSection, subscriptionSection } from '../../lib/paths.ts'
import { photosLeft, storageLeftBytes, usePlanStatus } from '../../lib/plan-status.ts'
import { openStorage } from '../../lib/storage.ts'
import { usage } from '../../messages/en/usage.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { mayBeHidden, usageWarningOf, type UsageLimit, type UsageWarning } from './usage-warning.ts'
import './usage.css'

interface Props {
  /** The limit that files of the queue wait for, if any. */
  waitingFor?: UsageLimit | null
  /** Over the photo of the big screen, but never in full screen. */
  onScreen?: boolean
  /** Shown while there is nothing to warn of. */
  children?: (status: SubscriptionStatus) => ReactNode
}

/** Warns the owner from 80 % of the month's photos or of the storage on: one sentence, one action. */
export function UsageBanner({ waitingFor = null, onScreen = false, children }: Props) {
  const text = useText({ usage })
  const { data: status } = usePlanStatus()
  const { isHidden, hide } = useHiddenWarning()
  if (!status) return null
  const warning = usageWarningOf(status, waitingFor)
  const key = warning && `${warning.limit} ${status.month_ends_at}`
  if (!warning || key === null || (mayBeHidden(warning) && isHidden(key))) return children?.(status) ?? null
  return (
    <output className={`limit ${warning.isFull ? 'limit--bad' : ''} ${onScreen ? 'limit--screen' : ''}`}>
      <TriangleAlert className="icon" />
      <span className="limit__sentence tabular-numbers">
        <Sentence status={status} warning={warning} />
      </span>
      <Action status={status} warning={warning} />
      {mayBeHidden(warning) && (
        <Button tone="ghost" icon aria-label={text.hide} title={text.hide} onClick={() => hide(key)}>
          <X className="icon" />
        </Button>
      )}
    </output>
  )
}

interface WarningProps {
  status: SubscriptionStatus
  warning: UsageWarning
}

function Sentence({ status, warning: { limit, isFull } }: WarningProps): ReactNode {
  const text = useText({ usage })
  const format = useFormat()
  const { current_usage: used, plan_limits: limits, month_ends_at } = status
  const until = format.date(month_ends_at)
  const storage = format.size(limits.storage_gb * 1024 ** 3)
  const photos = format.count(limits.max_photos)
  if (isFull) return limit === 'photos' ? text.monthFull(photos, until) : text.storageFull(storage)
  return limit === 'photos'
    ? text.monthNear(text.of(format.count(used.photos_uploaded), photos), format.count(photosLeft(status)), until)
    : text.storageNear(text.of(format.size(used.storage_used_bytes), storage), format.size(storageLeftBytes(status)))
}

/** Deleting photos frees storage, but gives no photos of the month back; the largest plan has no upgrade. */
function Action({ status: { plan }, warning: { limit } }: WarningProps) {
  const text = useText({ usage })
  const [to, label] =
    limit === 'storage'
      ? [paths.gallery, text.gallery]
      : plan.features.api_access
        ? [subscriptionSection, text.subscription]
        : [pricingSection, text.plans]
  return (
    <Link className={buttonClass({})} to={to}>
      {label}
    </Link>
  )
}

const storageKey = 'hidden-usage-warning'

/** A warning that was hidden stays so in this browser, until it is urgent or another month begins. */
function useHiddenWarning(): { isHidden: (key: string) => boolean; hide: (key: string) => void } {
  const [storage] = useState(() => openStorage(() => window.localStorage))
  const [hiddenKey, setHiddenKey] = useState(() => storage.get(storageKey))
  return {
    isHidden: (key) => key === hiddenKey,
    hide(key) {
      storage.set(storageKey, key)
      setHiddenKey(key)
    },
  }
}
