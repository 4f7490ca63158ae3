import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import type { TestEmail } from '@keepsnap/contract/readiness.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import type { Format } from '../../lib/format.ts'
import { paths, pricingSection, subscriptionSection } from '../../lib/paths.ts'
import { photosLeft, storageLeftBytes } from '../../lib/plan-status.ts'
import type { Catalogue } from '../../messages/en.ts'

/** `idle`: the check has not been started. */
export type CheckState = 'ok' | 'attention' | 'pending' | 'idle'
export interface CheckResult {
  state: CheckState
  sentence: string
  /** Where to do something about it. */
  action?: { to: string; label: string }
}
interface Localization {
  text: Catalogue['readiness']
  format: Format
}

const [warningPercent, fullPercent] = billingLimits.usageWarningPercent
/** A plan that ends within this time may end before the evening does. */
const soonMs = 7 * 24 * 60 * 60 * 1000

export function photosResult(
  status: SubscriptionStatus,
  { text: { photos: text, actions }, format }: Localization,
): CheckResult {
  const left = photosLeft(status)
  const until = format.date(status.month_ends_at)
  if (status.usage_percentage.photos < warningPercent)
    return { state: 'ok', sentence: text.ok(format.count(left), until) }
  const sentence =
    left === 0 ? text.none(until) : text.few(format.count(left), format.count(status.plan_limits.max_photos), until)
  return { state: 'attention', sentence, action: { to: pricingSection, label: actions.plans } }
}

export function storageResult(
  status: SubscriptionStatus,
  { text: { storage: text, actions }, format }: Localization,
): CheckResult {
  const left = format.size(storageLeftBytes(status))
  const { storage: percent } = status.usage_percentage
  if (percent < warningPercent) return { state: 'ok', sentence: text.ok(left) }
  const sentence =
    percent >= fullPercent ? text.none : text.few(left, format.size(status.plan_limits.storage_gb * 1024 ** 3))
  return { state: 'attention', sentence, action: { to: paths.gallery, label: actions.gallery } }
}

export function planResult(status: SubscriptionStatus, now: number, { text, format }: Localization): CheckResult {
  const { plan, subscription, complimentary, until } = status
  const action = { to: subscriptionSection, label: text.actions.subscription }
  const endsAt = (at: string, next: string): CheckResult =>
    Date.parse(at) - now < soonMs
      ? { state: 'attention', sentence: text.plan.endsSoon(plan.name, format.date(at), next), action }
      : { state: 'ok', sentence: text.plan.ends(plan.name, format.date(at)) }
  if (subscription?.status === 'past_due') {
    const goesOnUntil = format.date(subscription.grace_until ?? subscription.current_period_end)
    return { state: 'attention', sentence: text.plan.pastDue(subscription.plan.name, goesOnUntil), action }
  }
  if (complimentary?.id === plan.id && until !== null)
    return endsAt(until, subscription?.cancel_at_period_end === false ? subscription.plan.name : plans.free.name)
  if (subscription?.plan.id !== plan.id) return { state: 'ok', sentence: text.plan.free(plan.name) }
  if (subscription.cancel_at_period_end)
    return endsAt(subscription.current_period_end, complimentary?.name ?? plans.free.name)
  return { state: 'ok', sentence: text.plan.renews(plan.name, format.date(subscription.current_period_end)) }
}

/** `email`: the test email of this check; undefined while it is being asked for. */
export function emailResult(
  email: TestEmail | undefined,
  address: string,
  { text: { email: text }, format }: Localization,
): CheckResult {
  if (!email || email.state === 'none') return { state: 'pending', sentence: text.sending }
  if (email.state === 'failed') return { state: 'attention', sentence: text.failed(email.reason ?? text.failedUnknown) }
  if (email.state === 'queued')
    return email.reason === null
      ? { state: 'pending', sentence: text.sending }
      : { state: 'attention', sentence: text.delayed(email.reason) }
  const time = format.time(email.sent_at ?? '')
  return email.mail === 'outbox'
    ? { state: 'attention', sentence: text.outbox(time) }
    : { state: 'ok', sentence: text.sent(time, address) }
}
