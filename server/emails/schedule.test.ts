import { describe, expect, test } from 'vitest'
import { computeDueTime, retryDelayMs, type EmailLimitState } from './schedule.ts'

const now = new Date('2026-05-01T12:00:00Z')
const at = (hours: number): Date => new Date(now.getTime() + hours * 3_600_000)
const empty: EmailLimitState = { addressHour: null, addressDay: null, photoDay: null, ownerDay: null }

describe('an email is due', () => {
  test.each<[string, Partial<EmailLimitState>, Date | string]>([
    ['now when no limit is reached', {}, at(0)],
    ['now when the windows have passed', { addressHour: at(-1.01), addressDay: at(-25) }, at(0)],
    ['an hour after the third newest email to its address', { addressHour: at(-0.25) }, at(0.75)],
    ['a day after the tenth newest email to its address', { addressHour: at(-0.5), addressDay: at(-4) }, at(20)],
    ['a day after the photo’s thousandth newest email', { photoDay: at(-1) }, at(23)],
    ['a day after the owner’s five thousandth newest email', { ownerDay: at(-2) }, at(22)],
    ['when the last window has room', { addressDay: at(-10), photoDay: at(-9), ownerDay: at(-12) }, at(15)],
    ['after the emails that are waiting', { addressHour: at(46) }, at(47)],
    ['in 48 hours at the latest', { photoDay: at(24) }, at(48)],
  ])('%s', (_, state, due) => {
    expect(computeDueTime(now, { ...empty, ...state })).toEqual(due)
  })
})

describe('an email is refused', () => {
  test.each<[string, Partial<EmailLimitState>, string]>([
    ['when its address has no room for 48 hours', { addressHour: at(47.1) }, 'address'],
    ['when its photo has no room for 48 hours', { photoDay: at(24.1), addressDay: at(20) }, 'photo'],
    ['for its photo also when its address has no room either', { photoDay: at(24.1), addressDay: at(30) }, 'photo'],
    ['when its owner has no room for 48 hours', { ownerDay: at(24.1) }, 'owner'],
  ])('%s', (_, state, limit) => {
    expect(computeDueTime(now, { ...empty, ...state })).toBe(limit)
  })
})

test('the delay between attempts doubles from a minute to six hours, with 20 % of jitter', () => {
  expect([1, 2, 3, 4, 9, 10, 11, 500].map((attempts) => retryDelayMs(attempts, 0.5) / 60_000)).toEqual([
    1, 2, 4, 8, 256, 360, 360, 360,
  ])
  expect([retryDelayMs(1, 0), retryDelayMs(1, 1)]).toEqual([48_000, 72_000])
})
