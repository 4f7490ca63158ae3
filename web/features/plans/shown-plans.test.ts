import type { PlanForSale } from '@keepsnap/contract/billing.ts'
import { planIds, plans } from '@keepsnap/contract/plans.ts'
import { expect, test } from 'vitest'
import { readFeatures } from '../../lib/plan-features.ts'
import { contractPlans, readPlans } from './shown-plans.ts'

const listed = (id: string, features: unknown) =>
  ({ ...plans.pro_monthly, id, stripe_price_id: 'price_1', features }) as PlanForSale // as an older server may answer

test('listed plans get complete features, and a plan without a name in the app is left out', () => {
  expect(readPlans([listed('pro_monthly', '{"max_photos":100}'), listed('pro_weekly', {})])).toEqual([
    { ...plans.pro_monthly, stripe_price_id: 'price_1', features: readFeatures({ max_photos: 100 }) },
  ])
})

test('without a list, the plans of the contract are shown and cannot be bought', () => {
  expect(contractPlans.map(({ id }) => id)).toEqual([...planIds])
  expect(contractPlans.every(({ stripe_price_id }) => stripe_price_id === null)).toBe(true)
})
