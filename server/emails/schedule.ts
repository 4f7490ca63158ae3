import { emailLimits } from '@keepsnap/contract/limits.ts'

/** The limits that can delay an email, by what they count. */
export type EmailLimit = 'address' | 'photo' | 'owner'

/**
 * How full the limits are. A window allows n emails; its field is the due time of the n-th newest email: when that leaves
 * the window, one more may be sent. Null when there are fewer than n.
 */
export interface EmailLimitState {
  addressHour: Date | null
  addressDay: Date | null
  photoDay: Date | null
  ownerDay: Date | null
}

const hourMs = 60 * 60 * 1000
const limitWindows: { field: keyof EmailLimitState; limit: EmailLimit; hours: number }[] = [
  { field: 'addressHour', limit: 'address', hours: 1 },
  { field: 'addressDay', limit: 'address', hours: 24 },
  { field: 'photoDay', limit: 'photo', hours: 24 },
  { field: 'ownerDay', limit: 'owner', hours: 24 },
]

/**
 * When a new email may be sent: now, or when every window has room again. When that is too far away, the email is refused,
 * and the result is the limit that refuses it. The limits of photo and owner come before that of the address, which guests
 * must not learn about.
 */
export function computeDueTime(now: Date, limitState: EmailLimitState): Date | EmailLimit {
  const latestMs = now.getTime() + emailLimits.waitHours * hourMs
  let dueMs = now.getTime()
  let refusedBy: EmailLimit | undefined
  for (const { field, limit, hours } of limitWindows) {
    const freeAtMs = limitState[field] ? limitState[field].getTime() + hours * hourMs : 0
    if (freeAtMs > latestMs && (refusedBy ?? 'address') === 'address') refusedBy = limit
    dueMs = Math.max(dueMs, freeAtMs)
  }
  return refusedBy ?? new Date(dueMs)
}

const minuteMs = 60_000
const maxRetryDelayMs = 6 * hourMs

/**
 * Exponential backoff: 1, 2, 4 ... minutes after the n-th failed attempt, at most 6 hours, with 20 % of jitter so that
 * emails that failed together are not retried together. `random` is from 0 to 1.
 */
export function retryDelayMs(attempts: number, random: number): number {
  const ms = Math.min(minuteMs * 2 ** Math.min(attempts - 1, 12), maxRetryDelayMs)
  return Math.round(ms * (0.8 + 0.4 * random))
}
