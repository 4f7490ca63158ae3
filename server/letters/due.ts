import { letterLimits } from '@keepsnap/contract/limits.ts'

/** The limits that can hold a letter back, by what they count. */
export type Cap = 'address' | 'photo' | 'owner'

/**
 * For each window, when the letter goes (or went) that has as many newer ones as the window allows: when that one leaves
 * the window, there is room for another. Null: there is room now.
 */
export interface Newest {
  addressHour: Date | null
  addressDay: Date | null
  photoDay: Date | null
  ownerDay: Date | null
}

const hourMs = 60 * 60 * 1000
/** Addresses first. */
const windows: { of: keyof Newest; cap: Cap; hours: number }[] = [
  { of: 'addressHour', cap: 'address', hours: 1 },
  { of: 'addressDay', cap: 'address', hours: 24 },
  { of: 'photoDay', cap: 'photo', hours: 24 },
  { of: 'ownerDay', cap: 'owner', hours: 24 },
]

/**
 * When a new letter may go: now, or when the last of the windows that are full has room; product.md section 6. The cap's
 * name when that is too far away for a letter to be accepted at all: the address's only when it is the only one, for that
 * is told to nobody.
 */
export function whenDue(now: Date, newest: Newest): Date | Cap {
  const latest = now.getTime() + letterLimits.waitHours * hourMs
  let due = now.getTime()
  let by: Cap | undefined
  for (const { of, cap, hours } of windows) {
    const free = newest[of] ? newest[of].getTime() + hours * hourMs : 0
    if (free > latest && (by ?? 'address') === 'address') by = cap
    due = Math.max(due, free)
  }
  return by ?? new Date(due)
}

const minuteMs = 60_000
const waitMostMs = 6 * hourMs

/**
 * How long to wait after the n-th attempt that came to nothing: 1, 2, 4 ... minutes, at most 6 hours, a fifth more or
 * less so that letters which failed together do not come back together. `chance` is from 0 to 1.
 */
export function backOffMs(attempts: number, chance: number): number {
  const ms = Math.min(minuteMs * 2 ** Math.min(attempts - 1, 12), waitMostMs)
  return Math.round(ms * (0.8 + 0.4 * chance))
}
