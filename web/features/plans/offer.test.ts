import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { expect, test } from 'vitest'
import { complimentary, plansForSale, samplePlanStatus, subscribed } from '../../test/sample-plan-status.ts'
import { isLarger, offerOf, paidPlan, type PricingVisitor } from './offer.ts'
import { contractPlans, readPlans } from './shown-plans.ts'

const sold = readPlans(plansForSale)
const offers = (viewer: PricingVisitor, shown = sold, isListed = true) =>
  shown.map((plan) => offerOf(plan, viewer, isListed))
const user = (status?: SubscriptionStatus): PricingVisitor => ({ signedIn: true, status })
const visitor: PricingVisitor = { signedIn: false }

const current = { kind: 'current', isComplimentary: false, until: null, endsAt: null }
const nothing = { kind: 'nothing' }
const buy = (id: string, freeUntil: string | null = null) => ({ kind: 'buy', priceId: `price_${id}`, freeUntil })
const periodEnd = '2026-12-22T12:00:00.000Z'
test.each<[string, PricingVisitor, unknown[]]>([
  ['a visitor', visitor, [{ kind: 'register' }, { kind: 'sign-in' }, { kind: 'sign-in' }]],
  ['a user whose status is not known yet', user(), [nothing, { kind: 'wait' }, { kind: 'wait' }]],
  ['a user of the free plan', user(samplePlanStatus(1)), [current, buy('pro_monthly'), buy('pro_yearly')]],
  [
    'a user where nothing is sold',
    user({ ...samplePlanStatus(1), payments: 'off' }),
    [current, { kind: 'not-sold' }, { kind: 'not-sold' }],
  ],
  [
    'a subscriber',
    user(subscribed('pro_monthly')),
    [nothing, current, { kind: 'change', priceId: 'price_pro_yearly' }],
  ],
  [
    'a subscriber who has cancelled',
    user(subscribed('pro_monthly', { cancel_at_period_end: true })),
    [nothing, { ...current, endsAt: periodEnd }, { kind: 'change', priceId: 'price_pro_yearly' }],
  ],
  [
    'a subscriber whose payment is missing',
    user(subscribed('pro_yearly', { status: 'past_due', grace_until: '2026-12-24T12:00:00.000Z' })),
    [nothing, { kind: 'pay-first' }, current],
  ],
  [
    'the holder of a complimentary plan that ends',
    user(complimentary('pro_yearly', '2027-03-01T00:00:00.000Z')),
    [
      nothing,
      buy('pro_monthly', '2027-03-01T00:00:00.000Z'),
      { ...current, isComplimentary: true, until: '2027-03-01T00:00:00.000Z' },
    ],
  ],
  [
    'the holder of a complimentary plan without an end',
    user(complimentary('pro_monthly', null)),
    [nothing, { ...current, isComplimentary: true }, buy('pro_yearly')],
  ],
  [
    'the holder of a better complimentary plan without an end',
    user(complimentary('pro_yearly', null)),
    [nothing, nothing, { ...current, isComplimentary: true }],
  ],
  [
    'a subscriber with a better complimentary plan',
    user(complimentary('pro_yearly', null, subscribed('pro_monthly'))),
    [nothing, { kind: 'paid', until: periodEnd }, { ...current, isComplimentary: true }],
  ],
])('to %s the cards offer', (_, viewer, expected) => {
  expect(offers(viewer)).toEqual(expected)
})

test('without the list of the server, paid plans wait for signed-in users, and lead visitors to sign in', () => {
  expect(offers(user(samplePlanStatus(1)), [...contractPlans], false)).toEqual([
    current,
    { kind: 'wait' },
    { kind: 'wait' },
  ])
  expect(offers(visitor, [...contractPlans], false).at(-1)).toEqual({ kind: 'sign-in' })
})

test('where the server lists no prices, visitors are told that nothing is sold', () => {
  expect(offers(visitor, [...contractPlans])).toEqual([
    { kind: 'register' },
    { kind: 'not-sold' },
    { kind: 'not-sold' },
  ])
})

test.each([
  ['pro_yearly', 'pro_yearly'],
  ['free', undefined],
  ['pro_weekly', undefined],
  [null, undefined],
])('the choice %j is the paid plan %s', (id, expected) => {
  expect(paidPlan(sold, id)?.id).toBe(expected)
})

test.each([
  ['pro_yearly', 'pro_monthly', true],
  ['pro_monthly', 'pro_yearly', false],
  ['pro_monthly', 'pro_monthly', false],
] as const)('%s is larger than %s: %s', (id, than, expected) => {
  expect(isLarger({ id }, { id: than })).toBe(expected)
})
