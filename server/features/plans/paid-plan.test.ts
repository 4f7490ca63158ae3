import { expect, test } from 'vitest'
import type { Subscription } from '../../ports/payments/payments.ts'
import { grantedUntil, isLive, type LiveSubscription, splitLive } from './paid-plan.ts'

const day = (number: number): Date => new Date(Date.UTC(2026, 0, number))
const subscription = (changes: Partial<Subscription> = {}): Subscription => ({
  id: 'sub_1',
  customerId: 'cus_1',
  priceId: 'price_1',
  state: 'active',
  cancelAtPeriodEnd: false,
  currentPeriodStart: day(1),
  currentPeriodEnd: day(31),
  startedAt: day(1),
  endedAt: null,
  unpaidSince: null,
  creditCents: 0,
  ...changes,
})
const live = (changes: Partial<Subscription> = {}): LiveSubscription => {
  const made = subscription(changes)
  if (!isLive(made)) throw new Error('it has ended')
  return made
}

test('a subscription grants its plan for seven days after the period that is paid, a cancelled one until its end', () => {
  expect(grantedUntil(live())).toEqual(day(38))
  expect(grantedUntil(live({ cancelAtPeriodEnd: true }))).toEqual(day(31))
})

test('while a payment is missing, the plan goes on for seven days of the period that is not paid', () => {
  for (const cancelAtPeriodEnd of [true, false])
    expect(grantedUntil(live({ state: 'past_due', cancelAtPeriodEnd }))).toEqual(day(8))
})

test('the seven days are counted from the first period that is not paid', () => {
  const unpaid = { state: 'past_due', currentPeriodStart: day(31), currentPeriodEnd: day(61) } as const
  expect(grantedUntil(live({ ...unpaid, unpaidSince: day(1) }))).toEqual(day(8))
  expect(grantedUntil(live({ ...unpaid, unpaidSince: day(31) }))).toEqual(day(38))
})

test('the oldest live subscription counts, in whichever order they come; ended and unpaid ones do not', () => {
  const all = [
    subscription({ id: 'sub_4', startedAt: day(4) }),
    subscription({ id: 'sub_1', state: 'canceled', startedAt: day(1) }),
    subscription({ id: 'sub_2', state: 'incomplete', startedAt: day(2) }),
    subscription({ id: 'sub_3', state: 'past_due', startedAt: day(3) }),
  ]
  for (const order of [all, all.toReversed()]) {
    const { kept, extra } = splitLive(order)
    expect([kept?.id, extra.map(({ id }) => id)]).toEqual(['sub_3', ['sub_4']])
  }
  expect(splitLive([])).toEqual({ kept: undefined, extra: [] })
  // Of two that began at the same moment, the same one counts each time.
  const both = [subscription({ id: 'sub_b' }), subscription({ id: 'sub_a' })]
  expect(splitLive(both).kept?.id).toBe('sub_a')
  expect(splitLive(both.toReversed()).kept?.id).toBe('sub_a')
})
