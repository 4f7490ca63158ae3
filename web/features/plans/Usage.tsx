import { TriangleAlert, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { SubscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { states } from '../../messages/en/frame.ts'
import { subscription as messages, usage } from '../../messages/en/plans.ts'
import { paths, pricingSection, subscriptionSection } from '../../lib/paths.ts'
import { openStorage } from '../../lib/storage.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { photosLeft, storageLeftBytes, usePlanStatus } from './plan-status.ts'
import './subscription.css'

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

export type UsageLimit = 'photos' | 'storage'
interface UsageWarning {
  limit: UsageLimit
  isFull: boolean
  /** Used of the limit. */
  percent: number
}

const [warningPercent, fullPercent] = billingLimits.usageWarningPercent
/** From here on a warning cannot be hidden. */
const urgentPercent = 90

/**
 * The warning to the owner, if any, about the limit with the higher usage. A file that waits for a limit means
 * that it is full, whatever the status says: a smaller file may still have room.
 */
export function usageWarningOf(
  { usage_percentage: used }: SubscriptionStatus,
  waitingFor: UsageLimit | null = null,
): UsageWarning | null {
  if (waitingFor !== null) return { limit: waitingFor, isFull: true, percent: Math.max(fullPercent, used[waitingFor]) }
  const limit = used.storage > used.photos ? 'storage' : 'photos'
  const percent = used[limit]
  return percent < warningPercent ? null : { limit, isFull: percent >= fullPercent, percent }
}

export const mayBeHidden = ({ percent }: UsageWarning): boolean => percent < urgentPercent

/** Beside the controls of the big screen: says that a payment is past due. */
export function PastDueIndicator() {
  const { pastDue: text } = useText({ subscription: messages })
  const format = useFormat()
  const { data: status } = usePlanStatus()
  const { subscription } = status ?? {}
  if (subscription?.status !== 'past_due') return null
  return (
    <output className="latest__sign">
      <Link to={subscriptionSection}>
        {text.sign(format.date(subscription.grace_until ?? subscription.current_period_end))}
      </Link>
    </output>
  )
}

/** Above the uploads: what is left of the month, or the warning. `waitingFor`: the limit that files wait for, if any. */
export function UsageOnUpload({ waitingFor }: { waitingFor: UsageLimit | null }) {
  const text = useText({ usage })
  const format = useFormat()
  return (
    <div className="usage-note">
      <UsageBanner waitingFor={waitingFor}>
        {(status) => (
          <p className="usage-note__left tabular-numbers">
            {text.left(
              format.count(photosLeft(status)),
              format.count(status.plan_limits.max_photos),
              format.date(status.month_ends_at),
            )}
          </p>
        )}
      </UsageBanner>
    </div>
  )
}

/** How much of the plan is used: the photos of the month, and the storage. */
export function UsageBars({ status }: { status: SubscriptionStatus }) {
  const text = useText({ usage })
  const format = useFormat()
  const { current_usage: used, plan_limits: limits, usage_percentage: percentage } = status
  const storageBytes = limits.storage_gb * 1024 ** 3
  const percent = (value: number): string => format.percent(value / 100)
  return (
    <div className="plan-usage">
      <h3>{text.heading}</h3>
      <UsageBar
        label={text.photos}
        percentage={percentage.photos}
        used={text.of(format.count(used.photos_uploaded), format.count(limits.max_photos))}
        left={text.photosLeft(
          percent(percentage.photos),
          format.count(photosLeft(status)),
          format.date(status.month_ends_at),
        )}
      />
      <UsageBar
        label={text.storage}
        percentage={percentage.storage}
        used={text.of(format.size(used.storage_used_bytes), format.size(storageBytes))}
        left={text.storageLeft(percent(percentage.storage), format.size(storageLeftBytes(status)))}
      />
      <p className="tiny muted">{text.counting}</p>
    </div>
  )
}

interface UsageBarProps {
  label: string
  /** Of the limit; may be over 100. */
  percentage: number
  /** How much is used, in words: `742 of 1000`. */
  used: string
  /** A line below the bar. */
  left: string
}

/** Green up to 60 %, yellow up to 80 %, then red. */
const toneOf = (percentage: number): string => (percentage > 80 ? 'bad' : percentage > 60 ? 'warn' : 'ok')

/** How much of a limit is used, as text and as a bar. */
export function UsageBar({ label, percentage, used, left }: UsageBarProps) {
  const shown = Math.min(100, percentage)
  return (
    <div className={`usage usage--${toneOf(percentage)}`}>
      <div className="usage__top">
        <b>{label}</b>
        <span>{used}</span>
      </div>
      <meter className="visually-hidden" min="0" max="100" value={shown} aria-label={label} aria-valuetext={used} />
      <div className="usage__bar" aria-hidden="true">
        <i style={{ width: `${shown}%` }} />
      </div>
      <p className="tiny muted tabular-numbers">{left}</p>
    </div>
  )
}

/** Placeholder for content that depends on the plan, until the plan is loaded. Pages retry automatically. */
export function PlanUnknown({ failed }: { failed: boolean }) {
  const text = useText({ usage })
  const { loading } = useText({ states })
  if (failed) return <p className="small muted">{text.planUnknown}</p>
  return (
    <>
      <output className="visually-hidden">{loading}</output>
      <span className="skeleton plan-unknown" aria-hidden="true" />
    </>
  )
}
