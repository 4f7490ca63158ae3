import { plans } from '@keepsnap/contract/plans.ts'
import { describe, expect, test } from 'vitest'
import { createFormat } from '../../lib/format.ts'
import { pricing } from '../../messages/en/pricing.ts'
import { featuresOf, pricePerInterval, priceOf, proSaving, savingPercent } from './prices.ts'
import { contractPlans } from './shown-plans.ts'

const format = createFormat('en-US')

describe('the saving', () => {
  test('of the yearly plan is 16 percent', () => {
    expect(proSaving(contractPlans)).toBe(16)
  })
  test('follows the prices that the server lists', () => {
    expect(proSaving([{ ...plans.pro_monthly, price_cents: 2_000 }, plans.pro_yearly])).toBe(37)
  })
  test('is zero when a price is zero', () => {
    expect(proSaving([{ ...plans.pro_monthly, price_cents: 0 }])).toBe(0)
  })
  test.each([
    [1000, 12_000, 0],
    [1000, 6_000, 50],
    [1000, 11_999, 0],
  ])('of %i a month against %i a year is %i percent, never rounded up', (month, year, percent) => {
    expect(savingPercent(month, year)).toBe(percent)
  })
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

test.each([
  ['pro_monthly', '$14.99 per month'],
  ['pro_yearly', '$149.99 per year'],
] as const)('the plan %s costs %s', (id, price) => {
  expect(pricePerInterval(plans[id], { text: pricing, format })).toBe(price)
})

test('a plan’s card shows what it includes and what it does not include', () => {
  const notIncluded = (id: keyof typeof plans) =>
    featuresOf(plans[id], pricing)
      .filter(({ included }) => !included)
      .map(({ text }) => text)
  expect(featuresOf(plans.free, pricing)[0]).toEqual({ text: '10 photos a month', included: true })
  expect(notIncluded('free')).toEqual(['Your own logo and watermark', 'API access'])
  expect(notIncluded('pro_monthly')).toEqual(['API access'])
  expect(notIncluded('pro_yearly')).toEqual([])
})
