import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { billingLimits } from '@keepsnap/contract/limits.ts'

export type UsageLimit = 'photos' | 'storage'
export interface UsageWarning {
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
