import { expect, test } from 'vitest'
import { plans } from '@keepsnap/contract/plans.ts'
import { brandingNotInPlan, hasBranding } from './brands.ts'

test('branding is part of the paid plans', () => {
  expect(hasBranding({ plan: 'free' })).toBe(false)
  expect(hasBranding({ plan: 'pro_monthly' })).toBe(true)
  expect(hasBranding({ plan: 'pro_yearly' })).toBe(true)
})

test('a refusal names the plans with branding and the plan of the user', () => {
  const { code, detail } = brandingNotInPlan(plans.free)
  expect(code).toBe('forbidden')
  expect(detail).toContain(plans.pro_monthly.name)
  expect(detail).toMatch(/Your plan is Free\.$/)
})
