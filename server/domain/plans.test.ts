import { expect, test } from 'vitest'
import { planOf } from './plans.ts'

const now = new Date('2026-06-15T12:00:00Z')

test.each([
  ['without a granted plan', null, null, 'free'],
  ['with a plan without an end', 'pro_monthly', null, 'pro_monthly'],
  ['until the plan ends', 'pro_yearly', new Date('2026-06-15T12:00:01Z'), 'pro_yearly'],
  ['from the moment at which the plan ends', 'pro_yearly', now, 'free'],
  ['with a plan that no longer exists', 'platinum', null, 'free'],
])('the plan of a user %s', (_, granted_plan, granted_until, plan) => {
  expect(planOf({ granted_plan, granted_until }, now).id).toBe(plan)
})
