import { describe, expect, test } from 'vitest'
import { type PlanFeatures, plans } from '@keepsnap/contract/plans.ts'
import type { PlanForSale, SubscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { complimentary, plansForSale, samplePlanStatus, subscribed } from '../../test/samples.ts'
import { createFormat } from '../../lib/format.ts'
import { pricing } from '../../messages/en/pricing.ts'
import { ApiError, NetworkError } from '../../lib/api-errors.ts'
import { subscription } from '../../messages/en/plans.ts'
import { readFeatures, readStatus } from './plan-status.ts'
import { contractPlans, featuresOf, isLarger, offerOf, paidPlan, priceOf, proSaving, readPlans } from './offers.ts'
import { mayBeHidden, type UsageLimit, usageWarningOf } from './Usage.tsx'
import { subscriptionErrorMessage } from './subscription.ts'

describe('plan status', () => {
  const none: PlanFeatures = {
    max_photos: 10,
    storage_gb: 1,
    max_file_size_mb: 50,
    custom_branding: false,
    analytics: false,
    priority_support: false,
    api_access: false,
  }
  const yearly = plans.pro_yearly.features

  test.each<[string, unknown, PlanFeatures]>([
    ['an object', yearly, yearly],
    ['a string containing JSON', JSON.stringify(yearly), yearly],
    ['nothing', undefined, none],
    ['null', null, none],
    ['an empty string', '', none],
    ['text that is not JSON', '{max_photos', none],
    ['JSON that is not an object', '12', none],
    ['JSON null', 'null', none],
    ['some fields', { max_photos: 100, api_access: true }, { ...none, max_photos: 100, api_access: true }],
    ['some fields in a string', '{"storage_gb":10}', { ...none, storage_gb: 10 }],
    ['numbers of another type', { max_photos: '100', storage_gb: null, max_file_size_mb: -1 }, none],
    ['features of another type', { custom_branding: 'yes', analytics: 1 }, none],
    ['a limit of zero', { max_photos: 0 }, { ...none, max_photos: 0 }],
  ])('features that arrive as %s', (_, features, expected) => {
    expect(readFeatures(features)).toEqual(expected)
  })

  test('a status without limits and features gets the defaults', () => {
    const { plan_limits: _, plan, ...status } = samplePlanStatus(3)
    const bare = { ...status, plan: { ...plan, features: '{}' } } as unknown as ReturnType<typeof samplePlanStatus> // incomplete on purpose
    expect(readStatus(bare)).toMatchObject({
      plan: { features: none },
      plan_limits: { max_photos: 10, storage_gb: 1, max_file_size_mb: 50 },
    })
  })

  test('a status with the fields of the specification alone gets the others', () => {
    const { plan, plan_limits, current_usage, usage_percentage, has_subscription } = samplePlanStatus(3)
    const bare = { plan, plan_limits, current_usage, usage_percentage, has_subscription }
    const status = readStatus(bare as ReturnType<typeof samplePlanStatus>) // incomplete on purpose
    expect(status).toMatchObject({ subscription: null, complimentary: null, until: null, refundable_until: null })
    expect(new Date(status.month_ends_at).getUTCDate()).toBe(1)
  })
})

describe('plans', () => {
  const sold = readPlans(plansForSale)
  type Viewer = SubscriptionStatus | undefined | null
  const offers = (viewer: Viewer, shown = sold, isListed = true) => shown.map((plan) => offerOf(plan, viewer, isListed))
  const visitor = null

  const current = { kind: 'current', isComplimentary: false, until: null, endsAt: null }
  const nothing = { kind: 'nothing' }
  const buy = (id: string, freeUntil: string | null = null) => ({ kind: 'buy', priceId: `price_${id}`, freeUntil })
  const periodEnd = '2026-12-22T12:00:00.000Z'
  test.each<[string, Viewer, unknown[]]>([
    ['a visitor', visitor, [{ kind: 'register' }, { kind: 'sign-in' }, { kind: 'sign-in' }]],
    ['a user whose status is not known yet', undefined, [nothing, { kind: 'wait' }, { kind: 'wait' }]],
    ['a user of the free plan', samplePlanStatus(1), [current, buy('pro_monthly'), buy('pro_yearly')]],
    [
      'a user where nothing is sold',
      { ...samplePlanStatus(1), payments: 'off' },
      [current, { kind: 'not-sold' }, { kind: 'not-sold' }],
    ],
    ['a subscriber', subscribed('pro_monthly'), [nothing, current, { kind: 'change', priceId: 'price_pro_yearly' }]],
    [
      'a subscriber who has cancelled',
      subscribed('pro_monthly', { cancel_at_period_end: true }),
      [nothing, { ...current, endsAt: periodEnd }, { kind: 'change', priceId: 'price_pro_yearly' }],
    ],
    [
      'a subscriber whose payment is missing',
      subscribed('pro_yearly', { status: 'past_due', grace_until: '2026-12-24T12:00:00.000Z' }),
      [nothing, { kind: 'pay-first' }, current],
    ],
    [
      'the holder of a complimentary plan that ends',
      complimentary('pro_yearly', '2027-03-01T00:00:00.000Z'),
      [
        nothing,
        buy('pro_monthly', '2027-03-01T00:00:00.000Z'),
        { ...current, isComplimentary: true, until: '2027-03-01T00:00:00.000Z' },
      ],
    ],
    [
      'the holder of a complimentary plan without an end',
      complimentary('pro_monthly', null),
      [nothing, { ...current, isComplimentary: true }, buy('pro_yearly')],
    ],
    [
      'the holder of a better complimentary plan without an end',
      complimentary('pro_yearly', null),
      [nothing, nothing, { ...current, isComplimentary: true }],
    ],
    [
      'a subscriber with a better complimentary plan',
      complimentary('pro_yearly', null, subscribed('pro_monthly')),
      [nothing, { kind: 'paid', until: periodEnd }, { ...current, isComplimentary: true }],
    ],
    [
      'a user whose payment is on its way',
      {
        ...samplePlanStatus(1),
        delayed_payment: { state: 'pending', plan: { id: 'pro_monthly', name: 'Pro Monthly' } },
      },
      [current, { kind: 'pending' }, { kind: 'pending' }],
    ],
  ])('to %s the cards offer', (_, viewer, expected) => {
    expect(offers(viewer)).toEqual(expected)
  })

  test('while the site cannot take payments the cards say so, to visitors, users and subscribers', () => {
    const paused = sold.map((plan) =>
      plan.price_cents === 0 ? plan : { ...plan, stripe_price_id: null, is_paused: true },
    )
    const paidCards = (viewer: Viewer) => offers(viewer, paused).slice(1)
    const both = [{ kind: 'paused' }, { kind: 'paused' }]
    expect([paidCards(visitor), paidCards(samplePlanStatus(1))]).toEqual([both, both])
    expect(paidCards(subscribed('pro_monthly'))).toEqual([current, { kind: 'paused' }])
  })

  test('without the list of the server, paid plans wait for signed-in users, and lead visitors to sign in', () => {
    expect(offers(samplePlanStatus(1), [...contractPlans], false)).toEqual([
      current,
      { kind: 'wait' },
      { kind: 'wait' },
    ])
    expect(offers(visitor, [...contractPlans], false).at(-1)).toEqual({ kind: 'sign-in' })
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

  const format = createFormat('en-US')

  test.each([
    ['of the plans', contractPlans, 16],
    ['of the prices that the server lists', [{ ...plans.pro_monthly, price_cents: 2_000 }, plans.pro_yearly], 37],
    ['with a price of zero', [{ ...plans.pro_monthly, price_cents: 0 }], 0],
    [
      'rounded down',
      [
        { ...plans.pro_monthly, price_cents: 1_000 },
        { ...plans.pro_yearly, price_cents: 11_999 },
      ],
      0,
    ],
  ])('the saving %s', (_, shown, percent) => {
    expect(proSaving(shown)).toBe(percent)
  })

  test.each([
    ['free', 'month', '$0', 'forever', 'No card needed'],
    ['free', 'year', '$0', 'forever', 'No card needed'],
    ['pro_monthly', 'month', '$14.99', 'per month', 'Paid monthly, cancel any time'],
    ['pro_monthly', 'year', '$14.99', 'per month', '$179.88 a year'],
    ['pro_yearly', 'month', '$149.99', 'per year', 'about $12.50 per month, Save 16%'],
    ['pro_yearly', 'year', '$149.99', 'per year', 'about $12.50 per month, Save 16%'],
  ] as const)('the plan %s, compared per %s, costs %s %s: %s', (id, cycle, amount, per, terms) => {
    const saving = proSaving(contractPlans)
    expect(priceOf(plans[id], { cycle, saving }, { text: pricing, format })).toEqual({ amount, per, terms })
  })

  test('a plan’s card shows what it includes and what it does not include', () => {
    const notIncluded = (id: keyof typeof plans) =>
      featuresOf(plans[id], { text: pricing, format })
        .filter(({ included }) => !included)
        .map(({ text }) => text)
    expect(featuresOf(plans.free, { text: pricing, format })[0]).toEqual({ text: '10 photos a month', included: true })
    expect(featuresOf(plans.pro_yearly, { text: pricing, format })[0]?.text).toBe('1,000 photos a month')
    expect(notIncluded('free')).toEqual(['Your own logo and watermark', 'API access'])
    expect(notIncluded('pro_monthly')).toEqual(['API access'])
    expect(notIncluded('pro_yearly')).toEqual([])
  })

  const listed = (id: string, features: unknown) =>
    ({ ...plans.pro_monthly, id, stripe_price_id: 'price_1', features }) as PlanForSale // as an older server may answer

  test('listed plans get complete features, and a plan without a name in the app is left out', () => {
    expect(readPlans([listed('pro_monthly', '{"max_photos":100}'), listed('pro_weekly', {})])).toEqual([
      { ...plans.pro_monthly, stripe_price_id: 'price_1', features: readFeatures({ max_photos: 100 }) },
    ])
  })

  describe('usage-warning', () => {
    const status = (photos: number, storage: number) => ({
      ...samplePlanStatus(0),
      usage_percentage: { photos, storage },
    })

    test.each<[number, number, UsageLimit | null, [UsageLimit, boolean, boolean] | null]>([
      [79.9, 79.9, null, null],
      [80, 0, null, ['photos', false, true]],
      [0, 80, null, ['storage', false, true]],
      [85, 89.9, null, ['storage', false, true]],
      [90, 85, null, ['photos', false, false]],
      [99.9, 0, null, ['photos', false, false]],
      [100, 99, null, ['photos', true, false]],
      [100, 100, null, ['photos', true, false]],
      [90, 130, null, ['storage', true, false]],
      [50, 60, 'storage', ['storage', true, false]],
      [50, 100, 'photos', ['photos', true, false]],
    ])('with %d %% of photos, %d %% of storage and files that wait for %s, the warning is %j', (...given) => {
      const [photos, storage, waitingFor, expected] = given
      const warning = usageWarningOf(status(photos, storage), waitingFor)
      expect(warning && [warning.limit, warning.isFull, mayBeHidden(warning)]).toEqual(expected)
    })
  })

  describe('problems', () => {
    const { cancel, status } = subscription.errors

    test.each([
      ['no token', new ApiError(401, null), null, status, 'Authentication token not found'],
      ['an ended session', new ApiError(401, null), 'token', status, 'Session expired. Please log in again.'],
      ['a failing server', new ApiError(500, null), 'token', status, 'Failed to fetch subscription status'],
      ['no connection', new NetworkError('unreachable'), 'token', status, 'Failed to fetch subscription status'],
      [
        'a refusal to cancel',
        new ApiError(409, { detail: 'No.' }),
        'token',
        cancel,
        'Failed to cancel subscription. Please try again.',
      ],
    ])('after %s', (_, error, token, fallback, sentence) => {
      expect(subscriptionErrorMessage({ error, token }, fallback, subscription.errors)).toBe(sentence)
    })
  })
})
