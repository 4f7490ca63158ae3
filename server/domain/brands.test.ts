import { expect, test } from 'vitest'
import { plans } from '@keepsnap/contract/plans.ts'
import { brandingNotInPlan, hasBranding } from './brands.ts'

test('branding is part of the paid plans, as long as they last', () => {
  expect(hasBranding({ granted_plan: null, granted_until: null })).toBe(false)
  expect(hasBranding({ granted_plan: 'pro_monthly', granted_until: null })).toBe(true)
  expect(hasBranding({ granted_plan: 'pro_monthly', granted_until: new Date(Date.now() - 1) })).toBe(false)
})

test('a refusal names the plans with branding and the plan of the user', () => {
  const { code, detail } = brandingNotInPlan(plans.free)
  expect(code).toBe('forbidden')
  expect(detail).toContain(plans.pro_monthly.name)
  expect(detail).toMatch(/Your plan is Free\.$/)
})
